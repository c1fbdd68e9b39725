"""The Python oracle: known values, algebraic laws, and numpy's floating point."""

from __future__ import annotations

import math
import struct
from random import Random

import numpy as np
import pytest
from dags import random_constant, special_floats
from hypothesis import given
from hypothesis import strategies as st

from cinquefoil.expr import softfloat
from cinquefoil.expr.builder import TableBuilder
from cinquefoil.expr.evaluate import evaluate, signed
from cinquefoil.layout import Op, Rounding

NUMPY = {32: (np.uint32, np.float32), 64: (np.uint64, np.float64)}


def apply(op: Op, width: int, a: int, b: int) -> int:
    builder = TableBuilder()
    node = builder.binary(op, builder.const(width, a), builder.const(width, b))
    return evaluate(builder.table(), node, b"")


@pytest.mark.parametrize(
    ("op", "a", "b", "expected"),
    [
        (Op.UDIV, 7, 0, 255), (Op.UREM, 7, 0, 7), (Op.SDIV, 7, 0, 255), (Op.SDIV, 249, 0, 1),
        (Op.SREM, 249, 0, 249), (Op.SDIV, 128, 255, 128), (Op.SDIV, 249, 2, 253), (Op.SREM, 249, 2, 255),
        (Op.SREM, 7, 254, 1), (Op.SHL, 1, 8, 0), (Op.SHL, 1, 7, 128), (Op.LSHR, 128, 200, 0),
        (Op.ASHR, 128, 200, 255), (Op.ASHR, 128, 3, 240), (Op.ASHR, 64, 9, 0), (Op.SLT, 128, 0, 1),
        (Op.ULT, 128, 0, 0), (Op.SLE, 5, 5, 1), (Op.ADD, 200, 100, 44), (Op.SUB, 0, 1, 255),
        (Op.MUL, 16, 17, 16),
        (Op.PTRADD, 255, 2, 1),
    ],
)  # fmt: skip
def test_integer_operations(op: Op, a: int, b: int, expected: int) -> None:
    assert apply(op, 8, a, b) == expected


@given(st.integers(0, 2**128 - 1), st.integers(1, 2**128 - 1))
def test_division_laws(a: int, b: int) -> None:
    x, y = signed(a, 128), signed(b, 128)
    quotient, rest = signed(apply(Op.SDIV, 128, a, b), 128), signed(apply(Op.SREM, 128, a, b), 128)
    assert (quotient * y + rest - x) % 2**128 == 0
    assert abs(rest) < abs(y) and rest * x >= 0


def test_shapes() -> None:
    builder = TableBuilder()
    word = builder.inputs(0, 4)
    table = builder.add_table(16, [10, 20, 30], [0, builder.node(Op.ZEXT, 16, builder.input(0)), 0])
    cases = {
        word: 0x04030281,
        builder.extract(word, 8, 16): 0x0302,
        builder.node(Op.SEXT, 16, builder.input(0)): 0xFF81,
        builder.node(Op.ZEXT, 16, builder.input(0)): 0x81,
        builder.ite(builder.extract(word, 0, 1), builder.const(8, 5), builder.input(1)): 5,
        builder.node(Op.CTPOP, 8, builder.input(0)): 2,
        builder.node(Op.CTLZ, 8, builder.input(1)): 6,
        builder.node(Op.CTTZ, 8, builder.input(3)): 2,
        builder.node(Op.CTTZ, 8, builder.input(9)): 8,
        builder.node(Op.CTLZ, 8, builder.input(9)): 8,
        builder.read(table, builder.const(8, 2)): 30,
        builder.read(table, builder.const(8, 1)): 0x81,
        builder.read(table, builder.const(8, 3)): 0,
    }
    view = builder.table()
    assert {node: evaluate(view, node, b"\x81\x02\x03\x04") for node in cases} == cases


def same_float(mine: int, theirs: int, width: int) -> bool:
    form = softfloat.FORMATS[width]
    return mine == theirs or (softfloat.decode(mine, form).nan and softfloat.decode(theirs, form).nan)


def float_pairs(width: int, count: int) -> list[tuple[int, int]]:
    rng, specials = Random(width), special_floats(width)
    pairs = [(rng.choice(specials), rng.choice(specials)) for _ in range(count)]
    return pairs + [(random_constant(rng, width), rng.randrange(1 << width)) for _ in range(count)]


