"""The descent instance: distances on special values, solutions by evaluation, the paper's floating-point example."""

from __future__ import annotations

import itertools
import math
import random
import struct
from collections import Counter

import pytest
from instances import chain_of, double, figure_two, flip_last
from oracle import assert_right, by_enumeration

from cinquefoil.expr.builder import TableBuilder
from cinquefoil.expr.evaluate import evaluate
from cinquefoil.layout import Op
from cinquefoil.native import core
from cinquefoil.solver.api import Constraint, Prefix, Query
from cinquefoil.solver.multiplex.attempt import Attempt
from cinquefoil.solver.multiplex.descent import DescentInstance
from cinquefoil.solver.problem import NativeSlicer, Problem, Verdict
from cinquefoil.testing.queries import random_case

SPECIAL = (0.0, -0.0, 5e-324, -5e-324, 2.2250738585072014e-308, 1.0, -1.0, 1.7976931348623157e308, math.inf, -math.inf,
           math.nan)  # fmt: skip
ORDERED = {Op.FOEQ: lambda a, b: a == b, Op.FOLT: lambda a, b: a < b, Op.FOLE: lambda a, b: a <= b}


def distance(op: Op, wanted: bool, a: float, b: float) -> float:
    return core.cinq_distance(int(op), int(wanted), 64, double(a), 0, double(b), 0)


def between(a: float, b: float) -> int:
    """Doubles between two, counted by their bits: the definition of theta."""

    def ordinal(x: float) -> int:
        bits = double(x)
        return -(bits & ~(1 << 63)) if bits >> 63 else bits

    return abs(ordinal(a) - ordinal(b))


@pytest.mark.parametrize("op", ORDERED)
@pytest.mark.parametrize("wanted", [True, False])
def test_the_distance_is_zero_exactly_if_satisfied(op: Op, wanted: bool) -> None:
    for a in SPECIAL:
        for b in SPECIAL:
            found = distance(op, wanted, a, b)
            assert (found == 0) == (ORDERED[op](a, b) == wanted), (op, wanted, a, b)
            assert found >= 0


def test_the_distance_counts_the_numbers_between() -> None:
    assert distance(Op.FOLE, True, 1.0, math.nextafter(1.0, 0)) == 1
    assert distance(Op.FOEQ, True, 5e-324, -5e-324) == 2
    assert distance(Op.FOEQ, True, 0.0, -0.0) == 0
    assert distance(Op.FOLT, True, 1.0, 1.0) == 1  # Table 1 has 0 here, which would be a solution
    assert distance(Op.FOLE, True, math.inf, 1.7976931348623157e308) == 1
    for a, b in ((3.5, 2.25), (1e300, -1e300), (5e-324, 0.0)):
        assert distance(Op.FOLE, True, a, b) == pytest.approx(between(a, b))


SMALLEST, LARGEST = 5e-324, 1.7976931348623157e308
TABLE_ONE = [  # operator of the paper, ours, whether it must hold, x, y, distance
    ("=", Op.FOEQ, True, 1.0, math.nextafter(1.0, 2), 1),
    ("=", Op.FOEQ, True, 0.0, -0.0, 0),
    ("=", Op.FOEQ, True, -SMALLEST, SMALLEST, 2),
    ("<=", Op.FOLE, True, 2.0, 2.0, 0),
    ("<=", Op.FOLE, True, SMALLEST, 0.0, 1),
    ("<=", Op.FOLE, True, math.inf, LARGEST, 1),
    (">=", Op.FOLT, False, -SMALLEST, SMALLEST, 2),
    (">=", Op.FOLT, False, -math.inf, -LARGEST, 1),
    ("<", Op.FOLT, True, 1.0, 2.0, 0),
    ("<", Op.FOLT, True, 2.0, 1.0, 2**52),
    (">", Op.FOLE, False, 1.0, 2.0, 2**52),
    (">", Op.FOLE, False, 2.0, 1.0, 0),
    ("!=", Op.FOEQ, False, 3.0, 3.0, 1),
    ("!=", Op.FOEQ, False, 0.0, -0.0, 1),
    ("!=", Op.FOEQ, False, math.inf, LARGEST, 0),
]


