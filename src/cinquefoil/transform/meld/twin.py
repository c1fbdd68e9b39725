"""Melding arms of the same shape into one region, block by block.

Every block of the first arm takes in its counterpart: aligned instructions become one, the others run dead, phis that
differ are chosen where their values come in or stay side by side, and the condition of a branch is the chosen arm's.
So a loop takes the rounds that it takes in the original, and no more: unlike arms that run one after the other
(linearise.py), the arms may hold loops of any length and branches that depend on input, and each of these is one
afterwards, that may be melded in its turn.
"""

from __future__ import annotations

from copy import copy

from cinquefoil.ir.model import Block, Branch, Instruction, Local, Phi, Value
from cinquefoil.ir.types import VOID
from cinquefoil.transform.meld.body import Body
from cinquefoil.transform.meld.diamonds import Diamond
from cinquefoil.transform.meld.meld_report import MeldFigures
from cinquefoil.transform.meld.merger import Merger
from cinquefoil.transform.meld.pairing import Pairing
from cinquefoil.transform.meld.values import mapped, phis_of
from cinquefoil.transform.meld.writer import Writer


def meld_twins(body: Body, diamond: Diamond, pairing: Pairing, region: int) -> MeldFigures:
    """Replaces the branch by a path through both arms at once."""
    return _Twins(body, diamond, pairing, region).run()


class _Twins:
    def __init__(self, body: Body, diamond: Diamond, pairing: Pairing, region: int) -> None:
        self._body, self._diamond, self._pairing = body, diamond, pairing
        self._head = body.block(diamond.head)
        body.marks.keep_location(self._head)
        branch = self._head.terminator
        assert isinstance(branch, Branch)
        self._branch, self._condition = branch, branch.operands[0]
        self._located = body.located(region)
        equality = body.equality(diamond)
        self._out = {
            label: Writer(body.names, equality, self._located, body.kept) for label in (diamond.head, *diamond.then)
        }
        self._against = self._out[diamond.head].negated(self._condition)
        self._first = {other: label for label, other in pairing.blocks} | {diamond.head: diamond.head}
        types = {str(i.result): i.type for label in diamond.then for i in body.block(label).instructions}
        self._other: dict[str, Value] = {b: Local(a, types[a]) for a, b in pairing.names.items()}

    def run(self) -> MeldFigures:
        marks = {
            label: self._body.marks.block(self._body.block(label), mask)
            for arm, mask in ((self._diamond.then, self._condition), (self._diamond.other, self._against))
            for label in arm
        }  # numbered before any branch names them
        for label, _ in self._pairing.blocks:
            for pair in self._pairing.aligned[label]:
                self._merger(label).emit(pair)
        phis = {label: self._phis(label, other) for label, other in self._pairing.blocks}
        self._choose_at_join()
        self._close_head()
        for label, other in self._pairing.blocks:
            last = self._end(label, other)
            block, out = self._body.block(label), self._out[label]
            block.instructions = [*phis[label], *marks[label], *marks[other], *out.lines, last]
        self._note_new(phis)
        self._body.remove(self._diamond.other)
        self._body.changed()
        return self._figures()

    def _merger(self, label: str) -> Merger:
        return Merger(self._out[label], self._condition, self._located, self._other, self._against)

    def _choose(self, at: str, yes: Value, no: Value, dbg: int | None) -> Value:
        """A choice between a value of the first arm and one of the other, at the end of a block."""
        return self._out[at].choose(self._condition, yes, mapped(no, self._other), dbg)

    # ---- phis --------------------------------------------------------------------------------------------------

    def _phis(self, label: str, other: str) -> list[Phi]:
        theirs = {str(q.result): q for q in phis_of(self._body.block(other))}
        found: list[Phi] = []
        for phi in phis_of(self._body.block(label)):
            twin = theirs.pop(self._pairing.names.get(str(phi.result), ""), None)
            if twin is not None:
                self._join_phi(phi, twin)
            phi.dbg = self._located(phi.dbg, twin.dbg if twin is not None else None)
            found.append(phi)
        for phi in theirs.values():
            phi.labels = [self._first[at] for at in phi.labels]
            phi.operands = [mapped(value, self._other) for value in phi.operands]
            phi.dbg = self._located(phi.dbg, None)
            found.append(phi)
        return found

    def _join_phi(self, phi: Phi, twin: Phi) -> None:
        theirs = {self._first[at]: value for at, value in zip(twin.labels, twin.operands, strict=True)}
        phi.operands = [
            self._choose(at, value, theirs[at], phi.dbg) for at, value in zip(phi.labels, phi.operands, strict=True)
        ]

    def _choose_at_join(self) -> None:
        inside = set(self._diamond.blocks)
        for phi in phis_of(self._body.block(self._diamond.join)):
            values = dict(zip(phi.labels, phi.operands, strict=True))
            rest = [(at, value) for at, value in values.items() if at not in inside]
            met = [
                (label, self._choose(label, values[label], values[other], phi.dbg))
                for label, other in self._pairing.blocks
                if label in values
            ]
            phi.labels = [at for at, _ in (*rest, *met)]
            phi.operands = [value for _, value in (*rest, *met)]

    # ---- branches ----------------------------------------------------------------------------------------------

    def _close_head(self) -> None:
        out = self._out[self._diamond.head]
        entries = self._diamond.then[0], self._diamond.other[0]
        out.add(self._body.marks.branch(self._body.home(self._head), self._branch, *entries))
        jump = Branch(opcode="br", result=None, type=VOID, operands=[], labels=[entries[0]])
        jump.dbg = self._located(self._branch.dbg, None)
        self._head.instructions[-1:] = [*out.lines, jump]

    def _end(self, label: str, other: str) -> Branch:
        first, second = self._body.block(label), self._body.block(other)
        mine, theirs = first.terminator, second.terminator
        assert isinstance(mine, Branch) and isinstance(theirs, Branch)
        made = copy(mine)
        made.dbg = self._located(mine.dbg, theirs.dbg)
        if mine.operands:
            out = self._out[label]
            out.add(self._branch_mark(first, mine, self._condition))
            out.add(self._branch_mark(second, theirs, self._against))
            made.operands = [self._choose(label, mine.operands[0], theirs.operands[0], mine.dbg)]
        self._body.adopt(made, first, second)
        return made

    def _branch_mark(self, block: Block, last: Branch, mask: Value) -> Instruction:
        sides = [label if set(self._body.shape.sources[label]) == {block.label} else None for label in last.labels]
        seen = copy(last)
        seen.operands = [mapped(value, self._other) for value in last.operands]
        return self._body.marks.branch(self._body.home(block), seen, sides[0], sides[1], mask)

    # ---- the end -----------------------------------------------------------------------------------------------

    def _note_new(self, phis: dict[str, list[Phi]]) -> None:
        """Twice: what a loop carries around is known the second time."""
        for _ in range(2):
            for label, out in self._out.items():
                self._body.note_new([*phis.get(label, ()), *out.lines])

    def _figures(self) -> MeldFigures:
        writers: list[Writer] = list(self._out.values())
        merged = sum(1 for pairs in self._pairing.aligned.values() for a, b in pairs if a and b)
        return MeldFigures(merged, sum(out.dead for out in writers), sum(out.selects for out in writers))
