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

from cinquefoil.machine.run import Run
from cinquefoil.search.api import Context, Searcher
from cinquefoil.search.batch import Batch
from cinquefoil.search.crowd import Crowd, subpaths
from cinquefoil.search.interleave import Interleave
from cinquefoil.search.state import HISTORY, State, subpath_key

_COMBINED = (1, 2, 4, 8)
_WORDS = ("latest", "random", "turns")


def subpath_guided(context: Context, *options: str) -> Searcher:
    """`sgs:n`, or `sgs` for the combination; then `latest`, `turns`."""
    unknown = [word for word in options if word not in _WORDS and not word.isdecimal()]
    if unknown:
        raise ValueError(f"'{unknown[0]}' is neither a subpath's length nor one of {', '.join(_WORDS)}")
    lengths = [int(word) for word in options if word.isdecimal()]
    if not all(1 <= n <= HISTORY for n in lengths):
        raise ValueError(f"the subpath's length must be 1 to {HISTORY}")
    latest, passes = "latest" in options, "turns" not in options
    searchers = [SubpathGuided(context, n, latest, passes) for n in lengths or _COMBINED]
    return searchers[0] if len(searchers) == 1 else Interleave(searchers)


class SubpathGuided(Searcher):
    """sgs:n for one n.  A subpath is a group of the crowd, its level the frequency."""

    def __init__(self, context: Context, n: int, latest: bool = False, passes: bool = True) -> None:
        self._passes = passes
        self._mine: set[int] = set()  # selected here, not settled
        self._rng = context.rng
        self._n = n
        self._latest = latest
        self._crowd = Crowd(levelled=True, newest=latest)

    def add(self, states: Sequence[State]) -> None:
        self._crowd.add(subpaths(states, self._n), states)

    def select(self) -> State:
        subpath, state = self._pick_latest() if self._latest else self._pick()
        self._crowd.travel(subpath)  # Algorithm 1, line 8: P[pi]++
        self._mine.add(state.id)
        return state

    def update(self, state: State | None, run: Run | None, new: Sequence[State]) -> None:
        """In the paper a path is selected again at every fork it passes; so all that a run passes is counted."""
        own = state is not None and state.id in self._mine
        if state is not None:
            self._mine.discard(state.id)
        if run is not None and self._passes:
            first = 0 if state is None else state.index + own
            self._crowd.pass_through(run.events, first, self._n)

    def remove(self, state: State) -> None:
        self._crowd.remove(subpath_key(state.subpath(self._n)))

    def discard(self, batch: Batch, rows: NDArray[np.intp]) -> None:
        self._crowd.discard(subpaths(batch, self._n)[rows])

    def frequency(self, state: State) -> int:
        """How often the state's subpath was travelled so far."""
        return self._crowd.frequency(subpath_key(state.subpath(self._n)))

    def _pick(self) -> tuple[int, State]:
        while True:
            subpath = self._crowd.of_rank(self._rng.randrange(self._crowd.lowest()))
            if not self._crowd.rise(subpath):
                return subpath, self._crowd.take(subpath, self._rng)

    def _pick_latest(self) -> tuple[int, State]:
        while True:
            self._crowd.lowest()
            subpath = self._crowd.newest()
            state = None if self._crowd.rise(subpath) else self._crowd.take_last(subpath)
            if state is not None:
                return subpath, state
