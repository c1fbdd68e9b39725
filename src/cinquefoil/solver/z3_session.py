"""Z3 behind `SmtSession`: the second back end, and the oracle of the tests."""

from __future__ import annotations

import signal
from collections.abc import Callable, Sequence
from time import perf_counter_ns
from typing import Any

import z3

from cinquefoil.expr.backend_z3 import Z3Backend
from cinquefoil.expr.smt import Translator
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.solver.api import Constraint, never
from cinquefoil.solver.problem import Verdict


class Z3Session:
    """Terms are made once, in Z3's default context; a solver per query: its tactics need a fresh one."""

    def __init__(self, table: ExpressionTable, seed: int) -> None:
        self._translator: Translator[Any] = Translator(table, Z3Backend())
        self._seed = seed
        self.translating = 0
        self.steps = 0
        self.spent = 0.0
        self._model: Any = None

    def check(
        self,
        constraints: Sequence[Constraint],
        seconds: float,
        stop: Callable[[], bool] = never,
        wall: float = float("inf"),
    ) -> Verdict:
        """Z3 cannot be asked to look at `stop` while it works; it ends at Ctrl-C, which is then passed on.  Its own
        count of resources leaves out bit-blasting and differs from run to run, so the limit is the clock's."""
        if stop():
            return Verdict.UNKNOWN
        translator, start = self._translator, perf_counter_ns()
        solver = z3.Solver()
        solver.set("timeout", max(1, round(min(seconds, wall) * 1000)))
        solver.set("random_seed", self._seed)
        solver.add(*(translator.condition(each) for each in constraints))
        solver.add(*translator.definitions(c.node for c in constraints))
        self.translating = perf_counter_ns() - start
        begun = perf_counter_ns()
        result = solver.check()
        self.spent = (perf_counter_ns() - begun) / 1e9
        if result == z3.sat:
            self._model = solver.model()
            return Verdict.SAT
        if result == z3.unknown and "interrupted" in solver.reason_unknown():
            signal.raise_signal(signal.SIGINT)
        return Verdict.UNSAT if result == z3.unsat else Verdict.UNKNOWN

    def renew(self) -> None:
        """Nothing: every query has a solver of its own."""

    def values(self, inputs: Sequence[int]) -> list[int | None]:
        variables = self._translator.inputs
        return [self._value(variables[index]) if index in variables else None for index in inputs]

    def _value(self, variable: Any) -> int | None:
        value = self._model.eval(variable, model_completion=False)
        return value.as_long() if z3.is_bv_value(value) else None

    def core(self) -> list[int] | None:
        return None
