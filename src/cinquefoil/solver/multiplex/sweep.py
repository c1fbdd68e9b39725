"""Sweeping a path: inputs for many of its untaken branches from one load of its constraints.

Slicing makes queries small, so a solver that works on one query meets few other paths.  A sweep takes the whole
path of the query's run instead: the objective of all its constraints is compiled once, and for every branch that
was not taken before a short descent (native/solver/descent.c) looks for an input that follows the path up to there and
leaves it.  These are partial solutions of the path's condition, one per branch, so no two of them leave the path
at the same branch.

How often paths are swept is learned: while runs of such inputs cover something new, every path is; each sweep
that wins nothing makes it twice as rare.

Risk: inputs are not in the order the search strategy would choose; the limit on runs per answer bounds that.
"""

from __future__ import annotations

from typing import ClassVar, Final

from cinquefoil.native import core
from cinquefoil.solver.layer import Layer
from cinquefoil.solver.multiplex.attempt import Attempt
from cinquefoil.solver.multiplex.descent import PER_WORK, points
from cinquefoil.solver.multiplex.screening import load_path
from cinquefoil.solver.problem import Problem, Verdict

BUDGET: Final = 4_000_000
PER_TURN: Final = 40_000
MOST: Final = 48
"""Inputs of one sweep."""
_RAREST: Final = 128


class SweepLayer(Layer):
    """Decides nothing; adds partial solutions to queries about new paths."""

    name: ClassVar[str] = "multiplex:sweep"

    def __init__(self, below: Layer | None = None) -> None:
        super().__init__(below)
        self._done: set[int] = set()
        self._gap = 0  # paths to be left out between sweeps
        self._left = 0  # of them, still to come
        self._won = True  # what the last sweep brought

    def reset(self) -> None:
        self._done.clear()

    def decide(self, problem: Problem) -> Verdict:
        number = problem.query.constraints.path.number
        if number in self._done:
            return Verdict.UNKNOWN
        if self._left:
            self._left -= 1
            self._done.add(number)
            return Verdict.UNKNOWN
        self._adapt()
        self._sweep(problem)
        return Verdict.UNKNOWN

    def credit(self, origin: str, branches: int) -> None:
        if origin == self.name:
            self.statistics.partial_runs += 1
            self.statistics.partial_won += branches
            self._won |= branches > 0

    def _adapt(self) -> None:
        self._gap = 0 if self._won else min(2 * self._gap + 1, _RAREST)
        self._left, self._won = self._gap, False

    def _sweep(self, problem: Problem) -> None:
        path, witness = problem.query.constraints.path, problem.query.witness
        state = problem.slicer.state
        if not load_path(problem):
            self._done.add(path.number)
            return
        core.cinq_sweep(state, witness, len(witness), BUDGET, PER_TURN, MOST)
        attempt = Attempt(problem, [], whole=True)
        for values in points(state):
            attempt.offer(values)
        problem.add_partial(attempt.partial, self.name)
        problem.cost += core.cinq_descent_work(state) // PER_WORK
        self.statistics.partial += len(attempt.partial)
        self.statistics.partial_fresh += len(attempt.partial)
        if core.cinq_descent_count(state) < MOST:
            self._done.add(path.number)
