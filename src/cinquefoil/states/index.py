"""States by id, for strategies whose choices are made natively: `native/search/state_index.c`, seen from Python.

Native code finds out by itself which states came and whether one still waits: a structure takes in what is new when it
is asked for a state, and lets go of what is gone when it meets it.  A strategy that is part of another shares that
one's index, which is filled once however many choose from it.

Risk: native code reads the rows of chunks where they are; the batches held here keep them there."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence

import numpy as np

from cinquefoil.native import core
from cinquefoil.states.batch import Batch
from cinquefoil.states.pending import in_groups
from cinquefoil.states.state import State

NOBODY = 0xFFFFFFFFFFFFFFFF  # for an id: nobody waits
_SWEEP = 64


class StateIndex:
    """The states that may wait; others are forgotten now and then, which those in `before_sweep` are told first."""

    def __init__(self) -> None:
        self.handle: int = core.cinq_index_new()
        weakref.finalize(self, core.cinq_index_free, self.handle)
        self.before_sweep: list[Callable[[], None]] = []
        self._add: Callable[..., int] = core.bound(core.cinq_index_add, self.handle)
        self.read: Callable[[int], tuple[int, ...]] = core.bound(core.cinq_index_row, self.handle)
        self._held: list[Batch] = []  # in the order of their ids, as the native entries
        self._objects: dict[int, Sequence[State]] = {}  # by first id: states of which a batch has the values only
        self._sweep_at = _SWEEP

    def add(self, states: Sequence[State]) -> None:
        """Adds states; this must come before anything else is asked about them."""
        if isinstance(states, Batch):
            self._put(states, states.chunk.waiting_address + states.row)
        else:
            for batch, same, waiting in in_groups(states):
                self._put(batch, waiting)
                if same is not batch:
                    self._objects[batch.first] = same

    def __getitem__(self, id: int) -> State:
        """One that waits."""
        return self.state(self.read(id))

    def state(self, numbers: tuple[int, ...]) -> State:
        """The same from its row's numbers, as `read` gives them: those who need a state for every path save a call."""
        batch = self._held[numbers[0]]
        at = numbers[1] - batch.row
        if self._objects and batch.first in self._objects:
            return self._objects[batch.first][at]
        return State.of_row(batch.first + at, batch.parent, batch.witness, numbers, batch.seen, batch.chunk.waiting)

    def batch(self, id: int) -> Batch:
        """The rows that a known state is in, pending or not."""
        return self._held[self.read(id)[0]]

    def batches(self) -> list[Batch]:
        """All that hold a pending state."""
        self._sweep()
        return list(self._held)

    def is_pending(self, id: int) -> bool:
        return bool(core.cinq_index_pending(self.handle, id))

    def _put(self, batch: Batch, waiting: int) -> None:
        chunk, row, witness, held = batch.chunk, batch.row, batch.witness, self._held
        own = (
            batch.first,
            batch.size,
            batch.parent,
            chunk.columns_address,
            row,
            waiting,
            chunk.unsettled_address + row,
        )
        held.insert(self._add(*own, witness.decisions, witness.decided), batch)
        if len(held) > self._sweep_at:
            self._sweep()

    def _sweep(self) -> None:
        for tell in self.before_sweep:
            tell()
        kept_at = np.empty(len(self._held), np.uint32)
        kept: list[int] = kept_at[: core.cinq_index_sweep(self.handle, kept_at)].tolist()
        self._held = [self._held[at] for at in kept]
        if self._objects:
            left = {batch.first for batch in self._held}
            self._objects = {first: states for first, states in self._objects.items() if first in left}
        self._sweep_at = _SWEEP + 2 * len(kept)
