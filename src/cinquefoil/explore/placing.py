"""Placing: what a run adds to all that an exploration knows.

A run goes to coverage and tree; the directions it did not take become states in the frontier; it may become a test or
an error.  The state it was made for is settled here, and so is every other one that is answered, given up or
forgotten."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cinquefoil.explore.clock import Stopwatch
from cinquefoil.explore.coverage import NO_GAIN, Coverage, Gain, may_be_test
from cinquefoil.explore.events import false_assumption
from cinquefoil.explore.findings import Findings, Test
from cinquefoil.explore.journal import Journal, Moment
from cinquefoil.explore.memory import Meter
from cinquefoil.explore.options import Options
from cinquefoil.explore.paths import Paths, TracingMachine
from cinquefoil.explore.questions import Questions
from cinquefoil.explore.refuting import Refuting
from cinquefoil.explore.remarks import RemarkLog
from cinquefoil.explore.running import Runner
from cinquefoil.explore.tree import Growth, Tree
from cinquefoil.explore.unsupported import UnsupportedLog
from cinquefoil.layout import EventKind
from cinquefoil.machine.failure import UNSUPPORTED
from cinquefoil.machine.graph import ProgramGraph
from cinquefoil.machine.run import Run
from cinquefoil.search.api import Context, Searcher
from cinquefoil.search.batch import Batch
from cinquefoil.search.frontier import Frontier
from cinquefoil.search.registry import make_all
from cinquefoil.search.state import State

if TYPE_CHECKING:
    from cinquefoil.explore.pruning import Pruning
    from cinquefoil.explore.variants import Variants

_FINISHED = ("exit", "silent")


class Placing:
    """All that an exploration knows; `alts` gives the switch conditions of the run being added."""

    def __init__(
        self,
        machine: TracingMachine,
        solver: object,
        options: Options,
        graph: ProgramGraph | None,
        runner: Runner,
        stopwatch: Stopwatch,
        alts: Callable[[], NDArray[np.uint32]],
        keep: Callable[[Test], None],
    ) -> None:
        self.statistics = runner.statistics
        phases = self.statistics.phases
        self._tree_phase, self._search_phase, self._loop_phase = phases["tree"], phases["search"], phases["loop"]
        self.coverage = Coverage(machine.sites, graph)
        self.journal = Journal(len(machine.sites))
        self.refuting = Refuting(machine, solver, self.statistics.phases)
        self.tree = Tree(machine.sites, alts, self.refuting.look, self.journal.refuted_at_a_glance)
        self.paths = Paths(machine, options.path_memory)
        self.memory = Meter(machine)
        self.findings = Findings(machine.sites, keep, runner.run, options.every_path)
        self.unsupported = UnsupportedLog(machine.sites)
        self.remarks = RemarkLog(machine)
        self.questions = Questions(options.solver_seconds)
        self.pruning: Pruning | None = None
        self.variants: Variants | None = None
        self.assumption: State | None = None  # the other side of one that failed in the run added last
        self._stopwatch = stopwatch
        self._options = options
        self.frontier = Frontier(self.make_searcher())

    def make_searcher(self) -> Searcher:
        """Every restart's has a source of randomness of its own."""
        number, seed = self.statistics.restarts, self._options.seed
        rng = random.Random(seed if not number else f"{seed} {number}")
        return make_all(self._options.search, Context(rng, self.coverage))

    def plain_searcher(self, waiting: Sequence[Batch]) -> Searcher:
        """One that can hardly fail, for states whose own did."""
        searcher = make_all(("random-state",), Context(random.Random(self._options.seed), self.coverage))
        for batch in waiting:
            searcher.add([state for state in batch if state.pending])
        return searcher

    def add(self, run: Run, state: State | None, cost: int = 0) -> Growth | None:
        """Adds what a run shows; `state` is the one it was solved for.  None if the process died of it."""
        if run.end == "died":
            self.died(state)
            return None
        self._tree_phase.begin()
        if run.remarks:
            self.remarks.note(run)
        gain = self.coverage.add(run)
        growth = self.tree.add(run, state, gain.marks)
        if not run.modelled:
            self.statistics.unmodelled += self.unsupported.note(run)
        new = self.pruning is None or self.pruning.observe(run, gain, growth)
        if run.end == "exit" and new and growth.witness is not None:
            self.statistics.completed += 1
        else:
            self._count(run, growth, new)
        self._place(run, growth, state, cost)
        if gain is not NO_GAIN or run.end == "error" or self.findings.wants(run):
            self._put_out(run, gain, growth, new)
        else:
            self.journal.shapes.add(run, growth, 0)
        return growth

    def _put_out(self, run: Run, gain: Gain, growth: Growth, new: bool) -> None:
        """The run may be worth a test."""
        with self.statistics.phases["output"]:
            kept = self.findings.consider(run, bool(gain), growth.witness is not None) if new else ()
            self.journal.ran(run, growth, kept, self._stopwatch.seconds)
            if gain:
                self.journal.gained(gain.sites, self.moment(kept[0] if kept else 0))
                if self.variants is not None and may_be_test(run):
                    self.variants.learn(run)

    def cover(self, run: Run) -> None:
        """Takes in what a run covers, and makes it a test if that is new, but leaves its path unknown: for inputs that
        no state asked for, on paths too long to be explored."""
        gain = self.coverage.add(run)
        self.statistics.unmodelled += self.unsupported.note(run)
        kept = self.findings.consider(run, bool(gain), False)
        if gain:
            self.journal.gained(gain.sites, self.moment(kept[0] if kept else 0))

    def _count(self, run: Run, growth: Growth, new: bool) -> None:
        counts = self.statistics
        if growth.witness is None or not new:
            counts.known += 1
        elif run.end in _FINISHED:
            counts.completed += 1
        elif run.end == "error":
            counts.errors += 1
        elif run.end == "assume":
            counts.assumed += 1
        elif run.end == UNSUPPORTED:
            counts.unsupported += 1
        else:
            counts.cut += 1

    def _place(self, run: Run, growth: Growth, state: State | None, cost: int) -> None:
        """Tells searchers what the run left and which state it settled."""
        witness, batches, settled, diverged = growth
        if witness is not None:
            witness.cost = cost
            self.paths.remember(witness, run)
        self._search_phase.begin()
        counts, frontier = self.statistics, self.frontier
        for batch in batches:
            frontier.add(batch)
        frontier.settle(settled, run, batches[0] if len(batches) == 1 else growth.states)
        if run.end == "assume" and witness is not None:
            self._hold_assumption(batches[-1][-1] if batches else None, run)
        self._loop_phase.begin()
        counts.limited, counts.refuted = self.tree.limited, self.refuting.refuted
        if settled is not None:
            self.questions.close(settled)
        if diverged and state is not None and state != settled:
            counts.diverged += 1
            self.settle(state)

    def _hold_assumption(self, last: State | None, run: Run) -> None:
        """Behind an assumption that failed lies what the program is about: that turn comes next.  If there is none, it
        was refuted at a glance."""
        if last is not None and last.kind == EventKind.ASSUME and last.index == len(run.events) - 1:
            self.assumption = last
        else:
            self.note_false_assumption(run)

    def note_false_assumption(self, run: Run) -> None:
        """No input satisfies the assumption at which the run ended, after the same path: an error, if it is one of
        KLEE's."""
        error = false_assumption(run)
        if error is not None:
            kept = self.findings.false_assumption(run, error)
            self.journal.noted(run, kept, self._stopwatch.seconds)

    def next_state(self) -> State:
        """Takes out the state to be asked for next; there must be a pending one."""
        state, self.assumption = self.assumption, None
        return state if state is not None and self.frontier.take(state) else self.frontier.select()

    def moment(self, test: int) -> Moment:
        """How things are, now that a test was found."""
        waiting = len(self.frontier) + len(self.questions)
        return Moment(self._stopwatch.seconds, *self.coverage.counts(), waiting, self.memory.lately(), test)

    # ---- states without a run ----

    def settle(self, state: State) -> None:
        """Nothing is left to explore there."""
        self.tree.settle(state)
        self.questions.close(state)
        self.frontier.settle(state)

    def died(self, state: State | None) -> None:
        """The program's process died of the state's solution, twice."""
        self.statistics.died += 1
        if state is not None:
            self.settle(state)

    def refuted(self, state: State) -> None:
        """There is no input for it."""
        self.statistics.infeasible += 1
        self.journal.refuted(state)
        self.settle(state)

    def leave_open(self, state: State) -> None:
        """The solver could not decide: it is asked again when nothing else is left."""
        self.statistics.unknown += 1
        self.journal.left_open(state)
        self.questions.leave(state)
        self.frontier.settle(state)

    def put_back(self, state: State) -> None:
        """The solver was stopped, not defeated: the state is pending again."""
        again = self.tree.again(state)
        self.frontier.settle(state)
        self.frontier.add(again)

    def ask_again(self) -> None:
        """Nothing else is left: the open questions get more time."""
        for state in self.questions.begin_again():
            again = self.tree.again(state)
            self.questions.grant(again.first)
            self.frontier.add(again)

    def forget(self, state: State) -> None:
        """Prunes a pending state."""
        if state.pending:
            self.statistics.pruned += 1
            self.settle(state)

    def forget_many(self, batch: Batch, chosen: NDArray[np.bool_]) -> int:
        """Prunes all pending states of a batch (of `frontier.batches()`) for which `chosen` holds; how many."""
        rows = np.flatnonzero(batch.pending & chosen)
        self.tree.settle_many(batch, rows)
        self.statistics.pruned += len(rows)
        return self.frontier.discard(batch, chosen)
