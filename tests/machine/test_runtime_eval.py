"""eval.h against Python: big integers, correctly rounded floats."""

from __future__ import annotations

import ctypes
import math
import random
import struct
import subprocess
from collections.abc import Callable

import numpy as np
import pytest
from runtime_harness import DRIVERS, K, compile_c, zig

Evaluate = Callable[..., int]


@pytest.fixture(scope="module")
def evaluate(tmp_path_factory: pytest.TempPathFactory) -> Evaluate:
    folder = tmp_path_factory.mktemp("eval")
    made = compile_c(DRIVERS / "evaluate.c", folder / "evaluate.o", "-fPIC")
    subprocess.run([zig(), "ld.lld", "-shared", "-o", folder / "evaluate.so", made], check=True)
    native = ctypes.CDLL(str(folder / "evaluate.so")).evaluate
    native.argtypes = [
        ctypes.c_uint32,
        ctypes.c_uint32,
        ctypes.c_uint32,
        ctypes.c_uint64,
        ctypes.c_void_p,
        ctypes.c_void_p,
    ]

    def call(op: str, width: int, wa: int, *operands: int, imm: int = 0) -> int:
        words = (ctypes.c_uint64 * 6)()
        result = (ctypes.c_uint64 * 2)()
        for i, v in enumerate(operands):
            words[2 * i], words[2 * i + 1] = v & (2**64 - 1), v >> 64
        native(K[op], width, wa, imm, words, result)
        return result[0] | result[1] << 64

    return call


def signed(v: int, w: int) -> int:
    return v - (1 << w) if v >> (w - 1) else v


def quotient(a: int, b: int) -> int:  # C's: towards zero
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def integer_reference(op: str, w: int, a: int, b: int) -> int:
    sa, sb = signed(a, w), signed(b, w)
    match op:
        case "OP_UDIV":
            r = a // b if b else -1
        case "OP_UREM":
            r = a % b if b else a
        case "OP_SDIV":
            r = quotient(sa, sb) if b else (1 if sa < 0 else -1)
        case "OP_SREM":
            r = sa - sb * quotient(sa, sb) if b else a
        case "OP_SHL":
            r = a << b if b < w else 0
        case "OP_LSHR":
            r = a >> b if b < w else 0
        case "OP_ASHR":
            r = sa >> min(b, w)
        case "OP_MUL":
            r = a * b
        case "OP_SLT":
            r = int(sa < sb)
        case "OP_SLE":
            r = int(sa <= sb)
        case "OP_CTLZ":
            r = w - a.bit_length()
        case "OP_CTPOP":
            r = a.bit_count()
        case _:
            r = (a & -a).bit_length() - 1 if a else w
    return r & ((1 << w) - 1)


INTEGER = [
    "UDIV",
    "UREM",
    "SDIV",
    "SREM",
    "SHL",
    "LSHR",
    "ASHR",
    "MUL",
    "SLT",
    "SLE",
    "CTLZ",
    "CTPOP",
    "CTTZ",
]


