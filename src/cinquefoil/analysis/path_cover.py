"""Minimum path covers of acyclic graphs (Empc, Algorithm 1; Ntafos and Hakimi 1979).

Left and right copies of the vertices, an edge where one vertex reaches the other: a maximum matching links
the vertices to the fewest chains, and each chain is a real path once its gaps are filled.  The number of paths
is the size of the largest set of vertices none of which reaches another (Dilworth).  Different maximum
matchings give different covers (Theorem 3); matchings that give the same paths count once.  Where a gap or the
path to an end leaves a choice, each further cover chooses differently.

Paths are completed from the entry, if there is one, to a vertex without successors, so that a run's blocks
can be compared with them from the start.

Risk: on large graphs few covers are enumerated (`WORK` bounds matchings times reachable pairs).
"""

from __future__ import annotations

from itertools import islice

from cinquefoil.analysis.digraph import Graph, Path, closure, topological_order
from cinquefoil.analysis.matching import Matching, maximum_matching, maximum_matchings

Cover = tuple[Path, ...]
LIMIT = 16  # covers per graph
WORK = 4_000_000
_TRIES = 2  # matchings looked at per cover wanted
_VARIANTS = 4  # paths that fill the same gap


def minimum_path_cover(graph: Graph, entry: int | None = None) -> Cover:
    """The fewest paths that cover all vertices of an acyclic graph."""
    paths = _Splicer(graph, entry)
    return paths.cover(maximum_matching(paths.rows, len(paths.rows)))


def minimum_path_covers(graph: Graph, entry: int | None = None, limit: int = LIMIT) -> tuple[Cover, ...]:
    """Up to `limit` different minimum path covers, in a fixed order."""
    paths = _Splicer(graph, entry)
    pairs = sum(row.bit_count() for row in paths.rows)
    tries = max(1, min(limit * _TRIES, WORK // max(1, pairs)))
    found: dict[frozenset[Path], Cover] = {}
    for choice, matching in enumerate(islice(maximum_matchings(paths.rows, len(paths.rows)), tries)):
        cover = paths.cover(matching, choice)
        found.setdefault(frozenset(cover), cover)
        if len(found) >= limit:
            break
    return tuple(found.values())


class _Splicer:
    """Turns matchings into covers.  Vertices are their positions in topological order."""

    def __init__(self, graph: Graph, entry: int | None) -> None:
        self.order = topological_order(graph)
        self.rows = closure(graph, self.order)
        position = {vertex: number for number, vertex in enumerate(self.order)}
        self._next = [tuple(position[target] for target in graph[vertex]) for vertex in self.order]
        self._entry = None if entry is None else position[entry]
        self._paths_between: dict[tuple[int, int, int], list[int]] = {}

    def cover(self, matching: Matching, choice: int = 0) -> Cover:
        """`choice` says which of several paths to take where the matching leaves that open."""
        starts = sorted(set(range(len(matching))) - set(matching))
        return tuple(self._path(start, matching, choice % _VARIANTS) for start in starts)

    def _path(self, start: int, matching: Matching, choice: int) -> Path:
        path = [start]
        if self._entry is not None and start != self._entry and self.rows[self._entry] >> start & 1:
            path = [self._entry, *self._between(self._entry, start, choice)]
        while matching[path[-1]] >= 0:
            # The last of a gap is the matched vertex itself, so the chain goes on from there.
            path += self._between(path[-1], matching[path[-1]], choice)
        while self._entry is not None and self._next[path[-1]]:
            followers = self._next[path[-1]]
            path.append(followers[choice % len(followers)])
        return tuple(self.order[number] for number in path)

    def _between(self, start: int, end: int, choice: int) -> list[int]:
        """A path from one vertex to another that it reaches, without the first."""
        known = self._paths_between.get((start, end, choice))
        if known is None:
            known = self._paths_between[start, end, choice] = self._path_between(start, end, choice)
        return known

    def _path_between(self, start: int, end: int, choice: int) -> list[int]:
        found: list[int] = []
        at = start
        while at != end:
            onward = [t for t in self._next[at] if t == end or self.rows[t] >> end & 1]
            at = onward[choice % len(onward)]
            found.append(at)
        return found


def count_paths(graph: Graph, entry: int) -> int:
    """How many paths lead from the entry to ends: what a search without covers is up against."""
    counts = dict.fromkeys(graph, 0)
    for vertex in reversed(topological_order(graph)):
        counts[vertex] = sum(counts[target] for target in graph[vertex]) if graph[vertex] else 1
    return counts[entry]
