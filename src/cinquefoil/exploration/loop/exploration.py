"""The loop: select a state, solve it, run the solution, integrate the run; until nothing is left or a limit is met.

What is known is passive data (`runs/explored.py`).  `solving/query_builder.py` gets from a state to an answer,
`runs/integrator.py` what becomes of a run; pruning, mutations, the journal and screening are observers.  Nothing is
lost silently.  A query that the solver leaves undecided is asked again with more time once all else is done; a run that
does not follow its prediction is added where it went and counted; a worker's death costs one repetition, then that path
is counted as died; a full expression table starts a new epoch, after which path conditions are found again by running
their witnesses; a fault of the engine itself costs the state that it befell (`advance`, `FirstRuns` and `_chosen` catch
it).  `exhausted` is claimed only when none of these left a hole."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from cinquefoil.analysis.words import words_of
from cinquefoil.exploration.accounting.clock import Stopwatch
from cinquefoil.exploration.accounting.collector import rarely_collecting
from cinquefoil.exploration.accounting.faults import Faults
from cinquefoil.exploration.accounting.statistics import Statistics
from cinquefoil.exploration.loop.interrupts import Interrupts
from cinquefoil.exploration.loop.stopping import HeavyRun, StopSignal
from cinquefoil.exploration.mutations.corpus import Corpus
from cinquefoil.exploration.mutations.mutations import CoverageRunner, Mutations
from cinquefoil.exploration.mutations.registry import make_all as make_mutators
from cinquefoil.exploration.options import Options
from cinquefoil.exploration.outcome import Outcome
from cinquefoil.exploration.pruning.conditions import PathReader
from cinquefoil.exploration.pruning.pruning import Pruning
from cinquefoil.exploration.runs.explored import Explored
from cinquefoil.exploration.runs.findings import Findings, Test
from cinquefoil.exploration.runs.first_runs import FirstRuns
from cinquefoil.exploration.runs.integrator import Integrator
from cinquefoil.exploration.runs.journal_keeper import JournalKeeper
from cinquefoil.exploration.runs.remembered_runs import RememberedRuns, TracingMachine
from cinquefoil.exploration.runs.runner import Runner
from cinquefoil.exploration.solving.partial import PartialSolutions
from cinquefoil.exploration.solving.preferences import PreferenceSolver
from cinquefoil.exploration.solving.query_builder import QueryBuilder
from cinquefoil.exploration.solving.screen import Screen
from cinquefoil.layout import EventKind
from cinquefoil.machine.graph import ProgramGraph
from cinquefoil.machine.run import Prober, Run
from cinquefoil.machine.waiting import Guarded
from cinquefoil.prune.api import Setting
from cinquefoil.prune.registry import make as make_pruner
from cinquefoil.solver.api import Answer, Solver
from cinquefoil.states.state import State

__all__ = ["Exploration", "Outcome"]

_CHECK_EVERY = 64  # steps between looks at memory


class Exploration:
    """One exploration of one program.  `run` does all; `start` and `step` serve those who drive it themselves.

    `spent` are seconds that count before `start`; `findings` replace its own; `is_new_path` says once of each
    run whose path is to become a test whether that path is new."""

    def __init__(
        self,
        machine: TracingMachine,
        solver: Solver,
        options: Options | None = None,
        graph: ProgramGraph | None = None,
        keep: Callable[[Test], None] = lambda test: None,
        progress: Callable[[Exploration], None] = lambda exploration: None,
        clock: Callable[[], float] = time.monotonic,
        findings: Findings | None = None,
        spent: float = 0.0,
        is_new_path: Callable[[Run], bool] = lambda run: True,
    ) -> None:
        self.machine = machine
        self.solver = solver
        self.options = options = options if options is not None else Options()
        limits = (options.max_paths, options.max_tests, options.max_errors, options.max_memory)
        self._counted = any(limit is not None for limit in limits) or bool(options.until_covered)
        self.statistics = statistics = Statistics()
        self.faults = Faults(statistics)
        self._current: State | None = None  # being answered
        self._search_phase = statistics.phases["search"]
        self.stopwatch = Stopwatch(clock, options.max_time)
        self.interrupts = Interrupts()
        self.must_stop = StopSignal(self.interrupts, self.stopwatch)
        self.runner = runner = Runner(machine, statistics, options.explore_output, options.table_memory())
        runs = RememberedRuns(machine, options.path_memory)
        if findings is None:
            prefer = PreferenceSolver(machine, solver, runner, runs, self.must_stop, options.solver_seconds).preferred
            findings = Findings(machine.sites, keep, runner.run, options.every_path, is_new_path, prefer)
        self.explored = explored = Explored(machine, solver, options, graph, statistics, self.stopwatch, runs, findings)
        self.coverage, self.journal, self.memory = explored.coverage, explored.journal, explored.memory
        self.tree, self.frontier, self.findings = explored.tree, explored.frontier, findings
        if isinstance(machine, Guarded):
            heavy = HeavyRun(self.memory, options.max_memory, options.workers)
            machine.guard.stop, machine.guard.is_heavy = self.must_stop, heavy
        self.integrator = Integrator(explored)
        self.builder = QueryBuilder(machine, solver, explored, runner, self.must_stop)
        self.first = FirstRuns(explored, runner, self.integrator, self.faults)
        self.keeper = JournalKeeper(explored)
        self.pruning = self._make_pruning()
        self.mutations = self._make_mutations()
        screen = Screen(machine.probe, self.coverage.would_gain, statistics) if isinstance(machine, Prober) else None
        self.partial = PartialSolutions(solver, explored, runner, self.integrator, screen, self.must_stop)
        for observer in (self.keeper, self.pruning, self.mutations, screen):
            if observer is not None:
                self.integrator.subscribe(observer)
        self._after_step = [each.after_step for each in (self.pruning, self.mutations) if each is not None]
        self._spent = spent
        self._progress = progress
        self._due = time.monotonic() + options.interval  # when to report next
        self._steps = 0

    @property
    def seconds(self) -> float:
        return self.stopwatch.seconds

    @property
    def total(self) -> Statistics:
        """What was done in all, by this process and others that explore with it."""
        return self.statistics

    @property
    def pending(self) -> int:
        """States that nobody has asked for yet."""
        return self.frontier.pending

    @property
    def open(self) -> int:
        """States the solver could not decide so far."""
        return len(self.explored.undecided)

    def run(self) -> Outcome:
        """Explores until nothing is left, a limit is met or a signal asks to stop."""
        with self.interrupts, rarely_collecting():
            self.start()
            self._progress(self)  # what the first inputs alone reach
            self.statistics.phases["loop"].begin()
            while (reason := self.stop_reason()) is None:
                self.advance()
                if time.monotonic() >= self._due:
                    self._report()
            self.statistics.phases.idle.begin()
            outcome = self.outcome(reason)
        self._progress(self)
        return outcome

    def start(self) -> None:
        """Runs the first inputs."""
        self.stopwatch.start(self._spent)
        self._due = time.monotonic() + self.options.interval
        self.first.run()

    def advance(self) -> None:
        """One step, and what comes after it; a fault in it costs its state."""
        try:
            self.step()
            for tell in self._after_step:
                tell()
            while self.mutations is not None and self.mutations.due() and self.stop_reason() is None:
                self.mutations.try_one()
        except Exception as error:  # whatever it is, it is a fault of ours and costs this step
            self._survive(error)

    def step(self) -> None:
        """Settles one state; there must be a pending or an open one."""
        self._steps += 1
        if not self.frontier.pending:
            self._run_dry()
            return
        self._search_phase.begin()
        state = self._current = self._chosen()
        if self.pruning is not None and self.pruning.replay(state):
            return
        answer = self.builder.answer(state)
        if isinstance(answer, Answer):
            self._act(state, answer)
        elif answer.run is not None:
            self.integrator.lost(answer.run, state)
        else:
            self.integrator.diverged(state)
        self._current = None

    def execute(self, witness: bytes, state: State | None, cost: int = 0) -> Run:
        """Runs an input and adds what it shows; `state` is the one it was solved for."""
        run = self.runner.run(witness)
        self.integrator.add(run, state, cost)
        return run

    def stop_reason(self) -> str | None:
        """Why the exploration should end now, if it should."""
        if self.interrupts.requested:
            return "interrupted"
        if self.findings.stop is not None:
            return self.findings.stop
        if self.stopwatch.late:
            return "max-time"
        if self._counted and (reason := self._met()) is not None:
            return reason
        if not self.pending and self._finished():
            return self._verdict()
        return None

    def _met(self) -> str | None:
        """Which of the limits that count is met?"""
        options, counts = self.options, self.statistics
        if options.max_paths is not None and counts.paths >= options.max_paths:
            return "max-paths"
        if options.max_tests is not None and len(self.findings.tests) >= options.max_tests:
            return "max-tests"
        if options.max_errors is not None and len(self.findings.errors) >= options.max_errors:
            return "max-errors"
        if options.max_memory is not None and self._is_out_of_memory(options.max_memory):
            return "max-memory"
        if options.until_covered and self.coverage.complete(options.until_covered):
            return "covered"
        return None

    def outcome(self, reason: str) -> Outcome:
        return Outcome(
            reason,
            reason == "exhausted",
            self.seconds,
            self.total,
            self.coverage.figures(),
            tuple(self.findings.tests.values()),
            tuple(self.findings.errors.values()),
            self.pending,
            self.open,
            self.frontier.created,
            self.frontier.peak,
            max(self.memory.now(), self.memory.peak),
            self.explored.unsupported.found(),
            self.pruning.report() if self.pruning is not None else None,
            self.faults.found(),
            self.explored.remarks.found(),
            tuple(self.explored.doubts.found),
        )

    # ---- faults of the engine itself ----

    def _survive(self, error: Exception) -> None:
        """Goes on after a fault.  Whatever was learned by expressions may be half done: a new epoch forgets it."""
        state, self._current = self._current, None
        self.faults.note(error)
        self.runner.new_epoch()
        try:
            if state is not None:
                self.integrator.settle(state)
        except Exception as another:  # the strategy cannot even be told
            self.faults.note(another)

    def _chosen(self) -> State:
        """The next state; a strategy that fails to choose is replaced by a plain one."""
        try:
            return self.integrator.next_state()
        except Exception as error:  # a strategy may be anybody's
            self.faults.note(error)
            self.frontier.searcher = self.explored.plain_searcher(self.frontier.batches())
            return self.frontier.select()

    # ---- acting on answers ----

    def _act(self, state: State, answer: Answer) -> None:
        cost = state.witness.cost + answer.cost
        self.statistics.cost += answer.cost
        if self.pruning is not None:
            self.pruning.replays.learn(state, answer.status, answer.witness)
        if answer.status == "sat" and answer.witness is not None:
            self.statistics.sat += 1
            self.execute(answer.witness, state, cost)
        elif answer.status == "unsat":
            self.statistics.unsat += 1
            self.integrator.refuted(state)
            if state.kind == EventKind.ASSUME:
                self._note_false_assumption(state)
        elif self.must_stop():
            self.integrator.put_back(state)
        else:
            self.integrator.leave_undecided(state)
        if answer.partial:
            self.partial.run(answer, cost)

    def _note_false_assumption(self, state: State) -> None:
        run = self.builder.run_of(state.witness)
        if run is not None and run.end == "assume" and len(run.events) == state.index + 1:
            self.integrator.note_false_assumption(run)

    def _run_dry(self) -> None:
        if self.pruning is not None and self.pruning.incomplete:
            self.pruning.run_dry()
        else:
            self.integrator.ask_again()

    # ---- ending ----

    def _is_out_of_memory(self, most: int) -> bool:
        """Is so much held even without what can be given back?  A run that was cut may have left a large table, and a
        worker that still holds the program's heap."""
        if self._memory() < most:
            return False
        self.runner.new_epoch()
        return self.memory.now() >= most

    def _memory(self) -> int:
        """Looked at now and then only: it takes system calls."""
        return self.memory.now() if self._steps % _CHECK_EVERY == 0 else 0

    def _finished(self) -> bool:
        """Nothing is pending: is there really nothing left to do?"""
        if self.pruning is not None and self.pruning.incomplete:
            return False
        return not self.open or self.explored.undecided.round >= self.options.retries

    def _complete(self) -> bool:
        """Did every path end by itself, and was every question answered?  After a restart, all of it counts anew."""
        counts = self.total
        pruned = counts.pruned if self.pruning is None else self.pruning.incomplete
        lost = counts.cut or counts.died or counts.diverged or counts.limited or counts.faults or counts.unmodelled
        return not (self.open or lost or pruned)

    def _verdict(self) -> str:
        """Nothing is left to explore: is that all there is?"""
        if not self._complete():
            return "done"
        if not self._look_for_doubts():
            return "interrupted" if self.interrupts.requested else "max-time"
        return "done" if self.total.doubtful else "exhausted"

    def _look_for_doubts(self, tick: Callable[[], None] = lambda: None) -> bool:
        """Did memory never written decide anything?  False if there is no time to see."""
        with self.statistics.phases["native"]:
            looked = self.explored.doubts.look(self.must_stop, tick)
        self.statistics.doubtful = len(self.explored.doubts.found)
        return looked

    # ---- observers ----

    def _make_pruning(self) -> Pruning | None:
        pruner = make_pruner(self.options.prune, Setting(self.options.seed, self.options.max_time))
        if pruner is None:
            return None
        reader = PathReader(self.machine)
        return Pruning(pruner, reader, self.explored, self.runner, self.integrator, self.builder, self.first)

    def _make_mutations(self) -> Mutations | None:
        """If they are wanted, and the machine can look at inputs that cheaply."""
        if not self.options.mutating or not isinstance(self.machine, CoverageRunner):
            return None
        module = self.coverage.graph.module
        words = words_of(module) if module is not None else ()
        corpus = Corpus(random.Random(f"{self.options.seed} variants"), words, make_mutators(self.options.mutators))
        return Mutations(self.machine, corpus, self.explored, self.runner, self.integrator)

    def _report(self) -> None:
        now = time.monotonic()
        if now >= self._due:
            self._due = now + self.options.interval
            with self.statistics.phases["output"]:
                self._progress(self)
