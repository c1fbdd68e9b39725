"""Pending states by the blocks they stand at and lead to: what dependence asks for.

Only ids are kept (`Crowd`, filled by `native/sift.c`); what is gone leaves when it is met.  Risks: of the states that
lead to a block not visited yet only _LEADING are remembered; ids of states that are gone take 8 bytes each."""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

from cinquefoil.machine.address import address
from cinquefoil.search.book import NOBODY, Book
from cinquefoil.search.crowd import Crowd
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
        self._asked = np.empty(1, np.uint64)
        self.places = (self._at.handle, self._to.handle, address(visited), len(visited), _LEADING)

    def leading_to(self, block: int) -> State | None:
        self._asked[0] = block
        return self._found(0, self._asked)

    def near(self, blocks: NDArray[np.uint64]) -> State | None:
        """One that stands at, or leads to, the first of the blocks that has one."""
        return self._found(self._at.handle, blocks) if len(blocks) else None

    def _found(self, standing: int, blocks: NDArray[np.uint64]) -> State | None:
        asked = (standing, self._to.handle, self._book.handle, blocks, len(blocks))
        id = self._library.cinq_first_waiting(*asked, self._rng.getrandbits(64))
        return None if id == NOBODY else self._book[id]
