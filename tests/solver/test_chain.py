"""The chain as a whole: determinism, epochs, limits, refusals, statistics, and what it must find quickly."""

from __future__ import annotations

import random
import time

import pytest
from benchmark import checksum, lexer, queries, strcmp, strtol, to_upper
from oracle import check_solution

from cinquefoil.errors import UserError
from cinquefoil.expr.builder import TableBuilder
from cinquefoil.layout import Op
from cinquefoil.solver.api import Constraint, Prefix, Query
from cinquefoil.solver.bitwuzla_session import CALLS_PER_SECOND
from cinquefoil.solver.chain import Chain, make_chain
from cinquefoil.solver.layer import Layer
from cinquefoil.solver.problem import Problem, Verdict
from cinquefoil.solver.smt_layer import SmtLayer, session_factory
from cinquefoil.testing.queries import random_case


@pytest.mark.parametrize("make", [to_upper, strtol, strcmp, lexer, checksum])
def test_typical_programs_rarely_reach_smt(make: type) -> None:
    subject = make()
    chain = make_chain(subject[0].table())
    asked = list(queries(subject, 5))
    for query in asked:
        answer = chain.solve(query)
        assert answer.status != "unknown"
        if answer.status == "sat":
            check_solution(chain.table, query, answer)
    assert chain.statistics()["smt"].queries <= len(asked) // 20


def test_the_same_seed_gives_the_same_answers() -> None:
    cases = [random_case(random.Random(seed), 4, 4) for seed in range(40)]
    runs = [[make_chain(table, seed=3).solve(query) for table, query in cases] for _ in range(2)]
    assert runs[0] == runs[1]


def test_bytes_outside_the_slice_keep_their_values() -> None:
    builder = TableBuilder()
    first = Constraint(builder.binary(Op.ULT, builder.input(0), builder.const(8, 9)), 1)
    goal = Constraint(builder.binary(Op.EQ, builder.inputs(4, 2), builder.const(16, 0x4142)), 1)
    answer = make_chain(builder.table()).solve(Query(Prefix.of([first]), (goal,), b"\3abc\0\0xyz"))
    assert answer.witness == b"\3abcBAxyz"


def test_a_solution_beyond_the_witness_extends_it_with_zeros() -> None:
    builder = TableBuilder()
    goal = Constraint(builder.binary(Op.EQ, builder.input(5), builder.const(8, 7)), 1)
    answer = make_chain(builder.table()).solve(Query(Prefix.of([]), (goal,), b"ab"))
    assert answer.witness == b"ab\0\0\0\7"


def test_a_goal_without_inputs_is_decided() -> None:
    builder = TableBuilder()
    truth = builder.binary(Op.ULT, builder.const(8, 1), builder.const(8, 2))
    chain = make_chain(builder.table())
    assert chain.solve(Query(Prefix.of([]), (Constraint(truth, 0),), b"x")).status == "unsat"
    assert chain.solve(Query(Prefix.of([]), (Constraint(truth, 1),), b"x")).status == "sat"


def test_a_new_epoch_forgets_what_ids_meant() -> None:
    tables = []
    for wanted in (3, 4):
        builder = TableBuilder()
        node = builder.binary(Op.EQ, builder.input(0), builder.const(8, wanted))
        tables.append((builder.table(), Query(Prefix.of([]), (Constraint(node, 1),), b"\0")))
    chain = make_chain(tables[0][0])
    assert chain.solve(tables[0][1]).witness == b"\3"
    chain.reset(tables[1][0])
    assert chain.solve(tables[1][1]).witness == b"\4"
    assert chain.statistics()["cache"].sat == 0


def test_queries_of_another_epoch_are_noticed() -> None:
    builder = TableBuilder()
    node = builder.binary(Op.EQ, builder.input(0), builder.const(8, 3))
    table = builder.table()
    chain = make_chain(table)
    assert chain.solve(Query(Prefix.of([], epoch=1), (Constraint(node, 1),), b"\0")).witness == b"\3"
    table.nodes["imm"][table.nodes["imm"] == 3] = 4  # the worker reuses its table
    assert chain.solve(Query(Prefix.of([], epoch=2), (Constraint(node, 1),), b"\0")).witness == b"\4"


def hard_query() -> tuple[TableBuilder, Query]:
    """Factor a number of two large factors: nothing answers this in milliseconds."""
    builder = TableBuilder()
    x, y = (builder.node(Op.ZEXT, 128, builder.inputs(first, 8)) for first in (0, 8))
    product = builder.binary(Op.MUL, x, y)
    number = builder.const(128, 12764787846358441471 * 10089886811898868001)
    goal = [Constraint(builder.binary(Op.EQ, product, number), 1)]
    goal += [Constraint(builder.binary(Op.ULT, builder.const(128, 1), z), 1) for z in (x, y)]
    return builder, Query(Prefix.of([]), tuple(goal), bytes(16))