@pytest.mark.parametrize(("sign", "op", "wanted", "x", "y", "expected"), TABLE_ONE)
def test_table_one(sign: str, op: Op, wanted: bool, x: float, y: float, expected: int) -> None:
    assert distance(op, wanted, x, y) == expected, sign


@pytest.mark.parametrize("op", ORDERED)
@pytest.mark.parametrize("wanted", [True, False])
def test_single_precision_has_the_same_special_values(op: Op, wanted: bool) -> None:
    floats = (0.0, -0.0, 1e-45, -1e-45, 1.1754943508222875e-38, 1.0, -1.0, 3.4028234663852886e38, math.inf, -math.inf,
              math.nan)  # fmt: skip

    def bits(x: float) -> int:
        return struct.unpack("<I", struct.pack("<f", x))[0]

    for a in floats:
        for b in floats:
            found = core.cinq_distance(int(op), int(wanted), 32, bits(a), 0, bits(b), 0)
            assert (found == 0) == (ORDERED[op](a, b) == wanted), (op, wanted, a, b)
    assert core.cinq_distance(int(Op.FOLE), 1, 32, bits(1e-45), 0, bits(-1e-45), 0) == 2


def test_the_objective_is_right_on_special_values() -> None:
    """Two comparisons of two doubles, and arithmetic that makes NaNs and infinities of them."""
    b = TableBuilder()
    x, y = b.inputs(0, 8), b.inputs(8, 8)
    nodes = [
        b.binary(Op.FOLT, x, y),
        b.binary(Op.FOEQ, b.binary(Op.FSUB, x, y), b.const(64, 0)),
        b.binary(Op.FUNO, b.binary(Op.FDIV, x, y), x),
        b.binary(Op.FOLE, b.binary(Op.FMUL, x, y), b.binary(Op.FADD, x, y)),
    ]
    table = b.table()
    slicer, seen = NativeSlicer(table), Counter[bool]()
    for left in SPECIAL:
        for right in SPECIAL:
            data = struct.pack("<dd", left, right)
            for values in itertools.product((0, 1), repeat=len(nodes)):
                rows = b"".join(struct.pack("=IIQ", n, 1, v) for n, v in zip(nodes, values, strict=True))
                total = core.cinq_objective(slicer.state, rows, len(nodes), data, len(data))
                holds = all(evaluate(table, n, data) == v for n, v in zip(nodes, values, strict=True))
                assert (total == 0) == holds and total >= 0 and math.isfinite(total), (left, right, values)
                seen[holds] += 1
    assert seen[True] == len(SPECIAL) ** 2, "every pair satisfies exactly one combination"


def test_nan_is_far_from_any_order_and_near_to_infinity() -> None:
    assert distance(Op.FOLE, True, math.nan, 1.0) > 1e19
    assert distance(Op.FUNO, True, math.inf, 1.0) == 1
    assert distance(Op.FUNO, True, math.nan, 1.0) == 0
    assert 0 < distance(Op.FUNO, True, 1e308, 1.0) < distance(Op.FUNO, True, 1.0, 1.0)
    assert distance(Op.FUNO, False, math.nan, 1.0) > 0


def test_scaling_keeps_order_and_zero() -> None:
    scaled = core.cinq_scaled
    values = [scaled(float(x)) for x in (0, 1, 2, 3, 10, 2**20, 2**52, 2**63, 2**64)]
    assert values == sorted(values) and values[0] == 0 and len(set(values)) == len(values)


def test_integers_have_distances_too() -> None:
    native = core.cinq_distance
    assert native(int(Op.EQ), 1, 32, 10, 0, 14, 0) == 4
    assert native(int(Op.SLT), 1, 32, 5, 0, 2**32 - 1, 0) == 6  # 5 < -1
    assert native(int(Op.ULT), 1, 32, 5, 0, 2**32 - 1, 0) == 0
    assert native(int(Op.EQ), 0, 32, 7, 0, 7, 0) == 1


