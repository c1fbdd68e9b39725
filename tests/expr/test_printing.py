"""Readable text of expressions."""

from __future__ import annotations

import struct

from cinquefoil.expr.builder import TableBuilder
from cinquefoil.expr.constraint import Constraint
from cinquefoil.expr.naming import object_names
from cinquefoil.expr.printing import Printer
from cinquefoil.layout import Op

NAMES = object_names([("n", 0, 4), ("stdin", 4, 10), ("flag", 14, 1)])


def shown(builder: TableBuilder, node: int) -> str:
    return Printer(builder.table(), NAMES).expression(node)


def test_bytes_have_object_names() -> None:
    b = TableBuilder()
    assert shown(b, b.input(7)) == "stdin[3]"
    assert shown(b, b.input(14)) == "flag"
    assert shown(b, b.input(99)) == "input[99]"


def test_consecutive_bytes_are_one_number() -> None:
    b = TableBuilder()
    assert shown(b, b.inputs(0, 4)) == "n"
    assert shown(b, b.inputs(4, 2)) == "stdin[0:2]"
    assert shown(b, b.inputs(3, 2)) == "stdin[0] ++ n[3]"
    big_endian = b.binary(Op.CONCAT, b.input(4), b.input(5))
    assert shown(b, big_endian) == "be(stdin[0:2])"
    halves = b.binary(Op.CONCAT, b.inputs(2, 2), b.inputs(0, 2))
    assert shown(b, halves) == "n"


def test_operators_and_constants() -> None:
    b = TableBuilder()
    n = b.inputs(0, 4)
    assert shown(b, b.binary(Op.SLT, n, b.const(32, -5))) == "n <s -5"
    assert shown(b, b.binary(Op.EQ, b.input(4), b.const(8, 65))) == "stdin[0] == 'A'"
    assert shown(b, b.binary(Op.ADD, n, b.const(32, -1))) == "n - 1"
    assert shown(b, b.binary(Op.MUL, b.binary(Op.ADD, n, b.const(32, 3)), n)) == "(n + 3) * n"
    assert shown(b, b.node(Op.SEXT, 64, n)) == "s64(n)"
    assert shown(b, b.extract(n, 8, 16)) == "bits(n, 23..8)"
    half = b.const(32, int.from_bytes(struct.pack("<f", 0.5), "little"))
    assert shown(b, b.node(Op.FOLT, 1, n, half)) == "n <. 0.5"


def test_constraints_read_naturally() -> None:
    b = TableBuilder()
    n = b.inputs(0, 4)
    small = b.binary(Op.ULT, n, b.const(32, 10))
    printer = Printer(b.table(), NAMES)
    rendering = printer.constraints([Constraint(small), Constraint(small, 0), Constraint(n, 7, False)])
    assert rendering.bindings == (("t1", "n <u 10"),)
    assert rendering.texts == ("t1", "!t1", "n != 7")
    assert printer.constraints([Constraint(small, 1, False)]).texts == ("n >=u 10",)


def test_sharing_keeps_the_text_small() -> None:
    b = TableBuilder()
    node = b.inputs(0, 4)
    for _ in range(200):
        node = b.binary(Op.ADD, node, node)
    text = shown(b, node)
    assert len(text) < 200 * 40
    assert text.startswith("let t1 = n + n\nlet t2 = t1 + t1\n")


def test_deep_chains_stay_linear() -> None:
    b = TableBuilder()
    node = b.inputs(0, 4)
    for index in range(20_000):
        node = b.binary(Op.XOR, b.binary(Op.MUL, node, b.const(32, 3)), b.const(32, index))
    assert len(shown(b, node)) < 20_000 * 60
