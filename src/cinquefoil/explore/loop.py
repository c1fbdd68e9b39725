"""The loop: select a state, solve it, run the solution, add the run; until nothing is left or a limit is met.

Nothing is lost silently.  A question the solver leaves open is asked again with more time once all else is
done; a run that does not follow its prediction is added where it went and counted; a worker's death costs
one repetition, then that path is counted as died; a full expression table starts a new epoch, after which
path conditions are found again by running their witnesses.  `exhausted` is claimed only when none of these
left a hole."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from cinquefoil.explore.collector import rarely_collecting
from cinquefoil.explore.conditions import PathReader, ReadPath
from cinquefoil.explore.coverage import Coverage, Figures
from cinquefoil.explore.findings import Findings, FoundError, Test
from cinquefoil.explore.interrupts import Interrupts
from cinquefoil.explore.journal import Journal, Moment
from cinquefoil.explore.options import Options
from cinquefoil.explore.paths import Paths, Remembered, TracingMachine, goal_of
from cinquefoil.explore.pruning import Pruning
from cinquefoil.explore.refuting import Refuting
from cinquefoil.explore.running import Runner
from cinquefoil.explore.screen import Met, Screen
from cinquefoil.explore.statistics import Statistics, memory_now, memory_peak
from cinquefoil.explore.tree import Growth, Known, Tree
from cinquefoil.explore.unsupported import Unsupported, UnsupportedLog
from cinquefoil.machine.graph import ProgramGraph
from cinquefoil.machine.run import Prober, Run
from cinquefoil.prune.api import Setting
from cinquefoil.prune.registry import make as make_pruner
from cinquefoil.search.api import Context, Searcher
from cinquefoil.search.batch import Batch
from cinquefoil.search.frontier import Frontier, Held
from cinquefoil.search.registry import make_all
from cinquefoil.search.state import State, Witness
from cinquefoil.solver.api import Answer, Learner, Query, Solver

_PATIENCE = 4.0  # a question asked again gets this many times the time
_MOST_HALVINGS = 4  # of the first time for a question
_CHECK_EVERY = 64  # steps between looks at memory
_FINISHED = ("exit", "silent")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an exploration found, in full."""

    reason: str  # "exhausted", "done" (nothing left that can be solved), "interrupted", or the limit met
    exhausted: bool
    seconds: float
    statistics: Statistics
    coverage: Figures
    tests: tuple[Test, ...]
    errors: tuple[FoundError, ...]
    pending: int
    unknown: int
    created: int
    peak: int
    memory: int
    unsupported: tuple[Unsupported, ...] = ()
    pruning: dict[str, object] | None = None  # what the pruner decided


@dataclass(slots=True)
class Aside:
    """Paths and states that wait while others are explored."""

    known: Known
    held: Held
    open: dict[int, State] = field(default_factory=dict[int, State])
    patience: dict[int, float] = field(default_factory=dict[int, float])


