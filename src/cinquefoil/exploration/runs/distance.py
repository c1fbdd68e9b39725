"""Minimum distance to uncovered code (md2u), over the whole program's block graph.

As in KLEE, a distance counts instructions, an uncovered block has distance 1, a call can lead into the
callee or past it (at the cost of the shortest way through it), and a function's end leads back to its
callers.  KLEE takes the caller from the state's stack; here a return leads to any caller, which is never
farther than the true one.

Computed by relaxing all edges at once until nothing changes: a few vector operations per round.
Risk: the number of rounds is the length in edges of the longest shortest path.
"""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import NDArray

from cinquefoil.machine.graph import ProgramGraph

_INTO = 1.0  # entering a callee


class Distances:
    """The graph as edge arrays sorted by source, ready to relax."""

    def __init__(self, graph: ProgramGraph, size: int) -> None:
        self._size = size
        self._leaders = _leaders(graph)
        through = _through(graph, self._leaders)
        edges = sorted(set(_edges(graph, through, self._leaders)))
        self._sources = np.array([edge[0] for edge in edges], np.int64)
        self._targets = np.array([edge[1] for edge in edges], np.int64)
        self._costs = np.array([edge[2] for edge in edges], np.float64)
        self._firsts = np.flatnonzero(np.diff(self._sources, prepend=-1))
        self._heads = self._sources[self._firsts]

    def to(self, goals: NDArray[np.int64]) -> NDArray[np.float64]:
        """From every site to the nearest of `goals`: 1 there, infinity where none can be reached."""
        distance = np.full(self._size, np.inf)
        distance[goals] = 1.0
        if not len(self._heads):
            return distance
        while True:
            nearest = np.minimum.reduceat(self._costs + distance[self._targets], self._firsts)
            before = distance[self._heads]
            better = nearest < before
            if not better.any():
                return distance
            distance[self._heads[better]] = nearest[better]


def _leaders(graph: ProgramGraph) -> dict[int, int]:
    """The entry block of each block's function: what an entry reaches without calls is its function."""
    leader: dict[int, int] = {}
    for entry in sorted(graph.entries):
        stack = [entry]
        while stack:
            block = stack.pop()
            if block not in leader:
                leader[block] = entry
                stack.extend(graph.cfg.get(block, ()))
    return leader


def _returns(graph: ProgramGraph, leaders: dict[int, int]) -> dict[int, list[int]]:
    """The blocks in which each function (by entry block) returns."""
    found: dict[int, list[int]] = {}
    for block, entry in leaders.items():
        if not graph.cfg.get(block) and block not in graph.dead_ends:
            found.setdefault(entry, []).append(block)
    return found


def _through(graph: ProgramGraph, leaders: dict[int, int]) -> dict[int, float]:
    """Instructions of each block, the shortest way through what it calls included; infinite if that never
    returns.

    Starts from "no function returns" and lowers: the least fixed point, recursion included."""
    returns = _returns(graph, leaders)
    shortest = dict.fromkeys(graph.entries, np.inf)
    cost = {block: _cost(graph, block, shortest) for block in graph.cfg}
    while True:
        lengths = {entry: _shortest(graph, cost, entry, returns.get(entry, [])) for entry in graph.entries}
        if lengths == shortest:
            return cost
        shortest = lengths
        cost = {block: _cost(graph, block, shortest) for block in graph.cfg}


def _cost(graph: ProgramGraph, block: int, shortest: dict[int, float]) -> float:
    own = float(graph.instructions.get(block, 1))
    called = graph.calls.get(block, ())
    return own + (_INTO + min(shortest.get(entry, 0.0) for entry in called) if called else 0.0)


def _shortest(graph: ProgramGraph, cost: dict[int, float], entry: int, ends: list[int]) -> float:
    """The cheapest way from a function's entry through one of its ends."""
    heap = [(cost.get(entry, 1.0), entry)]
    done: set[int] = set()
    wanted = set(ends)
    while heap:
        so_far, block = heapq.heappop(heap)
        if so_far == np.inf:
            break
        if block in wanted:
            return so_far
        if block not in done:
            done.add(block)
            for target in graph.cfg.get(block, ()):
                heapq.heappush(heap, (so_far + cost.get(target, 1.0), target))
    return np.inf


def _edges(graph: ProgramGraph, through: dict[int, float], leaders: dict[int, int]) -> list[tuple[int, int, float]]:
    edges = [
        (block, target, through[block])
        for block, targets in graph.cfg.items()
        for target in targets
        if through[block] < np.inf
    ]
    returns = _returns(graph, leaders)
    for block, entries in graph.calls.items():
        edges += [(block, entry, _INTO) for entry in entries]
        for entry in entries:
            ends = returns.get(entry, [])
            edges += [(end, after, through[end]) for end in ends for after in graph.cfg.get(block, ())]
    return edges
