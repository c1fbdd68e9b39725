"""Subpath-guided search (Li, Su, Wang, Li: Steering symbolic execution to less traveled paths, Algorithms 1
and 2).

A state's subpath is its last n decisions with their directions, the turn included.  How often a subpath was
travelled is its frequency; the next state is one of those whose subpath has the lowest, any of them with equal
chance (`sgs:4`), or the newest, as in the paper's worked example (`sgs:4:latest`).  `sgs` alone lets n = 1,
2, 4 and 8 take turns over the same states, a quarter of the selections each.

In Algorithm 1 a path is selected, and its subpath counted, at every fork it passes.  Our runs go to the end of their
path by themselves, so every fork that a run passes is counted when it is over, as if it had been selected there.
(`sgs:turns`, and `turns` after any n, counts the selected turns only.)

The scan of Algorithm 2 is replaced by levels: subpaths of equal frequency share a level, which is a Fenwick
tree over their numbers of states, so that a uniform choice among the level's states costs O(log n) and a
subpath's rise to a higher level moves one number, not its states.

Risks: where the paper would turn to another path in the middle of a run, we have already gone on.  Checks that pass
are not decisions; a check's error side is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cinquefoil.analysis.digraph import bits
from cinquefoil.machine.address import address
from cinquefoil.machine.run import Run
from cinquefoil.search.api import Context, Searcher
from cinquefoil.search.batch import Batch, Catalogue
from cinquefoil.search.crowd import Crowd, subpaths
from cinquefoil.search.library import load
from cinquefoil.search.state import HISTORY, State, subpath_key

COMBINED = (1, 2, 4, 8)
_WORDS = ("latest", "random", "turns")
_NOBODY = -1


def subpath_guided(context: Context, *options: str) -> Searcher:
    """`sgs:n`, or `sgs` for the combination; then `latest`, `turns`."""
    unknown = [word for word in options if word not in _WORDS and not word.isdecimal()]
    if unknown:
        raise ValueError(f"'{unknown[0]}' is neither a subpath's length nor one of {', '.join(_WORDS)}")
    lengths = [int(word) for word in options if word.isdecimal()]
    if not all(1 <= n <= HISTORY for n in lengths):
        raise ValueError(f"the subpath's length must be 1 to {HISTORY}")
    latest, passes = "latest" in options, "turns" not in options
    return SubpathGuided(context, lengths or COMBINED, latest, passes)


class SubpathGuided(Searcher):
    """One length, or several that take turns over the same states.  A subpath is a group of its length's crowd, its
    level the frequency."""

    def __init__(
        self, context: Context, lengths: Sequence[int] = COMBINED, latest: bool = False, passes: bool = True
    ) -> None:
        self._passes = passes
        self._mine: dict[int, int] = {}  # selected here, not settled: by which length
        self._rng = context.rng
        self._latest = latest
        self._catalogue = Catalogue()
        self._crowds = [Crowd(levelled=True, newest=latest, catalogue=self._catalogue) for _ in lengths]
        self._ns = list(lengths)
        self._turn = 0
        self._library = load()
        self._handles = np.array([crowd.handle for crowd in self._crowds], np.uint64)
        self._lengths = np.array(self._ns, np.uint64)
        self._family = (address(self._handles), address(self._lengths), len(self._ns))

    def add(self, states: Sequence[State]) -> None:
        self._catalogue.add(states)
        if not isinstance(states, Batch):
            for crowd, n in zip(self._crowds, self._ns, strict=True):
                crowd.put(subpaths(states, n), states)
            return
        witness, rows = states.witness, (address(states.chunk.table), states.row, states.size, states.first)
        self._library.cinq_subpaths_add(*self._family, address(witness.decisions), witness.decided, *rows)

    def select(self) -> State:
        number = self._turn
        self._turn = (number + 1) % len(self._ns)
        crowd = self._crowds[number]
        subpath, state = self._pick_latest(crowd) if self._latest else self._pick(crowd)
        crowd.travel(subpath)  # Algorithm 1, line 8: P[pi]++
        self._mine[state.id] = number
        state.pending = False  # before the other lengths are told: they may tidy up
        self._gone(state, number)
        state.pending = True  # the frontier's to clear
        return state

    def update(self, state: State | None, run: Run | None, new: Sequence[State]) -> None:
        """In the paper a path is selected again at every fork it passes; so all that a run passes is counted."""
        own = _NOBODY if state is None else self._mine.pop(state.id, _NOBODY)
        if run is not None and self._passes:
            first = 0 if state is None else state.index
            self._library.cinq_subpaths_pass(*self._family, address(run.events), len(run.events), first, own)

    def remove(self, state: State) -> None:
        self._gone(state, _NOBODY)

    def discard(self, batch: Batch, rows: NDArray[np.intp]) -> None:
        witness, gone = batch.witness, np.ascontiguousarray(rows, np.int64)
        untidy = np.empty((len(gone) * len(self._ns), 2), np.uint64)
        where = (address(batch.chunk.table), batch.row, address(gone), len(gone), address(untidy))
        found = self._library.cinq_subpaths_drop(*self._family, address(witness.decisions), witness.decided, *where)
        for number, key in dict.fromkeys(map(tuple, untidy[:found].tolist())):
            self._crowds[number].tidy(key)

    def frequency(self, state: State) -> int:
        """How often the state's subpath, of the first length, was travelled so far."""
        return self._crowds[0].frequency(subpath_key(state.subpath(self._ns[0])))

    def _gone(self, state: State, but: int) -> None:
        """The state no longer waits; the length number `but` knows."""
        witness, turn = state.witness, (state.depth, state.site, state.kind, state.alternative)
        untidy = self._library.cinq_subpaths_gone(
            *self._family, address(witness.decisions), witness.decided, *turn, but
        )
        for number in bits(untidy):
            self._crowds[number].tidy(subpath_key(state.subpath(self._ns[number])))

    def _pick(self, crowd: Crowd) -> tuple[int, State]:
        while True:
            subpath = crowd.of_rank(self._rng.randrange(crowd.lowest()))
            if not crowd.rise(subpath):
                return subpath, crowd.take(subpath, self._rng)

    def _pick_latest(self, crowd: Crowd) -> tuple[int, State]:
        while True:
            crowd.lowest()
            subpath = crowd.newest()
            state = None if crowd.rise(subpath) else crowd.take_last(subpath)
            if state is not None:
                return subpath, state
