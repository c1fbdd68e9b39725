"""The least and the greatest value that an expression has on a path, as signed numbers.

Each is found by halving, with one question to Bitwuzla per bit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bitwuzla import Bitwuzla, Options, Result, Term, TermManager

from cinquefoil.expr.backend_bitwuzla import BitwuzlaBackend
from cinquefoil.expr.constraint import Constraint
from cinquefoil.expr.smt import Translator
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.solver.api import never
from cinquefoil.solver.bitwuzla_session import CALLS_PER_SECOND, Terminator

_LONGEST = 5000  # constraints


def feasible_range(
    table: ExpressionTable, path: Sequence[Constraint], node: int, seconds: float = 0.3
) -> tuple[int, int] | None:
    """None if the solver does not answer all questions with so much effort, or the path is very long."""
    if len(path) > _LONGEST:
        return None
    asker = _Asker(table, path, node, seconds)
    top = 1 << (table.width(node) - 1)
    low = _least(-top, top - 1, lambda bound: asker.has_value(bound, False))
    high = _least(-top, top - 1, lambda bound: asker.has_value(-bound - 1, True))
    return None if asker.gave_up else (low, -high - 1)


def _least(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """The least number for which it holds; it holds for the greatest."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


class _Asker:
    def __init__(self, table: ExpressionTable, path: Sequence[Constraint], node: int, seconds: float) -> None:
        manager = TermManager()
        self._backend = BitwuzlaBackend(manager)
        translator: Translator[Term] = Translator(table, self._backend)
        self._terminator = Terminator()
        self._solver = Bitwuzla(manager, Options())
        self._solver.configure_terminator(self._terminator)
        for constraint in path:
            self._solver.assert_formula(translator.condition(constraint))
        self._term, self._width = translator.term(node), table.width(node)
        for definition in translator.definitions([node, *(constraint.node for constraint in path)]):
            self._solver.assert_formula(definition)
        self._seconds = seconds
        self.gave_up = False

    def has_value(self, bound: int, above: bool) -> bool:
        """Does the expression have a value not above the bound, or not below it?"""
        number = self._backend.constant(self._width, bound & ((1 << self._width) - 1))
        self._terminator.allow(self._seconds, float("inf"), never)
        result = Result.UNKNOWN
        if not self.gave_up:
            ordered = (number, self._term) if above else (self._term, number)
            result = self._solver.check_sat(self._backend.apply("bvsle", *ordered))
        self._seconds -= self._terminator.made / CALLS_PER_SECOND
        self.gave_up = self.gave_up or result == Result.UNKNOWN
        return result == Result.SAT
