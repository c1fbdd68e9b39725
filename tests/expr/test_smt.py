"""Terms of both solvers against the Python oracle."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import bitwuzla
import pytest
import z3
from dags import ALL, CONVERT, FLOAT, FLOAT_COMPARE, RandomDag, random_constant, random_input
from hypothesis import given, settings
from hypothesis import strategies as st

from cinquefoil.expr import smt, softfloat
from cinquefoil.expr.backend_bitwuzla import BitwuzlaBackend
from cinquefoil.expr.backend_z3 import Z3Backend
from cinquefoil.expr.builder import TableBuilder
from cinquefoil.expr.constraint import Constraint
from cinquefoil.expr.evaluate import Evaluator
from cinquefoil.expr.native_evaluator import NativeEvaluator
from cinquefoil.expr.smt import Translator
from cinquefoil.expr.softfloat import FORMATS
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import Op

BITS_ONLY = tuple(op for op in ALL if op not in FLOAT + CONVERT + FLOAT_COMPARE)


def known_value(oracle: Evaluator, name: str) -> int:
    """What a variable of the translator stands for under the oracle's input."""
    kind, _, number = name.rpartition("_")
    if kind == "input":
        return oracle.data[int(number)]
    value = oracle.value(int(number))
    extended = oracle.table.width(int(number)) == 80
    return value >> 64 << 63 | value & ((1 << 63) - 1) if extended else value


class FixedBitwuzla(BitwuzlaBackend):
    """Variables are constants: solvers then only have to compute, which keeps float tests quick."""

    oracle: Evaluator | None = None

    def variable(self, name: str, width: int) -> Any:
        if self.oracle is None:
            return super().variable(name, width)
        return self.constant(width, known_value(self.oracle, name))


class FixedZ3(Z3Backend):
    """The same for Z3."""

    oracle: Evaluator | None = None

    def variable(self, name: str, width: int) -> Any:
        if self.oracle is None:
            return super().variable(name, width)
        return self.constant(width, known_value(self.oracle, name))


class BitwuzlaCheck:
    """Satisfiability of assertions, by Bitwuzla."""

    def __init__(self, table: ExpressionTable, fixed: bytes | None = None) -> None:
        self.manager = bitwuzla.TermManager()
        backend = FixedBitwuzla(self.manager)
        backend.oracle = Evaluator(table, fixed) if fixed is not None else None
        self.translator: Translator[Any] = Translator(table, backend)

    def satisfiable(self, assertions: list[Any]) -> bool:
        solver = bitwuzla.Bitwuzla(self.manager, bitwuzla.Options())
        for assertion in assertions:
            solver.assert_formula(assertion)
        return solver.check_sat() == bitwuzla.Result.SAT


class Z3Check:
    """Satisfiability of assertions, by Z3."""

    def __init__(self, table: ExpressionTable, fixed: bytes | None = None) -> None:
        backend = FixedZ3()
        backend.oracle = Evaluator(table, fixed) if fixed is not None else None
        self.translator: Translator[Any] = Translator(table, backend)

    def satisfiable(self, assertions: list[Any]) -> bool:
        solver = z3.Solver()
        solver.add(assertions)
        return solver.check() == z3.sat


SOLVERS: list[Callable[..., BitwuzlaCheck | Z3Check]] = [BitwuzlaCheck, Z3Check]


def fixed_inputs(translator: Translator[Any], data: bytes) -> list[Any]:
    backend = translator.backend
    return [
        backend.apply("=", term, backend.constant(8, data[i] if i < len(data) else 0))
        for i, term in translator.inputs.items()
    ]


def has_loose_nan(table: ExpressionTable, oracle: Evaluator, root: int, unknown: set[int]) -> bool:
    """Whether something below has bits that the terms leave open."""
    floats = {*FLOAT, Op.FCVT}
    return any(
        n in unknown or (table.op(n) in floats and softfloat.decode(oracle.value(n), FORMATS[table.width(n)]).nan)
        for n in table.cone([root])
    )


