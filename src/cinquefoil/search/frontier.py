"""The pending states: one searcher and the count of what it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cinquefoil.machine.run import Run
from cinquefoil.search.api import Searcher
from cinquefoil.states.batch import Batch, still_waiting
from cinquefoil.states.state import State

_SWEEP = 256  # additions after which those that are done with are forgotten


@dataclass(slots=True)
class FrontierContents:
    """Pending states and who chooses among them."""

    searcher: Searcher
    pending: int = 0
    states: list[Sequence[State]] = field(default_factory=list[Sequence[State]])


class Frontier:
    """Keeps `State.pending` true to its name, whatever the strategy does."""

    def __init__(self, searcher: Searcher) -> None:
        self.searcher = searcher
        self.pending = 0
        self.peak = 0
        self.created = 0
        self._states: list[Sequence[State]] = []  # as they were added
        self._sweep_at = _SWEEP

    def __len__(self) -> int:
        return self.pending

    def add(self, states: Sequence[State]) -> None:
        count = len(states)
        if count:
            self.pending += count
            self.created += count
            if self.pending > self.peak:
                self.peak = self.pending
            self._states.append(states)
            if len(self._states) >= self._sweep_at:
                self._sweep()
            self.searcher.add(states)

    def exchange(self, held: FrontierContents) -> FrontierContents:
        """Goes on with other states; what was held until now.  The counts of all states stay."""
        before = FrontierContents(self.searcher, self.pending, self._states)
        self.searcher, self.pending, self._states = held.searcher, held.pending, held.states
        self._sweep()
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
        self._sweep()
        return [states for states in self._states if isinstance(states, Batch)]

    def discard(self, batch: Batch, chosen: NDArray[np.bool_]) -> int:
        """Forgets all pending states of a batch for which `chosen` holds, and tells how many that were.

        `Integrator.forget_many` is what pruners want: it also counts them, and tells the tree."""
        pending = batch.pending
        rows = np.flatnonzero(pending & chosen)
        if len(rows):
            pending[rows] = False
            self.pending -= len(rows)
            self.searcher.discard(batch, rows)
        return len(rows)

    def _sweep(self) -> None:
        self._states = still_waiting(self._states)
        self._sweep_at = _SWEEP + 4 * len(self._states)

    def settle(self, state: State | None, run: Run | None = None, new: Sequence[State] = ()) -> None:
        """A state has its answer (or is pruned); what its run left, if anything, is already added."""
        if state is not None and state.pending:
            self.remove(state)
        self.searcher.update(state, run, new)
