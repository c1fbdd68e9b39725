"""What of the program has been run: blocks, branch directions, lines, functions; and how far away the rest
is.

Only the program's own sites count towards the figures; the library's guide nothing and cover nothing.  A
line is covered when code of it ran, a block when it was entered and its last part ran (behind the last call from which
a run might not return), a function when one of its blocks was entered.

A run that ended in a failed assumption or silently covers what it ran, but becomes no test.  What only such runs
covered is still worth a test: `proven` are the sites that a run covered which may become one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cinquefoil.exploration.runs.callpaths import CallPaths
from cinquefoil.exploration.runs.distance import Distances
from cinquefoil.exploration.runs.site_index import DIRECTED, index_of
from cinquefoil.ir.sites import Site, SiteKind
from cinquefoil.machine.graph import ProgramGraph
from cinquefoil.machine.run import Run
from cinquefoil.native import core
from cinquefoil.states.state import State

_NOTHING: NDArray[np.int64] = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class Gain:
    """What a run covered first: own sites (blocks, their parts, edges, lines), and the events before which that
    happened."""

    sites: NDArray[np.int64]
    marks: NDArray[np.int64]

    def __bool__(self) -> bool:
        return len(self.sites) > 0


@dataclass(frozen=True, slots=True)
class Figures:
    """(covered, total) of each kind."""

    blocks: tuple[int, int]
    branches: tuple[int, int]
    lines: tuple[int, int]
    functions: tuple[int, int]


NO_GAIN = Gain(_NOTHING, _NOTHING)


class Coverage:
    """Implements search.api.Knowledge.  Counts that only some strategies want start with the first
    question."""

    def __init__(self, sites: Sequence[Site], graph: ProgramGraph | None = None) -> None:
        self.sites = sites
        self.seen = np.zeros(len(sites), np.bool_)
        self.proven = np.zeros(len(sites), np.bool_)
        self._any_new = core.cinq_any_new
        self.graph = graph if graph is not None else graph_of(sites)
        self._version = 0
        self._counted: tuple[int, int, int] | None = None  # version, blocks, branches
        index = index_of(sites)
        self._blocks, self._ends, self._edges = index.blocks, index.ends, index.edges
        self._direction_counts, self._directions = index.direction_counts, index.directions
        self._first_direction = index.first_direction
        self._counts_for, self._homes = index.counts_for, index.homes
        self._line_sites, self._lines_of = index.line_sites, index.lines_of
        self._function_blocks = index.function_blocks
        self._line_runs: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None  # lines' blocks in a row, starts
        self._distances: Distances | None = None
        self._distance: tuple[int, NDArray[np.float64]] | None = None
        self._executions: NDArray[np.int64] | None = None
        self._call_paths: CallPaths | None = None

    def add(self, run: Run) -> Gain:
        """Takes in a run's coverage."""
        covered, seen = run.covered, self.proven if may_be_test(run) else self.seen
        new = self._any_new(seen, len(seen), covered, covered.itemsize, len(covered))  # mostly not
        if self._executions is not None:
            entered = run.trace if len(run.trace) else covered
            np.add.at(self._executions, entered[entered < len(self._executions)], 1)  # the program may write nonsense
        if self._call_paths is not None:
            self._call_paths.observe(run.trace)
        if not new:
            return NO_GAIN
        fresh = self._with_lines(covered[~seen[covered]].astype(np.int64))
        fresh = fresh[~seen[fresh]]
        seen[fresh] = self.seen[fresh] = True
        own = fresh[self._counts_for[fresh]]
        if not len(own):
            return Gain(own, _NOTHING)
        self._version += 1
        return Gain(own, _marks(run, self._homes[own], len(self.sites)))

    def _with_lines(self, fresh: NDArray[np.int64]) -> NDArray[np.int64]:
        """And the lines of the parts that ran."""
        lines = [self._lines_of[part] for part in fresh.tolist() if part in self._lines_of]
        return np.concatenate((fresh, *lines)) if lines else fresh

    def learn(self, sites: NDArray[np.int64], proven: bool = True) -> None:
        """Others covered these."""
        fresh = sites[~self.seen[sites]]
        self.seen[fresh] = True
        if proven:
            self.proven[sites] = True
        self._version += bool(self._counts_for[fresh].any())

    def would_gain(self, covered: NDArray[np.int64]) -> bool:
        """Is any of these sites new to tests?"""
        return bool(self._any_new(self.proven, len(self.proven), covered, covered.itemsize, len(covered)))

    def directions(self, run: Run) -> NDArray[np.bool_]:
        """Which of the program's own branch directions a run took."""
        taken = np.zeros(len(self.sites), np.bool_)
        taken[run.covered] = True
        return taken[self._edges]

    def missing(self) -> NDArray[np.bool_]:
        """Tells for each site whether it is a block or edge of the program's own that nothing has covered."""
        return self._counts_for & ~self.seen

    def never_entered(self, blocks: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
        """Which of these are blocks of the program's own that nothing entered so far."""
        return self._counts_for[blocks] & ~self.seen[blocks]

    def counts(self) -> tuple[int, int]:
        """Covered blocks and branch directions: the figures that are cheap to have."""
        if self._counted is None or self._counted[0] != self._version:
            self._counted = (self._version, int(self.seen[self._ends].sum()), int(self.seen[self._edges].sum()))
        return self._counted[1:]

    def complete(self, kind: str) -> bool:
        """Are all "blocks" or "branches" covered?"""
        blocks, branches = self.counts()
        return branches == len(self._edges) if kind == "branches" else blocks == len(self._blocks)

    def figures(self) -> Figures:
        blocks, branches = self.counts()
        return Figures(
            (blocks, len(self._blocks)),
            (branches, len(self._edges)),
            (self.line_count(), len(self._line_sites)),
            (sum(self._any(blocks) for blocks in self._function_blocks.values()), len(self._function_blocks)),
        )

    def line_count(self) -> int:
        """Covered lines."""
        if not self._line_sites:
            return 0
        if self._line_runs is None:
            runs = list(self._line_sites.values())
            starts = np.cumsum([0, *map(len, runs[:-1])])
            self._line_runs = (np.concatenate(runs), starts)
        blocks, starts = self._line_runs
        return int(np.logical_or.reduceat(self.seen[blocks], starts).sum())

    def lines(self) -> dict[tuple[str, int], bool]:
        """Every line with code of the program's own: was it run?"""
        return {line: self._any(sites) for line, sites in self._line_sites.items()}

    def line_sites(self) -> dict[tuple[str, int], NDArray[np.int64]]:
        """Each line of the program's own: one site for every block that holds code of it."""
        return self._line_sites

    def functions(self) -> dict[tuple[str, str], bool]:
        """Every function of the program's own, by file and name: was it entered?"""
        return {function: self._any(blocks) for function, blocks in self._function_blocks.items()}

    # ---- search.api.Knowledge ----

    @property
    def version(self) -> int:
        return self._version

    def distances(self) -> NDArray[np.float64]:
        if self._distances is None:
            self._distances = Distances(self.graph, len(self.sites))
        if self._distance is None or self._distance[0] != self._version:
            uncovered = self._blocks[~self.seen[self._ends]]
            self._distance = (self._version, self._distances.to(uncovered))
        return self._distance[1]

    def uncovered(self, sites: NDArray[np.integer], directions: NDArray[np.integer]) -> NDArray[np.bool_]:
        counts = self._direction_counts[sites]
        known = (directions >= 0) & (directions < counts)
        indeices = np.where(known, self._first_direction[sites] + directions, 0)
        return known & ~self.seen[self._directions[indeices]]

    @property
    def follows_calls(self) -> bool:
        """Does somebody ask for chains of calls?  They are known for the run that was added last."""
        return self._call_paths is not None

    def executions(self) -> NDArray[np.int64]:
        if self._executions is None:
            self._executions = self.seen.astype(np.int64)
        return self._executions

    def call_path(self, state: State) -> int:
        return self._paths().at(state.trace)

    def call_paths(self, traces: NDArray[np.uint32]) -> NDArray[np.int64]:
        return self._paths().all_at(traces)

    def call_path_executions(self) -> NDArray[np.int64]:
        return self._paths().counts

    def _paths(self) -> CallPaths:
        if self._call_paths is None:
            numbers: dict[str, int] = {}
            functions = np.fromiter((numbers.setdefault(s.function, len(numbers)) for s in self.sites), np.int64)
            self._call_paths = CallPaths(self.graph, functions)
        return self._call_paths

    def _any(self, blocks: NDArray[np.int64]) -> bool:
        return bool(self.seen[blocks].any())


def may_be_test(run: Run) -> bool:
    """A failed assumption and a silent exit say that the input is not wanted."""
    return run.end not in ("assume", "silent")


def graph_of(sites: Sequence[Site]) -> ProgramGraph:
    """What sites alone tell of the graph: the edges of branches and switches."""
    cfg: dict[int, tuple[int, ...]] = {i: () for i, site in enumerate(sites) if site.kind is SiteKind.BLOCK}
    cfg.update({site.block: site.targets for site in sites if site.kind in DIRECTED and site.targets})
    targets = {target for successors in cfg.values() for target in successors}
    return ProgramGraph(cfg, entries=frozenset(block for block in cfg if block not in targets))


def _marks(run: Run, sites: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Before which events the sites were first covered; without a block trace, before the last one."""
    if not len(run.events):
        return _NOTHING
    if not len(run.trace):
        return np.array([len(run.events) - 1], np.int64)
    return parts_with(run.trace, run.events["trace"].astype(np.int64), sites, count)


def parts_with(
    trace: NDArray[np.uint32], ends: NDArray[np.int64], sites: NDArray[np.int64], count: int
) -> NDArray[np.int64]:
    """Which of the parts of a trace, the last one behind all ends, hold one of the sites.  A trace may have tens of
    millions of blocks, so there is one look at each."""
    wanted = np.zeros(count, np.bool_)
    wanted[sites] = True
    bounds = np.concatenate(([0], ends, [len(trace)]))
    parts = np.flatnonzero(bounds[1:] > bounds[:-1])
    return parts[np.logical_or.reduceat(wanted[trace], bounds[parts])]
