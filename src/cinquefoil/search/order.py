"""KLEE's dfs and bfs: by order alone.

Both hold batches, not states: a batch is in path order, so its deepest state is its last and its shallowest its
first, and adding it costs the same however many states it has."""

from __future__ import annotations

import weakref
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cinquefoil.native import core
from cinquefoil.search.api import Context, Searcher
from cinquefoil.states.batch import Batch
from cinquefoil.states.index import StateIndex
from cinquefoil.states.state import State

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
    """dfs: the newest state, which is the deepest untaken branch of the newest run.

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
    ours leaves states on many levels at once, so runs are merged by the depth of their first state that waits
    (`native/search/fewest.c`).  A `state_index` that is given is filled by others.  Risk: deep code is seen late."""

    def __init__(self, context: Context, *, state_index: StateIndex | None = None) -> None:
        self._fills = state_index is None
        self._state_index = StateIndex() if state_index is None else state_index
        self.handle: int = core.cinq_fewest_new(self._state_index.handle)
        weakref.finalize(self, core.cinq_fewest_free, self.handle)

    def add(self, states: Sequence[State]) -> None:
        if self._fills:
            self._state_index.add(states)

    def select(self) -> State:
        return self._state_index.state(self._state_index.read(core.cinq_fewest_select(self.handle)))

    def discard(self, batch: Batch, rows: NDArray[np.intp]) -> None:
        """Nothing to do: what does not wait is skipped."""
