"""Pending states by the blocks they stand at and lead to: what dependence asks for.

Only ids are kept, in two crowds, filled by `native/sift.c` and asked by `native/goals.c`; what is gone leaves when it
is met.  Risks: of the states that lead to a block not visited yet only _LEADING are remembered; ids of states that are
gone take 8 bytes each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cinquefoil.machine.address import address
from cinquefoil.search.book import Book
from cinquefoil.search.crowd import Crowd

_LEADING = 64


class Waiting:
    """`visited` has True by site, for all that is no block of the program's too; it is the caller's to keep, and so is
    the `book`."""

    def __init__(self, visited: NDArray[np.bool_], book: Book) -> None:
        self.visited = visited
        self.book = book
        self._at = Crowd(catalogue=book)
        self._to = Crowd(catalogue=book)  # to blocks not visited when the state came
        self.crowds = (self._at.handle, self._to.handle)
        self.touched = np.zeros(len(visited), np.uint32)  # when a state came to each block
        self.places = (*self.crowds, address(visited), address(self.touched), len(visited), _LEADING)
