"""Marks: calls that keep coverage exact where blocks and branches vanish.

`transform/instrument/meld_marks.py` reads them.
"""

from __future__ import annotations

from cinquefoil.ir.debug import DebugInfo
from cinquefoil.ir.lines import block_location, branch_location, line_locations
from cinquefoil.ir.model import (
    Block,
    Branch,
    Call,
    ConstInt,
    Function,
    GlobalRef,
    Instruction,
    Module,
    Parameter,
    Phi,
    Value,
)
from cinquefoil.ir.types import I1, I32, PTR, VOID, FunctionType
from cinquefoil.transform.meld.values import TRUE

BLOCK, LINE, BRANCH = "cinq_meld_block", "cinq_meld_line", "cinq_meld_branch"
_NOTHING = "llvm.donothing"
_TYPES = {
    BLOCK: FunctionType(VOID, (I1, I32)),
    LINE: FunctionType(VOID, (I32,)),
    BRANCH: FunctionType(VOID, (I1, I1, I32, I32, I32)),
}


def is_mark(i: Instruction) -> bool:
    return isinstance(i, Call) and isinstance(i.callee, GlobalRef) and i.callee.name in _TYPES


def has_mask(i: Instruction) -> bool:
    """Whether the mark's first operand says if its block is reached."""
    return isinstance(i, Call) and isinstance(i.callee, GlobalRef) and i.callee.name in (BLOCK, BRANCH)


def declare(module: Module) -> None:
    for name, kind in {**_TYPES, _NOTHING: FunctionType(VOID, ())}.items():
        parameters = [Parameter("", each) for each in kind.parameters]
        module.functions.setdefault(name, Function(name, kind, parameters))


class Marks:
    """Numbers the vanished blocks of one function.  Their locations are noted before anything is melded."""

    def __init__(self, function: Function, debug: DebugInfo) -> None:
        self._debug = debug
        self._locations = {block.label: self._noted(block) for block in function.blocks}
        self._decided = {block.label: branch_location(block, debug) for block in function.blocks}
        self._numbers: dict[str, int] = {}
        self._vanished: set[int] = set()

    def first(self, label: str) -> int | None:
        """The debug location that a block is known by."""
        locations = self._locations.get(label)
        return locations[0] if locations else None

    def keep_location(self, block: Block) -> None:
        """Gives a block that stays, but starts with what will be melded, its location in the source."""
        first = self.first(block.label)
        own = [i for i in block.instructions[:-1] if i.dbg is not None and not is_mark(i)]
        if first is not None and self._numbers.get(block.label) not in self._vanished and not own:
            phis = sum(isinstance(i, Phi) for i in block.instructions)
            block.instructions.insert(phis, _call(_NOTHING, [], first))

    def block(self, block: Block, mask: Value = TRUE) -> list[Instruction]:
        """Marks for a block that vanishes, entered where `mask` holds; none if it has no location in the source."""
        locations = self._locations.get(block.label)
        if not locations or self._number_of(block.label) in self._vanished:
            return []
        number = self._number_of(block.label)
        self._vanished.add(number)
        lines = [_call(LINE, [_number(number)], dbg) for dbg in locations[1:]]
        return [_call(BLOCK, [mask, _number(number)], locations[0]), *lines]

    def absorbed(self, block: Block, behind: Block) -> list[Instruction]:
        """Marks for a block that becomes the end of another one; if that has no location, it takes this one's part."""
        self._decided[block.label] = self._decided.get(behind.label)
        if self._locations.get(block.label) or self._number_of(behind.label) in self._vanished:
            return self.block(behind)
        self._locations[block.label] = self._locations.get(behind.label, [])
        self._numbers[block.label] = self._number_of(behind.label)
        return []

    def _noted(self, block: Block) -> list[int]:
        """The first location of a block, then one for each further line."""
        first = block_location(block, is_mark)
        if first is None:
            return []
        found = {self._line(first): first}
        for dbg in line_locations(block, branch_location(block, self._debug), is_mark).values():
            found.setdefault(self._line(dbg), dbg)
        return list(found.values())

    def branch(self, home: str, branch: Branch, then: str | None, other: str | None, mask: Value = TRUE) -> Instruction:
        """A mark for a conditional branch that vanishes; `then` and `other` are the vanished blocks it led to."""
        numbers = [-1 if label is None else self._number_of(label) for label in (home, then, other)]
        return _call(BRANCH, [mask, branch.operands[0], *map(_number, numbers)], self._location_of(home, branch))

    def _location_of(self, home: str, branch: Branch) -> int | None:
        """Where the decision was made; a branch that melding made stays nobody's."""
        decided = self._decided.get(home)
        return decided if self._line(decided)[0] == self._line(branch.dbg)[0] else branch.dbg

    def settle(self, function: Function) -> None:
        """When all is melded: blocks that branches named but that did not vanish have no numbers."""
        for i in function.walk():
            if isinstance(i, Call) and is_mark(i) and has_mask(i) and len(i.operands) > 2:
                i.operands[2:] = [o if self._has_vanished(o) else _number(-1) for o in i.operands[2:]]

    def _number_of(self, label: str) -> int:
        """The number of a block, which may yet vanish."""
        return self._numbers.setdefault(label, len(self._numbers))

    def _has_vanished(self, number: Value) -> bool:
        return isinstance(number, ConstInt) and number.value in self._vanished

    def _line(self, dbg: int | None) -> tuple[str, int]:
        at = self._debug.location(dbg)
        return ("", 0) if at is None else (at.file, at.line)


def _number(value: int) -> ConstInt:
    return ConstInt(value, I32)


def _call(name: str, operands: list[Value], dbg: int | None) -> Call:
    return Call(
        opcode="call",
        result=None,
        type=VOID,
        operands=operands,
        dbg=dbg,
        callee=GlobalRef(name, PTR),
        function_type=_TYPES.get(name, FunctionType(VOID, ())),
        argument_attributes=[""] * len(operands),
    )
