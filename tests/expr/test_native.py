"""The native evaluator against the Python oracle."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from dags import ALL, FLOAT, RandomDag, random_constant, random_input
from hypothesis import given, settings
from hypothesis import strategies as st

from cinquefoil.errors import EngineError
from cinquefoil.expr.builder import TableBuilder
from cinquefoil.expr.constraint import Constraint
from cinquefoil.expr.evaluate import Evaluator
from cinquefoil.expr.native_evaluator import INSTRUCTION, NativeEvaluator
from cinquefoil.expr.softfloat import FORMATS
from cinquefoil.layout import Op, Rounding


def agree(dag: RandomDag, inputs: list[bytes]) -> None:
    table = dag.builder.table()
    native = NativeEvaluator(table).eval_many(dag.roots, inputs)
    for column, data in enumerate(inputs):
        oracle = Evaluator(table, data)
        for row, node in enumerate(dag.roots):
            assert native[row][column] == oracle.value(node), (table.fields(node), data.hex())


@pytest.mark.parametrize("seed", range(60))
def test_random_graphs(seed: int) -> None:
    rng = Random(seed)
    agree(RandomDag(rng).grow(250), [random_input(rng) for _ in range(3)])


@given(st.randoms(use_true_random=False), st.binary(max_size=6))
@settings(max_examples=150)
def test_small_graphs(rng: Random, data: bytes) -> None:
    agree(RandomDag(rng).grow(12), [data])


def float_node(builder: TableBuilder, op: Op, width: int, operands: list[int], rounding: int) -> int:
    arity = 3 if op is Op.FMA else 1 if op in (Op.FSQRT, Op.FRINT) else 2
    a, b, c = (*operands[:arity], 0, 0)[:3]
    return builder.node(op, width, a, b, c, rounding if op is Op.FRINT else 0)


@pytest.mark.parametrize("op", FLOAT)
@pytest.mark.parametrize("width", FORMATS)
def test_special_floats(op: Op, width: int) -> None:
    rng, builder = Random(int(op)), TableBuilder()
    roots: list[int] = []
    for _ in range(700):
        operands = [builder.const(width, random_constant(rng, width)) for _ in range(3)]
        roots.append(float_node(builder, op, width, operands, int(rng.choice(list(Rounding)))))
    table = builder.table()
    oracle, native = Evaluator(table, b""), NativeEvaluator(table).eval_many(roots, [b""])
    for node, (value,) in zip(roots, native, strict=True):
        values = [hex(oracle.value(x)) for x in table.operands(node)]
        assert hex(value) == hex(oracle.value(node)), (op, width, table.imm(node), values)


@pytest.mark.parametrize("op", [Op.F2SI, Op.F2UI, Op.SI2F, Op.UI2F])
def test_conversions(op: Op) -> None:
    rng, builder = Random(int(op)), TableBuilder()
    roots: list[int] = []
    for _ in range(2000):
        floating = rng.choice(tuple(FORMATS))
        integer = rng.choice((1, 8, 16, 31, 32, 33, 63, 64, 65, 127, 128))
        source, target = (floating, integer) if op in (Op.F2SI, Op.F2UI) else (integer, floating)
        roots.append(builder.node(op, target, builder.const(source, random_constant(rng, source))))
    table = builder.table()
    oracle, native = Evaluator(table, b""), NativeEvaluator(table).eval_many(roots, [b""])
    for node, (value,) in zip(roots, native, strict=True):
        operand = table.operands(node)[0]
        what = (op, table.width(operand), hex(oracle.value(operand)), table.width(node))
        assert hex(value) == hex(oracle.value(node)), what


def test_every_operation_is_covered() -> None:
    made: set[Op] = set()
    for seed in range(10):
        dag = RandomDag(Random(seed)).grow(200)
        made |= {dag.builder.table().op(n) for n in dag.roots}
    assert made == set(ALL) | {Op.INPUT}


@pytest.mark.parametrize("seed", range(10))
def test_constraints_and_domains(seed: int) -> None:
    rng = Random(seed)
    dag = RandomDag(rng, inputs=4).grow(60)
    table, data = dag.builder.table(), random_input(rng, 4)
    native = NativeEvaluator(table)
    nodes = rng.sample(dag.roots, 8)
    oracle = Evaluator(table, data)
    constraints = [Constraint(n, oracle.value(n)) for n in nodes]
    assert native.satisfies(constraints, data) == -1
    for index in range(len(nodes)):
        broken = list(constraints)
        broken[index] = broken[index].negated()
        assert native.satisfies(broken, data) == index
    variants = [data[:1] + bytes([v]) + data[2:] for v in range(256)]
    expected = [Evaluator(table, variant).value(nodes[0]) for variant in variants]
    assert native.truth_table(nodes[0], 1, data) == expected
    wanted = sum(1 << v for v in range(256) if constraints[0].holds(expected[v]))
    assert native.domain(constraints[:1], 1, data) == wanted


@pytest.mark.parametrize("seed", range(6))
def test_pair_domains(seed: int) -> None:
    rng = Random(seed)
    dag = RandomDag(rng, inputs=4).grow(25)
    table, data = dag.builder.table(), random_input(rng, 4)
    native, nodes = NativeEvaluator(table), rng.sample(dag.roots, 3)
    constraints = [Constraint(n, native.value(n, data), rng.random() < 0.7) for n in nodes]
    bits = native.pair_domain(constraints, 2, 0, data)
    for _ in range(60):
        outer, inner = rng.randrange(256), rng.randrange(256)
        oracle = Evaluator(table, bytes([inner, data[1], outer, data[3]]))
        expected = all(c.holds(oracle.value(c.node)) for c in constraints)
        assert bool(int(bits[outer, inner // 64]) >> inner % 64 & 1) == expected


@pytest.mark.parametrize("seed", range(10))
def test_dependencies(seed: int) -> None:
    dag = RandomDag(Random(seed), inputs=150).grow(80)
    table = dag.builder.table()
    assert NativeEvaluator(table).dependencies(dag.roots) == [table.deps_mask(n) for n in dag.roots]


def test_statistics_and_reuse() -> None:
    builder = TableBuilder()
    x = builder.inputs(0, 2)
    root = builder.binary(Op.ADD, x, builder.binary(Op.ADD, x, builder.const(16, 3)))
    native = NativeEvaluator(builder.table())
    found = native.statistics([root])
    assert (found.nodes, found.inputs, found.depth) == (6, 2, 4)
    assert found.by_op == {Op.CONST: 1, Op.INPUT: 2, Op.ADD: 2, Op.CONCAT: 1}
    program = native.compile([root])
    assert program.values([b"\1\2", b"", b"\xff\xff"]) == [[0x0405, 3, 1]]
    low, _ = program.arrays(np.zeros((200, 2), dtype=np.uint8))
    assert set(low[0].tolist()) == {3}


def test_deep_and_large() -> None:
    builder = TableBuilder()
    node = builder.input(0)
    for index in range(40_000):
        node = builder.binary(Op.ADD, builder.binary(Op.XOR, node, builder.input(1)), builder.const(8, index))
    table = builder.table()
    assert NativeEvaluator(table).value(node, b"ab") == Evaluator(table, b"ab").value(node)


def test_unknown_ids_are_refused() -> None:
    native = NativeEvaluator(TableBuilder().table())
    with pytest.raises(EngineError, match="out of range"):
        native.value(5, b"")
    assert INSTRUCTION.itemsize == 32
