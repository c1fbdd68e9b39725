"""KLEE's dfs and bfs: by order alone.

Both hold batches, not states: a batch is in path order, so its deepest state is its last and its shallowest its
first, and adding it costs the same however many states it has."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cinquefoil.search.api import Context, Searcher
from cinquefoil.search.batch import Batch
from cinquefoil.search.state import State

_SWEEP = 64


class _Rest:
    """The part of a batch that was not given out, deepest last."""

    __slots__ = ("batch", "end")

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.end = len(batch)

    @property
    def pending(self) -> bool:
        return self.batch.last_pending(self.end) >= 0

    def take(self) -> State | None:
        last = self.batch.last_pending(self.end)
        self.end = max(0, last)
        return self.batch[last] if last >= 0 else None


class DepthFirst(Searcher):
    """dfs: the newest state, which is the deepest turn of the newest run.

    Risk: a loop on symbolic data keeps it busy for ever."""

    def __init__(self, context: Context) -> None:
        self._stack: list[State | _Rest] = []
        self._sweep_at = _SWEEP

    def add(self, states: Sequence[State]) -> None:
        if isinstance(states, Batch):
            self._stack.append(_Rest(states))
        else:
            self._stack.extend(states)
        if len(self._stack) > self._sweep_at:
            self._stack = [held for held in self._stack if held.pending]
            self._sweep_at = _SWEEP + 2 * len(self._stack)

    def select(self) -> State:
        while True:
            top = self._stack[-1]
            if isinstance(top, State):
                self._stack.pop()
                return top
            state = top.take()
            if state is not None:
                return state
            self._stack.pop()

    def discard(self, batch: Batch, rows: NDArray[np.intp]) -> None:
        """Nothing to do: what does not wait is not looked at."""


class BreadthFirst(Searcher):
    """bfs: the state with the fewest decisions, the oldest of them.

    KLEE moves a state to the back of its queue at each fork, which visits the tree level by level; a run of
    ours leaves states on many levels at once, so batches are merged by the depth of their first state that waits.
    Risk: deep code is seen late."""

    def __init__(self, context: Context) -> None:
        self._heap: list[tuple[int, int, State | Batch]] = []  # by depth and id of the first state
        self._sweep_at = _SWEEP

    def add(self, states: Sequence[State]) -> None:
        if isinstance(states, Batch):
            if states.chunk.waiting[states.row]:
                heapq.heappush(self._heap, (states.chunk.depth.item(states.row), states.first, states))
            else:
                self._push(states, 1)
        else:
            for state in states:
                heapq.heappush(self._heap, (state.depth, state.id, state))
        if len(self._heap) > self._sweep_at:
            self._heap = sorted(entry for entry in self._heap if _waits(entry[2]))
            self._sweep_at = _SWEEP + 2 * len(self._heap)

    def select(self) -> State:
        while True:
            _, id, first = self._heap[0]
            if isinstance(first, State):
                heapq.heappop(self._heap)
                return first
            at = id - first.first
            waits = first.chunk.waiting[first.row + at]
            if at + 1 < first.size:
                self._go_on(first, at + 1)
            else:
                heapq.heappop(self._heap)
            if waits:
                return first.state(at)

    def discard(self, batch: Batch, rows: NDArray[np.intp]) -> None:
        """Nothing to do: what does not wait is skipped."""

    def _push(self, batch: Batch, at: int) -> None:
        """Its first state from this row on that waits."""
        at = batch.next_pending(at)
        if at >= 0:
            heapq.heappush(self._heap, (batch.depth(at), batch.first + at, batch))

    def _go_on(self, batch: Batch, at: int) -> None:
        """The same for the batch on top, of which all before has been given out."""
        if not batch.chunk.waiting[batch.row + at]:
            at = batch.next_pending(at)
        if at >= 0:
            heapq.heapreplace(self._heap, (batch.chunk.depth.item(batch.row + at), batch.first + at, batch))
        else:
            heapq.heappop(self._heap)


def _waits(held: State | Batch) -> bool:
    return held.pending if isinstance(held, State) else held.next_pending(0) >= 0
