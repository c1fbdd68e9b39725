"""The last word on solutions: the slice's constraints, evaluated under the solution.

The evaluation (native/solver/check.c) follows the worker's own definition of every operation and shares nothing with
the layers, so a fault in one of them shows up here as a refusal (counted as unknown) and never as a wrong
answer.
"""

from __future__ import annotations

from time import perf_counter_ns

from cinquefoil.solver.layer import LayerStatistics
from cinquefoil.solver.problem import Problem, Verdict


class SolutionCheck:
    """Evaluates constraints under solutions and counts refusals."""

    def __init__(self) -> None:
        self.statistics = LayerStatistics()

    def holds(self, problem: Problem, solution: bytes) -> bool:
        start = perf_counter_ns()
        good = problem.holds_under(solution)
        self.statistics.count(Verdict.SAT if good else Verdict.UNKNOWN, perf_counter_ns() - start)
        return good
