"""The arrays instance against the SMT solver with whole tables, and against its array theory."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from instances import chain_of
from oracle import assert_right, by_enumeration

from cinquefoil.expr import smt
from cinquefoil.expr.builder import TableBuilder
from cinquefoil.expr.evaluate import Evaluator
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import Op
from cinquefoil.solver.api import Constraint, Prefix, Query
from cinquefoil.solver.chain import Chain
from cinquefoil.solver.multiplex.arrays import ArraysInstance
from cinquefoil.solver.smt_layer import SmtLayer, session_factory
from cinquefoil.testing.queries import Generator, random_case


def written(make: Generator, builder: TableBuilder, read: int) -> int:
    """A read after a conditional write: another value if the indices are the same."""
    index = builder.binary(Op.EQ, make.word(8, 1), make.word(8, 1))
    return builder.node(Op.ITE, 8, index, make.word(8, 1), read)


def lookup_case(rng: random.Random) -> tuple[ExpressionTable, Query]:
    """Reads of tables at indices of several bytes, some entries symbolic, some after a conditional write."""
    builder = TableBuilder()
    make = Generator(rng, builder, (0, 1, 2))
    nodes = list[int]()
    for _ in range(rng.randrange(2, 4)):
        left, right = make.lookup(8, 2), make.lookup(8, 1) if rng.random() < 0.4 else make.constant(8)
        left = written(make, builder, left) if rng.random() < 0.4 else left
        nodes.append(builder.binary(rng.choice((Op.EQ, Op.ULT, Op.SLT)), left, right))
    table, witness = builder.table(), rng.randbytes(3)
    values = Evaluator(table, witness).values(nodes)
    prefix = Prefix.of(Constraint(n, v) for n, v in zip(nodes[:-1], values[:-1], strict=True))
    return table, Query(prefix, (Constraint(nodes[-1], 1 - values[-1]),), witness)


def test_it_agrees_with_enumeration() -> None:
    rng, seen = random.Random(1), Counter[tuple[str, str]]()
    for _ in range(120):
        table, query = random_case(rng, 2, rng.randrange(4))
        chain = chain_of(table, ArraysInstance())
        answer, truth = chain.solve(query), by_enumeration(table, query)
        assert_right(table, query, answer, truth)
        assert chain.statistics()["check"].unknown == 0
        seen[truth, answer.status] += 1
    assert seen["sat", "sat"] > 20 and seen["unsat", "unsat"] > 15


def compare_with_array_theory(rng: random.Random, rounds: int) -> int:
    rounds_of_refinement = 0
    for _ in range(rounds):
        table, query = lookup_case(rng)
        instance = ArraysInstance()
        answer = chain_of(table, instance).solve(query)
        plain = Chain(table, (lambda _: SmtLayer(session_factory("bitwuzla"), 10.0, 0),))
        assert_right(table, query, answer, plain.solve(query).status)
        rounds_of_refinement += instance.calls
    return rounds_of_refinement


def test_it_agrees_with_the_solvers_own_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smt, "ARRAY_RUNS", 0)  # every table goes to the array theory
    assert compare_with_array_theory(random.Random(2), 40) > 60


@pytest.mark.slow
def test_it_agrees_with_the_solvers_own_arrays_at_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smt, "ARRAY_RUNS", 0)
    compare_with_array_theory(random.Random(3), 2_000)


def test_refuted_models_are_partial_solutions() -> None:
    """The abstraction first takes any element for the table's; the last element is the only 7."""
    b = TableBuilder()
    where = b.binary(Op.AND, b.inputs(0, 2), b.const(16, 255))
    read = b.read(b.add_table(8, [9] * 255 + [7]), where)
    goal = b.binary(Op.EQ, read, b.const(8, 7))
    table = b.table()
    answer = chain_of(table, ArraysInstance(rounds=600)).solve(Query(Prefix.of([]), (Constraint(goal, 1),), b"\0\0"))
    assert answer.status == "sat" and answer.witness is not None and answer.witness[0] == 255
    assert len(answer.partial) > 1
    assert all(each[0] != 255 for each in answer.partial)


def test_a_bound_on_rounds_is_kept() -> None:
    rng = random.Random(4)
    for _ in range(20):
        table, query = lookup_case(rng)
        instance = ArraysInstance(rounds=1)
        chain_of(table, instance).solve(query)
        assert instance.calls <= 1