def test_the_objective_is_zero_exactly_if_all_holds() -> None:
    rng = random.Random(6)
    zero = 0
    for _ in range(200):
        table, query = random_case(rng, 2, rng.randrange(4), floats=rng.random() < 0.5, wide=rng.random() < 0.2)
        slicer = NativeSlicer(table)
        if slicer.load(query) < 0:
            continue
        constraints = [*query.constraints.constraints(), *query.goal]
        rows = b"".join(struct.pack("=IIQ", c.node, c.equal, c.value) for c in constraints)
        for _ in range(4):
            data = rng.randbytes(4)
            total = core.cinq_objective(slicer.state, rows, len(constraints), data, len(data))
            holds = all((evaluate(table, c.node, data) == c.value) == c.equal for c in constraints)
            assert (total == 0) == holds
            zero += holds
    assert zero > 10


def test_figure_two_over_doubles() -> None:
    table, conditions = figure_two(real=True)
    answer = chain_of(table, DescentInstance()).solve(flip_last(table, conditions, struct.pack("<dd", 1, 3)))
    assert answer.status == "sat"
    left = [[evaluate(table, c, each) for c in conditions] for each in answer.partial]
    assert [values.index(0) for values in left] == [0, 1], "one leaves at the first condition, one at the second"


def compare_with_enumeration(rng: random.Random, rounds: int) -> Counter[tuple[str, str]]:
    """All solutions are checked by evaluation; descent never claims that there is none."""
    seen = Counter[tuple[str, str]]()
    for _ in range(rounds):
        table, query = random_case(rng, 2, rng.randrange(4), floats=True)
        chain = chain_of(table, DescentInstance(budget=300_000))
        answer, truth = chain.solve(query), by_enumeration(table, query)
        assert_right(table, query, answer, truth)
        told = chain.statistics()
        assert told["multiplex:descent"].unsat == 0 and told["check"].unknown == 0
        seen[truth, answer.status] += 1
    return seen


def test_solutions_are_solutions_and_most_are_found() -> None:
    seen = compare_with_enumeration(random.Random(7), 60)
    assert seen["sat", "sat"] > 2 * seen["sat", "unknown"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_solutions_are_solutions_at_length(seed: int) -> None:
    """Ten thousand queries with floating point in all."""
    seen = compare_with_enumeration(random.Random(f"floats {seed}"), 2_000)
    assert seen["sat", "sat"] > 2 * seen["sat", "unknown"]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("nan", math.isnan), ("infinite", math.isinf), ("subnormal", lambda x: 0 < x < 2.3e-308)],
)
def test_special_values_are_found(name: str, wanted: object) -> None:
    assert callable(wanted)
    b = TableBuilder()
    x = b.inputs(0, 8)
    small, none = b.const(64, double(2.2250738585072014e-308)), b.const(64, 0)
    conditions = {
        "nan": [b.binary(Op.FUNO, x, x)],
        "infinite": [b.binary(Op.FOLT, b.const(64, double(1.7976931348623157e308)), x)],
        "subnormal": [b.binary(Op.FOLT, none, x), b.binary(Op.FOLT, x, small)],
    }[name]
    table = b.table()
    query = Query(Prefix.of([]), tuple(Constraint(c, 1) for c in conditions), struct.pack("<d", 1.0))
    answer = chain_of(table, DescentInstance()).solve(query)
    assert answer.witness is not None and wanted(struct.unpack("<d", answer.witness)[0])


def test_a_hasty_attempt_does_a_part_of_the_work() -> None:
    """Nothing is less than itself: the whole budget goes."""
    b = TableBuilder()
    x = b.inputs(0, 8)
    node = b.binary(Op.FOLT, b.binary(Op.FADD, x, x), b.binary(Op.FMUL, x, b.const(64, double(2.0))))
    table = b.table()
    slicer = NativeSlicer(table)
    query = Query(Prefix.of([]), (Constraint(node, 1),), bytes(8))
    problem, work = Problem(slicer, slicer.load(query), query), list[int]()
    for patient in (True, False):
        attempt = Attempt(problem, patient=patient)
        assert DescentInstance(budget=800_000).attempt(attempt) is Verdict.UNKNOWN
        work.append(attempt.work)
    assert work[0] > 6 * work[1] > 0


def test_the_same_query_meets_the_same_points() -> None:
    table, conditions = figure_two(real=True)
    query = flip_last(table, conditions, struct.pack("<dd", 1, 3))
    answers = [chain_of(table, DescentInstance(seed=3)).solve(query) for _ in range(2)]
    assert (answers[0].witness, answers[0].partial) == (answers[1].witness, answers[1].partial)
