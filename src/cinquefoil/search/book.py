"""States by id, for strategies whose choices are made natively: `native/book.c`, seen from Python.

Native code finds out by itself which states came and whether one still waits: a structure takes in what is new when it
is asked for a state, and lets go of what is gone when it meets it.  A strategy that is part of another shares that
one's book, which is filled once however many choose from it.

Risk: native code reads the rows of chunks where they are; the batches held here keep them there."""

from __future__ import annotations

import weakref
from bisect import bisect_right
from collections.abc import Callable, Sequence

import numpy as np

from cinquefoil.search.batch import Batch, in_groups
from cinquefoil.search.library import load
from cinquefoil.search.state import State

NOBODY = 0xFFFFFFFFFFFFFFFF  # for an id: nobody waits
_SWEEP = 64


class Book:
    """The states that may wait; others are forgotten now and then, which those in `before_sweep` are told first."""

    def __init__(self) -> None:
        self._library = load()
        self.handle: int = self._library.cinq_book_new()
        weakref.finalize(self, self._library.cinq_book_free, self.handle)
        self.before_sweep: list[Callable[[], None]] = []
        self._firsts: list[int] = []
        self._held: list[tuple[Batch, Sequence[State]]] = []  # rows, and the states they have the values of
        self._sweep_at = _SWEEP

    def add(self, states: Sequence[State]) -> None:
        """To be told before anything else is said of them."""
        if isinstance(states, Batch):
            self._put(states, states, states.chunk.waiting_place + states.row)
        else:
            for batch, same, waiting in in_groups(states):
                self._put(batch, same, waiting)

    def __getitem__(self, id: int) -> State:
        """One that waits."""
        at = bisect_right(self._firsts, id) - 1
        (batch, states), row = self._held[at], id - self._firsts[at]
        return batch.state(row) if states is batch and row < batch.size else states[row]

    def is_pending(self, id: int) -> bool:
        return bool(self._library.cinq_book_pending(self.handle, id))

    def _put(self, batch: Batch, states: Sequence[State], waiting: int) -> None:
        chunk, row, first, witness = batch.chunk, batch.row, batch.first, batch.witness
        rows = (chunk.place, row, waiting, chunk.unsettled_place + row)
        came = (first, batch.size, batch.parent, *rows, witness.decisions, witness.decided)
        at = self._library.cinq_book_add(self.handle, *came)
        self._firsts.insert(at, first)
        self._held.insert(at, (batch, states))
        if len(self._held) > self._sweep_at:
            self._sweep()

    def _sweep(self) -> None:
        for tell in self.before_sweep:
            tell()
        places = np.empty(len(self._held), np.uint32)
        kept: list[int] = places[: self._library.cinq_book_sweep(self.handle, places)].tolist()
        self._firsts = [self._firsts[at] for at in kept]
        self._held = [self._held[at] for at in kept]
        self._sweep_at = _SWEEP + 2 * len(kept)
