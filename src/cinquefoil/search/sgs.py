"""Subpath-guided search (Li, Su, Wang, Li: Steering symbolic execution to less traveled paths, Algorithms 1
and 2).

A state's subpath is its last n decisions with their directions, the untaken branch included.  How often a subpath was
travelled is its frequency; the next state is one of those whose subpath has the lowest, any of them with equal
chance (`sgs:4`), or the newest, as in the paper's worked example (`sgs:4:latest`).  `sgs` alone lets n = 1,
2, 4 and 8 alternate over the same states, a quarter of the selections each.

In Algorithm 1 a path is selected, and its subpath counted, at every fork it passes.  Our runs go to the end of their
path by themselves, so every fork that a run passes is counted when it is over, as if it had been selected there.
(`sgs:turns`, and `turns` after any n, counts the selected branches only.)

The scan of Algorithm 2 is replaced by levels: subpaths of equal frequency share a level with sums of their numbers
of states (`groups.c`), so that a uniform choice among the level's states costs O(log n) and a subpath's rise to a
higher level moves one number, not its states.  States that are gone leave when they are drawn.

Risks: where the paper would go on with another path in the middle of a run, we have already gone on.  Checks that pass
are not decisions; a check's error side is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from cinquefoil.machine.run import Run
from cinquefoil.native import core
from cinquefoil.native.structures import structure
from cinquefoil.search.api import Context, Searcher
from cinquefoil.states.batch import Batch
from cinquefoil.states.groups import GroupedStates
from cinquefoil.states.index import StateIndex
from cinquefoil.states.state import HISTORY, State, subpath_key

COMBINED = (1, 2, 4, 8)
_WORDS = ("latest", "random", "turns")
_NO_LENGTH = -1


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
    """One length, or several that alternate over the same states.  A subpath is a group of its length's grouping, its
    level the frequency.  A `state_index` that is given is filled by others.  With `most`, only so many states of a
    subpath are held, any of them."""

    def __init__(
        self,
        context: Context,
        lengths: Sequence[int] = COMBINED,
        latest: bool = False,
        passes: bool = True,
        state_index: StateIndex | None = None,
        most: int = 0,
    ) -> None:
        self._passes = passes
        self._mine: dict[int, int] = {}  # selected here, not settled: by which length
        self._rng = context.rng
        self._fills = state_index is None
        self._state_index = StateIndex() if state_index is None else state_index
        self._grouped = [GroupedStates(levelled=True, newest=latest, state_index=self._state_index) for _ in lengths]
        self._ns = list(lengths)
        self._next = 0
        for grouped in self._grouped:
            core.cinq_groups_look_up(grouped.handle, self._state_index.handle, most)
        self._handles = np.array([grouped.handle for grouped in self._grouped], np.uint64)
        self._lengths = np.array(self._ns, np.uint64)
        family = (core.address(self._handles), core.address(self._lengths), len(self._ns))
        self._drawing = structure("drawing")(*family, self._state_index.handle)
        self.handle = core.address(self._drawing)
        self._draw: Callable[[int, int], int] = core.bound(core.cinq_subpaths_draw, self.handle)

    def add(self, states: Sequence[State]) -> None:
        if self._fills:
            self._state_index.add(states)

    def select(self) -> State:
        number = self._next
        self._next = (number + 1) % len(self._ns)
        id = self._draw(number, self._rng.getrandbits(64))
        self._mine[id] = number
        return self._state_index.state(self._state_index.read(id))

    def update(self, state: State | None, run: Run | None, new: Sequence[State]) -> None:
        """Counts all subpaths that a run passes: in the paper, a path is selected again at every fork that it
        passes."""
        own, first = (_NO_LENGTH, 0) if state is None else (self._mine.pop(state.id, _NO_LENGTH), state.index)
        if run is not None and self._passes:
            core.cinq_subpaths_pass(self.handle, run.events, len(run.events), first, own)

    def discard(self, batch: Batch, rows: NDArray[np.intp]) -> None:
        """Nothing to do: what does not wait is skipped."""

    def frequency(self, state: State) -> int:
        """How often the state's subpath, of the first length, was travelled so far."""
        return self._grouped[0].frequency(subpath_key(state.subpath(self._ns[0])))
