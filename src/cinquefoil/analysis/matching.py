"""Maximum matchings of bipartite graphs: one, and all of them.

A graph is one row of bits per left vertex.  One maximum matching comes from scipy's Hopcroft-Karp.  All of
them are enumerated as Uno 1997 ("Algorithms for enumerating all perfect, maximum and maximal matchings in
bipartite graphs") does: two maximum matchings differ by alternating cycles and even alternating paths, so as
long as there is a cycle, or a path of length two from an exposed vertex, exchanging along it gives another
matching M'; an edge e that only one of the two has splits what is left into matchings with e and matchings
without e.  Every matching is given exactly once.

The subproblems are worked off first in, first out: with a limit, the matchings given then differ at many
vertices instead of all at the last one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from cinquefoil.analysis.digraph import bits

Matching = tuple[int, ...]  # the right vertex of each left one, -1 for none


def maximum_matching(rows: Sequence[int], rights: int) -> Matching:
    """A maximum matching of the graph whose left vertex i is adjacent to the bits of rows[i]."""
    from scipy.sparse import csr_array  # slow to load, and not needed once a program is analysed
    from scipy.sparse.csgraph import maximum_bipartite_matching

    if not rows or rights == 0:
        return (-1,) * len(rows)
    width = (rights + 7) // 8
    packed = np.frombuffer(b"".join(row.to_bytes(width, "little") for row in rows), np.uint8)
    dense = np.unpackbits(packed.reshape(len(rows), width), axis=1, count=rights, bitorder="little")
    found = maximum_bipartite_matching(csr_array(dense), perm_type="column")
    return tuple(int(right) for right in found)


def maximum_matchings(rows: Sequence[int], rights: int) -> Iterator[Matching]:
    """All maximum matchings, each once."""
    first = maximum_matching(rows, rights)
    yield first
    queue = deque([_Problem.whole(rows, rights, first)])
    while queue:
        found = queue.popleft().split()
        if found is not None:
            matching, parts = found
            yield matching
            queue.extend(parts)


@dataclass(frozen=True, slots=True)
class _Problem:
    """What is still free: rows of both sides, a maximum matching, and which left vertices it matches by an
    edge that is still there."""

    lefts: list[int]
    rights: list[int]
    matching: list[int]
    partners: list[int]
    matched: int

    @classmethod
    def whole(cls, rows: Sequence[int], count: int, matching: Matching) -> _Problem:
        rights = [0] * count
        for left, row in enumerate(rows):
            for right in bits(row):
                rights[right] |= 1 << left
        partners = [-1] * count
        for left, right in enumerate(matching):
            if right >= 0:
                partners[right] = left
        matched = sum(1 << left for left, right in enumerate(matching) if right >= 0)
        return cls(list(rows), rights, list(matching), partners, matched)

    def split(self) -> tuple[Matching, list[_Problem]] | None:
        """Another matching, and the two subproblems; None if this matching is the only one."""
        cycle = self._cycle()
        if cycle:
            other = self._rotated(cycle)
            left, right = cycle[0], self.matching[cycle[0]]
            parts = [self._with(left, right), other._without(left, right)]
            return tuple(other.matching), parts
        path = self._path()
        if path is None:
            return None
        left, right = path
        other = self._exchanged(left, right)
        return tuple(other.matching), [other._with(left, right), self._without(left, right)]

    def _cycle(self) -> list[int]:
        """Left vertices u0, u1, ... such that each is adjacent to the partner of the one before, round."""
        fresh = self.matched
        while fresh:
            path = [(fresh & -fresh).bit_length() - 1]
            pending = [self._next(path[0])]
            active = 1 << path[0]
            fresh &= ~active
            while path:
                closing = pending[-1] & active
                if closing:
                    return path[path.index((closing & -closing).bit_length() - 1) :]
                step = pending[-1] & fresh
                if step:
                    low = step & -step
                    fresh ^= low
                    active |= low
                    path.append(low.bit_length() - 1)
                    pending.append(self._next(path[-1]))
                else:
                    active ^= 1 << path.pop()
                    pending.pop()
        return []

    def _next(self, left: int) -> int:
        return self.rights[self.matching[left]] & self.matched & ~(1 << left)

    def _rotated(self, cycle: list[int]) -> _Problem:
        """Every vertex of the cycle takes the partner of the one before."""
        matching, partners = self.matching.copy(), self.partners.copy()
        for before, left in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
            matching[left] = self.matching[before]
            partners[matching[left]] = left
        return _Problem(self.lefts, self.rights, matching, partners, self.matched)

    def _path(self) -> tuple[int, int] | None:
        """An edge that can replace the one matched edge it touches."""
        for right, row in enumerate(self.rights):
            if row and self.partners[right] < 0:
                return (row & -row).bit_length() - 1, right
        for left, row in enumerate(self.lefts):
            if row and self.matching[left] < 0:
                return left, (row & -row).bit_length() - 1
        return None

    def _exchanged(self, left: int, right: int) -> _Problem:
        matching, partners, matched = self.matching.copy(), self.partners.copy(), self.matched
        old_right, old_left = matching[left], partners[right]
        if old_right >= 0:
            partners[old_right] = -1
        if old_left >= 0:
            matching[old_left] = -1
            matched ^= 1 << old_left
        matching[left], partners[right] = right, left
        return _Problem(self.lefts, self.rights, matching, partners, matched | 1 << left)

    def _with(self, left: int, right: int) -> _Problem:
        """Only matchings that hold this edge: its ends are taken out."""
        lefts, rights = self.lefts.copy(), self.rights.copy()
        for other in bits(lefts[left]):
            rights[other] &= ~(1 << left)
        for other in bits(rights[right]):
            lefts[other] &= ~(1 << right)
        lefts[left] = rights[right] = 0
        return _Problem(lefts, rights, self.matching, self.partners, self.matched & ~(1 << left))

    def _without(self, left: int, right: int) -> _Problem:
        """Only matchings that do not hold this edge."""
        lefts, rights = self.lefts.copy(), self.rights.copy()
        lefts[left] &= ~(1 << right)
        rights[right] &= ~(1 << left)
        return _Problem(lefts, rights, self.matching, self.partners, self.matched)
