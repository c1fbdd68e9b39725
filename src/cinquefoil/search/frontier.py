"""The pending states: one searcher and the count of what it holds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cinquefoil.machine.run import Run
from cinquefoil.search.api import Searcher
from cinquefoil.search.batch import Batch, Catalogue
from cinquefoil.search.state import State


class Frontier:
    """Keeps `State.pending` true to its name, whatever the strategy does."""

    def __init__(self, searcher: Searcher) -> None:
        self.searcher = searcher
        self.pending = 0
        self.peak = 0
        self.created = 0
        self._catalogue = Catalogue()

    def __len__(self) -> int:
        return self.pending

    def add(self, states: Sequence[State]) -> None:
        if states:
            self.pending += len(states)
            self.created += len(states)
            self.peak = max(self.peak, self.pending)
            self._catalogue.add(states)
            self.searcher.add(states)

    def restart(self, searcher: Searcher) -> None:
        """Nothing is pending any more, and another searcher goes on; the counts of all states stay."""
        self.searcher = searcher
        self.pending = 0
        self._catalogue = Catalogue()

    def select(self) -> State:
        """The next state, taken out; there must be one."""
        state = self.searcher.select()
        while not state.pending:
            state = self.searcher.select()
        state.pending = False
        self.pending -= 1
        return state

    def remove(self, state: State) -> None:
        """Forgets a state if it is still pending."""
        if state.pending:
            state.pending = False
            self.pending -= 1
            self.searcher.remove(state)

    def batches(self) -> list[Batch]:
        """All batches with pending states: `batch.pending` tells which rows, the other columns what they are."""
        return self._catalogue.batches()

    def discard(self, batch: Batch, chosen: NDArray[np.bool_]) -> int:
        """Forgets all pending states of a batch for which `chosen` holds, and tells how many that were.

        `Exploration.forget_many` is what pruners want: it also counts them, and tells the tree."""
        pending = batch.pending
        rows = np.flatnonzero(pending & chosen)
        if len(rows):
            pending[rows] = False
            self.pending -= len(rows)
            self.searcher.discard(batch, rows)
        return len(rows)

    def settle(self, state: State | None, run: Run | None = None, new: Sequence[State] = ()) -> None:
        """A state has its answer (or is pruned); what its run left, if anything, is already added."""
        if state is not None:
            self.remove(state)
        self.searcher.update(state, run, new)
