"""What the answers should be: all values of one or two bytes tried, or plain Z3 on the whole query."""

from __future__ import annotations

from cinquefoil.expr.evaluate import Evaluator
from cinquefoil.expr.native import NativeEvaluator
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.solver.api import Answer, Constraint, Query
from cinquefoil.solver.problem import Verdict
from cinquefoil.solver.z3_session import Z3Session


def all_constraints(query: Query) -> list[Constraint]:
    return [*query.constraints.constraints(), *query.goal]


def by_enumeration(table: ExpressionTable, query: Query) -> str:
    """For queries over at most two input bytes."""
    wanted = all_constraints(query)
    bytes_used = sorted({index for item in wanted for index in table.deps(item.node)})
    assert len(bytes_used) <= 2
    outer, inner = [*bytes_used, 1000, 1001][:2]
    found = NativeEvaluator(table).pair_domain(wanted, outer, inner, query.witness.ljust(1002, b"\0"))
    return "sat" if found.any() else "unsat"


def by_z3(table: ExpressionTable, query: Query, seconds: float = 5.0) -> str:
    return Z3Session(table, 0).check(all_constraints(query), seconds).name.lower()


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
