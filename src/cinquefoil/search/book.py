"""States by id, for strategies whose choices are made natively: `native/book.c`, seen from Python.

Native code finds out by itself whether a state still waits, so nothing need be told when one is gone: it leaves a
structure when it is met there.  A strategy that is part of another shares that one's book, which is then filled once.

Risk: the native side reads the bytes of `Chunk.waiting` where they are; the batches held here keep them there."""

from __future__ import annotations

import weakref
from bisect import bisect_right
from collections.abc import Sequence

import numpy as np

from cinquefoil.search.batch import Batch, Joined, place_of
from cinquefoil.search.library import load
from cinquefoil.search.state import State

_SWEEP = 64


class Book:
    """The states that may wait; others are forgotten now and then."""

    def __init__(self) -> None:
        self._library = load()
        self.handle: int = self._library.cinq_book_new()
        weakref.finalize(self, self._library.cinq_book_free, self.handle)
        self._firsts: list[int] = []
        self._held: list[Batch | State] = []
        self._sweep_at = _SWEEP

    def add(self, states: Sequence[State]) -> None:
        """To be told before anything else is said of them."""
        if isinstance(states, Batch):
            chunk = states.chunk
            self._put(states.first, states.size, chunk.waiting_place + states.row, states)
        elif isinstance(states, Joined):
            for part in states.parts:
                self.add(part)
        else:
            for state in states:
                self._put(state.id, 1, place_of(state), state)

    def __getitem__(self, id: int) -> State:
        """One that waits."""
        at = bisect_right(self._firsts, id) - 1
        held, row = self._held[at], id - self._firsts[at]
        if isinstance(held, Batch):
            if row < held.size:
                return held.state(row)
        elif not row:
            return held
        raise KeyError(id)

    def is_pending(self, id: int) -> bool:
        return bool(self._library.cinq_book_pending(self.handle, id))

    def _put(self, first: int, size: int, place: int, held: Batch | State) -> None:
        at = self._library.cinq_book_add(self.handle, first, size, place)
        self._firsts.insert(at, first)
        self._held.insert(at, held)
        if len(self._held) > self._sweep_at:
            self._sweep()

    def _sweep(self) -> None:
        places = np.empty(len(self._held), np.uint32)
        kept: list[int] = places[: self._library.cinq_book_sweep(self.handle, places)].tolist()
        self._firsts = [self._firsts[at] for at in kept]
        self._held = [self._held[at] for at in kept]
        self._sweep_at = _SWEEP + 2 * len(kept)
