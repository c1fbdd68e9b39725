"""The native slice against a plain closure over exact dependencies."""

from __future__ import annotations

import random

import numpy as np

from cinquefoil.expr.builder import TableBuilder
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import Op
from cinquefoil.solver.api import Constraint, PathConstraints, Prefix, Query
from cinquefoil.solver.problem import NativeSlicer, Problem
from cinquefoil.testing.queries import Generator, random_case


def reference(table: ExpressionTable, query: Query) -> tuple[set[tuple[int, int, bool]], set[int]]:
    """Constraints connected with the goal, and their input bytes."""
    reached = set[int]().union(*(table.deps(item.node) for item in query.goal))
    rest = query.constraints.constraints()
    taken = list(query.goal)
    while True:
        touched = [item for item in rest if reached & set(table.deps(item.node))]
        if not touched:
            break
        rest = [item for item in rest if item not in touched]
        taken += touched
        reached = reached.union(*(table.deps(item.node) for item in touched))
    return {canonical(table, item) for item in taken}, reached


def canonical(table: ExpressionTable, item: Constraint) -> tuple[int, int, bool]:
    if table.width(item.node) == 1 and not item.equal:
        return item.node, item.value ^ 1, True
    return item.node, item.value, item.equal


def load(table: ExpressionTable, query: Query) -> Problem | None:
    slicer = NativeSlicer(table)
    count = slicer.load(query)
    return Problem(slicer, count, query) if count >= 0 else None


def test_slices_equal_the_closure_over_shared_bytes() -> None:
    rng = random.Random(3)
    sizes = set[int]()
    for _ in range(600):
        table, query = random_case(rng, rng.randrange(2, 12), rng.randrange(12), depth=rng.randrange(1, 4))
        problem = load(table, query)
        wanted, reached = reference(table, query)
        if problem is None:
            goal = canonical(table, query.goal[0])
            others = [item for item in wanted - {goal} if item[0] == goal[0]]
            assert any((value == goal[1]) != goal[2] for _, value, _ in others)
            continue
        found = {(item.node, item.value, item.equal) for item in problem.constraints}
        equalities = {node for node, _, equal in found if equal}
        assert {item for item in wanted if item[2] or item[0] not in equalities} == found
        assert set(problem.inputs) == reached
        sizes.add(len(found))
    assert len(sizes) > 5, "the generator should make slices of many sizes"


def test_only_the_first_length_entries_count_and_node_zero_says_nothing() -> None:
    builder = TableBuilder()
    conditions = [builder.binary(Op.ULT, builder.input(0), builder.const(8, k)) for k in (200, 100, 50)]
    nodes = np.array([conditions[0], 0, conditions[1], conditions[2]], np.uint32)
    path = PathConstraints(1, 0, nodes, np.array([1, 0, 1, 1], np.uint64))
    problem = load(builder.table(), Query(Prefix(path, 3), (Constraint(conditions[2], 0),), b"\0"))
    assert problem is not None
    assert [(item.node, item.value) for item in problem.constraints] == [
        (conditions[0], 1),
        (conditions[1], 1),
        (conditions[2], 0),
    ]


def test_a_goal_of_several_constraints_is_one_slice() -> None:
    builder = TableBuilder()
    goal = tuple(Constraint(builder.binary(Op.EQ, builder.input(i), builder.const(8, 7)), 1) for i in (3, 900))
    problem = load(builder.table(), Query(Prefix.of([]), goal, b""))
    assert problem is not None
    assert problem.inputs == (3, 900)


def test_the_key_does_not_depend_on_order_or_repetition() -> None:
    builder = TableBuilder()
    make = Generator(random.Random(5), builder, (0, 1, 2))
    pairs = [Constraint(make.condition(3), 1) for _ in range(6)]
    goal = (Constraint(builder.binary(Op.EQ, builder.inputs(0, 3), builder.const(24, 5)), 1),)
    table = builder.table()
    keys = set[bytes]()
    for order in (pairs, pairs[::-1], pairs + pairs):
        problem = load(table, Query(Prefix.of(order), goal, b""))
        assert problem is not None
        keys.add(problem.key)
    assert len(keys) == 1


def test_a_set_of_very_many_ranges_is_widened_not_lost() -> None:
    builder = TableBuilder()
    total = builder.input(0)
    for index in range(2, 3000, 2):
        total = builder.binary(Op.XOR, total, builder.input(index))
    goal = Constraint(builder.binary(Op.EQ, total, builder.const(8, 1)), 1)
    other = Constraint(builder.binary(Op.ULT, builder.input(1500), builder.const(8, 9)), 1)
    problem = load(builder.table(), Query(Prefix.of([other]), (goal,), b""))
    assert problem is not None
    assert {*range(0, 3000, 2)} <= set(problem.inputs)
    assert problem.count == 2
