"""All that an exploration knows: data that the loop, the integrator and the observers share.

Nothing here acts.  `SavedFrontier` is the part that a pruner may put aside and take up again: paths, pending states and
undecided queries; tests, coverage and counts stay."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from cinquefoil.exploration.accounting.clock import Stopwatch
from cinquefoil.exploration.accounting.memory_use import Meter
from cinquefoil.exploration.accounting.statistics import Statistics
from cinquefoil.exploration.options import Options
from cinquefoil.exploration.runs.coverage import Coverage, Gain
from cinquefoil.exploration.runs.doubts import Doubts
from cinquefoil.exploration.runs.findings import Findings
from cinquefoil.exploration.runs.infeasible_branches import InfeasibleBranches
from cinquefoil.exploration.runs.journal import Journal
from cinquefoil.exploration.runs.remarks import RemarkLog
from cinquefoil.exploration.runs.remembered_runs import RememberedRuns, TracingMachine
from cinquefoil.exploration.runs.tree import Growth, KnownPaths, Tree
from cinquefoil.exploration.runs.undecided import UndecidedQueries, UndecidedStates
from cinquefoil.exploration.runs.unsupported import UnsupportedLog
from cinquefoil.machine.graph import ProgramGraph
from cinquefoil.search.api import Context, Searcher
from cinquefoil.search.frontier import Frontier, FrontierContents
from cinquefoil.search.registry import make_all
from cinquefoil.states.batch import Batch
from cinquefoil.states.state import State


@dataclass(slots=True)
class SavedFrontier:
    """Paths and states that wait while others are explored."""

    known: KnownPaths
    held: FrontierContents
    undecided: UndecidedStates = field(default_factory=UndecidedStates)


class Explored:
    """What is known by now.  `findings` and `runs` are made before, since others need them, too."""

    def __init__(
        self,
        machine: TracingMachine,
        solver: object,
        options: Options,
        graph: ProgramGraph | None,
        statistics: Statistics,
        stopwatch: Stopwatch,
        runs: RememberedRuns,
        findings: Findings,
    ) -> None:
        self.options = options
        self.statistics = statistics
        self.stopwatch = stopwatch
        self.coverage = Coverage(machine.sites, graph)
        self.journal = Journal(len(machine.sites))
        self.refuting = InfeasibleBranches(machine, solver, statistics.phases)
        self.tree = Tree(machine.sites, lambda: machine.alts, self.refuting.look, self.journal.refuted_unsolved)
        self.runs = runs
        self.memory = Meter(machine)
        self.findings = findings
        self.unsupported = UnsupportedLog(machine.sites)
        self.doubts = Doubts(machine)
        self.remarks = RemarkLog(machine)
        self.undecided = UndecidedQueries(options.solver_seconds)
        self.assumption: State | None = None  # the other side of one that failed in the run added last
        self.ended: set[int] | None = None  # paths by their last hash, if some may come up again after a restart
        if options.prune != "none":
            self.ended = set()
        self.frontier = Frontier(self.make_searcher())

    def make_searcher(self) -> Searcher:
        """Every restart's searcher has a source of randomness of its own."""
        number, seed = self.statistics.restarts, self.options.seed
        rng = random.Random(seed if not number else f"{seed} {number}")
        return make_all(self.options.search, Context(rng, self.coverage))

    def plain_searcher(self, waiting: Sequence[Batch]) -> Searcher:
        """A searcher that can hardly fail, for states whose own did."""
        searcher = make_all(("random-state",), Context(random.Random(self.options.seed), self.coverage))
        for batch in waiting:
            searcher.add([state for state in batch if state.pending])
        return searcher

    def exchange(self, other: SavedFrontier | None = None) -> SavedFrontier:
        """Goes on with other paths and states, or with none; what was known and pending until now."""
        other = SavedFrontier(KnownPaths(), FrontierContents(self.make_searcher())) if other is None else other
        self.assumption = None
        undecided = self.undecided.exchange(other.undecided)
        return SavedFrontier(self.tree.exchange(other.known), self.frontier.exchange(other.held), undecided)

    def is_new(self, gain: Gain, growth: Growth) -> bool:
        """Is the path that a run took new, or was it known before a restart and brought nothing now?"""
        if self.ended is None or growth.witness is None:
            return True
        last = int(growth.witness.hashes[-1])
        known = last in self.ended
        self.ended.add(last)
        return bool(gain) or not known
