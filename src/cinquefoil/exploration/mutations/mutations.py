"""Inputs that covered something new are mutated, and what comes of it is tried beside the exploration of states.

A mutated input (`corpus.py`) first gets a coverage run: its bytes are concrete, which costs a tenth of a traced run or
less, and only its coverage is read.  If it covers something of the program's own for the first time, or ends in an
error not seen before, it runs again, traced, and is added like a partial solution: where its path leaves the known
ones, the state that waited there is settled by it.  So mutations add inputs and take no state away, and what
`exhausted` says stays true. (Hybrid concolic testing: Majumdar and Sen 2007; Driller, Stephens et al. 2016.)

Their share of the work follows what they win: per unit of work lately, compared with what states win, between a tenth
and three fifths.  Work is counted, not timed, so that the same seed gives the same tests; the weights below are
microseconds as measured once.

Risk: the mutators are made for texts; on binary input, and where each input is slow, mutations win little, and then
cost a tenth of the time.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from cinquefoil.exploration.mutations.corpus import Corpus
from cinquefoil.exploration.runs.coverage import Gain, may_be_test
from cinquefoil.exploration.runs.explored import Explored
from cinquefoil.exploration.runs.integrator import Integrator
from cinquefoil.exploration.runs.observer import Observer
from cinquefoil.exploration.runs.runner import Runner
from cinquefoil.exploration.runs.tree import Growth
from cinquefoil.machine.run import CoverageRun, Run

_LEAST, _MOST = 0.1, 0.6  # of all work
LONG = 20_000  # events of a run that is not explored
_BUDGET = 20_000_000  # instructions of a coverage run
_COVERAGE_RUN, _COVERED = 60.0, 1 / 3000  # work of a coverage run, and per instruction of it
_STATE, _TRACED, _UNDECIDED = 800.0, 1 / 400, 1e5  # work of a traced run, per instruction, of an undecided query
_MEMORY = 3e6  # work after which a win counts for half


@runtime_checkable
class CoverageRunner(Protocol):
    """A machine that can run inputs for their coverage alone."""

    def coverage_run(
        self, witness: bytes, instructions: int, wanted: NDArray[np.bool_] | None = None
    ) -> CoverageRun: ...


class WorkYield:
    """What work brought, the older the less."""

    __slots__ = ("won", "work")

    def __init__(self) -> None:
        self.won, self.work = 1.0, _MEMORY / 10

    def note(self, won: float, work: float) -> None:
        kept = 0.5 ** (work / _MEMORY)
        self.won = self.won * kept + won
        self.work = self.work * kept + work

    @property
    def rate(self) -> float:
        return self.won / self.work


class Mutations(Observer):
    """Changes inputs of the `corpus`.  After each step the loop calls `try_one` as long as something is `due`."""

    def __init__(
        self,
        machine: CoverageRunner,
        corpus: Corpus,
        explored: Explored,
        runner: Runner,
        integrator: Integrator,
    ) -> None:
        self._machine = machine
        self._coverage = explored.coverage
        self._runner = runner
        self._integrator = integrator
        self._counts = explored.statistics
        self.corpus = corpus
        self._credit = 0.0
        self._own, self._states = WorkYield(), WorkYield()
        self._worked, self._covered = 0.0, 0  # by all, when last looked at
        self._vain: set[int] = set()  # sites that a coverage run reached and the traced run did not
        self._failed: set[tuple[str, int]] = set()  # errors that were run, traced
        self._missing: tuple[int, NDArray[np.bool_]] | None = None

    @property
    def share(self) -> float:
        """How much of all work mutations get."""
        own, states = self._own.rate, self._states.rate
        return min(_MOST, max(_LEAST, own / (own + states)))

    def after_run(self, run: Run, gain: Gain, growth: Growth, tests: tuple[int, ...]) -> None:
        """Keeps an input that covered something of the program's own first."""
        if gain and may_be_test(run):
            self.corpus.add(run)

    def after_step(self) -> None:
        """A state took some work and won something: mutations are granted their share."""
        worked, covered = self._work(), sum(self._coverage.counts())
        work = worked - self._worked
        self._states.note(covered - self._covered, work)
        share = self.share
        self._credit += work * share / (1 - share)
        self._worked, self._covered = worked, covered

    def due(self) -> bool:
        """Is there work left of the share, an input to mutate, and something to cover?"""
        return self._credit > 0 and bool(self.corpus.entries) and bool(self._to_cover().any())

    def _work(self) -> float:
        """The work of all traced runs and undecided queries so far."""
        counts = self._counts
        return _STATE * counts.runs + _TRACED * counts.instructions + _UNDECIDED * counts.unknown

    def try_one(self) -> None:
        """Mutates an input, and looks at what the mutated input covers."""
        before = self._work()
        with self._counts.phases["variants"]:
            witness = self.corpus.mutated()
            coverage_run = self._machine.coverage_run(witness, _BUDGET, self._to_cover())
            promising = self._promises(coverage_run)
        self._counts.mutations += 1
        won = self._keep(witness, coverage_run) if promising else 0
        work = _COVERAGE_RUN + coverage_run.steps * _COVERED + self._work() - before
        self._own.note(won, work)
        self._credit -= work

    def _promises(self, coverage_run: CoverageRun) -> bool:
        if coverage_run.error is not None and coverage_run.error not in self._failed:
            return True
        return 1 in self._to_cover()[coverage_run.covered].tobytes()

    def _to_cover(self) -> NDArray[np.bool_]:
        """Sites that are worth running for."""
        version = self._coverage.version
        if self._missing is None or self._missing[0] != version:
            missing = self._coverage.missing()
            missing[list(self._vain)] = False
            self._missing = (version, missing)
        return self._missing[1]

    def _keep(self, witness: bytes, coverage_run: CoverageRun) -> int:
        """Runs it traced; what that won."""
        before = sum(self._coverage.counts())
        self._execute(witness)
        self._worked, self._covered = self._work(), sum(self._coverage.counts())  # no state's work and gain
        won = self._covered - before
        if coverage_run.error is not None:
            self._failed.add(coverage_run.error)
        self._vain.update(coverage_run.covered[self._coverage.missing()[coverage_run.covered]].tolist())
        self._missing = None
        self._counts.mutations_kept += 1
        self._counts.mutations_won += won
        return won

    def _execute(self, witness: bytes) -> None:
        """A path of very many decisions is not explored: its states would outnumber all others, and each takes long
        to solve."""
        run = self._runner.run(witness)
        if not run.lost and len(run.events) > LONG:
            self._integrator.cover(run)
        else:
            self._integrator.add(run, None)
