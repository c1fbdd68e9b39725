"""Partial solutions: inputs that a solver met on its way, run beside its answer because they may take new paths."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cinquefoil.exploration.runs.explored import Explored
from cinquefoil.exploration.runs.integrator import Integrator
from cinquefoil.exploration.runs.runner import Runner
from cinquefoil.exploration.solving.screen import Met, Screen
from cinquefoil.solver.api import Answer, Learner


class PartialSolutions:
    """Runs them, screened if there is a `screen`, and tells the solver what they won; `stop` tells whether it is too
    late to go on."""

    def __init__(
        self,
        solver: object,
        explored: Explored,
        runner: Runner,
        integrator: Integrator,
        screen: Screen | None,
        stop: Callable[[], bool],
    ) -> None:
        self._learner = solver if isinstance(solver, Learner) else None
        self._explored = explored
        self._runner = runner
        self._integrator = integrator
        self._screen = screen
        self._stop = stop

    def run(self, answer: Answer, cost: int) -> None:
        """Runs those of an answer; `cost` is that of the path so far."""
        for witness, origin in self._worth_running(answer):
            if self._stop():
                break
            won = self._won_by(witness, cost)
            if self._learner is not None:
                self._learner.credit(origin, won)

    def _worth_running(self, answer: Answer) -> Iterable[Met]:
        most = self._explored.options.partial
        return self._screen.fresh(answer.met(), most) if self._screen is not None else answer.met()[:most]

    def _won_by(self, witness: bytes, cost: int) -> int:
        """Runs one; the blocks and branches that it covered first."""
        counts, coverage = self._explored.statistics, self._explored.coverage
        known, covered = counts.known, sum(coverage.counts())
        self._integrator.add(self._runner.run(witness), None, cost)
        won = sum(coverage.counts()) - covered
        counts.partial += 1
        counts.partial_paths += counts.known == known
        counts.partial_won += won
        return won
