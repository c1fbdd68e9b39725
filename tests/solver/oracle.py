"""What the answers should be: all values of one or two bytes tried, or plain Z3 on the whole query."""

from __future__ import annotations

from typing import Any, Final

import z3

from cinquefoil.expr.backend_z3 import Z3Backend
from cinquefoil.expr.evaluate import Evaluator
from cinquefoil.expr.native_evaluator import NativeEvaluator
from cinquefoil.expr.smt import Translator
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.solver.api import Answer, Constraint, Query
from cinquefoil.solver.problem import Verdict


def all_constraints(query: Query) -> list[Constraint]:
    return [*query.constraints.constraints(), *query.goal]


def _bytes_used(table: ExpressionTable, query: Query) -> list[int]:
    return sorted({index for item in all_constraints(query) for index in table.deps(item.node)})


def by_enumeration(table: ExpressionTable, query: Query) -> str:
    """For queries over at most two input bytes."""
    wanted, bytes_used = all_constraints(query), _bytes_used(table, query)
    assert len(bytes_used) <= 2
    outer, inner = [*bytes_used, 1000, 1001][:2]
    found = NativeEvaluator(table).pair_domain(wanted, outer, inner, query.witness.ljust(1002, b"\0"))
    return "sat" if found.any() else "unsat"


QUICK: Final = 0.04
"""Seconds for Z3's core by itself, which decides 98 of 100 small queries in less than a millisecond."""


class PlainZ3:
    """Z3 on whole queries of one table, whose terms are made once.  What its core leaves open, its tactics decide in
    most cases; these take milliseconds to set up, and so are not asked first."""

    def __init__(self, table: ExpressionTable, seconds: float = 5.0) -> None:
        self._translator: Translator[Any] = Translator(table, Z3Backend())
        self._seconds = seconds
        self._known: dict[tuple[Constraint, ...], str] = {}

    def __call__(self, query: Query) -> str:
        wanted = tuple(all_constraints(query))
        if wanted not in self._known:
            self._known[wanted] = self._decide(wanted)
        return self._known[wanted]

    def or_enumeration(self, query: Query) -> str:
        """What Z3 leaves open, about half of the queries with floats, is tried where it is over one or two bytes."""
        found = self(query)
        if found != "unknown" or len(_bytes_used(self._translator.table, query)) > 2:
            return found
        return by_enumeration(self._translator.table, query)

    def _decide(self, wanted: tuple[Constraint, ...]) -> str:
        terms = [self._translator.condition(each) for each in wanted]
        terms += self._translator.definitions(each.node for each in wanted)
        found = _check(z3.SimpleSolver(), terms, QUICK)
        return found if found != "unknown" else _check(z3.SolverFor(_logic(terms)), terms, self._seconds)


def _logic(terms: list[Any]) -> str:
    """Told that there are only bit vectors, Z3 takes operations on floats for any functions."""
    goal = z3.Goal()
    goal.add(*terms)
    return "QF_BV" if z3.Probe("is-qfbv")(goal) else "QF_FPBV"


def _check(solver: Any, terms: list[Any], seconds: float) -> str:
    solver.set("timeout", round(1000 * seconds))
    solver.add(*terms)
    return str(solver.check())


def by_z3(table: ExpressionTable, query: Query, seconds: float = 2.0) -> str:
    return PlainZ3(table, seconds).or_enumeration(query)


def check_solution(table: ExpressionTable, query: Query, answer: Answer) -> None:
    """A solution satisfies the whole query, and changes only bytes connected with the goal."""
    assert answer.witness is not None
    values = Evaluator(table, answer.witness).values([item.node for item in all_constraints(query)])
    for item, value in zip(all_constraints(query), values, strict=True):
        assert (value == item.value) == item.equal


def assert_right(table: ExpressionTable, query: Query, answer: Answer, truth: str) -> None:
    """The answer is the truth or unknown; solutions are solutions."""
    if answer.status == "sat":
        check_solution(table, query, answer)
    if answer.status != "unknown" and truth != Verdict.UNKNOWN.name.lower():
        assert answer.status == truth
