"""What dependence needs to know of each function: definitions by block, writes to memory, calls.

Memory is told apart by the object a pointer is based on: a stack object, a global, or what a parameter points
to, found through address arithmetic, casts and the first input of choices.  Pointers that were loaded from
memory have no known object: pointers to pointers are not followed (Empc, section 4.2, does the same).  A call
that is given a pointer may write to its object.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from cinquefoil.analysis.digraph import bits
from cinquefoil.ir.model import (
    Alloca,
    Call,
    Cast,
    ConstExpr,
    Function,
    GetElementPtr,
    GlobalRef,
    Instruction,
    Local,
    Module,
    Phi,
    Return,
    Select,
    Store,
    Value,
)
from cinquefoil.ir.traversal import predecessors, successors

BlockName = tuple[str, str]  # function and label of a block
Object = tuple[str, str]  # function ("" for globals) and name of a stack object, global or pointer parameter
_STEPS = 32  # of address arithmetic
_FAR = 256  # blocks looked at backwards: only near dependence is ever used


@dataclass(slots=True)
class FunctionFacts:
    """Blocks are labels."""

    function: Function
    made_in: dict[str, str]  # local -> block
    makers: dict[str, Instruction]
    parameters: dict[str, int]
    sources: dict[str, list[str]]
    targets: dict[str, list[str]]
    writes: dict[Object, set[str]] = field(default_factory=dict[Object, set[str]])
    returns: list[tuple[str, Value]] = field(default_factory=list[tuple[str, Value]])

    _blocks: Bits | None = None  # made when first asked

    _reaching: dict[tuple[str, frozenset[str]], tuple[set[str], set[str]]] = field(
        default_factory=dict[tuple[str, frozenset[str]], tuple[set[str], set[str]]]
    )

    @property
    def name(self) -> str:
        return self.function.name

    def reaching(self, use: str, defining: frozenset[str]) -> tuple[set[str], set[str]]:
        """Of the blocks that define a variable, those whose definition reaches its use; and the branches from
        which the use can be reached both through these and around them."""
        key = (use, defining)
        found = self._reaching.get(key)
        if found is None:
            if self._blocks is None:
                self._blocks = Bits(self.sources, self.targets)
            found = self._reaching[key] = self._blocks.reaching(use, defining)
        return found


class Bits:
    """A function's blocks as bits of integers: sets of them are joined at once."""

    def __init__(self, sources: Mapping[str, list[str]], targets: Mapping[str, list[str]]) -> None:
        self._labels = list(targets)
        self._number = {label: number for number, label in enumerate(self._labels)}
        self._sources = [self._set(sources[label]) for label in self._labels]
        self._branches = self._set(label for label in self._labels if len(targets[label]) > 1)
        self._above: dict[int, int] = {}

    def reaching(self, use: str, defining: frozenset[str]) -> tuple[set[str], set[str]]:
        """See `FunctionFacts.reaching`."""
        around, data = self._backwards(1 << self._number[use], self._set(defining))
        through = 0
        for number in bits(data):
            above = self._above.get(number)
            if above is None:
                above = self._above[number] = self._backwards(1 << number, 0)[0]
            through |= above
        return self._names(data), self._names(around & through & self._branches)

    def _backwards(self, starts: int, stop: int) -> tuple[int, int]:
        """What leads to the starts without passing a block of `stop`, nearest first up to _FAR blocks or a little more;
        and the blocks of `stop` met first."""
        passed = met = 0
        edge = starts
        while edge and passed.bit_count() < _FAR:
            before = 0
            for number in bits(edge):
                before |= self._sources[number]
            met |= before & stop
            edge = before & ~stop & ~passed
            passed |= edge
        return passed, met

    def _set(self, labels: Iterable[str]) -> int:
        found = 0
        for label in labels:
            found |= 1 << self._number[label]
        return found

    def _names(self, blocks: int) -> set[str]:
        return {self._labels[number] for number in bits(blocks)}


class ProgramFacts:
    """All functions, who calls whom with what, and who writes what."""

    def __init__(self, module: Module) -> None:
        self.functions = {f.name: _functions_own(f) for f in module.functions.values() if f.blocks}
        self.callers: dict[str, list[tuple[str, str, Call]]] = {}
        self.writers: dict[Object, list[BlockName]] = {}
        for facts in self.functions.values():
            self._collect(facts)

    def _collect(self, facts: FunctionFacts) -> None:
        for block in facts.function.blocks:
            for instruction in block.instructions:
                for written in _written(facts, instruction):
                    facts.writes.setdefault(written, set()).add(block.label)
                if isinstance(instruction, Call) and isinstance(instruction.callee, GlobalRef):
                    self.callers.setdefault(instruction.callee.name, []).append((facts.name, block.label, instruction))
                elif isinstance(instruction, Return) and instruction.operands:
                    facts.returns.append((block.label, instruction.operands[0]))
        for written, labels in facts.writes.items():
            self.writers.setdefault(written, []).extend((facts.name, label) for label in sorted(labels))


def based_on(facts: FunctionFacts, pointer: Value) -> Object | None:
    """The object a pointer points into, if that can be told."""
    for _ in range(_STEPS):
        if isinstance(pointer, GlobalRef):
            return "", pointer.name
        if isinstance(pointer, ConstExpr) and pointer.operands:
            pointer = pointer.operands[0]
            continue
        if not isinstance(pointer, Local):
            return None
        if pointer.name in facts.parameters:
            return facts.name, pointer.name
        maker = facts.makers.get(pointer.name)
        if isinstance(maker, Alloca):
            return facts.name, pointer.name
        if isinstance(maker, Select):
            pointer = maker.operands[1]
        elif isinstance(maker, GetElementPtr | Cast | Phi):
            pointer = maker.operands[0]
        else:
            return None
    return None


def _functions_own(function: Function) -> FunctionFacts:
    made_in = {i.result: b.label for b in function.blocks for i in b.instructions if i.result is not None}
    makers = {i.result: i for i in function.walk() if i.result is not None}
    parameters = {parameter.name: number for number, parameter in enumerate(function.parameters)}
    return FunctionFacts(function, made_in, makers, parameters, predecessors(function), successors(function))


def _written(facts: FunctionFacts, instruction: Instruction) -> Iterator[Object]:
    if isinstance(instruction, Store):
        pointers = instruction.operands[1:2]
    elif isinstance(instruction, Call):
        pointers = [o for o in instruction.operands if str(o.type) == "ptr"]
    else:
        return
    for pointer in pointers:
        found = based_on(facts, pointer)
        if found is not None:
            yield found
