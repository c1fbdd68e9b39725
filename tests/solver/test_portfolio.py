"""The portfolio: who is asked, in which order, and when the SMT solver is left out."""

from __future__ import annotations

from typing import ClassVar

from instances import double

from cinquefoil.expr.builder import TableBuilder
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import Op
from cinquefoil.solver.api import Constraint, Prefix, Query
from cinquefoil.solver.chain import Chain
from cinquefoil.solver.layer import Layer
from cinquefoil.solver.multiplex.attempt import Attempt
from cinquefoil.solver.multiplex.portfolio import MultiplexLayer
from cinquefoil.solver.problem import Problem, Verdict


class Scripted:
    """An instance that meets an input and decides every n-th query; work is what it costs."""

    def __init__(self, name: str, every: int, work: int) -> None:
        self.name = name
        self.every, self.work, self.asked = every, work, 0
        self.patient = list[bool]()

    def attempt(self, attempt: Attempt) -> Verdict:
        self.asked += 1
        self.patient.append(attempt.patient)
        attempt.work += self.work
        attempt.offer_witness(bytes([self.asked % 4, 0, 0, 0, 0, 0, 0, 0]))  # not over 3: no solution
        return Verdict.UNSAT if self.every and self.asked % self.every == 0 else Verdict.UNKNOWN

    def reset(self) -> None:
        """Nothing is kept."""


class Smt(Layer):
    """Decides the queries with these numbers."""

    name: ClassVar[str] = "smt"

    def __init__(self, decided: range) -> None:
        super().__init__(None)
        self.decided, self.asked = decided, 0

    def decide(self, problem: Problem) -> Verdict:
        self.asked += 1
        return Verdict.UNSAT if self.asked in self.decided else Verdict.UNKNOWN


def query(real: bool, seconds: float = 0.5, products: int = 0) -> tuple[ExpressionTable, Query]:
    b = TableBuilder()
    x = y = b.inputs(0, 8)
    for _ in range(products):
        x = b.binary(Op.FMUL, x, y)
    low = b.const(64, double(3.0) if real else 3)
    node = b.binary(Op.FOLT if real else Op.ULT, low, x)
    return b.table(), Query(Prefix.of([]), (Constraint(node, 1),), bytes(8), seconds)


def asked_of(smt: Smt, count: int, seconds: float = 0.5, real: bool = True, products: int = 0) -> Chain:
    table, question = query(real, seconds, products)
    chain = Chain(table, (lambda below: MultiplexLayer((), below, True, 0.5), lambda below: smt))
    for _ in range(count):
        chain.solve(question)
    return chain


def test_an_smt_solver_that_never_decides_a_class_is_mostly_left_out() -> None:
    smt = Smt(range(0))
    told = asked_of(smt, 67).statistics()
    assert smt.asked == 3 + 8, "three trials, then every eighth"
    assert told["multiplex:smt"].left_out == 67 - smt.asked
    assert told["multiplex:smt/float, up to 16 bytes"].unknown == smt.asked


def test_deep_floating_point_is_not_tried_at_first() -> None:
    shallow, deep, lucky = Smt(range(0)), Smt(range(0)), Smt(range(1, 100))
    asked_of(shallow, 4, products=3)
    asked_of(deep, 23, products=4)
    asked_of(lucky, 23, products=4)
    assert (shallow.asked, deep.asked, lucky.asked) == (3, 2, 16), "the eighth, and all after it if it decides that"


def test_one_that_decides_is_always_asked() -> None:
    smt = Smt(range(1, 1000, 4))
    asked_of(smt, 60)
    assert smt.asked == 60


def test_questions_with_more_time_always_go_to_it() -> None:
    smt = Smt(range(0))
    asked_of(smt, 40, seconds=2.0)
    assert smt.asked == 40


def test_without_floating_point_auto_leaves_it_alone() -> None:
    smt = Smt(range(0))
    asked_of(smt, 40, real=False)
    assert smt.asked == 40


def portfolio(*instances: Scripted, real: bool = False) -> Chain:
    table, question = query(real)
    chain = Chain(table, (lambda below: MultiplexLayer(instances, below),))
    for _ in range(64):
        chain.solve(question)
    return chain


def test_the_one_with_more_for_its_work_comes_first() -> None:
    dear, cheap = Scripted("dear", 2, 100_000), Scripted("cheap", 3, 1_000)
    told = portfolio(dear, cheap).statistics()
    assert told["multiplex:cheap"].first > 55
    assert told["multiplex:dear"].first + told["multiplex:cheap"].first == 64
    assert dear.asked < cheap.asked, "what the first decides, the second is not asked"


def test_one_that_brings_nothing_is_left_out_of_most_queries() -> None:
    useless, useful = Scripted("useless", 0, 10), Scripted("useful", 8, 10)
    told = portfolio(useless, useful).statistics()["multiplex:useless"]
    assert useless.asked == told.queries < 12
    assert told.left_out > 50


def test_one_that_costs_more_than_the_smt_solver_is_left_out_unless_there_is_floating_point() -> None:
    dear, cheap, dear_too = Scripted("dear", 4, 40_000), Scripted("cheap", 4, 1_000), Scripted("dear", 4, 40_000)
    told = portfolio(dear).statistics()["multiplex:dear"]
    assert dear.asked + told.left_out == 64 and dear.asked < 12
    portfolio(cheap)
    portfolio(dear_too, real=True)
    assert (cheap.asked, dear_too.asked) == (64, 64)


def test_long_attempts_are_made_where_the_smt_solver_does_not_decide() -> None:
    def patience(decided: range, seconds: float = 0.5) -> list[bool]:
        table, question = query(True, seconds)
        one = Scripted("one", 0, 1)
        layers = (lambda below: MultiplexLayer([one], below, False, 0.5), lambda below: Smt(decided))
        chain = Chain(table, layers)
        for _ in range(6):
            chain.solve(question)
        return one.patient

    assert patience(range(1, 100)) == [False] * 6
    assert patience(range(0)) == [False] * 3 + [True] * 3, "after its three trials"
    assert patience(range(1, 100), seconds=2.0) == [True] * 6, "there is more time than at first"


def test_a_partial_solution_that_won_something_counts() -> None:
    lucky = Scripted("lucky", 0, 10)
    table, question = query(real=False)
    chain = Chain(table, (lambda below: MultiplexLayer([lucky], below),))
    for number in range(40):
        chain.solve(question)
        if number == 2:
            chain.credit("lucky", 3)
    told = chain.statistics()["multiplex:lucky"]
    assert lucky.asked == 40 and (told.partial_runs, told.partial_won) == (1, 3)
