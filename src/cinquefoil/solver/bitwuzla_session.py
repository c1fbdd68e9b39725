"""Bitwuzla behind `SmtSession`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic, perf_counter_ns
from typing import Final

import bitwuzla
from bitwuzla import Bitwuzla, Option, Options, Result, Term, TermManager

from cinquefoil.expr.backend_bitwuzla import BitwuzlaBackend
from cinquefoil.expr.smt import Translator
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.solver.api import Constraint, never
from cinquefoil.solver.problem import Verdict

_VERDICTS = {Result.SAT: Verdict.SAT, Result.UNSAT: Verdict.UNSAT}
CALLS_PER_SECOND: Final = 9000
"""How often Bitwuzla asks its terminator, measured: 8,300 to 10,900 times a second at work on products of 64 bits,
fewer on small terms.  The number of calls for a query is the same on every run."""


class Terminator:
    """Asked by the solver while it works.  As that runs Python, signals get through meanwhile.

    What a query may cost is a number of calls, so that a busy machine leaves no other questions open than an idle one;
    the clock guards against steps between which the solver does not ask."""

    def __init__(self) -> None:
        self.calls = 0  # allowed
        self.made = 0
        self.until = 0.0
        self.stop = never

    def allow(self, seconds: float, wall: float, stop: Callable[[], bool]) -> None:
        self.calls, self.made = max(1, round(seconds * CALLS_PER_SECOND)), 0
        self.until, self.stop = monotonic() + wall, stop

    def __call__(self) -> bool:
        self.made += 1
        return self.made > self.calls or monotonic() >= self.until or self.stop()


class BitwuzlaSession:
    """One term manager and one solver.  Bitwuzla's own limit is an option of the instance; the terminator serves all
    limits with one."""

    def __init__(self, table: ExpressionTable, seed: int) -> None:
        self._manager = TermManager()
        self._translator: Translator[Term] = Translator(table, BitwuzlaBackend(self._manager))
        self.translating = 0
        self.steps = 0
        self._assumed: list[Term] = []
        self._terminator = Terminator()
        options = Options()
        options.set(Option.PRODUCE_MODELS, True)
        options.set(Option.PRODUCE_UNSAT_ASSUMPTIONS, True)
        options.set(Option.SEED, seed)
        self._solver = Bitwuzla(self._manager, options)
        self._solver.configure_terminator(self._terminator)

    def check(
        self,
        constraints: Sequence[Constraint],
        seconds: float,
        stop: Callable[[], bool] = never,
        wall: float = float("inf"),
    ) -> Verdict:
        translator, start = self._translator, perf_counter_ns()
        self._assumed = [translator.condition(each) for each in constraints]
        definitions = translator.definitions(c.node for c in constraints)
        self.translating = perf_counter_ns() - start
        self._terminator.allow(seconds, wall, stop)
        result = self._solver.check_sat(*self._assumed, *definitions)
        self.steps = self._terminator.made
        return _VERDICTS.get(result, Verdict.UNKNOWN)

    def values(self, inputs: Sequence[int]) -> list[int | None]:
        variables, solver = self._translator.inputs, self._solver
        return [int(solver.get_value(variables[i]).value(10)) if i in variables else None for i in inputs]

    def core(self) -> list[int] | None:
        return [i for i, term in enumerate(self._assumed) if self._solver.is_unsat_assumption(term)]


def version() -> str:
    """For reports."""
    return f"bitwuzla {getattr(bitwuzla, '__version__', '')}".strip()