@pytest.mark.parametrize("op", [f"OP_{n}" for n in INTEGER])
def test_integers(evaluate: Evaluate, op: str) -> None:
    rng = random.Random(op)
    for _ in range(1500):
        w = rng.choice([1, 5, 8, 16, 32, 64, 65, 100, 128])
        pick = [
            0,
            1,
            (1 << w) - 1,
            1 << (w - 1),
            rng.getrandbits(w),
            rng.getrandbits(max(w // 2, 1)),
            w,
            w - 1,
        ]
        a, b = (rng.choice(pick) & ((1 << w) - 1) for _ in range(2))
        result = 1 if op in ("OP_SLT", "OP_SLE") else w
        assert evaluate(op, result, w, a, b) == integer_reference(op, w, a, b), (op, w, a, b)


def bits(x: float) -> int:
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def number(v: int) -> float:
    return struct.unpack("<d", struct.pack("<Q", v))[0]


def bits32(x: np.float32) -> int:
    return int(np.float32(x).view(np.uint32))


def random_double(rng: random.Random) -> float:
    kinds = [
        0.0,
        -0.0,
        1.5,
        -2.5,
        0.5,
        -0.5,
        1e300,
        5e-324,
        math.inf,
        rng.uniform(-1e6, 1e6),
        number(rng.getrandbits(64)),
    ]
    x = rng.choice(kinds)
    return 1.0 if math.isnan(x) else x


def test_doubles(evaluate: Evaluate) -> None:
    rng = random.Random(1)
    for _ in range(4000):
        a, b = random_double(rng), random_double(rng)
        with np.errstate(all="ignore"):
            x, y = np.float64(a), np.float64(b)
            expected = {
                "OP_FADD": x + y,
                "OP_FSUB": x - y,
                "OP_FMUL": x * y,
                "OP_FDIV": x / y,
                "OP_FREM": np.fmod(x, y),
            }
        for op, value in expected.items():
            got = number(evaluate(op, 64, 64, bits(a), bits(b)))
            assert got == value or (math.isnan(got) and math.isnan(value)), (op, a, b)
        if a >= 0:
            assert number(evaluate("OP_FSQRT", 64, 64, bits(a))) == math.sqrt(a)
        assert evaluate("OP_FOLT", 1, 64, bits(a), bits(b)) == int(a < b)
        assert evaluate("OP_FOLE", 1, 64, bits(a), bits(b)) == int(a <= b)


def test_rounding(evaluate: Evaluate) -> None:
    rng = random.Random(2)
    ways = {"ROUND_EVEN": np.rint, "ROUND_UP": np.ceil, "ROUND_DOWN": np.floor, "ROUND_ZERO": np.trunc}
    for _ in range(2000):
        a = random_double(rng)
        for name, way in ways.items():
            assert evaluate("OP_FRINT", 64, 64, bits(a), imm=K[name]) == bits(float(way(np.float64(a)))), (
                name,
                a,
            )
        if abs(a) < 2**50:
            away = math.copysign(math.floor(abs(a) + 0.5) if abs(a) != 0.49999999999999994 else 0, a)
            assert evaluate("OP_FRINT", 64, 64, bits(a), imm=K["ROUND_AWAY"]) == bits(away), a


def test_conversions(evaluate: Evaluate) -> None:
    rng = random.Random(3)
    for _ in range(4000):
        w = rng.choice([8, 16, 32, 64, 128])
        v = rng.getrandbits(w) if rng.random() < 0.7 else (1 << rng.randrange(w)) + rng.randrange(2)
        v &= (1 << w) - 1
        assert evaluate("OP_UI2F", 64, w, v) == bits(float(v)), v
        assert evaluate("OP_SI2F", 64, w, v) == bits(float(signed(v, w))), v
        a = random_double(rng)
        with np.errstate(all="ignore"):
            assert evaluate("OP_FCVT", 32, 64, bits(a)) == bits32(np.float32(a))
        if abs(a) < 2.0 ** (w - 1):
            assert signed(evaluate("OP_F2SI", w, 64, bits(a)), w) == int(a), (w, a)
        if 0 <= a < 2.0**w:
            assert evaluate("OP_F2UI", w, 64, bits(a)) == int(a), (w, a)


def test_extended_precision(evaluate: Evaluate) -> None:
    rng = random.Random(4)
    for _ in range(1000):
        a, b = rng.uniform(-1e9, 1e9), rng.uniform(-1e9, 1e9)
        x, y = (evaluate("OP_FCVT", 80, 64, bits(v)) for v in (a, b))
        assert evaluate("OP_FCVT", 64, 80, x) == bits(a)
        total = int.from_bytes((np.longdouble(a) + np.longdouble(b)).tobytes()[:10], "little")
        assert evaluate("OP_FADD", 80, 80, x, y) == total
