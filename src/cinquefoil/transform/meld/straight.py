"""Melding two arms of one block each into the block before them: alignment, dead instructions, selects, phis."""

from __future__ import annotations

from cinquefoil.ir.model import Branch, Instruction
from cinquefoil.transform.meld.align import align
from cinquefoil.transform.meld.body import Body
from cinquefoil.transform.meld.diamonds import Diamond
from cinquefoil.transform.meld.meld_report import MeldFigures
from cinquefoil.transform.meld.merger import Merger
from cinquefoil.transform.meld.rules import is_ignored
from cinquefoil.transform.meld.values import mapped, phis_of


def meld_straight(body: Body, diamond: Diamond, region: int) -> MeldFigures:
    """Replaces the branch by the melded code; the arms vanish."""
    return _Melding(body, diamond, region).run()


class _Melding:
    def __init__(self, body: Body, diamond: Diamond, region: int) -> None:
        self._body, self._diamond = body, diamond
        self._head = body.block(diamond.head)
        body.marks.keep_location(self._head)
        branch = self._head.terminator
        assert isinstance(branch, Branch)
        self._branch = branch
        self._condition = branch.operands[0]
        self._out = body.writer(diamond, region)
        self._located = body.located(region)
        self._merger = Merger(self._out, self._condition, self._located)

    def run(self) -> MeldFigures:
        then, other = self._arm(self._diamond.then), self._arm(self._diamond.other)
        pairs = align(then, other, self._body.equality(self._diamond), self._body.kept)
        self._mark()
        for pair in pairs:
            self._merger.emit(pair)
        self._choose_phis()
        self._finish()
        merged = sum(1 for a, b in pairs if a and b)
        return MeldFigures(merged, self._out.dead, self._out.selects)

    def _arm(self, labels: tuple[str, ...]) -> list[Instruction]:
        return [i for i in self._body.block(labels[0]).instructions[:-1] if not is_ignored(i)] if labels else []

    def _mark(self) -> None:
        """Coverage of the arms by the value of the condition."""
        sides = [
            self._body.block(labels[0]) if labels else None for labels in (self._diamond.then, self._diamond.other)
        ]
        for block, mask in zip(sides, (lambda: self._condition, self._merger.turned), strict=True):
            if block is not None:
                for each in self._body.marks.block(block, mask()):
                    self._out.add(each)
        then, other = (block.label if block is not None else None for block in sides)
        home = self._body.home(self._head)
        self._out.add(self._body.marks.branch(home, self._branch, then, other))

    # ---- the end ---------------------------------------------------------------------------------------------

    def _choose_phis(self) -> None:
        head, join = self._head.label, self._body.block(self._diamond.join)
        sides = [labels[0] if labels else head for labels in (self._diamond.then, self._diamond.other)]
        for phi in phis_of(join):
            values = dict(zip(phi.labels, phi.operands, strict=True))
            yes, no = values[sides[0]], mapped(values[sides[1]], self._merger.other)
            chosen = self._out.choose(self._condition, yes, no, phi.dbg)
            rest = [(at, value) for at, value in zip(phi.labels, phi.operands, strict=True) if at not in sides]
            phi.labels = [*(at for at, _ in rest), head]
            phi.operands = [*(value for _, value in rest), chosen]

    def _finish(self) -> None:
        jump = Branch(opcode="br", result=None, type=self._branch.type, operands=[], labels=[self._diamond.join])
        jump.dbg = self._branch.dbg
        self._head.instructions[-1:] = [*self._out.lines, jump]
        self._body.note_new(self._out.lines)
        self._body.remove(self._diamond.blocks)
        self._body.changed()
