"""Several ways to choose, of which those that pay get more time.

Each way has running sums of what its turns brought and of what they cost, old turns counting less and less.  Time is
shared out in proportion to what a way brings for what it costs, and none falls below a floor, since what pays changes
while a program is explored; a way whose turns are dear is drawn less often, so that its time is not more than its
share.  What turns bring and cost is for the caller to say.  On a logarithmic scale, one run that finds a whole new part
of the program does not decide everything that follows; costs that are counted, not measured, leave the choice the same
on every machine.

Risk: a way that pays late has to live on the floor until then.
"""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from operator import mul, truediv

_MEMORY = 0.995  # of a way's turns, per turn of its own
_FLOOR = 0.3  # of an equal share
EVENTS = 200  # of a run, that cost as much as all the rest of a turn
_EVERY = 16  # turns between looks at what pays: shares change slowly, and looking takes time
_START = 2.0  # turns that every way is taken to have had, each of which brought and cost 1


class Arms:
    """`count` ways, by number."""

    def __init__(self, count: int, rng: random.Random) -> None:
        self._rng = rng
        self._gains = [_START] * count
        self._costs = [_START] * count
        self._turns = [_START] * count
        self._noted = 0
        self._look()

    def shares(self) -> list[float]:
        """Of time."""
        rates = [*map(truediv, self._gains, self._costs)]
        total, floor = sum(rates), _FLOOR * (1 / len(rates))
        return [floor + (1 - _FLOOR) * rate / total for rate in rates]

    def chances(self) -> list[float]:
        """How the next turn is drawn: so that its expected cost is as the shares are."""
        weights = [*map(truediv, map(mul, self.shares(), self._turns), self._costs)]
        total = sum(weights)
        return [weight / total for weight in weights]

    def draw(self) -> Sequence[int]:
        """A way at random; then, should that have nothing to offer, the others, the likelier ones first."""
        first = bisect(self._bounds, self._rng.random())
        order = self._orders[first]
        if not order:
            likely = sorted(range(len(self._orders)), key=self._chances.__getitem__, reverse=True)
            order = self._orders[first] = (first, *(way for way in likely if way != first))
        return order

    def note(self, way: int, gain: float, cost: float) -> None:
        """A turn of this way is over."""
        self._gains[way] = self._gains[way] * _MEMORY + gain
        self._costs[way] = self._costs[way] * _MEMORY + cost
        self._turns[way] = self._turns[way] * _MEMORY + 1
        self._noted += 1
        if self._noted % _EVERY == 0:
            self._look()

    def _look(self) -> None:
        self._chances = self.chances()
        self._bounds = list(accumulate(self._chances[:-1]))
        self._orders: list[Sequence[int]] = [()] * len(self._chances)  # by the first, once it was drawn