class Exploration:
    """One exploration of one program.  `run` does all; `start` and `step` serve those who drive it
    themselves."""

    def __init__(
        self,
        machine: TracingMachine,
        solver: Solver,
        options: Options | None = None,
        graph: ProgramGraph | None = None,
        keep: Callable[[Test], None] = lambda test: None,
        progress: Callable[[Exploration], None] = lambda exploration: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.machine = machine
        self.solver = solver
        self.options = options if options is not None else Options()
        self.statistics = Statistics()
        self.runner = Runner(machine, self.statistics, self.options.muted)
        self.screen = Screen(machine.probe, self.statistics) if isinstance(machine, Prober) else None
        self.coverage = Coverage(machine.sites, graph)
        self.journal = Journal(len(machine.sites))
        self.refuting = Refuting(machine, solver, self.journal.refuted_at_a_glance)
        self.tree = Tree(machine.sites, lambda: machine.alts, self.refuting.look)
        self.paths = Paths(machine, self.options.path_memory)
        self.reader = PathReader(machine)
        self.frontier = Frontier(self._searcher())
        self.findings = Findings(machine.sites, keep, self.runner.run, self.options.every_path)
        self.unsupported = UnsupportedLog(machine.sites)
        self.interrupts = Interrupts()
        self._progress = progress
        self._open: dict[int, State] = {}  # questions the solver left open
        self._patience: dict[int, float] = {}  # seconds granted to states asked again
        self._left_open: dict[int, int] = {}  # by site: questions left open
        self._round = 0
        self.spent = 0.0  # seconds that count before `start`
        self._clock = clock
        self._begun = clock()
        self._reported = time.monotonic()
        self._steps = 0
        pruner = make_pruner(self.options.prune, Setting(self.options.seed, self.options.max_time))
        self.pruning = Pruning(self, pruner) if pruner is not None else None

    @property
    def seconds(self) -> float:
        return self._clock() - self._begun

    @property
    def pending(self) -> int:
        """States that nobody has asked for yet."""
        return len(self.frontier)

    @property
    def open(self) -> int:
        """States the solver could not decide so far."""
        return len(self._open)

    def run(self) -> Outcome:
        """Explores until nothing is left, a limit is met or a signal asks to stop."""
        with self.interrupts, rarely_collecting():
            self.start()
            self._progress(self)  # what the first inputs alone reach
            while (reason := self.stop_reason()) is None:
                self.step()
                if self.pruning is not None:
                    self.pruning.after_step()
                self._report()
            outcome = self.outcome(reason)
        self._progress(self)
        return outcome

    def start(self) -> None:
        """Runs the first inputs."""
        self._begun, self._reported = self._clock() - self.spent, time.monotonic()
        self._run_first()

    def restart(self) -> Aside:
        """Begins again from the first inputs; tests, coverage and findings stay.  What was pending can go on later."""
        before = self.exchange(Aside(Known(), Held(self._searcher())))
        self._run_first()
        return before

    def exchange(self, other: Aside) -> Aside:
        """Goes on with other paths and states."""
        before = Aside(self.tree.exchange(other.known), self.frontier.exchange(other.held), self._open, self._patience)
        self._open, self._patience = other.open, other.patience
        return before

    def _run_first(self) -> None:
        for witness in (b"", *self.options.inputs):
            self.execute(witness, None)

    def step(self) -> None:
        """Settles one state; there must be a pending or an open one."""
        self._steps += 1
        if not self.frontier:
            self._run_dry()
            return
        with self.statistics.phases["search"]:
            state = self.frontier.select()
        if self._replayed(state):
            return
        answer = self._solve(state)
        if answer is not None:
            self._act(state, answer)

    def execute(self, witness: bytes, state: State | None, cost: int = 0) -> Run:
        """Runs an input and adds what it shows; `state` is the one it was solved for."""
        run = self.runner.run(witness)
        self.integrate(run, state, cost)
        return run

    def integrate(self, run: Run, state: State | None, cost: int = 0) -> None:
        """Adds what a run shows."""
        if run.end == "died":
            self._died(state)
            return
        with self.statistics.phases["tree"]:
            if self.screen is not None:
                self.screen.note(run)
            gain = self.coverage.add(run)
            growth = self.tree.add(run, state, gain.marks)
        self._charge_refuting()
        self.unsupported.note(run)
        new = self.pruning is None or self.pruning.observe(run, gain, growth)
        self._count(run, growth, new)
        self._place(run, growth, state, cost)
        with self.statistics.phases["output"]:
            kept = self.findings.consider(run, bool(gain), growth.witness is not None) if new else ()
            self.journal.ran(run, growth, kept, self.seconds)
            if gain:
                self.journal.gained(gain.sites, self._moment(kept[0] if kept else 0))

    def forget(self, state: State) -> None:
        """Prunes a pending state."""
        if state.pending:
            self.statistics.pruned += 1
            self._settle(state)

    def forget_many(self, batch: Batch, chosen: NDArray[np.bool_]) -> int:
        """Prunes all pending states of a batch (of `frontier.batches()`) for which `chosen` holds; how many."""
        rows = np.flatnonzero(batch.pending & chosen)
        self.tree.settle_many(batch, rows)
        self.statistics.pruned += len(rows)
        return self.frontier.discard(batch, chosen)

    def settle_known(self, state: State, status: str, witness: bytes) -> None:
        """Settles a state by what is known of it from before a restart."""
        if status == "sat":
            kept = self.paths.known(witness)
            self.integrate(kept.run if kept is not None else self.runner.run(witness), state)
        elif status == "unsat":
            self._settle(state)
        else:
            self._leave_open(state)

    def answer_aside(self, state: State, seconds: float) -> None:
        """Answers a state that is no longer pending; what its solution shows is added."""
        run = self.run_of(state.witness)
        kept = self.paths.recall(state.witness)
        if run is None or kept is None or not self.tree.same_prefix(run, state):
            return
        with self.statistics.phases["solver"]:
            answer = self.solver.solve(self.paths.query(state, kept, seconds))
        self._learn(state, answer)
        if answer.status == "sat" and answer.witness is not None:
            self.execute(answer.witness, None, state.witness.cost + answer.cost)

    def run_of(self, witness: Witness) -> Run | None:
        """A witness's run in the current epoch; None if the program's process dies of it."""
        kept = self.paths.recall(witness)
        if kept is not None:
            return kept.run
        self.statistics.reruns += 1
        run = self.runner.run(witness.data)
        return self.paths.remember(witness, run).run if run.end != "died" else None

    def read_path(self, run: Run) -> ReadPath | None:
        """The run's path condition, for pruners."""
        return self.reader.read(run)

    def stop_reason(self) -> str | None:
        """Why the exploration should end now, if it should."""
        options, counts = self.options, self.statistics
        if self.interrupts.requested:
            return "interrupted"
        if self.findings.stop is not None:
            return self.findings.stop
        if options.max_time is not None and self.seconds >= options.max_time:
            return "max-time"
        if options.max_paths is not None and counts.paths >= options.max_paths:
            return "max-paths"
        if options.max_tests is not None and len(self.findings.tests) >= options.max_tests:
            return "max-tests"
        if options.max_errors is not None and len(self.findings.errors) >= options.max_errors:
            return "max-errors"
        if options.max_memory is not None and self._memory() >= options.max_memory:
            return "max-memory"
        if not self.pending and self._finished():
            return "exhausted" if self._complete() else "done"
        return None

    def outcome(self, reason: str) -> Outcome:
        return Outcome(
            reason,
            reason == "exhausted",
            self.seconds,
            self.statistics,
            self.coverage.figures(),
            tuple(self.findings.tests.values()),
            tuple(self.findings.errors.values()),
            self.pending,
            len(self._open),
            self.frontier.created,
            self.frontier.peak,
            memory_peak(),
            self.unsupported.found(),
            self.pruning.report() if self.pruning is not None else None,
        )

    # ---- solving ----

    def _solve(self, state: State) -> Answer | None:
        """None if the state's path cannot be found again."""
        kept = self._path(state)
        if kept is None:
            return None
        with self.statistics.phases["query"]:
            query = self.paths.query(state, kept, self._seconds_for(state), self._must_stop)
        with self.statistics.phases["solver"]:
            answer = self.solver.solve(query)
        self.statistics.queries += 1
        return self._steered(state, kept, query, answer) if answer.status == "sat" else answer

    def _seconds_for(self, state: State) -> float:
        """How long the solver may take: no longer than the exploration."""
        seconds = self._patience.pop(state.id, self._first_patience(state))
        limit = self.options.max_time
        return seconds if limit is None else max(0.0, min(seconds, limit - self.seconds))

    def _must_stop(self) -> bool:
        """Is it too late to go on with a long question?"""
        limit = self.options.max_time
        return self.interrupts.requested or (limit is not None and self.seconds >= limit)

    def _steered(self, state: State, kept: Remembered, query: Query, answer: Answer) -> Answer:
        """A solution that also takes the turns the strategy wishes for, if there is one."""
        with self.statistics.phases["search"]:
            wishes = self.frontier.searcher.wishes(state)
        if not wishes:
            return answer
        goals = [goal for wish in wishes for goal in goal_of(wish, kept.run, self.machine.alts)]
        with self.statistics.phases["solver"]:
            better = self.solver.solve(replace(query, goal=(*query.goal, *goals)))
        self.statistics.queries += 1
        return better if better.status == "sat" else answer

    def _path(self, state: State) -> Remembered | None:
        kept = self.paths.recall(state.witness)
        if kept is not None:
            return kept
        self.statistics.reruns += 1
        run = self.runner.run(state.witness.data)
        if run.end == "died":
            self._died(state)
            return None
        if not self.tree.same_prefix(run, state):
            self.statistics.diverged += 1
            self._settle(state)
            return None
        return self.paths.remember(state.witness, run)

    def _act(self, state: State, answer: Answer) -> None:
        cost = state.witness.cost + answer.cost
        self._learn(state, answer)
        if answer.status == "sat" and answer.witness is not None:
            self.statistics.sat += 1
            self.execute(answer.witness, state, cost)
        elif answer.status == "unsat":
            self.statistics.unsat += 1
            self.statistics.infeasible += 1
            self.journal.refuted(state)
            self._settle(state)
        elif self._must_stop():
            self._put_back(state)
        else:
            self._leave_open(state)
        for witness, origin in self._worth_running(answer):
            self._credit(origin, self._partial(lambda witness=witness: self.execute(witness, None, cost)))

    def _worth_running(self, answer: Answer) -> Iterable[Met]:
        """Partial solutions, screened if the machine can run them untraced."""
        most = self.options.partial
        return self.screen.fresh(answer.met(), most) if self.screen is not None else answer.met()[:most]

    def _partial(self, run: Callable[[], object]) -> int:
        """Runs an input that a solver met on its way; the blocks and branches that it covered first."""
        counts, known, covered = self.statistics, self.statistics.known, sum(self.coverage.counts())
        run()
        won = sum(self.coverage.counts()) - covered
        counts.partial += 1
        counts.partial_paths += counts.known == known
        counts.partial_won += won
        return won

    def _credit(self, origin: str, won: int) -> None:
        if isinstance(self.solver, Learner):
            self.solver.credit(origin, won)

    def _put_back(self, state: State) -> None:
        """The solver was stopped, not defeated: the state is pending again."""
        again = self.tree.again(state)
        self.frontier.settle(state)
        self.frontier.add(again)

    def _learn(self, state: State, answer: Answer) -> None:
        self.statistics.cost += answer.cost
        if self.pruning is not None:
            self.pruning.replays.learn(state, answer.status, answer.witness)

    def _replayed(self, state: State) -> bool:
        """Was it settled by an answer from before a restart?  Questions that get more time are asked anew."""
        return self.pruning is not None and state.id not in self._patience and self.pruning.replay(state)

    def _run_dry(self) -> None:
        if self.pruning is not None and self.pruning.incomplete:
            self.pruning.run_dry()
        else:
            self._ask_again()

    def _first_patience(self, state: State) -> float:
        """Where questions were left open, the next ones get less time at first, until nothing else is left to ask."""
        if self._round:
            return self._patience_now()
        return self.options.solver_seconds / 2 ** min(_MOST_HALVINGS, self._left_open.get(state.site, 0))

    def _patience_now(self) -> float:
        return self.options.solver_seconds * _PATIENCE**self._round

    def _leave_open(self, state: State) -> None:
        self.statistics.unknown += 1
        self._left_open[state.site] = self._left_open.get(state.site, 0) + 1
        self.journal.left_open(state)
        self._open[state.id] = state
        self.frontier.settle(state)

    def _ask_again(self) -> None:
        """Nothing else is left: the open questions get more time."""
        self._round += 1
        seconds = self._patience_now()
        waiting = list(self._open.values())
        self._open.clear()
        for state in waiting:
            again = self.tree.again(state)
            self._patience[again.first] = seconds
            self.frontier.add(again)

    # ---- running ----

    def _charge_refuting(self) -> None:
        """What looks like the tree's time was the solver's."""
        phases, seconds = self.statistics.phases, self.refuting.seconds
        phases["tree"].seconds -= seconds
        phases["solver"].seconds += seconds
        self.refuting.seconds = 0.0

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
        else:
            counts.cut += 1

    def _place(self, run: Run, growth: Growth, state: State | None, cost: int) -> None:
        """Tells searchers what the run left and which state it settled."""
        if growth.witness is not None:
            growth.witness.cost = cost
            self.paths.remember(growth.witness, run)
        with self.statistics.phases["search"]:
            for batch in growth.batches:
                self.frontier.add(batch)
            self.frontier.settle(growth.settled, run, growth.states)
        self.statistics.limited = self.tree.limited
        self.statistics.refuted = self.refuting.refuted
        if growth.settled is not None:
            self._open.pop(growth.settled.id, None)
        if growth.diverged and state is not None and state != growth.settled:
            self.statistics.diverged += 1
            self._settle(state)

    def _died(self, state: State | None) -> None:
        self.statistics.died += 1
        if state is not None:
            self._settle(state)

    def _settle(self, state: State) -> None:
        self.tree.settle(state)
        self._open.pop(state.id, None)
        self.frontier.settle(state)

    # ---- ending ----

    def _moment(self, test: int) -> Moment:
        return Moment(self.seconds, *self.coverage.counts(), self.pending + self.open, memory_now(), test)

    def _memory(self) -> int:
        """Looked at now and then only: it takes a system call."""
        return memory_now() if self._steps % _CHECK_EVERY == 0 else 0

    def _finished(self) -> bool:
        """Nothing is pending: is there really nothing left to do?"""
        if self.pruning is not None and self.pruning.incomplete:
            return False
        return not self._open or self._round >= self.options.retries

    def _complete(self) -> bool:
        """Did every path end by itself, and was every question answered?  After a restart, all of it counts anew."""
        counts = self.statistics
        pruned = counts.pruned if self.pruning is None else self.pruning.incomplete
        return not (self._open or counts.cut or counts.died or counts.diverged or pruned or counts.limited)

    def _searcher(self) -> Searcher:
        """Every restart's has a source of randomness of its own."""
        number = self.statistics.restarts
        rng = random.Random(self.options.seed if not number else f"{self.options.seed} {number}")
        return make_all(self.options.search, Context(rng, self.coverage))

    def _report(self) -> None:
        now = time.monotonic()
        if now - self._reported >= self.options.interval:
            self._reported = now
            self._progress(self)
