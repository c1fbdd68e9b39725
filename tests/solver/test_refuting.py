"""Untaken branches refuted without a query have no solution; over single bytes, all that have none are refuted."""

from __future__ import annotations

import random

import numpy as np
from oracle import by_enumeration

from cinquefoil.expr.builder import TableBuilder
from cinquefoil.expr.evaluate import Evaluator
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import EVENT, EventKind, Op
from cinquefoil.native import core
from cinquefoil.solver.api import Constraint, Prefix, Query, UntakenBranches
from cinquefoil.solver.chain import make_chain
from cinquefoil.solver.problem import NativeSlicer
from cinquefoil.testing.queries import Generator

Row = tuple[int, int, int, int, int, int, int, int, int]


class RefutingCase:
    """A path over a few bytes, as a run's events, with every turn off it."""

    def __init__(self, rng: random.Random, per_condition: int) -> None:
        builder = TableBuilder()
        self.witness = bytes(rng.choice((0, 48, 65, rng.randrange(256))) for _ in range(3))
        nodes = [self._node(rng, builder, per_condition) for _ in range(rng.randrange(1, 9))]
        groups = [self._condition(rng, builder, per_condition) for _ in range(3)]
        self.table: ExpressionTable = builder.table()
        self._values = dict(zip(nodes, Evaluator(self.table, self.witness).values(nodes), strict=True))
        held = Evaluator(self.table, self.witness).values(groups)
        self.alts = np.array([0, len(groups), *groups], np.uint32)
        self.rows = [self._event(node) for node in nodes]
        self.steps = [Constraint(node, self._values[node]) for node in nodes]
        if 1 in held:
            self.rows.insert(0, (EventKind.SWITCH, 0, held.index(1), 1, 0, 1, 0, 0, 0))
            self.steps.insert(0, Constraint(groups[held.index(1)], 1))

    def branches(self) -> list[tuple[int, int, Constraint]]:
        """Where, which way, and what that asks for."""
        found: list[tuple[int, int, Constraint]] = []
        for at, (kind, _, taken, _, node, _, value, *_) in enumerate(self.rows):
            if kind == EventKind.SWITCH:
                directions = [way for way in range(3) if way != taken]
                found += [(at, way, Constraint(int(self.alts[2 + way]), 1)) for way in directions]
            elif kind == EventKind.PIN:
                found.append((at, -1, Constraint(node, value, False)))
            else:
                found.append((at, 1 - taken, Constraint(node, 1 - taken)))
        return found

    def refuted(self) -> list[bool]:
        branches = self.branches()
        at, directions = (
            np.array([branch[0] for branch in branches], np.uint32),
            np.array([branch[1] for branch in branches], np.int32),
        )
        asked = UntakenBranches(1, np.array(self.rows, EVENT), self.alts, 1 << 31, at, directions)
        return make_chain(self.table).refuted(asked).tolist()

    def truth(self, at: int, goal: Constraint) -> str:
        return by_enumeration(self.table, Query(Prefix.of(self.steps[:at]), (goal,), self.witness))

    def _event(self, node: int) -> Row:
        value = self._values[node]
        if self.table.width(node) == 1:
            return (EventKind.BRANCH, 0, value, 1, node, 0, 0, 0, 0)
        return (EventKind.PIN, 0, 0, 1, node, 0, value, 0, 0)

    @staticmethod
    def _condition(rng: random.Random, builder: TableBuilder, per_condition: int) -> int:
        return Generator(rng, builder, tuple(rng.sample(range(2), per_condition))).condition(2)

    def _node(self, rng: random.Random, builder: TableBuilder, per_condition: int) -> int:
        if rng.random() < 0.7:
            return self._condition(rng, builder, per_condition)
        return Generator(rng, builder, tuple(rng.sample(range(2), per_condition))).word(8, 2)


def test_over_single_bytes_exactly_what_has_no_solution_is_refuted() -> None:
    rng = random.Random(1)
    seen: list[bool] = []
    for _ in range(100):
        case = RefutingCase(rng, 1)
        for (at, _, goal), refuted in zip(case.branches(), case.refuted(), strict=True):
            assert refuted == (case.truth(at, goal) == "unsat") or not case.table.deps(goal.node)
            seen.append(refuted)
    assert 50 < sum(seen) < len(seen) - 50


def test_over_two_bytes_nothing_that_has_a_solution_is_refuted() -> None:
    rng = random.Random(2)
    seen: list[bool] = []
    for _ in range(100):
        case = RefutingCase(rng, 2)
        for (at, _, goal), refuted in zip(case.branches(), case.refuted(), strict=True):
            assert not refuted or case.truth(at, goal) == "unsat"
            seen.append(refuted)
    assert any(seen)


def test_an_expression_that_the_path_has_fixed_keeps_its_value() -> None:
    builder = TableBuilder()
    generator = Generator(random.Random(3), builder, (0, 1))
    nodes = [generator.condition(3) for _ in range(20)]
    table = builder.table()
    node = next(node for node in nodes if len(table.deps(node)) == 2)
    value = Evaluator(table, b"ab").values([node])[0]
    events = np.array([(EventKind.BRANCH, 0, value, 1, node, 0, 0, 0, 0)] * 2, EVENT)
    at, directions = np.array([0, 1], np.uint32), np.array([1 - value] * 2, np.int32)
    branches = UntakenBranches(1, events, np.zeros(1, np.uint32), 1 << 31, at, directions)
    assert make_chain(table).refuted(branches).tolist() == [False, True]


def many_bytes(count: int) -> tuple[ExpressionTable, list[int]]:
    """Conditions over as many bytes: each has a set of input bytes of its own, so the array of sets grows."""
    builder = TableBuilder()
    nodes = [builder.binary(Op.ULT, builder.input(index), builder.const(8, 9)) for index in range(count)]
    return builder.table(), nodes


def test_refuting_finds_thousands_of_sets_of_bytes_on_its_way() -> None:
    table, nodes = many_bytes(3000)
    events = np.array([(EventKind.BRANCH, 0, 1, 1, node, 0, 0, 0, 0) for node in (*nodes, *nodes)], EVENT)
    at = np.arange(len(events), dtype=np.uint32)
    branches = UntakenBranches(1, events, np.zeros(1, np.uint32), 1 << 31, at, np.zeros(len(events), np.int32))
    assert make_chain(table).refuted(branches).tolist() == [False] * 3000 + [True] * 3000


def test_a_path_to_sweep_finds_hundreds_of_sets_of_bytes_on_its_way() -> None:
    table, nodes = many_bytes(500)
    slicer = NativeSlicer(table)
    path, values = np.array(nodes, np.uint32), np.ones(len(nodes), np.uint64)
    assert core.cinq_sweep_load(slicer.state, path, values, len(path), len(path), len(path)) == 500
