"""Forgotten states that deserve an answer all the same.

Error states, the error sides of checks at sites where no error was found so far, are never lost: pruned or left over
by a round, they wait here, and a few are solved at every pruning, those of the least tried sites first.  A pruned
state whose branch covers a direction that nobody took yet is solved on the spot if it is among the least tried ones;
its run is the test that it leaves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from cinquefoil.states.batch import Batch
from cinquefoil.states.state import State


class Reserve:
    """Error states by site, none twice."""

    def __init__(self) -> None:
        self._by_site: dict[int, list[tuple[Batch, int]]] = {}
        self._known: set[tuple[int, int]] = set()
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def put(self, batch: Batch, at: int) -> None:
        """Row `at` of a batch."""
        site, witness = int(batch.sites[at]), batch.witness
        path = witness.hash_before(int(batch.indices[at]))
        if (path, site) not in self._known:
            self._known.add((path, site))
            self._by_site.setdefault(site, []).append((batch, at))
            self._count += 1

    def sites(self) -> Iterable[int]:
        return self._by_site

    def take(self, site: int) -> State:
        """The newest state of a site."""
        waiting = self._by_site[site]
        batch, at = waiting.pop()
        if not waiting:
            del self._by_site[site]
        self._count -= 1
        return batch[at]

    def drop(self, sites: Iterable[int]) -> None:
        """Errors were found at these sites."""
        for site in sites:
            self._count -= len(self._by_site.pop(site, ()))


def least_tried(wanted: Sequence[tuple[int, int]], tries: Counter[tuple[int, int]], count: int) -> list[int]:
    """Indices of the directions tried least, each direction once, in order."""
    first: dict[tuple[int, int], int] = {}
    for at, direction in enumerate(wanted):
        first.setdefault(direction, at)
    order = sorted(first, key=lambda direction: (tries[direction], first[direction]))
    return [first[direction] for direction in order[:count]]
