"""Random choice among states whose weight is a property of a group.

KLEE recomputes every state's weight when coverage changes.  Weights that depend on the block a state leads
to, on its depth or on its call path are the same for all states that share it; so states are kept by that
key, a change of weights costs one vector operation over the groups, and a choice is a weighted choice of a
group and a uniform one within it.  Removed states stay in their list until met or until half of it is dead.
"""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

from cinquefoil.search.state import State

_TIDY = 16  # lists shorter than this are not worth compacting


class Groups:
    """States by integer key.  `keys` and `counts` are aligned; groups are never dropped, only emptied."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._slots: dict[int, int] = {}
        self._members: list[list[State]] = []
        self._keys = np.zeros(16, np.int64)
        self._counts = np.zeros(16, np.int64)

    def __len__(self) -> int:
        return len(self._members)

    @property
    def keys(self) -> NDArray[np.int64]:
        return self._keys[: len(self._members)]

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many states each group still holds."""
        return self._counts[: len(self._members)]

    def add(self, key: int, state: State) -> None:
        slot = self._slots.get(key)
        if slot is None:
            slot = self._open(key)
        self._members[slot].append(state)
        self._counts[slot] += 1

    def remove(self, key: int) -> None:
        """One state of the group, whose `pending` is already False, is gone."""
        slot = self._slots[key]
        self._counts[slot] -= 1
        members = self._members[slot]
        if len(members) > _TIDY and 2 * self._counts[slot] < len(members):
            self._members[slot] = [state for state in members if state.pending]

    def pick(self, weights: NDArray[np.float64]) -> State:
        """Takes out a state of a group chosen in proportion to its weight and number of states."""
        return self.take(self.choose(weights))

    def choose(self, weights: NDArray[np.float64]) -> int:
        """A group, in proportion to weight times count; by count alone if all that is 0."""
        sums = np.cumsum(weights * self.counts)
        if not sums[-1] > 0:
            sums = np.cumsum(self.counts.astype(np.float64))
        return self._pierce(sums)

    def take(self, slot: int) -> State:
        """Any pending state of a group that has one."""
        members = self._members[slot]
        while True:
            at = self._rng.randrange(len(members))
            members[at], members[-1] = members[-1], members[at]
            state = members.pop()
            if state.pending:
                self._counts[slot] -= 1
                return state

    def _pierce(self, sums: NDArray[np.float64]) -> int:
        # Rounding may land on an empty group; the next draw will not.
        while True:
            slot = int(np.searchsorted(sums, self._rng.random() * sums[-1], side="right"))
            if slot < len(sums) and self._counts[slot] > 0:
                return slot

    def _open(self, key: int) -> int:
        slot = self._slots[key] = len(self._members)
        if slot == len(self._keys):
            self._keys = np.concatenate([self._keys, np.zeros(slot, np.int64)])
            self._counts = np.concatenate([self._counts, np.zeros(slot, np.int64)])
        self._keys[slot] = key
        self._members.append([])
        return slot


class Fenwick:
    """Prefix sums over a growing list of counts: append, change and find in O(log n)."""

    def __init__(self) -> None:
        self._tree: list[int] = [0]
        self.total = 0

    def append(self, count: int) -> int:
        """Adds a slot at the end and gives its number."""
        at = len(self._tree)
        value, below = count, at - 1
        while below > at - (at & -at):
            value += self._tree[below]
            below -= below & -below
        self._tree.append(value)
        self.total += count
        return at - 1

    def change(self, slot: int, by: int) -> None:
        self.total += by
        at = slot + 1
        while at < len(self._tree):
            self._tree[at] += by
            at += at & -at

    def find(self, rank: int) -> int:
        """The slot that holds the element of this rank, 0 <= rank < total."""
        at, step = 0, 1 << (len(self._tree).bit_length() - 1)
        while step:
            ahead = at + step
            if ahead < len(self._tree) and self._tree[ahead] <= rank:
                at = ahead
                rank -= self._tree[ahead]
            step >>= 1
        return at
