"""Which directions a run's events left untaken, for all of its events at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cinquefoil.explore.events import BY_VALUE, LEAVES_STATE, fails_assumption
from cinquefoil.ir.sites import Site
from cinquefoil.layout import EventKind
from cinquefoil.machine.run import Run
from cinquefoil.search.state import OTHER


@dataclass(frozen=True, slots=True)
class Turns:
    """One entry per state to be: the event's index, the direction to take, the block it leads to."""

    events: NDArray[np.int64]
    alternatives: NDArray[np.int64]
    targets: NDArray[np.int64]


class Directions:
    """The sites' directions as arrays: site s's direction d leads to flat[first[s] + d]; it has count[s] of
    them.

    Sites without directions of their own (checks, pins) lead to their block."""

    def __init__(self, sites: Sequence[Site]) -> None:
        targets = [site.targets or (site.block, site.block) for site in sites]
        self._count = np.array([len(each) for each in targets], np.int64)
        self._first = np.concatenate([[0], np.cumsum(self._count)[:-1]]).astype(np.int64)
        self._flat = np.array([target for each in targets for target in each], np.int64)

    def turns(self, run: Run, first: int) -> Turns:
        """What the run's events from index `first` on leave."""
        kinds = run.events["kind"][first:]
        where = np.flatnonzero(LEAVES_STATE[kinds]) + first
        if fails_assumption(run) and len(run.events) > first:
            where = np.append(where, len(run.events) - 1)
        kinds = run.events["kind"][where]
        if (kinds == EventKind.SWITCH).any():
            where, alternatives = self._spread(run, where, kinds)
            kinds = run.events["kind"][where]
        else:
            alternatives = 1 - run.events["taken"][where].astype(np.int64)
        alternatives[kinds == EventKind.ASSUME] = 1
        by_value = BY_VALUE[kinds]
        sites = run.events["site"][where].astype(np.int64)
        targets = self._flat[self._first[sites] + np.where(by_value, 0, alternatives)]
        alternatives[by_value] = OTHER
        return Turns(where, alternatives, targets)

    def _spread(
        self, run: Run, where: NDArray[np.int64], kinds: NDArray[np.uint8]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Repeats every switch once per group it did not take."""
        switch = kinds == EventKind.SWITCH
        times = np.where(switch, self._count[run.events["site"][where]] - 1, 1)
        rows = np.repeat(np.arange(len(where)), times)
        starts = np.cumsum(times) - times
        turn = np.arange(len(rows)) - starts[rows]  # 0, 1, ... within each event
        taken = run.events["taken"][where].astype(np.int64)[rows]
        alternatives = np.where(switch[rows], turn + (turn >= taken), 1 - taken)
        return where[rows], alternatives
