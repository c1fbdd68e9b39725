"""A bandit: several arms that choose, of which those that pay get more time.

Each arm has running sums of what its selections brought and of what they cost, old selections counting less and less.
Time is shared out in proportion to what an arm brings for what it costs, and none falls below a floor, since what pays
changes while a program is explored; an arm whose selections cost much is drawn less often, so that its time is not more
than its share.  What selections bring and cost is for the caller to say.  On a logarithmic scale, one run that finds a
whole new part of the program does not decide everything that follows; costs that are counted, not measured, leave the
choice the same on every machine.

All of it is native (`native/search/arms.c`): an arm is drawn and paid for every path.

Risk: an arm that pays late has to live on the floor until then.
"""

from __future__ import annotations

import weakref

import numpy as np

from cinquefoil.native import core

_UNIT = 1_000_000


class Bandit:
    """`count` arms, by number."""

    def __init__(self, count: int, seed: int) -> None:
        self._count = count
        self.handle: int = core.cinq_arms_new(count, seed)
        weakref.finalize(self, core.cinq_arms_free, self.handle)

    def shares(self) -> list[float]:
        """The share of time that each arm is to have."""
        found = np.empty(self._count)
        core.cinq_arms_shares(self.handle, found)
        return found.tolist()

    def chances(self) -> list[float]:
        """How the next selection is drawn: so that its expected cost is as the shares are."""
        found = np.empty(self._count)
        core.cinq_arms_chances(self.handle, found)
        return found.tolist()

    def draw(self) -> list[int]:
        """An arm at random; then, should that have nothing to offer, the others, the likelier ones first."""
        order = np.empty(self._count, np.uint8)
        return order[: core.cinq_arms_draw(self.handle, order)].tolist()

    def note(self, arm: int, gain: float, cost: float) -> None:
        """A selection of this arm is over."""
        core.cinq_arms_note(self.handle, arm, in_millionths(gain), in_millionths(cost))


def in_millionths(value: float) -> int:
    return round(value * _UNIT)
