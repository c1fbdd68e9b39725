"""Several ways to choose, of which those that pay get more turns.

Each way has a running mean of what its turns brought, old turns counting less and less; ways are drawn in proportion
to their means, and none falls below a floor, since what pays changes while a program is explored.  What a turn brings
is for the caller to say; on a logarithmic scale, one run that finds a whole new part of the program does not decide
everything that follows.

Risk: a way that pays late has to live on the floor until then.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

_MEMORY = 0.995  # of a way's turns, per turn of its own
_FLOOR = 0.3  # of an equal share
_START = 2.0  # turns that every way is taken to have had, each worth 1


class Arms:
    """`count` ways, by number."""

    def __init__(self, count: int, rng: random.Random) -> None:
        self._rng = rng
        self._gains = [_START] * count
        self._turns = [_START] * count

    def shares(self) -> list[float]:
        """How the next turn is drawn."""
        means = [gain / turns for gain, turns in zip(self._gains, self._turns, strict=True)]
        total, even = sum(means), 1 / len(means)
        return [_FLOOR * even + (1 - _FLOOR) * mean / total for mean in means]

    def order(self) -> Iterator[int]:
        """A way drawn at random; then, should it have nothing to offer, the others, those with more turns first."""
        shares = self.shares()
        first, drawn = 0, self._rng.random()
        while first + 1 < len(shares) and drawn >= shares[first]:
            drawn -= shares[first]
            first += 1
        yield first
        yield from sorted((way for way in range(len(shares)) if way != first), key=lambda way: -shares[way])

    def note(self, arm: int, gain: float) -> None:
        """A turn of this way is over."""
        self._gains[arm] = self._gains[arm] * _MEMORY + gain
        self._turns[arm] = self._turns[arm] * _MEMORY + 1