@pytest.mark.parametrize("backend", ["bitwuzla", "z3"])
def test_the_time_limit_gives_unknown_and_the_solver_goes_on(backend: str) -> None:
    builder, query = hard_query()
    easy = Constraint(builder.binary(Op.EQ, builder.inputs(0, 4), builder.const(32, 99)), 1)
    chain = Chain(builder.table(), [lambda _: SmtLayer(session_factory(backend), 0.2, 0)])
    assert chain.solve(query).status == "unknown"
    assert chain.solve(Query(Prefix.of([]), (easy,), bytes(16))).status == "sat"
    assert chain.statistics()["smt"].unknown == 1


def test_the_limit_counts_steps_not_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bitwuzla gives up after equal work whatever the clock says, so a busy machine leaves nothing else open."""
    monkeypatch.setattr("cinquefoil.solver.bitwuzla_session.monotonic", lambda: 0.0)  # time stands still
    builder, query = hard_query()
    query.seconds = 0.1
    asked: list[int] = []
    for _ in range(2):
        chain = Chain(builder.table(), [lambda _: SmtLayer(session_factory("bitwuzla"), 0.1, 0)])
        stops = [0]
        query.stop = lambda stops=stops: bool(stops.__setitem__(0, stops[0] + 1))
        assert chain.solve(query).status == "unknown"
        asked += stops
    assert asked[0] == asked[1]
    assert 0.05 * CALLS_PER_SECOND < asked[0] < 0.1 * CALLS_PER_SECOND  # its terms count as well


def test_a_dear_question_counts_for_more_effort_than_a_cheap_one() -> None:
    """Rounds of several processes are lengths of effort: with one price for all, who has dear ones is waited for."""
    builder, query = hard_query()
    query.seconds = 0.2
    easy = Constraint(builder.binary(Op.EQ, builder.inputs(0, 4), builder.const(32, 99)), 1)
    costs: list[int] = []
    for asked in (query, query, Query(Prefix.of([]), (easy,), bytes(16))):
        chain = Chain(builder.table(), [lambda _: SmtLayer(session_factory("bitwuzla"), 0.2, 0)])
        costs.append(chain.solve(asked).cost)
    assert costs[0] == costs[1] > 20 * costs[2]


def test_no_effort_outlasts_what_is_left() -> None:
    builder, query = hard_query()
    query.left = lambda: 0.2
    chain = Chain(builder.table(), [lambda _: SmtLayer(session_factory("bitwuzla"), 900.0, 0)])
    begun = time.monotonic()
    assert chain.solve(query).status == "unknown"
    assert time.monotonic() - begun < 300


class Liar(Layer):
    """Claims that the witness is a solution."""

    name = "liar"

    def decide(self, problem: Problem) -> Verdict:
        return Verdict.SAT


def test_a_wrong_solution_is_refused_and_counted() -> None:
    builder = TableBuilder()
    goal = Constraint(builder.binary(Op.EQ, builder.input(0), builder.const(8, 7)), 1)
    chain = Chain(builder.table(), [Liar])
    assert chain.solve(Query(Prefix.of([]), (goal,), b"\0")).status == "unknown"
    assert chain.statistics()["check"].unknown == 1


def test_a_slice_of_thousands_of_constraints_needs_no_smt() -> None:
    builder, rng = TableBuilder(), random.Random(4)
    word = builder.inputs(0, 4)
    odd = [builder.const(32, rng.getrandbits(31) * 2 + 1) for _ in range(3000)]
    products = [builder.binary(Op.MUL, word, factor) for factor in odd]
    equal = [builder.binary(Op.EQ, node, builder.const(32, rng.getrandbits(32))) for node in products]
    prefix = Prefix.of(Constraint(node, 0) for node in equal[:-1])
    chain = make_chain(builder.table())
    query = Query(prefix, (Constraint(equal[-1], 1),), bytes(4))
    answer = chain.solve(query)
    assert answer.status == "sat"
    check_solution(chain.table, query, answer)
    assert chain.statistics()["smt"].queries == 0


def test_an_unknown_back_end_is_a_users_mistake() -> None:
    with pytest.raises(UserError, match="no solver 'yices'"):
        make_chain(TableBuilder().table(), backend="yices")


def test_an_unsatisfiable_subset_answers_for_its_supersets() -> None:
    builder = TableBuilder()
    number = builder.binary(Op.MUL, builder.inputs(0, 4), builder.inputs(0, 4))
    square = Constraint(builder.binary(Op.EQ, number, builder.const(32, 3)), 1)  # no square is 3 modulo 8
    below = [builder.binary(Op.ULT, builder.input(i), builder.const(8, 200)) for i in range(4)]
    others = [Constraint(node, 1) for node in below]
    chain = make_chain(builder.table())
    for length in range(5):
        assert chain.solve(Query(Prefix.of(others[:length]), (square,), bytes(4))).status == "unsat"
    assert chain.statistics()["cache"].unsat == 4
