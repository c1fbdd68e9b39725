"""A miniature explorer over straight-line conditions: the chain must lead it to every path, and once."""

from __future__ import annotations

import random

import numpy as np
from benchmark import to_upper

from cinquefoil.expr.builder import TableBuilder
from cinquefoil.expr.native_evaluator import NativeEvaluator
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.solver.api import Constraint, PathConstraints, Prefix, Query
from cinquefoil.solver.chain import Chain, make_chain
from cinquefoil.testing.queries import Generator

Trace = tuple[int, ...]


def explore(table: ExpressionTable, conditions: list[int], size: int) -> tuple[set[Trace], Chain]:
    """Runs, flips every condition behind the flip that led here, solves, runs the solutions."""
    chain, found = make_chain(table), set[Trace]()
    program = NativeEvaluator(table).compile(conditions)
    waiting = [(bytes(size), 0)]
    while waiting:
        witness, first = waiting.pop()
        trace = tuple(row[0] for row in program.values([witness]))
        assert trace not in found, "a path was explored twice"
        found.add(trace)
        path = PathConstraints(len(found), 0, np.array(conditions, np.uint32), np.array(trace, np.uint64))
        for index in range(first, len(conditions)):
            goal = (Constraint(conditions[index], 1 - trace[index]),)
            answer = chain.solve(Query(Prefix(path, index), goal, witness))
            assert answer.status != "unknown"
            if answer.witness is not None:
                waiting.append((answer.witness, index + 1))
    return found, chain


def test_explored_paths_are_all_paths() -> None:
    rng = random.Random(21)
    for _ in range(6):
        builder = TableBuilder()
        make = Generator(rng, builder, (0, 1))
        conditions = [make.switch() if rng.random() < 0.3 else make.condition(3) for _ in range(7)]
        table = builder.table()
        pairs = np.indices((256, 256), dtype=np.uint8).reshape(2, -1).T
        low, _ = NativeEvaluator(table).compile(conditions).arrays(np.ascontiguousarray(pairs))
        truth = {tuple(column) for column in np.unique(low.T, axis=0).tolist()}
        assert explore(table, conditions, 2)[0] == truth


def test_to_upper_is_exhausted_without_smt() -> None:
    builder, conditions, size = to_upper(8)
    found, chain = explore(builder.table(), conditions, size)
    assert len(found) == 2**8
    assert chain.statistics()["smt"].queries == 0
