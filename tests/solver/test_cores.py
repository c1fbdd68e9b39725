"""Cores: what they are made of has no solution by itself, and who meets them again is refuted without being asked."""

from __future__ import annotations

import random

import numpy as np
from oracle import by_enumeration

from cinquefoil.expr.builder import TableBuilder
from cinquefoil.expr.evaluate import Evaluator
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import EVENT, EventKind, Op
from cinquefoil.solver.api import Constraint, Prefix, Query, UntakenBranches
from cinquefoil.solver.cache_layer import CacheLayer
from cinquefoil.solver.chain import Chain, LayerFactory, make_chain
from cinquefoil.solver.layer import Layer
from cinquefoil.solver.smt_layer import SmtLayer, session_factory
from cinquefoil.solver.tables import BoundsLayer, DomainLayer, SearchLayer
from cinquefoil.testing.queries import Generator


def smt(_: Layer | None) -> Layer:
    return SmtLayer(session_factory("bitwuzla"), 5.0, 0)


CHAINS: dict[str, tuple[LayerFactory, ...]] = {
    "domains": (CacheLayer, DomainLayer),
    "search": (CacheLayer, DomainLayer, BoundsLayer, SearchLayer),
    "smt": (CacheLayer, smt),
}


class ConstrainedPath:
    """Conditions over two bytes, as a witness decides them."""

    def __init__(self, rng: random.Random) -> None:
        builder = TableBuilder()
        self.nodes = list(
            dict.fromkeys(Generator(rng, builder, (0, 1)).condition(2) for _ in range(rng.randrange(4, 12)))
        )
        self.table: ExpressionTable = builder.table()
        self.rng = rng

    def query(self) -> Query:
        """One of the conditions turned, behind some of the others."""
        rng, witness = self.rng, self.rng.randbytes(2)
        nodes = rng.sample(self.nodes, rng.randrange(1, len(self.nodes) + 1))
        values = Evaluator(self.table, witness).values(nodes)
        steps = [Constraint(node, value) for node, value in zip(nodes, values, strict=True)]
        return Query(Prefix.of(steps[:-1]), (Constraint(nodes[-1], 1 - values[-1]),), witness)

    def branches(self, query: Query) -> UntakenBranches:
        """The same, as the last untaken branch of a run."""
        steps = [*query.constraints.constraints(), Constraint(query.goal[0].node, 1 - query.goal[0].value)]
        rows = [(EventKind.BRANCH, 0, step.value, 1, step.node, 0, 0, 0, 0) for step in steps]
        at, directions = np.array([len(rows) - 1], np.uint32), np.array([query.goal[0].value], np.int32)
        return UntakenBranches(0, np.array(rows, EVENT), np.zeros(1, np.uint32), 1 << 31, at, directions)


def test_what_cores_refute_has_no_solution() -> None:
    """Every kind of layer leaves cores; all later refutations, of queries and of runs, are held against enumeration."""
    rng, by_core, without_query = random.Random(5), 0, 0
    for _ in range(8):
        path = ConstrainedPath(rng)
        for layers in CHAINS.values():
            chain = Chain(path.table, layers)
            for _ in range(8):
                query = path.query()
                truth = by_enumeration(path.table, query)
                if chain.refuted(path.branches(query))[0]:
                    assert truth == "unsat"
                    without_query += 1
                before = chain.statistics()["cache"].unsat
                answer = chain.solve(query)
                assert answer.status in (truth, "unknown")
                by_core += chain.statistics()["cache"].unsat - before
    assert by_core > 3
    assert without_query > 3


def ordered(count: int, bound: int = 50) -> tuple[ExpressionTable, list[int], list[int]]:
    """a < b, b < bound and 60 <= a, and many conditions that contradict nothing."""
    builder = TableBuilder()
    a, b = builder.inputs(0, 1), builder.inputs(1, 1)
    circle = [
        builder.binary(Op.ULT, a, b),
        builder.binary(Op.ULT, b, builder.const(8, bound)),
        builder.binary(Op.ULE, builder.const(8, 60), a),
    ]
    total = builder.binary(Op.ADD, a, b)
    beside = [builder.binary(Op.EQ, total, builder.const(8, 140 + number)) for number in range(count)]
    return builder.table(), circle, beside


def test_a_core_refutes_among_other_constraints() -> None:
    table, circle, beside = ordered(40)
    witness = bytes((1, 2))
    for layers in (CHAINS["search"], CHAINS["smt"]):
        chain = Chain(table, layers)
        path = [Constraint(circle[0], 1), Constraint(circle[1], 1)]
        first = [*path, *(Constraint(node, 0) for node in beside[:20])]
        assert chain.solve(Query(Prefix.of(first), (Constraint(circle[2], 1),), witness)).status == "unsat"
        assert chain.statistics()["cache"].unsat == 0
        other = [*(Constraint(node, 0) for node in beside[20:]), *path]
        assert chain.solve(Query(Prefix.of(other), (Constraint(circle[2], 1),), witness)).status == "unsat"
        assert chain.statistics()["cache"].unsat == 1, "the core is not what contradicts"
        kept = [other[0], path[0]]
        assert chain.solve(Query(Prefix.of(kept), (Constraint(circle[2], 1),), witness)).status == "sat"


def test_an_epochs_cores_end_with_it() -> None:
    table, circle, _ = ordered(0)
    chain = make_chain(table)
    path = Prefix.of([Constraint(circle[0], 1), Constraint(circle[1], 1)])
    assert chain.solve(Query(path, (Constraint(circle[2], 1),), bytes((1, 2)))).status == "unsat"
    other, same_ids, _ = ordered(0, 250)
    assert same_ids == circle
    chain.reset(other)
    assert chain.solve(Query(path, (Constraint(circle[2], 1),), bytes((1, 2)))).status == "sat"
