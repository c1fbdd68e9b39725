"""The pending states: one searcher and the count of what it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cinquefoil.machine.run import Run
from cinquefoil.search.api import Searcher
from cinquefoil.search.batch import Batch, Catalogue, still_waiting
from cinquefoil.search.state import State

_FRESH = 256  # additions after which those that are done with are forgotten


@dataclass(slots=True)
class Held:
    """Pending states and who chooses among them."""

    searcher: Searcher
    pending: int = 0
    catalogue: Catalogue = field(default_factory=Catalogue)


class Frontier:
    """Keeps `State.pending` true to its name, whatever the strategy does."""

    def __init__(self, searcher: Searcher) -> None:
        self.searcher = searcher
        self.pending = 0
        self.peak = 0
        self.created = 0
        self._catalogue = Catalogue()
        self._fresh: list[Sequence[State]] = []  # not yet in the catalogue, which few ask for
        self._most_fresh = _FRESH

    def __len__(self) -> int:
        return self.pending

    def add(self, states: Sequence[State]) -> None:
        count = len(states)
        if count:
            self.pending += count
            self.created += count
            if self.pending > self.peak:
                self.peak = self.pending
            self._fresh.append(states)
            if len(self._fresh) >= self._most_fresh:
                self._forget()
            self.searcher.add(states)

    def exchange(self, held: Held) -> Held:
        """Goes on with other states; what was held until now.  The counts of all states stay."""
        self._file()
        before = Held(self.searcher, self.pending, self._catalogue)
        self.searcher, self.pending, self._catalogue = held.searcher, held.pending, held.catalogue
        return before

    def select(self) -> State:
        """The next state, taken out; there must be one."""
        state = self.searcher.select()
        while not state.take():
            state = self.searcher.select()
        self.pending -= 1
        return state

    def take(self, state: State) -> bool:
        """Takes out this state, whatever the strategy says; False if it is not pending."""
        if not state.take():
            return False
        self.pending -= 1
        self.searcher.remove(state)
        return True

    def remove(self, state: State) -> None:
        """Forgets a state if it is still pending."""
        if state.pending:
            state.pending = False
            self.pending -= 1
            self.searcher.remove(state)

    def batches(self) -> list[Batch]:
        """All batches with pending states: `batch.pending` tells which rows, the other columns what they are."""
        self._file()
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

    def _forget(self) -> None:
        self._fresh = still_waiting(self._fresh)
        self._most_fresh = _FRESH + 4 * len(self._fresh)

    def _file(self) -> None:
        for states in self._fresh:
            self._catalogue.add(states)
        self._fresh.clear()
        self._most_fresh = _FRESH

    def settle(self, state: State | None, run: Run | None = None, new: Sequence[State] = ()) -> None:
        """A state has its answer (or is pruned); what its run left, if anything, is already added."""
        if state is not None and state.pending:
            self.remove(state)
        self.searcher.update(state, run, new)
