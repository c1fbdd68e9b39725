"""Several strategies over the same states, which select alternately."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cinquefoil.machine.run import Run
from cinquefoil.search.api import Searcher
from cinquefoil.states.batch import Batch
from cinquefoil.states.state import State


class Interleave(Searcher):
    """Every strategy holds every state; each selection asks the next one, round robin, as KLEE does, or in the order
    of `order`, numbers of strategies, in which one may come several times.

    Risk: a state costs memory in each strategy."""

    def __init__(self, searchers: Sequence[Searcher], order: Sequence[int] = ()) -> None:
        self._searchers = list(searchers)
        self._order = list(order) or list(range(len(self._searchers)))
        self._next = 0
        self._selected = self._searchers[0]
        self.prefers_branches = any(searcher.prefers_branches for searcher in self._searchers)

    def add(self, states: Sequence[State]) -> None:
        for searcher in self._searchers:
            searcher.add(states)

    def select(self) -> State:
        searcher = self._selected = self._searchers[self._order[self._next]]
        self._next = (self._next + 1) % len(self._order)
        state = searcher.select()
        while not state.pending:
            state = searcher.select()
        state.pending = False  # before the others are told: they may tidy up
        self._tell(searcher, state)
        state.pending = True  # the frontier's to clear
        return state

    def remove(self, state: State) -> None:
        self._tell(None, state)

    def discard(self, batch: Batch, rows: NDArray[np.intp]) -> None:
        for searcher in self._searchers:
            searcher.discard(batch, rows)

    def update(self, state: State | None, run: Run | None, new: Sequence[State]) -> None:
        for searcher in self._searchers:
            searcher.update(state, run, new)

    def preferred_branches(self, state: State) -> Sequence[State]:
        return self._selected.preferred_branches(state)

    def _tell(self, but: Searcher | None, state: State) -> None:
        for searcher in self._searchers:
            if searcher is not but:
                searcher.remove(state)
