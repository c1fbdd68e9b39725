"""The ways to choose among all states, whatever the covers say: the least travelled subpaths (`sgs.py`), the fewest
decisions (`order.py`) and random paths (`randompath.py`), over one book.

They look into the book for new states by themselves; that one is settled they are told in one call
(`native/turned.c`), since that happens once for every path."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cinquefoil.build.shared import bound
from cinquefoil.machine.address import address
from cinquefoil.machine.run import Run
from cinquefoil.search.api import Context, Searcher
from cinquefoil.search.book import NOBODY, Book
from cinquefoil.search.library import load
from cinquefoil.search.order import BreadthFirst
from cinquefoil.search.randompath import RandomPath
from cinquefoil.search.sgs import NO_LENGTH, SubpathGuided
from cinquefoil.search.state import State


class General:
    """Three searchers, of which the last must always have a state; the book is the caller's to fill."""

    def __init__(self, context: Context, book: Book) -> None:
        self._subpaths = SubpathGuided(context, book=book)
        paths = RandomPath(context, book=book)
        self.searchers: list[Searcher] = [self._subpaths, BreadthFirst(context, book=book), paths]
        self._told = np.array([*self._subpaths.family, paths.handle], np.uint64)
        self._turned: Callable[..., None] = bound(load().cinq_turned, address(self._told))

    def update(self, state: State | None, run: Run | None) -> None:
        """`Searcher.update` of them all."""
        id, first, own = NOBODY, 0, NO_LENGTH
        if state is not None:
            id, first, own = state.id, state.index, self._subpaths.chosen(state)
        if run is None:
            self._turned(id, None, 0, first, own)
        else:
            self._turned(id, run.events, len(run.events), first, own)
