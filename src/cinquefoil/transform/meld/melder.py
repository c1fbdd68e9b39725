"""Melding one function: inner branches before outer ones, again and again until nothing more melds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cinquefoil.ir.debug import DebugInfo
from cinquefoil.ir.model import Location, Switch
from cinquefoil.transform.meld.body import Body
from cinquefoil.transform.meld.condition_chain import find_chain, meld_chain
from cinquefoil.transform.meld.diamonds import Diamond, is_conditional
from cinquefoil.transform.meld.legal import why_not, why_not_in_line
from cinquefoil.transform.meld.linearise import meld_region
from cinquefoil.transform.meld.meld_report import MeldedRegion, MeldFigures, Refusal
from cinquefoil.transform.meld.pairing import find_pairing, look_alike
from cinquefoil.transform.meld.straight import meld_straight
from cinquefoil.transform.meld.twin import meld_twins

Objection = Callable[[Body, str, tuple[str, ...]], str | None]  # head and blocks that would vanish
_NOWHERE = Location("", 0, 0, "")


@dataclass(slots=True)
class Melder:
    """Melds the branches of a function; `objection` is the caller's say about each, `number` the next region's."""

    body: Body
    debug: DebugInfo
    objection: Objection
    number: int

    def run(self) -> tuple[list[MeldedRegion], list[Refusal]]:
        regions: list[MeldedRegion] = []
        refusals: dict[str, Refusal] = {}
        while self._sweep(regions, refusals):
            pass
        melded = {region.home for region in regions}
        return regions, [*(refusal for home, refusal in refusals.items() if home not in melded), *self._switches()]

    def _switches(self) -> list[Refusal]:
        """Switches on input, which are left."""
        ends = [(block.label, block.terminator) for block in self.body.function.blocks]
        labels = [at for at, end in ends if isinstance(end, Switch) and self.body.is_symbolic(end.operands[0])]
        return [Refusal(self.body.function.name, at, *self._at(at), "it is a switch") for at in labels]

    def _sweep(self, regions: list[MeldedRegion], refusals: dict[str, Refusal]) -> bool:
        before = len(regions)
        for head in self.body.shape.heads():
            while self._is_candidate(head):
                home = self.body.home(self.body.block(head))
                done = self._try(head, home)
                if isinstance(done, str):
                    refusals[home] = Refusal(self.body.function.name, home, *self._at(head), done)
                    break
                regions.append(done)
        return len(regions) > before

    def _is_candidate(self, head: str) -> bool:
        block = self.body.shape.blocks.get(head)
        if block is None or head not in self.body.shape.targets or not is_conditional(block):
            return False
        return self.body.is_symbolic(block.terminator.operands[0])

    def _try(self, head: str, home: str) -> MeldedRegion | str:
        diamond = self.body.shape.diamond(head)
        at = self._at(head)
        if isinstance(diamond, str):
            chain = find_chain(self.body.shape, head, self.body.is_symbolic)
            reason = chain if isinstance(chain, str) else self.objection(self.body, head, (chain.second,))
            if isinstance(chain, str) or reason is not None:
                return reason or diamond
            kind, figures = "chain", meld_chain(self.body, chain, self.number)
        else:
            reason = self._reason(diamond)
            done = reason if reason is not None else self._meld(self._straightened(diamond))
            if isinstance(done, str):
                return done
            kind, figures = done
        self.number += 1
        return MeldedRegion(self.number - 1, self.body.function.name, home, *at, kind, figures)

    def _reason(self, diamond: Diamond) -> str | None:
        shape = self.body.shape
        legal = why_not(shape, diamond, self.body.is_symbolic)
        if legal is None and not look_alike(shape, diamond):
            legal = why_not_in_line(shape, diamond, self.body.is_symbolic)
        return legal or self.objection(self.body, diamond.head, diamond.blocks)

    def _meld(self, diamond: Diamond) -> tuple[str, MeldFigures] | str:
        """Melds a diamond, if its inner control flow allows one of the methods to do so."""
        arms = diamond.then, diamond.other
        if all(len(arm) < 2 and not self.body.shape.has_cycle(arm) for arm in arms):
            kind = "if-then-else" if all(arms) else "if-then"
            figures = meld_straight(self.body, diamond, self.number)
        elif (pairing := find_pairing(self.body, diamond)) is not None:
            kind, figures = "isomorphic", meld_twins(self.body, diamond, pairing, self.number)
        else:
            reason = why_not_in_line(self.body.shape, diamond, self.body.is_symbolic)
            if reason is not None:
                return reason
            kind, figures = "region", meld_region(self.body, diamond, self.number)
        while self.body.absorb(diamond.head):
            pass
        return kind, figures

    def _straightened(self, diamond: Diamond) -> Diamond:
        """The diamond with straight lines in its arms joined."""
        for arm in (diamond.then, diamond.other):
            for label in arm:
                while label in self.body.shape.blocks and self._inside(label, arm) and self.body.absorb(label):
                    pass
        again = self.body.shape.diamond(diamond.head)
        assert isinstance(again, Diamond)
        return again

    def _inside(self, label: str, arm: tuple[str, ...]) -> bool:
        """Whether the block behind is part of the arm."""
        return all(target in arm for target in self.body.block(label).successors())

    def _at(self, head: str) -> tuple[str, int, int]:
        at = self.debug.location(self.body.block(head).terminator.dbg) or _NOWHERE
        return at.file, at.line, at.column
