"""Values of shared expressions are computed once, and no cheap layer works longer than it may."""

from __future__ import annotations

import random

import pytest

from cinquefoil.expr.builder import TableBuilder
from cinquefoil.expr.native_evaluator import NativeEvaluator
from cinquefoil.layout import Op
from cinquefoil.solver.api import Constraint, Prefix, Query
from cinquefoil.solver.chain import Chain, LayerFactory
from cinquefoil.solver.models import EditLayer
from cinquefoil.solver.tables import DomainLayer
from cinquefoil.testing.queries import Generator

STEPS = 400
SLOTS = 12288  # as in columns.c
COLUMN = 256 + 32  # lane operations of one step for all values of a byte, at most


class Growing:
    """Sums and products of one byte, each made of the one before, with a condition on each."""

    def __init__(self, steps: int) -> None:
        self.builder = builder = TableBuilder()
        total = builder.node(Op.ZEXT, 32, builder.inputs(0, 1))
        self.conditions: list[int] = []
        for step in range(steps):
            total = builder.binary(Op.MUL, total, builder.const(32, 10))
            total = builder.binary(Op.ADD, total, builder.const(32, step))
            self.conditions.append(builder.binary(Op.ULT, total, builder.const(32, 1 << 31)))
        self.total = total


def work(chain: Chain, query: Query) -> int:
    before = chain.work()
    chain.solve(query)
    return chain.work() - before


def test_conditions_over_a_growing_expression_cost_what_is_new_in_them() -> None:
    growing = Growing(STEPS)
    chain = Chain(growing.builder.table(), (DomainLayer,))
    queries = [Query(Prefix.of(()), (Constraint(node, 0),), b"a") for node in growing.conditions]
    assert sum(work(chain, query) for query in queries) < 2 * 3 * STEPS * COLUMN


def test_values_are_dropped_when_there_is_no_room_and_stay_right() -> None:
    rng = random.Random(3)
    builder = TableBuilder()
    nodes = [Generator(rng, builder, (rng.randrange(2),)).condition(5) for _ in range(6000)]
    table = builder.table()
    assert len(table.nodes) > 2 * SLOTS
    chain, truth = Chain(table, (DomainLayer,)), NativeEvaluator(table)
    for number, (first, second) in enumerate(zip(nodes[::2], nodes[1::2], strict=True)):
        goal = (Constraint(first, 1), Constraint(second, rng.randrange(2)))
        answer = chain.solve(Query(Prefix.of(()), goal, b"ab"))
        if number % 20:
            continue  # 65,536 evaluations take their time
        assert answer.status == ("sat" if truth.pair_domain(goal, 0, 1, b"ab").any() else "unsat")


def test_domains_give_up_and_go_on_the_next_time() -> None:
    """Six thousand sums are more than one query may cost; what was computed for the first one helps the next."""
    growing = Growing(3000)
    chain = Chain(growing.builder.table(), (DomainLayer,))
    query = Query(Prefix.of(()), (Constraint(growing.conditions[-1], 0),), b"a")
    assert chain.solve(query).status == "unknown"
    assert work(chain, query) < 1_600_000
    assert chain.solve(query).status != "unknown"


@pytest.mark.parametrize("layers", [(EditLayer,), (DomainLayer, EditLayer)])
def test_edits_give_up_where_there_are_two_ways_at_each_of_many_steps(layers: tuple[LayerFactory, ...]) -> None:
    builder = TableBuilder()
    bits = builder.node(Op.CTPOP, 16, builder.inputs(0, 2))
    total = bits
    for _ in range(60):
        total = builder.binary(Op.ADD, total, builder.binary(Op.XOR, total, bits))
    goal = builder.binary(Op.EQ, total, builder.const(16, 0x1234))
    chain = Chain(builder.table(), layers)
    assert work(chain, Query(Prefix.of(()), (Constraint(goal, 1),), b"ab")) < 4_000_000
