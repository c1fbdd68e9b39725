"""Several strategies over the same states, taking turns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cinquefoil.machine.run import Run
from cinquefoil.search.api import Searcher
from cinquefoil.search.batch import Batch
from cinquefoil.search.state import State


class Interleave(Searcher):
    """Every strategy holds every state; each selection asks the next one, round robin, as KLEE does, or in the order
    of `turns`, numbers of strategies, in which one may come several times.

    Risk: a state costs memory in each strategy."""

    def __init__(self, searchers: Sequence[Searcher], turns: Sequence[int] = ()) -> None:
        self._searchers = list(searchers)
        self._turns = list(turns) or list(range(len(self._searchers)))
        self._turn = 0
        self._selected = self._searchers[0]
        self.wishful = any(searcher.wishful for searcher in self._searchers)

    def add(self, states: Sequence[State]) -> None:
        for searcher in self._searchers:
            searcher.add(states)

    def select(self) -> State:
        searcher = self._selected = self._searchers[self._turns[self._turn]]
        self._turn = (self._turn + 1) % len(self._turns)
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

    def wishes(self, state: State) -> Sequence[State]:
        return self._selected.wishes(state)

    def _tell(self, but: Searcher | None, state: State) -> None:
        for searcher in self._searchers:
            if searcher is not but:
                searcher.remove(state)
