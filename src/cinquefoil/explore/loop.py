"""The loop: select a state, solve it, run the solution, add the run; until nothing is left or a limit is met.

`asking.py` is the way from a state to an answer, `placing.py` what becomes of a run.  Nothing is lost silently.  A
question the solver leaves open is asked again with more time once all else is done; a run that does not follow its
prediction is added where it went and counted; a worker's death costs one repetition, then that path is counted as died;
a full expression table starts a new epoch, after which path conditions are found again by running their witnesses; a
fault of the engine itself costs the state that it befell (`advance`, `run_first` and `_chosen` catch it).
`exhausted` is claimed only when none of these left a hole."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cinquefoil.analysis.words import words_of
from cinquefoil.explore.asking import Asking
from cinquefoil.explore.clock import Stopwatch
from cinquefoil.explore.collector import Collector, rarely_collecting
from cinquefoil.explore.conditions import PathReader, ReadPath
from cinquefoil.explore.corpus import Corpus
from cinquefoil.explore.faults import Faults
from cinquefoil.explore.findings import Findings, Test
from cinquefoil.explore.interrupts import Interrupts
from cinquefoil.explore.options import Options
from cinquefoil.explore.outcome import Outcome
from cinquefoil.explore.paths import TracingMachine
from cinquefoil.explore.placing import Placing
from cinquefoil.explore.preferring import Preferring
from cinquefoil.explore.pruning import Pruning
from cinquefoil.explore.questions import Waiting
from cinquefoil.explore.running import Runner
from cinquefoil.explore.screen import Met, Screen
from cinquefoil.explore.statistics import Statistics
from cinquefoil.explore.tree import Growth, Known
from cinquefoil.explore.variants import Glancing, Variants
from cinquefoil.layout import EventKind
from cinquefoil.machine.graph import ProgramGraph
from cinquefoil.machine.run import Prober, Run
from cinquefoil.prune.api import Setting
from cinquefoil.prune.registry import make as make_pruner
from cinquefoil.search.batch import Batch
from cinquefoil.search.frontier import Held
from cinquefoil.search.state import State, Witness
from cinquefoil.solver.api import Answer, Learner, Solver

__all__ = ["Aside", "Exploration", "Outcome"]

_LONG = 20_000  # events
_CHECK_EVERY = 64  # steps between looks at memory


@dataclass(slots=True)
class Aside:
    """Paths and states that wait while others are explored."""

    known: Known
    held: Held
    questions: Waiting = field(default_factory=Waiting)


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
        most = self.options
        limits = (most.max_paths, most.max_tests, most.max_errors, most.max_memory)
        self._counted = any(limit is not None for limit in limits) or bool(most.until_covered)
        self.statistics = Statistics()
        self.faults = Faults(self.statistics)
        self._current: State | None = None  # being answered
        self._search_phase = self.statistics.phases["search"]
        self.stopwatch = Stopwatch(clock, self.options.max_time)
        self.interrupts = Interrupts()
        self.runner = runner = Runner(machine, self.statistics, self.options.muted, self.options.table_memory())
        self.placing = placing = Placing(
            machine, solver, self.options, graph, runner, self.stopwatch, self.current_alts, keep
        )
        preferring = Preferring(machine, solver, runner, placing.paths, self.must_stop, self.options.solver_seconds)
        placing.findings.prefer = preferring.preferred
        self.asking = Asking(machine, solver, placing, runner, self.stopwatch, self.must_stop)
        self.coverage, self.journal = placing.coverage, placing.journal
        self.tree, self.frontier, self.paths = placing.tree, placing.frontier, placing.paths
        covers = self.coverage.would_gain
        self.screen = Screen(machine.probe, covers, self.statistics) if isinstance(machine, Prober) else None
        self.memory = placing.memory
        self.reader = PathReader(machine)
        self.spent = 0.0  # seconds that count before `start`
        self._progress = progress
        self._due = time.monotonic() + self.options.interval  # when to report next
        self._steps = 0
        self._collector = Collector()
        pruner = make_pruner(self.options.prune, Setting(self.options.seed, self.options.max_time))
        self.pruning = placing.pruning = Pruning(self, pruner) if pruner is not None else None
        self.variants = placing.variants = self._variants()

    @property
    def findings(self) -> Findings:
        """Tests and errors; the placing holds them, so that those of another kind (melding's) take effect."""
        return self.placing.findings

    @findings.setter
    def findings(self, findings: Findings) -> None:
        self.placing.findings = findings

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
        return len(self.placing.questions)

    def current_alts(self) -> NDArray[np.uint32]:
        """The switch conditions of the run being added."""
        return self.machine.alts

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
        self.stopwatch.start(self.spent)
        self._due = time.monotonic() + self.options.interval
        self.run_first()

    def restart(self) -> Aside:
        """Begins again from the first inputs; tests, coverage and findings stay.  What was pending can go on later."""
        before = self.exchange(Aside(Known(), Held(self.placing.make_searcher())))
        self._collector.collect()
        self.run_first()
        return before

    def exchange(self, other: Aside) -> Aside:
        """Goes on with other paths and states."""
        self.placing.assumption = None
        questions = self.placing.questions.exchange(other.questions)
        return Aside(self.tree.exchange(other.known), self.frontier.exchange(other.held), questions)

    def run_first(self) -> None:
        """Adds the runs that everything begins with."""
        for witness in (b"", *self.options.inputs):
            try:
                self.execute(witness, None)
            except Exception as error:  # whatever it is, it is a fault of ours and costs this run
                self._survive(error)

    def advance(self) -> None:
        """One step, and what comes after it; a fault in it costs its state."""
        try:
            self.step()
            if self.pruning is not None:
                self.pruning.after_step()
            if self.variants is not None:
                self.variants.after_step()
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
        if self.pruning is not None and self._replayed(state):
            return
        answer = self.asking.answer(state)
        if answer is not None:
            self._act(state, answer)
        self._current = None

    def execute(self, witness: bytes, state: State | None, cost: int = 0) -> Run:
        """Runs an input and adds what it shows; `state` is the one it was solved for."""
        run = self.runner.run(witness)
        self.integrate(run, state, cost)
        return run

    def integrate(self, run: Run, state: State | None, cost: int = 0) -> Growth | None:
        """Adds what a run shows."""
        if self.screen is not None and self.screen.noting:
            self.screen.note(run)
        return self.placing.add(run, state, cost)

    def forget(self, state: State) -> None:
        """Prunes a pending state."""
        self.placing.forget(state)

    def forget_many(self, batch: Batch, chosen: NDArray[np.bool_]) -> int:
        """Prunes all pending states of a batch (of `frontier.batches()`) for which `chosen` holds; how many."""
        return self.placing.forget_many(batch, chosen)

    def settle_known(self, state: State, status: str, witness: bytes) -> None:
        """Settles a state by what is known of it from before a restart."""
        if status == "sat":
            kept = self.paths.known(witness)
            self.integrate(kept.run if kept is not None else self.runner.run(witness), state)
        elif status == "unsat":
            self.placing.settle(state)
        else:
            self.placing.leave_open(state)

    def answer_aside(self, state: State, seconds: float) -> None:
        """Answers a state that is no longer pending; what its solution shows is added."""
        answer = self.asking.answer_aside(state, seconds)
        if answer is None:
            return
        self._learn(state, answer)
        if answer.status == "sat" and answer.witness is not None:
            self.execute(answer.witness, None, state.witness.cost + answer.cost)

    def run_of(self, witness: Witness) -> Run | None:
        """A witness's run in the current epoch; None if the program's process dies of it."""
        return self.asking.run_of(witness)

    def read_path(self, run: Run) -> ReadPath | None:
        """The run's path condition, for pruners."""
        return self.reader.read(run)

    def stop_reason(self) -> str | None:
        """Why the exploration should end now, if it should."""
        if self.interrupts.requested:
            return "interrupted"
        if self.placing.findings.stop is not None:
            return self.findings.stop
        if self.stopwatch.late:
            return "max-time"
        if self._counted and (reason := self._met()) is not None:
            return reason
        if not self.pending and self._finished():
            return "exhausted" if self._complete() else "done"
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
        if options.max_memory is not None and self._memory() >= options.max_memory:
            return "max-memory"
        if options.until_covered and self.coverage.complete(options.until_covered):
            return "covered"
        return None

    def must_stop(self) -> bool:
        """Is it too late to go on with a long question?"""
        return self.interrupts.requested or self.stopwatch.late

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
            self.placing.unsupported.found(),
            self.pruning.report() if self.pruning is not None else None,
            self.faults.found(),
            self.placing.remarks.found(),
        )

    # ---- faults of the engine itself ----

    def _survive(self, error: Exception) -> None:
        """Goes on after a fault.  Whatever was learned by expressions may be half done: a new epoch forgets it."""
        state, self._current = self._current, None
        self.faults.note(error)
        self.runner.new_epoch()
        try:
            if state is not None:
                self.placing.settle(state)
        except Exception as another:  # the strategy cannot even be told
            self.faults.note(another)

    def _chosen(self) -> State:
        """The next state; a strategy that fails to choose is replaced by a plain one."""
        try:
            return self.placing.next_state()
        except Exception as error:  # a strategy may be anybody's
            self.faults.note(error)
            self.frontier.searcher = self.placing.plain_searcher(self.frontier.batches())
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
            self.placing.refuted(state)
            if state.kind == EventKind.ASSUME:
                self._note_false_assumption(state)
        elif self.must_stop():
            self.placing.put_back(state)
        else:
            self.placing.leave_open(state)
        if answer.partial:
            self._run_partial(answer, cost)

    def _note_false_assumption(self, state: State) -> None:
        run = self.run_of(state.witness)
        if run is not None and run.end == "assume" and len(run.events) == state.index + 1:
            self.placing.note_false_assumption(run)

    def _run_partial(self, answer: Answer, cost: int) -> None:
        for witness, origin in self._worth_running(answer):
            if self.must_stop():
                break
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

    def _learn(self, state: State, answer: Answer) -> None:
        self.statistics.cost += answer.cost
        if self.pruning is not None:
            self.pruning.replays.learn(state, answer.status, answer.witness)

    def _replayed(self, state: State) -> bool:
        """Was it settled by an answer from before a restart?  Questions that get more time are asked anew."""
        if self.pruning is None or self.placing.questions.is_again(state):
            return False
        return self.pruning.replay(state)

    def _run_dry(self) -> None:
        if self.pruning is not None and self.pruning.incomplete:
            self.pruning.run_dry()
        else:
            self.placing.ask_again()

    # ---- ending ----

    def _memory(self) -> int:
        """Looked at now and then only: it takes system calls."""
        return self.memory.now() if self._steps % _CHECK_EVERY == 0 else 0

    def _finished(self) -> bool:
        """Nothing is pending: is there really nothing left to do?"""
        if self.pruning is not None and self.pruning.incomplete:
            return False
        return not self.open or self.placing.questions.round >= self.options.retries

    def _complete(self) -> bool:
        """Did every path end by itself, and was every question answered?  After a restart, all of it counts anew."""
        counts = self.total
        pruned = counts.pruned if self.pruning is None else self.pruning.incomplete
        lost = counts.cut or counts.died or counts.diverged or counts.limited or counts.faults or counts.unmodelled
        return not (self.open or lost or pruned)

    def _variants(self) -> Variants | None:
        """If they are wanted, and the machine can look at inputs that cheaply."""
        if not self.options.varying or not isinstance(self.machine, Glancing):
            return None
        module = self.coverage.graph.module
        corpus = Corpus(random.Random(f"{self.options.seed} variants"), words_of(module) if module is not None else ())
        return Variants(
            self.machine,
            self.coverage,
            corpus,
            self.statistics,
            self._run_variant,
            lambda: self.stop_reason() is not None,
        )

    def _run_variant(self, witness: bytes) -> None:
        """A path of very many decisions is not explored: its states would outnumber all others, and each is dear."""
        run = self.runner.run(witness)
        if run.end != "died" and len(run.events) > _LONG:
            self.placing.cover(run)
        else:
            self.integrate(run, None)

    def _report(self) -> None:
        now = time.monotonic()
        if now >= self._due:
            self._due = now + self.options.interval
            with self.statistics.phases["output"]:
                self._progress(self)
