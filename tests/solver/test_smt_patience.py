"""The SMT solver's time: where answers come from it gets more, where none come less."""

from __future__ import annotations

from itertools import accumulate

from cinquefoil.expr.builder import TableBuilder
from cinquefoil.layout import Op
from cinquefoil.solver.api import Constraint, Prefix, Query
from cinquefoil.solver.chain import Chain
from cinquefoil.solver.patience import QueryRecord, luby
from cinquefoil.solver.problem import Problem, Verdict
from cinquefoil.solver.smt_layer import SmtLayer, session_factory


def test_efforts_follow_lubys_sequence() -> None:
    assert [luby(n) for n in range(1, 16)] == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]


def test_an_answer_earns_twice_its_effort() -> None:
    record = QueryRecord()
    assert record.share() == 1 / 16
    record.learn(True, 0.3)
    assert record.share() == 0.6
    for _ in range(8):
        record.learn(True, 0.0)
    assert record.share() == 1 / 16


class Counting(SmtLayer):
    """Tells how much of its time each query got, and answers none."""

    def __init__(self) -> None:
        super().__init__(session_factory("bitwuzla"), 1.0, 0)
        self.shares: list[float] = []

    def decide(self, problem: Problem) -> Verdict:
        self.shares.append(self.patience.share(problem))
        self.patience.learn(problem, False, 1.0)
        return Verdict.UNKNOWN


def test_a_site_whose_queries_stay_open_gets_little_of_the_time() -> None:
    builder = TableBuilder()
    byte = builder.inputs(0, 1)
    goal = Constraint(builder.binary(Op.ULT, byte, builder.const(8, 7)), 1)
    layer = Counting()
    chain = Chain(builder.table(), [lambda _: layer])
    for number in range(100):
        chain.solve(Query(Prefix.of(()), (goal,), b"a", site=number % 3))
    assert layer.shares[0] == 0.25
    assert max(layer.shares[20:]) <= 1
    assert list(accumulate(layer.shares))[-1] < 20  # of a hundred


def test_constraints_that_no_solution_violates_are_never_asked_about() -> None:
    """A thousand products beside the point do not cost the query anything."""
    builder = TableBuilder()
    word = builder.inputs(0, 4)
    beside = []
    total = word
    for number in range(1000):
        total = builder.binary(Op.MUL, total, builder.binary(Op.OR, word, builder.const(32, number)))
        beside.append(builder.binary(Op.ULE, builder.const(32, 0), total))
    odd = builder.binary(Op.EQ, builder.binary(Op.AND, word, builder.const(32, 1)), builder.const(32, 1))
    even = builder.binary(Op.EQ, builder.binary(Op.AND, word, builder.const(32, 3)), builder.const(32, 2))
    chain = Chain(builder.table(), [lambda _: SmtLayer(session_factory("bitwuzla"), 1.0, 0)])
    path = Prefix.of([*(Constraint(node, 1) for node in beside), Constraint(odd, 0)])
    assert chain.solve(Query(path, (Constraint(odd, 1),), b"\0\0\0\0")).status == "unsat"
    path = Prefix.of([*(Constraint(node, 1) for node in beside), Constraint(odd, 1)])
    assert chain.solve(Query(path, (Constraint(even, 1),), b"\1\0\0\0")).status == "unsat"
    assert chain.solve(Query(Prefix.of(path[:1000]), (Constraint(even, 1),), b"\1\0\0\0")).status == "sat"
