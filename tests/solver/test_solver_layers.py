"""Every layer alone, and the chain, against enumeration and against plain Z3."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from oracle import assert_right, by_enumeration, by_z3

from cinquefoil.expr.builder import TableBuilder
from cinquefoil.layout import Op
from cinquefoil.solver.api import Constraint, Prefix, Query
from cinquefoil.solver.cache_layer import CacheLayer
from cinquefoil.solver.chain import Chain, make_chain
from cinquefoil.solver.layer import Layer
from cinquefoil.solver.models import EditLayer
from cinquefoil.solver.registry import LayerFactory, arranged
from cinquefoil.solver.smt_layer import SmtLayer, session_factory
from cinquefoil.solver.tables import BoundsLayer, DomainLayer, PairLayer, SearchLayer
from cinquefoil.testing.queries import random_case


def bitwuzla(_: Layer | None) -> Layer:
    return SmtLayer(session_factory("bitwuzla"), 5.0, 0)


def z3(_: Layer | None) -> Layer:
    return SmtLayer(session_factory("z3"), 5.0, 0)


ALONE: dict[str, tuple[LayerFactory, ...]] = {
    "domains": (DomainLayer,),
    "bounds": (BoundsLayer,),
    "bounds after domains": (DomainLayer, BoundsLayer),
    "edits": (EditLayer,),
    "edits after domains": (DomainLayer, EditLayer),
    "pairs after domains": (DomainLayer, PairLayer),
    "search": (SearchLayer,),
    "search after domains": (DomainLayer, SearchLayer),
    "all but smt": arranged(()),
}


def test_native_layers_agree_with_enumeration() -> None:
    compare_with_enumeration(random.Random(1), 120)


@pytest.mark.slow
def test_native_layers_agree_with_enumeration_at_length() -> None:
    compare_with_enumeration(random.Random(2), 20_000)


def compare_with_enumeration(rng: random.Random, rounds: int) -> None:
    decided = Counter[str]()
    for _ in range(rounds):
        floats, wide = rng.random() < 0.2, rng.random() < 0.15
        table, query = random_case(rng, rng.choice((1, 2, 2)), rng.randrange(5), floats=floats, wide=wide)
        truth = by_enumeration(table, query)
        for name, layers in ALONE.items():
            chain = Chain(table, layers)
            answer = chain.solve(query)
            assert_right(table, query, answer, truth)
            assert chain.statistics()["check"].unknown == 0, "a layer offered a solution that is none"
            decided[name] += answer.status != "unknown"
    assert min(decided[name] for name in ALONE) > rounds // 50, "a layer that decides nothing tests nothing"


@pytest.mark.parametrize("name", ["edits", "edits after domains", "all but smt"])
def test_a_condition_too_wide_to_be_evaluated_is_left_open(name: str) -> None:
    """Ten thousand sums of 128 bits need more lanes than there are."""
    builder = TableBuilder()
    byte = builder.node(Op.INPUT, 8, imm=0)
    wide = total = builder.node(Op.ZEXT, 128, byte)
    for _ in range(10_000):
        total = builder.node(Op.ADD, 128, total, wide)
    low = builder.node(Op.EXTRACT, 8, total)
    goal = builder.node(Op.EQ, 1, low, builder.node(Op.CONST, 8, imm=17))
    table = builder.table()
    answer = Chain(table, ALONE[name]).solve(Query(Prefix.of(()), (Constraint(goal, 1),), b"\0"))
    assert answer.status in ("unknown", "sat")


def test_two_bytes_are_always_decided() -> None:
    rng = random.Random(11)
    for _ in range(200):
        table, query = random_case(rng, 2, rng.randrange(6), wide=rng.random() < 0.2)
        answer = Chain(table, (DomainLayer, SearchLayer)).solve(query)
        assert answer.status == by_enumeration(table, query)


@pytest.mark.parametrize("backend", [bitwuzla, z3])
def test_smt_layers_agree_with_enumeration(backend: LayerFactory) -> None:
    rng = random.Random(12)
    for _ in range(30):
        table, query = random_case(rng, 2, rng.randrange(4), depth=2, floats=rng.random() < 0.3)
        answer = Chain(table, (backend,)).solve(query)
        assert_right(table, query, answer, by_enumeration(table, query))


def compare_with_z3(rng: random.Random, rounds: int, floats: float) -> Counter[str]:
    """A solution that was checked needs no Z3 to say that there is one."""
    deciders, statuses = Counter[str](), Counter[str]()
    for _ in range(rounds):
        count, length = rng.choice((2, 3, 4, 6)), rng.randrange(6)
        table, query = random_case(rng, count, length, 2, rng.random() < floats, rng.random() < 0.1)
        chain = make_chain(table, time_limit=5.0)
        answer = chain.solve(query)
        truth = by_z3(table, query) if answer.status == "unsat" else "sat"
        assert_right(table, query, answer, truth)
        statuses.update((answer.status, f"{truth} to Z3"))
        deciders.update(name for name, row in chain.statistics().items() if row.sat or row.unsat)
    print(f"{rounds} queries: {dict(statuses)}; who decided {dict(deciders)}")
    assert statuses["unknown"] <= rounds // 200
    assert statuses["unknown to Z3"] <= rounds // 50
    assert min(statuses["sat"], statuses["unsat"]) > rounds // 5
    return deciders


def test_the_chain_agrees_with_z3() -> None:
    deciders = compare_with_z3(random.Random(13), 80, floats=0.1)
    assert {"domains", "bounds", "edits", "search"} <= set(deciders)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(2))
def test_the_chain_agrees_with_z3_at_length(part: int) -> None:
    deciders = compare_with_z3(random.Random(f"chain {part}"), 5_000, floats=0.03)
    assert {"domains", "bounds", "edits", "search", "smt"} <= set(deciders)


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False), st.integers(1, 4), st.integers(0, 4))
def test_any_query_is_answered_as_z3_answers_it(rng: random.Random, count: int, length: int) -> None:
    table, query = random_case(rng, count, length, depth=2)
    answer = make_chain(table, time_limit=5.0).solve(query)
    assert answer.status != "unknown"
    assert_right(table, query, answer, by_z3(table, query))


def test_a_cached_answer_is_the_same_answer() -> None:
    rng = random.Random(15)
    for _ in range(200):
        table, query = random_case(rng, 2, rng.randrange(5))
        chain = Chain(table, (CacheLayer, DomainLayer, SearchLayer))
        first, second = chain.solve(query), chain.solve(query)
        assert (first.status, first.witness) == (second.status, second.witness)
        hits = chain.statistics()["cache"]
        assert hits.sat + hits.unsat == 1 or chain.statistics()["slice"].unsat == 2
