"""One of several explorers: a complete sequential exploration that owns a part of the states.

It works in rounds.  A round ends when a certain effort is spent (counted, not timed), when nothing is pending, or when
the paths it may find are found.  Then it takes in what the others did in the round before and reports what it did
itself.  So two explorers may be up to a round apart, and none waits unless it is further ahead; and since everything
that comes from outside comes at a counted moment, the same seed gives the same tests.

With a pruner, which begins again from the first input whenever it wants, states cannot be divided: then every explorer
explores the whole program for itself, with a seed of its own, and only coverage and tests are shared (`alone`).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from cinquefoil.exploration.loop.exploration import Exploration
from cinquefoil.exploration.options import Options
from cinquefoil.exploration.parallel.input_names import Contents, InputNames
from cinquefoil.exploration.parallel.messages import Last, Orders, RoundBundle, RoundReport
from cinquefoil.exploration.parallel.parcels import Parcel, all_states, choose, giveable, pack
from cinquefoil.exploration.pruning.pruning import effort
from cinquefoil.exploration.runs.coverage import Gain
from cinquefoil.exploration.runs.explored import Explored
from cinquefoil.exploration.runs.findings import Findings, Test
from cinquefoil.exploration.runs.observer import Observer
from cinquefoil.exploration.runs.tree import Growth
from cinquefoil.exploration.solving.worker_solver import WorkerSolver
from cinquefoil.machine.graph import ProgramGraph
from cinquefoil.machine.run import Run
from cinquefoil.machine.worker import Worker
from cinquefoil.states.batch import Batch

_PER_UNKNOWN = 0.25  # seconds of effort for a question that was left open
_PER_MUTATION = 60e-6
_STEPS = 4  # between looks at the effort
_BASE_EVERY = 10.0  # seconds between copies of all that is left, at least
_BASE_SHARE = 30.0  # times as long as making the last copy took, at least


class Explorer(Exploration):
    """`number` is its index among the others."""

    def __init__(
        self,
        worker: Worker,
        solver: WorkerSolver,
        options: Options,
        graph: ProgramGraph | None = None,
        keep: Callable[[Test], None] | None = None,
        progress: Callable[[Exploration], None] = lambda exploration: None,
        number: int = 0,
        findings: Findings | None = None,
        spent: float = 0.0,
        is_new_path: Callable[[Run], bool] = lambda run: True,
    ) -> None:
        self._found: list[Test] = []
        keep = keep or self._found.append
        super().__init__(
            worker, solver, options, graph, keep, progress, findings=findings, spent=spent, is_new_path=is_new_path
        )
        self.worker = worker
        self.number = number
        self.orders = Orders()
        self.names = InputNames(worker.named)
        self.foreign: set[tuple[int, int]] = set()  # untaken branches that are others', though our states lead there
        self.integrator.subscribe(_ForeignStates(self.explored, self.foreign))
        self._layers = solver.statistics
        self._told = np.zeros(len(worker.sites), np.bool_)  # covered, and known to all
        self._told_passed = np.zeros(len(worker.sites), np.bool_)  # the same of what only runs without tests covered
        self._adopted = 0
        self.waited: float = 0.0  # seconds of the clock, for others
        self._gifts: list[tuple[int, list[Parcel]]] = []
        self._based = time.monotonic()
        self._base_took = 0.0

    @property
    def alone(self) -> bool:
        """Does it explore for itself?"""
        return self.pruning is not None

    def effort(self) -> float:
        """About how many seconds its work took, from what was done alone."""
        counts = self.statistics
        known = effort(counts, self.frontier.created)
        return known + counts.unknown * _PER_UNKNOWN + counts.mutations * _PER_MUTATION

    # ---- a round ----

    def work(self) -> None:
        """One round."""
        until = self.effort() + self.orders.length
        while self.effort() < until and not self.rests():
            for _ in range(_STEPS):
                if not self.rests():
                    self.advance()

    def advance(self) -> None:
        """One step, and what comes after it."""
        super().advance()
        self.tick()

    def tick(self) -> None:
        """Called after every step."""

    def rests(self) -> bool:
        """Is there nothing to do before the next exchange?"""
        if self.must_stop() or self.statistics.paths >= self.orders.allowance:
            return True
        return bool(self.finished()) if self.alone else not self.frontier

    def finished(self) -> str:
        """Why an explorer for itself has nothing left to do; else nothing."""
        if not self.alone or self.frontier or not self._finished():
            return ""
        return self._verdict()

    # ---- exchange ----

    def apply(self, bundle: RoundBundle) -> None:
        """Takes in what others did, and gives away what it is asked for."""
        self.learn(bundle.covered)
        self.coverage.learn(bundle.passed, proven=False)
        self.foreign.update(bundle.foreign)
        if self.mutations is not None:
            for contents in bundle.tests:
                self._try(contents)
        self.adopt(bundle.parcels)
        self.obey(bundle.orders)

    def obey(self, orders: Orders) -> None:
        self.orders = orders
        if orders.again:
            self.integrator.ask_again()
        for to, count in orders.give:
            self._gifts.append((to, self.give(count)))

    def learn(self, sites: np.ndarray) -> None:
        """Others covered these: they know."""
        self.coverage.learn(sites)
        self._told[sites] = True

    def _try(self, contents: Contents) -> None:
        """An input of another process that covered something: it is worth mutating here too."""
        witness = self.names.witness(contents)
        run = self.runner.run(witness) if witness is not None else None
        if run is not None and not run.lost and self.mutations is not None:
            self.mutations.corpus.add(run)

    def give(self, count: int) -> list[Parcel]:
        """About as many states; they are no longer ours."""
        self.tree.shared = True
        return [self._hand_over(*chosen) for chosen in list(choose(self.frontier.batches(), count))]

    def _hand_over(self, batch: Batch, chosen: np.ndarray) -> Parcel:
        parcel = pack(batch, chosen, self.names)
        drop(self.explored, batch, chosen)
        return parcel

    def adopt(self, parcels: Iterable[Parcel]) -> None:
        """These states are ours from now on."""
        for parcel in parcels:
            witness = parcel.witness(self.names)
            if witness is None:
                self.statistics.died += len(parcel)
                continue
            if self.coverage.follows_calls:
                self.coverage.add(self.runner.run(witness.data))
            rows = parcel.columns()
            self._adopted += len(rows)
            columns = {name: rows[name] for name in rows.dtype.names or ()}
            self.frontier.add(self.tree.adopt(witness, columns, parcel.seen))

    def report(self, round: int) -> RoundReport:
        """What was done since the last one.  Whoever has nothing left to explore looks for doubts."""
        if not self.frontier and not self.alone:
            self._look_for_doubts(self.tick)
        fresh = np.flatnonzero(self.coverage.proven & ~self._told)
        self._told[fresh] = True
        passed = np.flatnonzero(self.coverage.seen & ~self.coverage.proven & ~self._told_passed)
        self._told_passed[passed] = True
        tests, gifts = self._tests(), self._gifts
        self._gifts = []
        self._found.clear()
        return RoundReport(
            round,
            len(self.frontier),
            any(giveable(batch).any() for batch in self.frontier.batches()) if len(self.frontier) < 64 else True,
            self.open,
            self.statistics.paths,
            self.finished(),
            time.process_time() + self.worker.cpu_seconds(),
            self.waited,
            self.frontier.created - self._adopted,
            self.statistics.numbers(),
            {name: replace(layer) for name, layer in self._layers().items()},
            tests,
            fresh,
            gifts,
            passed,
        )

    def _tests(self) -> list[Contents]:
        return [self.names.named(test.witness) for test in self._found]

    def base(self) -> list[Parcel] | None:
        """A copy of all that is left to explore, if one is due."""
        now = time.monotonic()
        if self.alone or now - self._based < max(_BASE_EVERY, _BASE_SHARE * self._base_took):
            return None
        parcels = all_states(self.frontier.batches(), self.explored.undecided.waiting(), self.names)
        self._based = time.monotonic()
        self._base_took = self._based - now
        return parcels

    def last(self) -> Last:
        refuted, undecided = Counter(self.journal.infeasible), Counter(self.journal.undecided)
        told = self.explored.remarks.told
        return Last(refuted, undecided, self.explored.unsupported.counts, told, self.explored.doubts.found)


class _ForeignStates(Observer):
    """Forgets states that a process found, too, and gave away before it died: its successor explores the same again, or
    whoever was given a part of that.  `branches` may grow."""

    def __init__(self, explored: Explored, branches: set[tuple[int, int]]) -> None:
        self._explored = explored
        self._branches = branches

    def after_run(self, run: Run, gain: Gain, growth: Growth, tests: tuple[int, ...]) -> None:
        if self._branches:
            for batch in growth.batches:
                self._leave(batch)

    def _leave(self, batch: Batch) -> None:
        before = batch.witness.hashes[batch.column("index").astype(np.int64) - batch.witness.start]
        branches = zip(before.tolist(), batch.alternatives.tolist(), strict=True)
        gone = np.array([branch in self._branches for branch in branches], np.bool_) & batch.pending
        if gone.any():
            drop(self._explored, batch, gone)


def drop(explored: Explored, batch: Batch, chosen: np.ndarray) -> None:
    """These states of a batch are others' from now on."""
    explored.tree.settle_many(batch, np.flatnonzero(chosen))
    explored.frontier.discard(batch, chosen)
