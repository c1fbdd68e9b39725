"""The function being melded, and what is known of it while it changes."""

from __future__ import annotations

from dataclasses import dataclass, field

from cinquefoil.ir.model import Block, Branch, Function, Instruction, Local, Phi, Select, Value
from cinquefoil.ir.traversal import replace_operands
from cinquefoil.transform.meld.diamonds import Diamond, Shape
from cinquefoil.transform.meld.locations import MeldLocations
from cinquefoil.transform.meld.marks import Marks
from cinquefoil.transform.meld.values import PREFIX, Names, ValueEquality
from cinquefoil.transform.meld.writer import Located, Writer


@dataclass(slots=True)
class Body:
    """`symbolic`: names of values that depend on input.  `homes`: the block in which each conditional branch (by
    identity) stood at first, `twins` the other one if it stands for two.  `kept`: see Writer."""

    function: Function
    locations: MeldLocations
    marks: Marks
    symbolic: set[str]
    names: Names
    shape: Shape
    homes: dict[int, str]
    twins: dict[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    kept: dict[str, Select] = field(default_factory=dict[str, Select])
    branches: list[Branch] = field(default_factory=list[Branch])  # keeps identities in `homes` from being reused

    @classmethod
    def of(cls, function: Function, locations: MeldLocations, marks: Marks, symbolic: set[str]) -> Body:
        branches = [(b.terminator, b.label) for b in function.blocks if isinstance(b.terminator, Branch)]
        homes = {id(branch): label for branch, label in branches}
        made = cls(function, locations, marks, set(symbolic), Names(function), Shape(function), homes)
        made.branches = [branch for branch, _ in branches]
        return made

    def block(self, label: str) -> Block:
        return self.shape.blocks[label]

    def home(self, block: Block) -> str:
        """The block in which a block's branch stood before anything was melded."""
        return self.homes.get(id(block.terminator), block.label)

    def homes_of(self, block: Block) -> tuple[str, ...]:
        """All the blocks in which branches stood that a block's branch stands for."""
        return (self.home(block), *self.twins.get(id(block.terminator), ()))

    def adopt(self, branch: Branch, *blocks: Block) -> None:
        """A new branch stands for those of these blocks."""
        homes = [home for block in blocks for home in self.homes_of(block)]
        self.homes[id(branch)], self.twins[id(branch)] = homes[0], tuple(homes[1:])
        self.branches.append(branch)

    def is_symbolic(self, value: Value) -> bool:
        return isinstance(value, Local) and value.name in self.symbolic

    def equality(self, diamond: Diamond) -> ValueEquality:
        return ValueEquality(self.function, diamond.blocks)

    def writer(self, diamond: Diamond, region: int) -> Writer:
        return Writer(self.names, self.equality(diamond), self.located(region), self.kept)

    def located(self, region: int) -> Located:
        return lambda first, second: self.locations.melded(region, self.function, first, second)

    def note_new(self, instructions: list[Instruction]) -> None:
        """New results depend on input if their operands do; so may what a masked store reads back."""
        for i in instructions:
            read_back = i.opcode == "load" and str(i.result).startswith(PREFIX)
            if i.result is not None and (read_back or any(map(self.is_symbolic, i.operands))):
                self.symbolic.add(i.result)

    def remove(self, labels: tuple[str, ...]) -> None:
        gone = set(labels)
        self.function.blocks = [b for b in self.function.blocks if b.label not in gone]

    def changed(self) -> None:
        self.shape = Shape(self.function)

    # ---- straight lines --------------------------------------------------------------------------------------

    def absorb(self, label: str) -> bool:
        """Joins a block with the one behind it, if that is entered from it alone; marks keep the latter covered."""
        block = self.block(label)
        targets = block.successors()
        if len(targets) != 1 or targets[0] == label or len(self.shape.sources[targets[0]]) != 1:
            return False
        behind = self.block(targets[0])
        if behind.label == self.function.blocks[0].label:
            return False
        phis = [i for i in behind.instructions if isinstance(i, Phi)]
        self._forward({str(p.result): p.operands[0] for p in phis})
        marks = self.marks.absorbed(block, behind)
        self.marks.keep_location(block)
        block.instructions[-1:] = [*marks, *behind.instructions[len(phis) :]]
        self.relabel(block.successors(), behind.label, label)
        self.remove((behind.label,))
        self.changed()
        return True

    def relabel(self, targets: list[str], before: str, now: str) -> None:
        """Has what came from block `before` in the phis of `targets` come from `now`."""
        for target in set(targets):
            for i in self.block(target).instructions:
                if isinstance(i, Phi):
                    i.labels = [now if at == before else at for at in i.labels]

    def _forward(self, values: dict[str, Value]) -> None:
        if values:
            resolved = {name: _last(value, values) for name, value in values.items()}
            for i in self.function.walk():
                replace_operands(i, resolved)


def _last(value: Value, values: dict[str, Value]) -> Value:
    seen: set[str] = set()
    while isinstance(value, Local) and value.name in values and value.name not in seen:
        seen.add(value.name)
        value = values[value.name]
    return value
