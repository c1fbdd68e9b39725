"""Bitwuzla behind `SmtSession`."""

from __future__ import annotations

from collections.abc import Sequence

import bitwuzla
from bitwuzla import Bitwuzla, Option, Options, Result, Term, TermManager

from cinquefoil.expr.backend_bitwuzla import BitwuzlaBackend
from cinquefoil.expr.smt import Translator
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.solver.api import Constraint
from cinquefoil.solver.problem import Verdict

_VERDICTS = {Result.SAT: Verdict.SAT, Result.UNSAT: Verdict.UNSAT}


class BitwuzlaSession:
    """One term manager; one solver per time limit, since Bitwuzla's limit is an option of the instance."""

    def __init__(self, table: ExpressionTable, seed: int) -> None:
        self._manager = TermManager()
        self._translator: Translator[Term] = Translator(table, BitwuzlaBackend(self._manager))
        self._seed = seed
        self._solvers: dict[int, Bitwuzla] = {}
        self._last: Bitwuzla | None = None
        self._assumed: list[Term] = []

    def _solver(self, milliseconds: int) -> Bitwuzla:
        if milliseconds not in self._solvers:
            options = Options()
            options.set(Option.PRODUCE_MODELS, True)
            options.set(Option.PRODUCE_UNSAT_ASSUMPTIONS, True)
            options.set(Option.TIME_LIMIT_PER, milliseconds)
            options.set(Option.SEED, self._seed)
            self._solvers[milliseconds] = Bitwuzla(self._manager, options)
        return self._solvers[milliseconds]

    def check(self, constraints: Sequence[Constraint], seconds: float) -> Verdict:
        translator = self._translator
        self._assumed = [translator.condition(each) for each in constraints]
        definitions = translator.definitions(c.node for c in constraints)
        solver = self._last = self._solver(max(1, round(seconds * 1000)))
        result = solver.check_sat(*self._assumed, *definitions)
        return _VERDICTS.get(result, Verdict.UNKNOWN)

    def values(self, inputs: Sequence[int]) -> list[int | None]:
        assert self._last is not None
        variables, solver = self._translator.inputs, self._last
        return [int(solver.get_value(variables[i]).value(10)) if i in variables else None for i in inputs]

    def core(self) -> list[int] | None:
        assert self._last is not None
        return [i for i, term in enumerate(self._assumed) if self._last.is_unsat_assumption(term)]


def version() -> str:
    """For reports."""
    return f"bitwuzla {getattr(bitwuzla, '__version__', '')}".strip()
