"""Which chain of calls a state is in, read off the block trace.

An entry block in the trace is a call, since nothing jumps to an entry; any other step that is not an edge
of the graph is a return, to the nearest frame of the block's function.  Steps along edges, nearly all, are
dropped by a vector operation, so that only calls and returns are looked at one by one.

Risk: a library callback that is not in the graph looks like a return; the chain is then too short.
"""

from __future__ import annotations

from bisect import bisect_right

import numpy as np
from numpy.typing import NDArray

from cinquefoil.machine.graph import ProgramGraph

_ROOT = 0


class CallPaths:
    """Numbers chains of calls, and counts the blocks entered directly under each."""

    def __init__(self, graph: ProgramGraph, functions: NDArray[np.int64]) -> None:
        self._functions = functions  # of each site, as a number
        self._size = len(functions)
        pairs = [block * self._size + target for block, targets in graph.cfg.items() for target in targets]
        self._edges = np.unique(np.array(pairs, np.int64))
        self._entry = np.zeros(self._size, np.bool_)
        self._entry[list(graph.entries)] = True
        self._children: dict[tuple[int, int], int] = {}
        self._counts = np.zeros(64, np.int64)
        self._starts: list[int] = [0]
        self._paths: list[int] = [_ROOT]

    def observe(self, trace: NDArray[np.uint32]) -> None:
        """Follows a run's block trace; `at` then answers for its positions."""
        blocks = trace.astype(np.int64)
        self._starts, self._paths = [0], [_ROOT]
        stack: list[tuple[int, int]] = [(-1, _ROOT)]  # (function, chain)
        for position in self._changes(blocks).tolist():
            block = int(blocks[position])
            self._step(stack, int(self._functions[block]), bool(self._entry[block]))
            self._starts.append(position)
            self._paths.append(stack[-1][1])
        lengths = np.diff(np.array([*self._starts, len(blocks)], np.int64))
        np.add.at(self._counts, np.array(self._paths, np.int64), lengths)

    def at(self, position: int) -> int:
        """The chain of calls in which the block before this position of the trace was entered."""
        return self._paths[bisect_right(self._starts, position - 1) - 1] if position else _ROOT

    def all_at(self, positions: NDArray[np.uint32]) -> NDArray[np.int64]:
        """The same for many positions."""
        before = np.searchsorted(np.array(self._starts), positions.astype(np.int64) - 1, side="right") - 1
        return np.where(positions > 0, np.array(self._paths, np.int64)[before], _ROOT)

    @property
    def counts(self) -> NDArray[np.int64]:
        return self._counts

    def _changes(self, blocks: NDArray[np.int64]) -> NDArray[np.int64]:
        steps = blocks[:-1] * self._size + blocks[1:]
        at = np.minimum(np.searchsorted(self._edges, steps), max(0, len(self._edges) - 1))
        along = self._edges[at] == steps if len(self._edges) else np.zeros(len(steps), np.bool_)
        stays = np.concatenate([np.zeros(min(1, len(blocks)), np.bool_), along])
        return np.flatnonzero(~stays | self._entry[blocks])

    def _step(self, stack: list[tuple[int, int]], function: int, call: bool) -> None:
        if call:
            stack.append((function, self._child(stack[-1][1], function)))
            return
        if len(stack) > 1:
            stack.pop()
        while len(stack) > 1 and stack[-1][0] != function:
            stack.pop()

    def _child(self, path: int, function: int) -> int:
        child = self._children.get((path, function))
        if child is None:
            child = self._children[(path, function)] = len(self._children) + 1
            if child >= len(self._counts):
                self._counts = np.concatenate([self._counts, np.zeros(len(self._counts), np.int64)])
        return child
