"""Several ways to choose, of which those that pay get more time.

Each way has running sums of what its turns brought and of what they cost, old turns counting less and less.  Time is
shared out in proportion to what a way brings for what it costs, and none falls below a floor, since what pays changes
while a program is explored; a way whose turns are dear is drawn less often, so that its time is not more than its
share.  What turns bring and cost is for the caller to say.  On a logarithmic scale, one run that finds a whole new part
of the program does not decide everything that follows; costs that are counted, not measured, leave the choice the same
on every machine.

All of it is native (`native/arms.c`): a way is drawn and paid for every path.

Risk: a way that pays late has to live on the floor until then.
"""

from __future__ import annotations

import weakref

import numpy as np

from cinquefoil.search.library import load

_UNIT = 1_000_000


class Arms:
    """`count` ways, by number."""

    def __init__(self, count: int, seed: int) -> None:
        self._count = count
        self._library = load()
        self.handle: int = self._library.cinq_arms_new(count, seed)
        weakref.finalize(self, self._library.cinq_arms_free, self.handle)

    def shares(self) -> list[float]:
        """Of time."""
        found = np.empty(self._count)
        self._library.cinq_arms_shares(self.handle, found)
        return found.tolist()

    def chances(self) -> list[float]:
        """How the next turn is drawn: so that its expected cost is as the shares are."""
        found = np.empty(self._count)
        self._library.cinq_arms_chances(self.handle, found)
        return found.tolist()

    def draw(self) -> list[int]:
        """A way at random; then, should that have nothing to offer, the others, the likelier ones first."""
        order = np.empty(self._count, np.uint8)
        return order[: self._library.cinq_arms_draw(self.handle, order)].tolist()

    def note(self, way: int, gain: float, cost: float) -> None:
        """A turn of this way is over."""
        self._library.cinq_arms_note(self.handle, way, in_millionths(gain), in_millionths(cost))


def in_millionths(value: float) -> int:
    return round(value * _UNIT)
