"""The table view and the builder."""

from __future__ import annotations

from random import Random

import pytest
from dags import RandomDag

from cinquefoil.errors import EngineError
from cinquefoil.expr.builder import TableBuilder
from cinquefoil.expr.table import ExpressionTable, mask_indices
from cinquefoil.layout import Op


def test_nodes_are_interned_and_readable() -> None:
    builder = TableBuilder()
    total = builder.binary(Op.ADD, builder.input(3), builder.const(8, 300))
    assert total == builder.binary(Op.ADD, builder.input(3), builder.const(8, 44))
    table = builder.table()
    assert (table.op(total), table.width(total)) == (Op.ADD, 8)
    assert [table.op(x) for x in table.operands(total)] == [Op.INPUT, Op.CONST]
    assert table.imm(table.operands(total)[1]) == 44
    assert (int(table.nodes["lo"][total]), int(table.nodes["hi"][total])) == (3, 3)


def test_dependencies_include_symbolic_table_entries() -> None:
    builder = TableBuilder()
    contents = builder.add_table(8, [1, 2, 3], [0, builder.input(9), 0])
    read = builder.read(contents, builder.input(4))
    table = builder.table()
    assert table.deps(read) == (4, 9)
    assert table.table_contents(contents) == (1, 2, 3)
    assert table.cone([read]) == sorted([builder.input(9), builder.input(4), read])


def brute_force_deps(table: ExpressionTable, node: int) -> set[int]:
    return {table.imm(n) for n in table.cone([node]) if table.op(n) is Op.INPUT}


@pytest.mark.parametrize("seed", range(20))
def test_dependencies_are_exact(seed: int) -> None:
    dag = RandomDag(Random(seed), inputs=70).grow(80)
    table = dag.builder.table()
    for node in dag.roots:
        assert set(table.deps(node)) == brute_force_deps(table, node)


def test_deep_expressions_need_no_recursion() -> None:
    builder = TableBuilder()
    node = builder.input(0)
    for index in range(50_000):
        node = builder.binary(Op.ADD, node, builder.input(index % 3))
    table = builder.table()
    assert table.deps(node) == (0, 1, 2)
    assert table.node_count([node]) == 50_003


def test_mask_indices() -> None:
    assert mask_indices(1 << 200 | 5) == (0, 2, 200)


def test_malformed_nodes_are_refused() -> None:
    builder = TableBuilder()
    with pytest.raises(EngineError, match="width 129"):
        builder.node(Op.ADD, 129, builder.input(0), builder.input(1))
    with pytest.raises(EngineError, match="operand"):
        builder.node(Op.ADD, 8, 77, builder.input(1))
