"""The simplex instance: exact against Z3, sound as an abstraction, and its assignments as in the paper."""

from __future__ import annotations

import random
import struct
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from instances import LinearCases, chain_of, figure_two, flip_last
from oracle import assert_right, by_enumeration, by_z3
from scipy.optimize import linprog

from cinquefoil.expr.builder import TableBuilder
from cinquefoil.layout import Op
from cinquefoil.solver.api import Constraint, Prefix, Query
from cinquefoil.solver.multiplex.linear import SimplexInstance
from cinquefoil.solver.multiplex.simplex import NO_REASON, Simplex
from cinquefoil.testing.queries import random_case


def test_figure_two_passes_the_papers_points() -> None:
    table, conditions = figure_two(real=False)
    answer = chain_of(table, SimplexInstance()).solve(flip_last(table, conditions, struct.pack("<ii", 1, 3)))
    assert answer.status == "sat" and answer.witness is not None
    assert struct.unpack("<ii", answer.witness) == (1, 1)
    # The query's own path is left at the first condition, then at the second one.
    assert [struct.unpack("<ii", each) for each in answer.partial] == [(0, 0), (2, 0)]


def compare_with_z3(rng: random.Random, rounds: int, every: int = 1) -> Counter[tuple[str, str]]:
    """Z3 is asked about all that is not solved, and about every so many that are: a solution that holds by evaluation
    proves itself, so the others only cost time."""
    seen = Counter[tuple[str, str]]()
    for number in range(rounds):
        table, query = LinearCases(rng).case()
        answer = chain_of(table, SimplexInstance()).solve(query)
        truth = by_z3(table, query) if answer.status != "sat" or number % every == 0 else "sat"
        assert_right(table, query, answer, truth)
        seen[truth, answer.status] += 1
    return seen


def test_linear_systems_agree_with_z3() -> None:
    seen = compare_with_z3(random.Random(1), 100)
    assert seen["sat", "sat"] > 60 and seen["unsat", "unsat"] > 5
    assert sum(count for (_, status), count in seen.items() if status == "unknown") < 5


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_linear_systems_agree_with_z3_at_length(seed: int) -> None:
    """Twenty thousand systems in all, in parts that can be run on their own."""
    seen = compare_with_z3(random.Random(f"systems {seed}"), 2_000, every=10)
    assert sum(count for (_, status), count in seen.items() if status == "unknown") < 20


def compare_with_enumeration(rng: random.Random, rounds: int) -> Counter[tuple[str, str]]:
    seen = Counter[tuple[str, str]]()
    for _ in range(rounds):
        table, query = random_case(rng, rng.choice((1, 2, 2)), rng.randrange(5), wide=rng.random() < 0.1)
        answer = chain_of(table, SimplexInstance(4000)).solve(query)
        truth = by_enumeration(table, query)
        assert_right(table, query, answer, truth)
        seen[truth, answer.status] += 1
    return seen


def test_any_expressions_are_abstracted_soundly() -> None:
    seen = compare_with_enumeration(random.Random(3), 200)
    assert seen["unsat", "unsat"] > 15 and seen["sat", "sat"] > 15


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_any_expressions_are_abstracted_soundly_at_length(seed: int) -> None:
    compare_with_enumeration(random.Random(f"expressions {seed}"), 2_000)


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(-20, 0), st.integers(0, 20)), min_size=1, max_size=4),
    st.lists(st.tuples(st.lists(st.integers(-5, 5), min_size=4, max_size=4), st.integers(-30, 30)), max_size=5),
)
def test_rows_hold_and_conflicts_are_real(ranges: list[tuple[int, int]], rows: list[tuple[list[int], int]]) -> None:
    simplex = Simplex(ranges, 100_000)
    slack = [simplex.add_row([(c, f) for c, f in enumerate(row[: len(ranges)]) if f]) for row, _ in rows]
    conflict = None
    for number, (variable, (_, least)) in enumerate(zip(slack, rows, strict=True)):
        conflict = simplex.at_least(variable, least, frozenset({number}))
        if conflict is not None:
            break
    conflict = simplex.check() if conflict is None else conflict
    assert simplex.consistent()
    if conflict is None:
        assert all(low <= value <= high for value, (low, high) in zip(simplex.value, ranges, strict=False))
        assert all(simplex.value[v] >= least for v, (_, least) in zip(slack, rows, strict=True))
    else:
        named = [rows[number] for number in sorted(conflict)]
        matrix = [[-factor for factor in row[: len(ranges)]] for row, _ in named]
        found = linprog([0] * len(ranges), matrix, [-least for _, least in named], bounds=ranges)
        assert found.status == 2, "the rows of the explanation can all hold"


def test_bounds_are_undone() -> None:
    simplex = Simplex([(0, 10), (0, 10)], 1000)
    total = simplex.add_row([(0, 1), (1, 1)])
    mark = simplex.mark()
    assert simplex.at_least(total, 25, NO_REASON) is None
    assert simplex.check() is not None
    simplex.undo(mark)
    assert simplex.at_least(total, 15, NO_REASON) is None
    assert simplex.check() is None and 15 <= simplex.value[total] <= 20


def test_the_core_of_a_contradiction_leaves_out_what_does_not_matter() -> None:
    b = TableBuilder()
    x, y = b.inputs(0, 4), b.inputs(4, 4)
    total = b.binary(Op.ADD, b.node(Op.ZEXT, 64, x), b.node(Op.ZEXT, 64, y))
    other = b.binary(Op.ULT, x, b.const(32, 1000))
    low, high = b.binary(Op.ULT, total, b.const(64, 5)), b.binary(Op.ULT, b.const(64, 7), total)
    table = b.table()
    chain = chain_of(table, SimplexInstance())
    query = Query(Prefix.of([Constraint(low, 1), Constraint(other, 1)]), (Constraint(high, 1),), bytes(8))
    assert chain.solve(query).status == "unsat"


def test_wrap_around_is_exact() -> None:
    """x + 1 < x has exactly one solution among 2^32."""
    b = TableBuilder()
    x = b.inputs(0, 4)
    node = b.binary(Op.ULT, b.binary(Op.ADD, x, b.const(32, 1)), x)
    table = b.table()
    answer = chain_of(table, SimplexInstance()).solve(Query(Prefix.of([]), (Constraint(node, 1),), bytes(4)))
    assert answer.witness == b"\xff\xff\xff\xff"


def test_words_and_their_bytes_are_tied() -> None:
    b = TableBuilder()
    word, byte = b.inputs(0, 4), b.input(1)
    conditions = [b.binary(Op.EQ, word, b.const(32, 0x11223344)), b.binary(Op.EQ, byte, b.const(8, 0x34))]
    table = b.table()
    query = Query(Prefix.of([Constraint(conditions[1], 1)]), (Constraint(conditions[0], 1),), b"\0\x34\0\0")
    assert chain_of(table, SimplexInstance()).solve(query).status == "unsat"
