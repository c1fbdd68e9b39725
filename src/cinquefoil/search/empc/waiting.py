"""Pending states by the blocks they stand at and lead to: what dependence asks for.

Only ids are kept, in lists that lose what is gone when it is met, and all together when that is most of what they
hold.  Risk: of the states that lead to a block not visited yet only _LEADING are remembered."""

from __future__ import annotations

import random
from collections.abc import Sequence

from cinquefoil.search.batch import Catalogue
from cinquefoil.search.state import State

_LEADING = 64
_TIDY = 50_000


class Waiting:
    """Any of the states at a block, with equal chance."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._catalogue = Catalogue()
        self._at: dict[int, list[int]] = {}
        self._to: dict[int, list[int]] = {}  # to blocks not visited when the state came
        self._size = 0
        self._tidy_at = _TIDY

    def add(self, states: Sequence[State]) -> None:
        """To be told before anything else is said of them."""
        self._catalogue.add(states)

    def place(self, id: int, source: int) -> None:
        """Where a state stands."""
        if source in self._at:
            self._at[source].append(id)
        else:
            self._at[source] = [id]
        self._size += 1
        if self._size > self._tidy_at:
            self._tidy()

    def lead(self, id: int, target: int) -> None:
        """A state leads to a block not visited yet."""
        leading = self._to.setdefault(target, [])
        if len(leading) < _LEADING:
            leading.append(id)

    def state(self, id: int) -> State:
        return self._catalogue[id]

    def leading_to(self, block: int) -> State | None:
        return self._take(self._to, block)

    def near(self, blocks: Sequence[int]) -> State | None:
        """One that stands at, or leads to, the first of the blocks that has one."""
        for block in blocks:
            if block in self._at or block in self._to:
                found = self._take(self._at, block)
                found = found if found is not None else self._take(self._to, block)
                if found is not None:
                    return found
        return None

    def _take(self, lists: dict[int, list[int]], block: int) -> State | None:
        ids = lists.get(block)
        while ids:
            at = self._rng.randrange(len(ids))
            ids[at], ids[-1] = ids[-1], ids[at]
            id = ids.pop()
            if self._catalogue.is_pending(id):
                return self._catalogue[id]
        lists.pop(block, None)
        return None

    def _tidy(self) -> None:
        pending = self._catalogue.is_pending
        for lists in (self._at, self._to):
            for block, ids in list(lists.items()):
                lists[block] = [id for id in ids if pending(id)]
                if not lists[block]:
                    del lists[block]
        self._size = sum(map(len, self._at.values()))
        self._tidy_at = _TIDY + 2 * self._size