def check(solver: BitwuzlaCheck | Z3Check, table: ExpressionTable, roots: list[int], data: bytes) -> None:
    """All roots can have their values, and no other where nothing is left open."""
    translator, oracle = solver.translator, Evaluator(table, data)
    same = [translator.condition(Constraint(n, oracle.value(n))) for n in roots]
    base = fixed_inputs(translator, data) + translator.definitions(roots)
    assert solver.satisfiable(base + same)
    strict = [n for n in roots if not has_loose_nan(table, oracle, n, translator.unknown)]
    different = [translator.condition(Constraint(n, oracle.value(n), False)) for n in strict]
    if different:
        any_differs = different[0]
        for other in different[1:]:
            any_differs = translator.backend.apply("or", any_differs, other)
        assert not solver.satisfiable([*base, any_differs])


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("seed", range(12))
def test_random_graphs_of_bit_vectors(solver: Callable[..., Any], seed: int) -> None:
    rng = Random(seed)
    dag = RandomDag(rng, ops=BITS_ONLY).grow(60)
    table = dag.builder.table()
    check(solver(table), table, dag.roots, random_input(rng))


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("seed", range(12))
def test_random_graphs_of_everything(solver: Callable[..., Any], seed: int) -> None:
    rng = Random(seed)
    dag = RandomDag(rng).grow(40)
    table, data = dag.builder.table(), random_input(rng)
    check(solver(table, data), table, dag.roots, data)


@pytest.mark.slow
@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("seed", range(8))
def test_random_graphs_over_variables(solver: Callable[..., Any], seed: int) -> None:
    rng = Random(seed)
    dag = RandomDag(rng).grow(12)
    table = dag.builder.table()
    check(solver(table), table, dag.roots, random_input(rng))


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("op", FLOAT + CONVERT + FLOAT_COMPARE)
def test_every_float_operation(solver: Callable[..., Any], op: Op) -> None:
    rng = Random(int(op))
    dag = RandomDag(rng, ops=(op,))
    for width in FORMATS:
        dag.roots += [dag.builder.const(width, random_constant(rng, width)) for _ in range(6)]
    dag.grow(30)
    table, data = dag.builder.table(), random_input(rng)
    check(solver(table, data), table, dag.roots[-30:], data)


@given(st.randoms(use_true_random=False), st.binary(min_size=6, max_size=6))
@settings(max_examples=25)
def test_all_four_agree(rng: Random, data: bytes) -> None:
    dag = RandomDag(rng).grow(8)
    table = dag.builder.table()
    oracle = Evaluator(table, data)
    native = NativeEvaluator(table).eval_many(dag.roots, [data])
    assert [row[0] for row in native] == oracle.values(dag.roots)
    for solver in SOLVERS:
        check(solver(table, data), table, dag.roots, data)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("entries", [False, True])
@pytest.mark.parametrize("limit", [100, smt.ARRAY_RUNS])
def test_large_tables(solver: Callable[..., Any], entries: bool, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smt, "ARRAY_RUNS", limit)  # as arrays, and as trees
    builder, rng = TableBuilder(), Random(3)
    values = [rng.randrange(1 << 16) for _ in range(600)]
    symbolic = [builder.inputs(2, 2) if i == 77 else 0 for i in range(600)] if entries else []
    table_id = builder.add_table(16, values, symbolic)
    root = builder.read(table_id, builder.inputs(0, 2))
    table = builder.table()
    for index in (77, 599, 600, 65535):
        check(solver(table), table, [root], index.to_bytes(2, "little") + b"\x12\x34")


@pytest.mark.parametrize("solver", SOLVERS)
def test_solving_finds_inputs(solver: Callable[..., Any]) -> None:
    builder = TableBuilder()
    square = builder.binary(Op.MUL, builder.inputs(0, 2), builder.inputs(0, 2))
    table = builder.table()
    checker = solver(table)
    formula = checker.translator.condition
    assert checker.satisfiable([formula(Constraint(square, 49 * 49))])
    assert not checker.satisfiable([formula(Constraint(square, 3))])


def test_deep_expressions_need_no_recursion() -> None:
    builder = TableBuilder()
    node = builder.input(0)
    for index in range(20_000):
        node = builder.binary(Op.ADD, builder.binary(Op.MUL, node, builder.input(1)), builder.const(8, index))
    table = builder.table()
    BitwuzlaCheck(table).translator.term(node)
