"""What reports tell beyond figures: which test covered what first, which untaken branches cannot be taken, how paths
branch off.

Everything here is bounded: a mark per site, a counter per branch, a moment per gain in coverage, and the shape of the
first paths only.  Nothing in it guides the exploration.
"""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cinquefoil.exploration.runs.tree import Growth
from cinquefoil.machine.run import Run
from cinquefoil.states.state import OTHER, State

MOST_PATHS = 200_000  # whose shape is kept
_MOST_OUTPUT = 4096  # bytes that an erring program printed
_DIRECTIONS = 0xFFFFFF  # the bits of a packed branch that hold its direction
_MOST_UNCOUNTED = 1 << 16  # untaken branches refuted without a query that wait to be counted
BranchDirection = tuple[int, int, int]  # site, kind of event, direction


@dataclass(frozen=True, slots=True)
class Moment:
    """Where the exploration stood when a test covered something new."""

    seconds: float
    blocks: int
    branches: int
    states: int
    memory: int
    test: int


@dataclass(slots=True)
class TestNote:
    """How a test's run ended, when it was found, and how many blocks, parts of them, edges and lines it covered
    first."""

    end: str
    status: int
    seconds: float
    gained: int = 0
    output: bytes = b""


class PathShape(NamedTuple):
    """Which path one branched off, at which event and site; its events, its test, how it ended."""

    parent: int
    start: int
    length: int
    site: int
    test: int
    end: str


class PathShapes:
    """One per path, as numbers: a million objects would cost too much."""

    def __init__(self) -> None:
        self.total = 0
        self._rows = array("I")  # a shape's numbers, shape after shape
        self.ends: list[str] = []

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, number: int) -> PathShape:
        """The shape of a path, by the number of its witness, from 1 on."""
        parent, start, length, site, test = self._rows[5 * number - 5 : 5 * number]
        return PathShape(parent, start, length, site, test, self.ends[number - 1])

    def add(self, run: Run, growth: Growth, test: int) -> None:
        witness = growth.witness
        if witness is None:
            return
        self.total += 1
        if self.total > MOST_PATHS:
            return
        origin, end = witness.origin, run.end
        if origin is not None:
            self._rows.extend((origin.witness.number, witness.start, len(run.events), origin.site, test))
        else:
            self._rows.extend((0, witness.start, len(run.events), 0, test))
        self.ends.append(run.error.kind if end == "error" and run.error is not None else end)


class Journal:
    """Kept by one exploration; `first` is, by site, the test that covered it first, 0 for none."""

    def __init__(self, sites: int) -> None:
        self.first: NDArray[np.int32] = np.zeros(sites, np.int32)
        self.moments: list[Moment] = []
        self.tests: dict[int, TestNote] = {}
        self._infeasible: Counter[BranchDirection] = Counter()
        self._refuted_early: list[NDArray[np.int64]] = []  # untaken branches refuted without a query, not yet counted
        self._uncounted = 0
        self.undecided: Counter[BranchDirection] = Counter()
        self.shapes = PathShapes()

    def refuted(self, state: State) -> None:
        """The solver proved that no input takes this branch after this path."""
        self._infeasible[state.site, state.kind, state.alternative] += 1

    def refuted_unsolved(self, branches: NDArray[np.int64]) -> None:
        """The same of many untaken branches: hundreds a run, so they are kept as one number each (site, kind and
        direction from bits 32, 24 and 0 on) and counted later."""
        self._refuted_early.append(branches)
        self._uncounted += len(branches)
        if self._uncounted > _MOST_UNCOUNTED:
            self._count_refuted_early()

    @property
    def infeasible(self) -> Counter[BranchDirection]:
        """How often each branch was refuted."""
        self._count_refuted_early()
        return self._infeasible

    def _count_refuted_early(self) -> None:
        if self._refuted_early:
            branches, counts = np.unique(np.concatenate(self._refuted_early), return_counts=True)
            for branch, count in zip(branches.tolist(), counts.tolist(), strict=True):
                direction = branch & _DIRECTIONS
                known = OTHER if direction == _DIRECTIONS else direction
                self._infeasible[branch >> 32, branch >> 24 & 0xFF, known] += count
        self._refuted_early, self._uncounted = [], 0

    def left_undecided(self, state: State) -> None:
        """The solver could not decide in time."""
        self.undecided[state.site, state.kind, state.alternative] += 1

    def gained(self, sites: NDArray[np.int64], moment: Moment) -> None:
        """A run covered these sites first."""
        self.first[sites] = moment.test
        self.moments.append(moment)
        if moment.test in self.tests:
            self.tests[moment.test].gained = len(sites)

    def ran(self, run: Run, growth: Growth, kept: tuple[int, ...] = (), seconds: float = 0.0) -> None:
        """A run was added; `kept` are the tests made or replaced by it, `seconds` the time of that."""
        self.shapes.add(run, growth, kept[0] if kept else 0)
        self.noted(run, kept, seconds)

    def noted(self, run: Run, kept: tuple[int, ...], seconds: float) -> None:
        """The tests that a run became."""
        for test in kept:
            note = self.tests.setdefault(test, TestNote(run.end, run.code, seconds))
            note.end, note.status = run.end, run.code
            note.output = run.output[:_MOST_OUTPUT] if run.error is not None else b""
