"""Fresh names, selects, masks: the small instructions that melding adds; and when two values are surely equal."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from copy import copy

from cinquefoil.ir.model import (
    Binary,
    Block,
    Cast,
    Compare,
    ConstInt,
    Function,
    GetElementPtr,
    Instruction,
    Local,
    Phi,
    Select,
    Value,
)
from cinquefoil.ir.types import I1, VectorType

PREFIX = "meld."
TRUE = ConstInt(1, I1)
_DIVISIONS = ("udiv", "sdiv", "urem", "srem")
_SHIFTS = ("shl", "lshr", "ashr")
_PURE = (Binary, Cast, Compare, GetElementPtr, Select)
_DEPTH = 8  # of the comparison of two computations


class Names:
    """Names that the function does not use yet."""

    def __init__(self, function: Function) -> None:
        self._taken = {i.result for i in function.walk() if i.result is not None}
        self._taken |= {block.label for block in function.blocks} | {p.name for p in function.parameters}
        self._next = 0

    def fresh(self, kind: str) -> str:
        while True:
            self._next += 1
            name = f"{PREFIX}{kind}{self._next}"
            if name not in self._taken:
                self._taken.add(name)
                return name


class ValueEquality:
    """Whether two values of a function are the same: the same name, constant, or the same pure computation of
    such.  Loads are equal to nothing but themselves, and so are values made in the blocks `inside`: melding may
    change what they are made of."""

    def __init__(self, function: Function, inside: Collection[str]) -> None:
        blocks = [block for block in function.blocks if block.label not in inside]
        self._makers = {i.result: i for block in blocks for i in block.instructions if i.result is not None}

    def same(self, a: Value, b: Value, depth: int = _DEPTH) -> bool:
        if a == b:
            return True
        if not (isinstance(a, Local) and isinstance(b, Local)) or depth == 0:
            return False
        x, y = self._makers.get(a.name), self._makers.get(b.name)
        if x is None or y is None or not isinstance(x, _PURE) or not compatible(x, y):
            return False
        return all(self.same(p, q, depth - 1) for p, q in zip(x.operands, y.operands, strict=True))


def compatible(a: Instruction, b: Instruction) -> bool:
    """Whether one instruction with chosen operands can stand for both."""
    if type(a) is not type(b) or a.opcode != b.opcode or a.type != b.type or len(a.operands) != len(b.operands):
        return False
    if any(x.type != y.type for x, y in zip(a.operands, b.operands, strict=True)):
        return False
    names = ("predicate", "source", "indices", "mask", "callee", "align", "allocated")
    return all(getattr(a, n, None) == getattr(b, n, None) for n in names if n != "align")


def harmless_operand(i: Instruction) -> ConstInt | None:
    """A safe operand for a division whose divisor may be 0 or -1, or a shift whose amount may be too large: one that
    is fine."""
    if not isinstance(i, Binary) or isinstance(i.type, VectorType):
        return None
    right = i.operands[1]
    if i.opcode in _DIVISIONS and not (isinstance(right, ConstInt) and right.value not in (0, -1)):
        return ConstInt(1, right.type)
    shifts = i.opcode in _SHIFTS and not isinstance(right, ConstInt)
    return ConstInt(0, right.type) if shifts else None


def phis_of(block: Block) -> list[Phi]:
    return [i for i in block.instructions if isinstance(i, Phi)]


def plain_copy(i: Instruction, replacements: Mapping[str, Value]) -> Instruction:
    """The instruction with other operands, without flags that could make poison and without promises."""
    made = copy(i)
    made.operands = [mapped(o, replacements) for o in i.operands]
    made.flags, made.metadata = (), ""
    if isinstance(made, Phi):
        made.labels = list(made.labels)
    return made


def mapped(value: Value, replacements: Mapping[str, Value]) -> Value:
    return replacements.get(value.name, value) if isinstance(value, Local) else value


def select(name: str, condition: Value, yes: Value, no: Value, dbg: int | None) -> Select:
    return Select(opcode="select", result=name, type=yes.type, operands=[condition, yes, no], dbg=dbg)


def logic(opcode: str, name: str, a: Value, b: Value, dbg: int | None) -> Binary:
    return Binary(opcode=opcode, result=name, type=I1, operands=[a, b], dbg=dbg)
