"""Every layer alone, and the chain, against plain Z3: volume, at a few milliseconds for a constraint.

`pytest -m slow -s tests/solver/test_layers_z3.py` prints how many of its 20,400 queries each layer decided."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest
from oracle import PlainZ3, assert_right

from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import Op
from cinquefoil.solver.api import Constraint, Prefix, Query
from cinquefoil.solver.cache_layer import CacheLayer
from cinquefoil.solver.chain import Chain
from cinquefoil.solver.layer import Layer
from cinquefoil.solver.models import EditLayer, RecentLayer
from cinquefoil.solver.multiplex.portfolio import MultiplexLayer, make_instances
from cinquefoil.solver.registry import LayerFactory, arranged
from cinquefoil.solver.smt_layer import SmtLayer, session_factory
from cinquefoil.solver.tables import BoundsLayer, DomainLayer, PairLayer, SearchLayer
from cinquefoil.testing.queries import random_case


def bitwuzla(_: Layer | None) -> Layer:
    return SmtLayer(session_factory("bitwuzla"), 5.0, 0)


def instance(name: str) -> LayerFactory:
    return lambda below: MultiplexLayer(make_instances([name], 0), below)


LAYERS: dict[str, tuple[LayerFactory, ...]] = {
    "slice": (),
    "domains": (DomainLayer,),
    "bounds": (BoundsLayer,),
    "edits": (EditLayer,),
    "pairs": (DomainLayer, PairLayer),
    "search": (SearchLayer,),
    "simplex": (instance("simplex"),),
    "smt": (bitwuzla,),
    "chain": (*arranged(()), bitwuzla),
}
# These know only what they were told before, so they are asked about a part of the query and about the query, twice.
REMEMBERING: dict[str, tuple[LayerFactory, ...]] = {
    "cache": (CacheLayer, DomainLayer, SearchLayer),
    "recent": (RecentLayer, DomainLayer, SearchLayer),
}
SECONDS, FLOAT_SECONDS = 2.0, 0.5  # for Z3
KINDS: dict[str, frozenset[Op]] = {
    "tables": frozenset({Op.TREAD}),
    "division": frozenset({Op.UDIV, Op.SDIV, Op.UREM, Op.SREM}),
    "shifts": frozenset({Op.SHL, Op.LSHR, Op.ASHR}),
    "overflow": frozenset({Op.ADD, Op.SUB, Op.MUL}),
    "floats": frozenset({Op.FADD, Op.FSUB, Op.FMUL, Op.FDIV}),
}


def kinds_of(table: ExpressionTable, query: Query) -> set[str]:
    """What a query is about."""
    used = set(table.nodes["op"].tolist())  # numbers, as which operations compare too
    found = {kind for kind, ops in KINDS.items() if used & ops}
    pinned = any(table.width(item.node) > 1 for item in query.constraints.constraints())
    return found | ({"pinning"} if pinned else set())


def shorter(query: Query) -> Query:
    """The same goal after about half of the path."""
    return Query(Prefix(query.constraints.path, len(query.constraints) // 2), query.goal, query.witness)


def small_case(rng: random.Random) -> tuple[ExpressionTable, Query]:
    """Small enough that Z3 takes milliseconds; floats cost it a hundred times as much as the rest, so they are few, and
    over so few bytes that enumeration can tell what Z3 leaves open."""
    floats = rng.random() < 0.02
    count = rng.choice((1, 2, 2) if floats else (1, 2, 2, 3))
    table, query = random_case(rng, count, rng.randrange(4), 2, floats, rng.random() < 0.05)
    path = query.constraints.constraints()
    if path and rng.random() < 0.1:  # against the path itself, which slicing sees
        known = rng.choice(path)
        return table, Query(query.constraints, (Constraint(known.node, known.value, False),), query.witness)
    return table, query


def ask(table: ExpressionTable, query: Query, truth: Callable[[Query], str]) -> Counter[str]:
    """Asks every layer; how often which one, by itself, decided."""
    decided = Counter[str]()
    for name, layers in LAYERS.items():
        chain = Chain(table, layers)
        answer = chain.solve(query)
        assert_right(table, query, answer, truth(query))
        assert chain.statistics()["check"].unknown == 0, f"{name} offered a solution that is none"
        decided[name] += answer.status != "unknown"
    for name, layers in REMEMBERING.items():
        chain = Chain(table, layers)
        for each in (shorter(query), query, query):
            assert_right(table, each, chain.solve(each), truth(each))
        own = chain.statistics()[name]
        decided[name] += own.sat + own.unsat > 0
    return decided


def compare(rng: random.Random, rounds: int) -> None:
    decided, kinds = Counter[str](), Counter[str]()
    for _ in range(rounds):
        table, query = small_case(rng)
        found = kinds_of(table, query)
        oracle = PlainZ3(table, FLOAT_SECONDS if "floats" in found else SECONDS)
        decided += ask(table, query, lambda asked, known=oracle: known.or_enumeration(asked))
        kinds.update((*found, oracle.or_enumeration(query)))
        kinds["floats left open by Z3" if "floats" in found else "left open by Z3"] += oracle(query) == "unknown"
    print(f"{rounds} queries; decided by each layer {dict(decided)}; about {dict(kinds)}")
    names = [*LAYERS, *REMEMBERING]
    assert min(decided[name] for name in names) > rounds // 100, f"a layer that decides nothing: {decided}"
    assert decided["smt"] == decided["chain"] == rounds
    assert kinds["unknown"] <= rounds // 200, "somebody has to know what is true"
    assert kinds["left open by Z3"] <= rounds // 200, "and most of it has to be Z3"
    assert min(kinds[kind] for kind in (*KINDS, "pinning", "sat", "unsat")) >= rounds // 300, kinds


def test_every_layer_agrees_with_z3() -> None:
    compare(random.Random(21), 300)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_every_layer_agrees_with_z3_on_twenty_thousand(part: int) -> None:
    compare(random.Random(f"layers {part}"), 5_100)  # of which Z3 itself decides all but about 100, with floats