@pytest.mark.parametrize("width", [32, 64])
@pytest.mark.parametrize(
    ("op", "function"),
    [
        (Op.FADD, np.add),
        (Op.FSUB, np.subtract),
        (Op.FMUL, np.multiply),
        (Op.FDIV, np.divide),
        (Op.FREM, np.fmod),
    ],
)
def test_float_arithmetic_is_the_hardwares(width: int, op: Op, function: np.ufunc) -> None:
    integer, floating = NUMPY[width]
    pairs = np.array(float_pairs(width, 1500), dtype=integer)
    with np.errstate(all="ignore"):
        theirs = function(pairs[:, 0].view(floating), pairs[:, 1].view(floating)).view(integer)
    for (a, b), expected in zip(pairs.tolist(), theirs.tolist(), strict=True):
        assert same_float(softfloat.arithmetic(op, width, a, b, 0, 0), expected, width), (hex(a), hex(b))


@pytest.mark.parametrize("width", [32, 64])
def test_float_functions_are_the_hardwares(width: int) -> None:
    integer, floating = NUMPY[width]
    bits = np.array([a for a, _ in float_pairs(width, 1500)], dtype=integer)
    functions = {
        (Op.FSQRT, 0): np.sqrt,
        (Op.FRINT, Rounding.EVEN): np.rint,
        (Op.FRINT, Rounding.UP): np.ceil,
        (Op.FRINT, Rounding.DOWN): np.floor,
        (Op.FRINT, Rounding.ZERO): np.trunc,
    }
    for (op, imm), function in functions.items():
        with np.errstate(all="ignore"):
            theirs = function(bits.view(floating)).view(integer).tolist()
        for a, expected in zip(bits.tolist(), theirs, strict=True):
            assert same_float(softfloat.arithmetic(op, width, a, 0, 0, int(imm)), expected, width), hex(a)


def test_conversions_are_the_hardwares() -> None:
    for a, _ in float_pairs(64, 1000):
        with np.errstate(all="ignore"):
            narrow = int(np.array([a], np.uint64).view(np.float64).astype(np.float32).view(np.uint32)[0])
        assert same_float(softfloat.convert(a, 64, 32), narrow, 32)
        value = struct.unpack("<d", a.to_bytes(8, "little"))[0]
        if math.isfinite(value) and -(2**63) <= int(value) < 2**63:
            assert softfloat.to_integer(a, 64, 64, True) == int(value) % 2**64
        else:
            assert softfloat.to_integer(a, 64, 64, True) == 2**63
        assert softfloat.from_integer(signed(a, 64), 64) == int.from_bytes(
            struct.pack("<d", float(signed(a, 64))), "little"
        )


@pytest.mark.skipif(np.finfo(np.longdouble).nmant != 63, reason="no x87 long double")
def test_extended_precision_is_the_hardwares() -> None:
    functions = {
        Op.FADD: np.add,
        Op.FSUB: np.subtract,
        Op.FMUL: np.multiply,
        Op.FDIV: np.divide,
        Op.FREM: np.fmod,
    }
    for op, function in functions.items():
        for a, b in float_pairs(80, 600):
            pair = np.frombuffer(a.to_bytes(16, "little") + b.to_bytes(16, "little"), dtype=np.longdouble)
            with np.errstate(all="ignore"):
                theirs = int.from_bytes(function(pair[:1], pair[1:]).tobytes()[:10], "little")
            assert same_float(softfloat.arithmetic(op, 80, a, b, 0, 0), theirs, 80), (
                op,
                hex(a),
                hex(b),
                hex(theirs),
            )


def test_rounding_half_away() -> None:
    def rounded(x: float) -> float:
        bits = int.from_bytes(struct.pack("<d", x), "little")
        result = softfloat.arithmetic(Op.FRINT, 64, bits, 0, 0, int(Rounding.AWAY))
        return struct.unpack("<d", result.to_bytes(8, "little"))[0]

    assert [rounded(x) for x in (0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994)] == [1, -1, 2, 3, -3, 0]


def test_fused_multiply_add_rounds_once() -> None:
    x = int.from_bytes(struct.pack("<d", 1 + 2**-52), "little")
    product = int.from_bytes(struct.pack("<d", -(1 + 2**-51)), "little")
    fused = softfloat.arithmetic(Op.FMA, 64, x, x, product, 0)
    assert struct.unpack("<d", fused.to_bytes(8, "little"))[0] == 2**-104
