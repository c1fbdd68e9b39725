"""Pruning at work: between a pruner, which sees arrays, and an exploration, which has states.

The pruning clock counts effort, not seconds, so that the same seed prunes the same states at the same time on every
machine: queries, runs, instructions and states count what they take on an ordinary one.  A restart forgets all pending
states (those of the first round are saved) and begins again from the first run with a new tree and searcher; tests,
coverage, findings, the solver's caches and the answers to states (`replays`) stay.  What is pruned leaves a test if it
is worth one (`answer_forgotten`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from cinquefoil.exploration.accounting.statistics import Statistics
from cinquefoil.exploration.pruning.answers import EarlierAnswers
from cinquefoil.exploration.pruning.conditions import PathReader, ReadPath, Unread
from cinquefoil.exploration.pruning.reserve import Reserve, least_tried
from cinquefoil.exploration.runs.coverage import Gain
from cinquefoil.exploration.runs.explored import Explored, SavedFrontier
from cinquefoil.exploration.runs.first_runs import FirstRuns
from cinquefoil.exploration.runs.integrator import Integrator
from cinquefoil.exploration.runs.observer import Observer
from cinquefoil.exploration.runs.runner import Runner
from cinquefoil.exploration.runs.tree import Growth
from cinquefoil.exploration.solving.query_builder import QueryBuilder
from cinquefoil.expr.naming import object_names
from cinquefoil.layout import EventKind
from cinquefoil.machine.run import InputObject, Run
from cinquefoil.prune.api import NO_CONDITIONS, Beginning, Conditions, Covering, Due, Pending, Pruner
from cinquefoil.states.batch import Batch
from cinquefoil.states.pending import PendingStates
from cinquefoil.states.state import State

MOST_ANSWERED: Final = 16  # forgotten states answered per pruning, at most
_ANSWERING = 64  # times that as many are answered at the end of a round, at most

# Seconds of effort, fitted to the eight programs of docs/results/homi.md.
_PER_QUERY: Final = 50e-6
_PER_RUN: Final = 150e-6
_PER_INSTRUCTION: Final = 0.3e-9
_PER_STATE: Final = 1e-6
_PER_REFUTED: Final = 0.2e-6
_PER_COST: Final = 0.4e-6  # of Answer.cost
_PER_RECALL: Final = 300e-6
_PER_PRUNED: Final = 2e-6

_UNREAD: Final = 1 << 20  # events noted before they are read, at most
_KEPT: Final = 1000  # runs whose conditions are kept although nothing of them may be pending


def effort(counts: Statistics, created: int, workers: int = 1) -> float:
    """About how many seconds this took, from what was done alone."""
    total = counts.queries * _PER_QUERY + counts.runs * _PER_RUN + counts.instructions * _PER_INSTRUCTION
    total += created * _PER_STATE + counts.refuted * _PER_REFUTED
    total += counts.cost * _PER_COST + counts.recalled * _PER_RECALL + counts.pruned * _PER_PRUNED
    return total / workers


class Pruning(Observer):
    """One pruner over what is `explored`; `first` are the runs that every round begins with."""

    def __init__(
        self,
        pruner: Pruner,
        reader: PathReader,
        explored: Explored,
        runner: Runner,
        integrator: Integrator,
        builder: QueryBuilder,
        first: FirstRuns,
    ) -> None:
        self.pruner = pruner
        self.dropped = 0  # in this round
        self.replays = EarlierAnswers()
        self.reserve = Reserve()
        self._reader = reader
        self._explored = explored
        self._runner = runner
        self._integrator = integrator
        self._builder = builder
        self._first = first
        self._paths: dict[int, Conditions] = {}  # by witness number
        self._branches: dict[int, NDArray[np.int32]] = {}  # by first state of the batch
        self._unread: list[Unread] = []
        self._events = 0  # of those
        self._round_seen = np.zeros(0, np.bool_)
        self._in_main = True  # the first round, or its continuation
        self._main: tuple[NDArray[np.bool_], SavedFrontier] | None = None  # what it covered, and what waits of it
        self._tries: Counter[tuple[int, int]] = Counter()
        self._learning = True
        self._objects: dict[str, InputObject] = {}

    @property
    def clock(self) -> float:
        here = self._explored
        return effort(here.statistics, here.frontier.created, here.options.workers)

    @property
    def incomplete(self) -> bool:
        """Is something forgotten or waiting beside what is pending?  What is in the reserve is not: it comes up again
        in a round that prunes nothing."""
        return self.dropped > 0 or self._main is not None

    # ---- what happens ----

    def after_run(self, run: Run, gain: Gain, growth: Growth, tests: tuple[int, ...]) -> None:
        """Tells the pruner what a run covered, and notes the conditions of the states that it left."""
        more, left = self._covers_more(run), growth.witness is not None and growth.witness.batch is not None
        with self._explored.statistics.phases["prune"]:
            wanted = (left and self.pruner.reads_states) or (more and self._learning and self.pruner.wants_conditions)
            path = self._reader.read(run) if wanted else None
            if path is not None and left and self.pruner.reads_states:
                self._remember(path, growth)
            if more and self._learning:
                self._tell(run, path)

    def replay(self, state: State) -> bool:
        """Settles a state whose answer an earlier round found.  Queries that get more time are asked anew."""
        known = None if self._explored.undecided.is_again(state) else self.replays.recall(state)
        if known is None:
            return False
        status, witness = known
        self._explored.statistics.recalled += 1
        if status == "sat":
            kept = self._explored.runs.known(witness)
            self._integrator.add(kept.run if kept is not None else self._runner.run(witness), state)
        elif status == "unsat":
            self._integrator.settle(state)
        else:
            self._integrator.leave_undecided(state)
        return True

    def after_step(self) -> None:
        clock = self.clock
        due = self.pruner.due(clock)
        if due is Due.PRUNE and len(self._explored.frontier) > self.pruner.enough:
            with self._explored.statistics.phases["prune"]:
                forgotten = self._prune(clock)
            self._answer_some(forgotten)
        elif due is Due.RESTART:
            if self._in_main and self.pruner.resumes and self._is_small():
                self.pruner.postpone(clock)
            else:
                self._restart(dry=False)

    def _is_small(self) -> bool:
        """So few states are pending that nothing is gained by forgetting some."""
        return len(self._explored.frontier) <= self.pruner.enough

    def run_dry(self) -> None:
        """Nothing is pending, but something was forgotten."""
        self._answer_some([])
        self._restart(dry=True)

    # ---- pruning ----

    def _prune(self, clock: float) -> list[State]:
        """Forgets what the pruner chooses; those of them that deserve an answer."""
        states = PendingStates(self._explored.frontier.batches())
        chosen = self.pruner.choose(self._pending(states), clock)
        self.dropped += int(chosen.sum())
        self._keep_errors(states, chosen)
        worth = self._worth(states, chosen)
        for batch, mask in states.masks(chosen):
            self._integrator.forget_many(batch, mask)
        return worth

    def _pending(self, states: PendingStates) -> Pending:
        if not self.pruner.wants_conditions:
            return Pending(states.batch, states.indices, np.zeros(len(states), np.int32), ())
        self._read_all()
        self._let_go(states.batches)
        paths = [self._paths.get(batch.witness.number, NO_CONDITIONS) for batch in states.batches]
        branches = states.join([self._codes(batch) for batch in states.batches])
        return Pending(states.batch, states.indices, branches.astype(np.int32), paths)

    def _remember(self, path: ReadPath, growth: Growth) -> None:
        """Notes what the path condition of a run and of the states it left is; it is read when a pruning is due."""
        batch = growth.witness.batch if growth.witness is not None else None
        if batch is not None:
            self._unread.append(Unread(batch, path.reader, path.said, path.asked(batch)))
            self._events += len(path.said[0])
            if self._events > _UNREAD:
                self._read_all()

    def _read_all(self) -> None:
        found = self._reader.read_together(self._unread)
        for each, conditions, branches in found:
            self._paths[each.batch.witness.number] = conditions
            self._branches[each.batch.first] = branches
        self.pruner.ran([conditions for _, conditions, _ in found])
        self._unread.clear()
        self._events = 0

    def _let_go(self, batches: Sequence[Batch]) -> None:
        """Forgets the conditions of runs that left nothing pending: they are not needed."""
        if len(self._paths) > _KEPT + 2 * len(batches):
            self._paths = {n: self._paths[n] for n in (b.witness.number for b in batches) if n in self._paths}
            self._branches = {b.first: self._branches[b.first] for b in batches if b.first in self._branches}

    def _codes(self, batch: Batch) -> NDArray[np.int32]:
        found = self._branches.get(batch.first)
        return found if found is not None else np.zeros(len(batch), np.int32)

    def _keep_errors(self, states: PendingStates, chosen: NDArray[np.bool_]) -> None:
        """Error sides of checks that have not failed yet go to the reserve."""
        errors = np.flatnonzero(chosen & (states.kinds == EventKind.CHECK))
        found = np.array(sorted(self._explored.findings.error_sites), np.int64)
        for number in errors[~np.isin(states.sites[errors], found)].tolist():
            self.reserve.put(states.batches[int(states.batch[number])], states.row_in_batch(number))

    def _worth(self, states: PendingStates, chosen: NDArray[np.bool_]) -> list[State]:
        """The least tried of those whose branch would cover something new."""
        new = np.flatnonzero(chosen & self._explored.coverage.never_entered(states.targets))
        new = new[states.kinds[new] != EventKind.CHECK]
        wanted = list(zip(states.sites[new].tolist(), states.alternatives[new].tolist(), strict=True))
        best = least_tried(wanted, self._tries, MOST_ANSWERED // 2)
        self._tries.update(wanted[at] for at in best)
        return [states[int(new[at])] for at in best]

    def _answer_some(self, states: list[State]) -> None:
        """Forgotten states and error states get an answer, if that is cheap."""
        for state in states:
            self._answer(state)
        self.reserve.drop(self._explored.findings.error_sites)
        sites = [(site, 0) for site in self.reserve.sites()]
        for at in least_tried(sites, self._tries, MOST_ANSWERED - len(states)):
            self._tries[sites[at]] += 1
            self._answer(self.reserve.take(sites[at][0]))

    def _answer(self, state: State) -> None:
        """Answers a state that is no longer pending; what its solution shows is added."""
        answer = self._builder.answer_forgotten(state, 0.0)
        if answer is None:
            return
        self._explored.statistics.cost += answer.cost
        self.replays.learn(state, answer.status, answer.witness)
        if answer.status == "sat" and answer.witness is not None:
            run = self._runner.run(answer.witness)
            self._integrator.add(run, None, state.witness.cost + answer.cost)

    # ---- restarting ----

    def _answer_leftovers(self) -> None:
        """What a round leaves: states that would cover something new are answered as long as that pays; error states
        of a round that does not go on are kept."""
        coverage = self._explored.coverage
        for _ in range(_ANSWERING):
            version, states = coverage.version, PendingStates(self._explored.frontier.batches())
            everything = np.ones(len(states), np.bool_)
            self._answer_some(self._worth(states, everything))
            if coverage.version == version:
                break
        if not self._in_main:
            states = PendingStates(self._explored.frontier.batches())
            self._keep_errors(states, np.ones(len(states), np.bool_))

    def _restart(self, dry: bool) -> None:
        here = self._explored
        self._answer_leftovers()
        self._read_all()
        beginning = self.pruner.restart(self.clock, dry)
        self._paths.clear()
        self._branches.clear()
        self.dropped = 0
        self._round_seen, seen = np.zeros_like(self._round_seen), self._round_seen
        if beginning.resume and self._main is not None:
            (self._round_seen, saved), self._main = self._main, None
            here.exchange(saved)
        else:
            here.statistics.restarts += 1
            before = self._first.restart()
            if self._in_main and self.pruner.resumes:
                self._main = (seen, before)
        self._in_main = beginning.resume
        self._run_good(beginning)

    def _run_good(self, beginning: Beginning) -> None:
        """Adds the runs that a round begins with.  They teach nothing: they are what was learned."""
        here = self._explored
        self._learning = False
        for witness in beginning.inputs:
            if self.clock >= beginning.until:
                break
            kept = here.runs.known(witness)
            here.statistics.recalled += 1
            self._integrator.add(kept.run if kept is not None else self._runner.run(witness), None)
        self._learning = True

    # ---- learning and telling ----

    def _covers_more(self, run: Run) -> bool:
        """Does it cover what this round had not?"""
        taken = self._explored.coverage.directions(run)
        if len(self._round_seen) != len(taken):
            self._round_seen = np.zeros(len(taken), np.bool_)
        more = bool((taken & ~self._round_seen).any())
        self._round_seen |= taken
        return more

    def _tell(self, run: Run, path: ReadPath | None) -> None:
        self._objects.update({each.name: each for each in run.objects})
        codes = (path.conditions() if path is not None else NO_CONDITIONS).codes
        taken = np.packbits(self._explored.coverage.directions(run), bitorder="little")
        self.pruner.observe(Covering(tuple(codes.tolist()), int.from_bytes(taken.tobytes(), "little"), run.witness))

    def figures(self) -> dict[str, float]:
        """Numbers for stats.csv.  `aside` counts the first round's states, which wait while another round is
        explored."""
        return {**self.pruner.figures(), "aside": self._main[1].held.pending if self._main is not None else 0}

    def describe(self) -> str:
        """A line for the live view."""
        return self.pruner.describe(self._names()) or f"{self._explored.statistics.pruned} pruned"

    def _names(self) -> Callable[[int], str]:
        """What features are called, by code."""
        names = object_names((each.name, each.first, each.size) for each in self._objects.values())
        features = self._reader.vocabulary
        return lambda code: features[code].text(names)

    def report(self) -> dict[str, object]:
        """Data for summary.json; features are told by their text."""
        report, name = self.pruner.report(), self._names()
        for each in cast("list[dict[str, Any]]", report.get("rounds", [])):
            each["weights"] = {name(int(code)): weight for code, weight in each["weights"].items()}
        return {**report, "reserved": len(self.reserve), "recalled": self._explored.statistics.recalled}
