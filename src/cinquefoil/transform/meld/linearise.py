"""Melding arms of several blocks: they run one after the other, their effects masked.

Both arms are executed whatever the condition says, first the one, then the other; each keeps its own control flow,
which depends on no input.  A store in an arm stores what is there already unless the arm is the chosen one, and the
values that leave the arms are chosen by selects at the join.  Nothing need be aligned, so the arms may have any
shape, loops with fixed bounds included.

The blocks of the arms stay, but run always: what they cover is left to marks.
"""

from __future__ import annotations

from cinquefoil.ir.model import Block, Branch, Instruction, Local, Phi, Value
from cinquefoil.ir.types import VOID
from cinquefoil.transform.meld.body import Body
from cinquefoil.transform.meld.diamonds import Diamond
from cinquefoil.transform.meld.meld_report import MeldFigures
from cinquefoil.transform.meld.rules import is_ignored
from cinquefoil.transform.meld.values import phis_of
from cinquefoil.transform.meld.writer import Writer


def meld_region(body: Body, diamond: Diamond, region: int) -> MeldFigures:
    """Replaces the branch by a path through both arms."""
    return _Linearising(body, diamond, region).run()


class _Linearising:
    def __init__(self, body: Body, diamond: Diamond, region: int) -> None:
        self._body, self._diamond, self._region = body, diamond, region
        self._head = body.block(diamond.head)
        body.marks.keep_location(self._head)
        self._join = body.block(diamond.join)
        branch = self._head.terminator
        assert isinstance(branch, Branch)
        self._branch = branch
        self._located = body.located(region)
        self._dead = self._selects = 0
        self._end = self._head  # of what has been put in line

    def run(self) -> MeldFigures:
        condition = self._branch.operands[0]
        out = self._body.writer(self._diamond, self._region)
        against = out.negated(condition)
        marks = [self._marks(self._diamond.then, condition), self._marks(self._diamond.other, against)]
        sides = next(iter(self._diamond.then), None), next(iter(self._diamond.other), None)
        out.add(self._body.marks.branch(self._body.home(self._head), self._branch, sides[0], sides[1]))
        self._head.instructions[-1:] = [*out.lines, self._jump(self._join.label)]
        self._body.note_new(out.lines)
        yes = self._arm(self._diamond.then, condition, marks[0])
        no = self._arm(self._diamond.other, against, marks[1])
        self._choose(condition, yes, no)
        self._body.changed()
        return MeldFigures(0, self._dead, self._selects)

    def _jump(self, label: str) -> Branch:
        return Branch(
            opcode="br", result=None, type=VOID, operands=[], labels=[label], dbg=self._located(self._branch.dbg, None)
        )

    def _marks(self, arm: tuple[str, ...], mask: Value) -> dict[str, list[Instruction]]:
        """Marks of the arm's blocks, numbered before any branch names them."""
        return {label: self._body.marks.block(self._body.block(label), mask) for label in arm}

    # ---- one arm ---------------------------------------------------------------------------------------------

    def _arm(self, arm: tuple[str, ...], mask: Value, marks: dict[str, list[Instruction]]) -> dict[str, Value]:
        """Puts an arm in line; gives the values of the join's phis on this path."""
        phis = phis_of(self._join)
        if not arm:
            return {str(p.result): _from(p, self._head.label) for p in phis}
        self._enter(arm)
        for label in arm:
            self._mask(self._body.block(label), mask, marks[label])
        return self._leave(arm, phis)

    def _enter(self, arm: tuple[str, ...]) -> None:
        """From the end of the line into the arm."""
        self._body.relabel([arm[0]], self._head.label, self._end.label)
        self._end.instructions[-1] = self._jump(arm[0])

    def _mask(self, block: Block, mask: Value, marks: list[Instruction]) -> None:
        phis = phis_of(block)
        out = self._body.writer(self._diamond, self._region)
        last = block.terminator
        for i in block.instructions[len(phis) : -1]:
            if not is_ignored(i):
                out.guarded(i, mask)
        assert isinstance(last, Branch)
        if last.operands:
            out.add(self._branch_mark(block, last, mask))
        for i in (*phis, last):
            i.dbg = self._located(i.dbg, None)
        block.instructions = [*phis, *marks, *out.lines, last]
        self._body.note_new(out.lines)
        self._count(out)

    def _branch_mark(self, block: Block, last: Branch, mask: Value) -> Instruction:
        sides = [label if self._only(label, block.label) else None for label in last.labels]
        return self._body.marks.branch(self._body.home(block), last, sides[0], sides[1], mask)

    def _only(self, label: str, source: str) -> bool:
        """Whether a block is entered from this one alone, so that its mark tells that the edge was taken."""
        return set(self._body.shape.sources[label]) == {source}

    def _leave(self, arm: tuple[str, ...], phis: list[Phi]) -> dict[str, Value]:
        """One block behind the arm, in which its exits meet."""
        sources = [label for label in arm if self._join.label in self._body.block(label).successors()]
        end = Block(self._body.names.fresh("b"))
        for label in sources:
            last = self._body.block(label).terminator
            assert isinstance(last, Branch)
            last.labels = [end.label if at == self._join.label else at for at in last.labels]
        found: dict[str, Value] = {}
        for phi in phis:
            found[str(phi.result)] = self._met(end, phi, sources)
        end.instructions.append(self._jump(self._join.label))
        at = max(n for n, block in enumerate(self._body.function.blocks) if block.label in arm)
        self._body.function.blocks.insert(at + 1, end)
        self._end = end
        return found

    def _met(self, end: Block, phi: Phi, sources: list[str]) -> Value:
        values = [_from(phi, label) for label in sources]
        if len(set(values)) == 1:
            return values[0]
        name = self._body.names.fresh("p")
        made = Phi(opcode="phi", result=name, type=phi.type, operands=values, labels=list(sources))
        made.dbg = self._located(phi.dbg, None)
        end.instructions.append(made)
        self._body.note_new([made])
        return Local(name, phi.type)

    # ---- the join ----------------------------------------------------------------------------------------------

    def _choose(self, condition: Value, yes: dict[str, Value], no: dict[str, Value]) -> None:
        out = self._body.writer(self._diamond, self._region)
        gone = {self._head.label, *self._diamond.blocks}
        for phi in phis_of(self._join):
            name = str(phi.result)
            chosen = out.choose(condition, yes[name], no[name], phi.dbg)
            rest = [(at, value) for at, value in zip(phi.labels, phi.operands, strict=True) if at not in gone]
            phi.labels = [*(at for at, _ in rest), self._end.label]
            phi.operands = [*(value for _, value in rest), chosen]
        self._end.instructions[-1:] = [*out.lines, self._end.instructions[-1]]
        self._body.note_new(out.lines)
        self._count(out)

    def _count(self, out: Writer) -> None:
        self._dead += out.dead
        self._selects += out.selects


def _from(phi: Phi, label: str) -> Value:
    return phi.operands[phi.labels.index(label)]
