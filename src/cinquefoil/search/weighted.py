"""Random choice among states whose weight is a property of a group.

KLEE recomputes every state's weight when coverage changes.  Weights that depend on the block a state leads to, on its
depth or on its call path are the same for all states that share it; so states are kept by that key (`GroupedStates`), a
change of weights costs one vector operation over the groups, and a choice is a weighted choice of a group and a uniform
one within it.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cinquefoil.states.groups import GroupedStates
from cinquefoil.states.state import State


class Chances(NamedTuple):
    """The number of states of each group, and the sum of all weights up to it."""

    counts: NDArray[np.int64]
    sums: NDArray[np.float64]

    @property
    def total(self) -> float:
        """The weight of all states together."""
        return float(self.sums[-1])


class WeightedGroups:
    """States by integer key.  `keys` and `counts` are aligned."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._grouped = GroupedStates()
        self.state_index = self._grouped.state_index
        self._keys: NDArray[np.int64] = np.zeros(0, np.int64)

    def __len__(self) -> int:
        return len(self._grouped)

    @property
    def keys(self) -> NDArray[np.int64]:
        if len(self._keys) != len(self._grouped):
            self._keys = self._grouped.keys()
        return self._keys

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many states each group still holds."""
        return self._grouped.counts()

    def add(self, keys: NDArray[np.int64], states: Sequence[State]) -> None:
        self._grouped.add(keys, states)

    def remove(self, key: int) -> None:
        """One state of the group, whose `pending` is already False, is gone."""
        self._grouped.remove(key)

    def discard(self, keys: NDArray[np.int64]) -> None:
        """One state of each key's group is gone."""
        self._grouped.discard(keys)

    def pick(self, weights: NDArray[np.float64]) -> State:
        """Takes out a state of a group chosen in proportion to its weight and number of states."""
        return self.take(self.chances(weights))

    def chances(self, weights: NDArray[np.float64]) -> Chances:
        """How likely each group is, for a choice that is to be made before anything else happens."""
        counts = self.counts
        return Chances(counts, np.cumsum(weights * counts))

    def take(self, chances: Chances) -> State:
        """Takes out a state of a group chosen by these."""
        return self._grouped.take(self._choose(chances), self._rng)

    def _choose(self, chances: Chances) -> int:
        """Draws a group in proportion to weight times count; by count alone if all that is 0."""
        counts, sums = chances
        if not sums[-1] > 0:
            sums = np.cumsum(counts.astype(np.float64))
        # Rounding may land on an empty group; the next draw will not.
        while True:
            group = bisect_right(sums, self._rng.random() * sums[-1])
            if group < len(sums) and counts[group] > 0:
                return group
