"""The last word on solutions: the slice's constraints, evaluated under the solution.

The evaluator is the expression package's, so a fault in a layer's own evaluation shows up here as a refusal
(counted as unknown) and never as a wrong answer.
"""

from __future__ import annotations

from time import perf_counter_ns

from cinquefoil.expr.evaluate import Evaluator
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.solver.layer import LayerStatistics
from cinquefoil.solver.problem import Problem, Verdict


class SolutionCheck:
    """Evaluates constraints under solutions and counts refusals."""

    def __init__(self, table: ExpressionTable) -> None:
        self._table = table
        self.statistics = LayerStatistics()

    def reset(self, table: ExpressionTable) -> None:
        self._table = table

    def holds(self, problem: Problem, solution: bytes) -> bool:
        start = perf_counter_ns()
        values = Evaluator(self._table, solution).values(item.node for item in problem.constraints)
        pairs = zip(problem.constraints, values, strict=True)
        good = all((value == item.value) == item.equal for item, value in pairs)
        self.statistics.count(Verdict.SAT if good else Verdict.UNKNOWN, perf_counter_ns() - start)
        return good
