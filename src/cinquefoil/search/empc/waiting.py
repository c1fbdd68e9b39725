"""Pending states by the blocks they stand at and lead to: what dependence asks for.

Only ids are kept (`Crowd`, filled by `native/sift.c`); what is gone leaves when it is met.  Risks: of the states that
lead to a block not visited yet only _LEADING are remembered; ids of states that are gone take 8 bytes each."""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

from cinquefoil.machine.address import address
from cinquefoil.search.batch import Batch
from cinquefoil.search.book import Book
from cinquefoil.search.crowd import NOTHING, Crowd
from cinquefoil.search.state import State

_LEADING = 64


class Waiting:
    """Any of the states at a block, with equal chance.  `visited` has True by site, for all that is no block of the
    program's too; it is the caller's to keep, and so is the `book`."""

    def __init__(self, rng: random.Random, visited: NDArray[np.bool_], book: Book) -> None:
        self._rng = rng
        self._visited = visited
        self._book = book
        self._at = Crowd(catalogue=book)
        self._to = Crowd(catalogue=book)  # to blocks not visited when the state came
        self._library = self._at.library
        self.places = (self._at.handle, self._to.handle, address(visited), len(visited), _LEADING)

    def place(self, batch: Batch, trace: NDArray[np.uint32]) -> None:
        """Where states stand, and which lead to blocks not visited; `trace` is their run's, contiguous."""
        rows = (batch.chunk.table, batch.row, batch.size, batch.first)
        visited = (self._visited, len(self._visited))
        self._library.cinq_place(self._at.handle, self._to.handle, *rows, trace, *visited, _LEADING)

    def leading_to(self, block: int) -> State | None:
        return self._take(self._to, block)

    def near(self, blocks: NDArray[np.uint64]) -> State | None:
        """One that stands at, or leads to, the first of the blocks that has one."""
        first = 0
        while True:
            count = len(blocks)
            first = self._library.cinq_first_held(self._at.handle, self._to.handle, blocks, count, first)
            if first == count:
                return None
            block = blocks.item(first)
            found = self._take(self._at, block)
            found = found if found is not None else self._take(self._to, block)
            if found is not None:
                return found

    def _take(self, crowd: Crowd, block: int) -> State | None:
        group = crowd.find(block)
        while group != NOTHING and (size := self._library.cinq_crowd_size(crowd.handle, group)):
            id = self._library.cinq_crowd_take(crowd.handle, group, self._rng.randrange(size))
            if self._book.is_pending(id):
                return self._book[id]
        return None
