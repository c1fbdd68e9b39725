"""Native functions called without ctypes: the same answers as by ctypes, and no crash for a wrong argument."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cinquefoil.build import calls, shared
from cinquefoil.build.calls import MOST, Numbers
from cinquefoil.build.shared import Signatures, bound, load_library, quick_calls, text_reader

U32, I32, U64, I64, POINTER = ctypes.c_uint32, ctypes.c_int32, ctypes.c_uint64, ctypes.c_int64, ctypes.c_void_p
CODE = """
#include <stdint.h>
typedef int64_t i64;
uint32_t u32(uint32_t x) { return x; }
int32_t i32(int32_t x) { return x; }
uint64_t u64(uint64_t x) { return x; }
i64 i64_(i64 x) { return x; }
void *same(void *x) { return x; }
static i64 stored;
void store(i64 x) { stored = x; }
i64 load(void) { return stored; }
uint64_t first(const uint16_t *x) { return x[0]; }
uint64_t letter(const char *x, uint64_t at) { return (unsigned char)x[at]; }
i64 many(i64 a, i64 b, i64 c, i64 d, i64 e, i64 f, i64 g, i64 h, i64 i, i64 j, i64 k, i64 l, i64 m, i64 n, i64 o, i64 p,
         i64 q, i64 r) {
    return a - b + c - d + e - f + g - h + i - j + k - l + m - n + o - p + q - 100 * r;
}
int numbers(i64 *out, i64 count, i64 from) { for (i64 i = 0; i < count; i++) out[i] = from - i; return (int)count; }
double half(double x) { return x / 2; }
"""
SIGNATURES: Signatures = {
    "u32": (U32, (U32,)),
    "i32": (I32, (I32,)),
    "u64": (U64, (U64,)),
    "i64_": (I64, (I64,)),
    "same": (POINTER, (POINTER,)),
    "store": (None, (I64,)),
    "load": (I64, ()),
    "first": (U64, (POINTER,)),
    "letter": (U64, (ctypes.c_char_p, U64)),
    "many": (I64, (I64,) * MOST),
    "numbers": (Numbers, (I64, I64)),
    "half": (ctypes.c_double, (ctypes.c_double,)),
}


class Three(IntEnum):
    THREE = 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("native")
    (made / "some.c").write_text(CODE)
    return made


@pytest.fixture(params=["quick", "ctypes"])
def library(request: pytest.FixtureRequest, folder: Path, monkeypatch: pytest.MonkeyPatch) -> ctypes.CDLL:
    if request.param == "ctypes":
        monkeypatch.setattr(shared, "quick_calls", lambda: None)
    return load_library("test", folder, SIGNATURES, ("-w",))


def test_this_interpreter_is_called_quickly(folder: Path) -> None:
    """All that is measured rests on it."""
    assert quick_calls() is not None
    loaded = load_library("test", folder, SIGNATURES, ("-w",), long=("u32",))
    assert type(loaded.u64).__name__ == "builtin_function_or_method"
    assert type(loaded.u32).__name__ == type(loaded.half).__name__ == "function"


@pytest.mark.parametrize("value", [0, 1, 2**31 - 1, 2**31, 2**32 - 1, 2**63, 2**64 - 1, -1, -(2**63)])
def test_integers_of_every_width(library: ctypes.CDLL, value: int) -> None:
    for name, width, signed in (("u32", 32, False), ("i32", 32, True), ("u64", 64, False), ("i64_", 64, True)):
        low = value & (1 << width) - 1
        assert getattr(library, name)(value) == (low - (1 << width) if signed and low >> width - 1 else low)


def test_pointers_arrays_and_text(library: ctypes.CDLL) -> None:
    numbers = np.array([[7, 8], [9, 10]], np.uint16)
    assert (library.same(None), library.same(0), library.same(12)) == (None, None, 12)
    assert (library.first(numbers), library.first(numbers[1:]), library.same(numbers)) == (7, 9, numbers.ctypes.data)
    assert (library.letter(b"abc", 2), library.letter(b"", 0)) == (ord("c"), 0)
    assert (library.u64(True), library.u64(Three.THREE), library.u64(np.int64(5))) == (1, 3, 5)


def test_results_of_many_and_of_none(library: ctypes.CDLL) -> None:
    assert library.many(*range(1, MOST + 1)) == sum(range(1, 18, 2)) - sum(range(2, 17, 2)) - 100 * MOST
    assert (library.store(-5), library.load()) == (None, -5)
    assert (library.numbers(3, -1), library.numbers(0, 9), library.numbers(-1, 0)) == ((-1, -2, -3), (), None)
    assert library.numbers(MOST, 0) == tuple(range(0, -MOST, -1))
    assert library.half(3.0) == 1.5


@pytest.mark.parametrize("given", [(), (1, 2), ("text",), (1.5,), ([],), (object(),)])
def test_wrong_arguments_are_refused(library: ctypes.CDLL, given: tuple[Any, ...]) -> None:
    with pytest.raises((TypeError, ctypes.ArgumentError)):
        library.u64(*given)
    assert library.u64(3) == 3  # and nothing is left of the error


def test_the_first_arguments_may_be_fixed(library: ctypes.CDLL) -> None:
    assert bound(library.numbers, 2)(10) == (10, 9)
    assert bound(library.numbers, 2, 5)() == (5, 4)
    with pytest.raises(TypeError):
        bound(library.numbers, 2)()


def test_references_are_counted(library: ctypes.CDLL) -> None:
    values: list[Any] = [np.zeros(3, np.uint16), b"some text", 2**40 + 1]
    before = [sys.getrefcount(value) for value in values]
    calls_of: list[Callable[[], object]] = [
        lambda: library.first(values[0]),
        lambda: library.letter(values[1], 1),
        lambda: library.u64(values[2]),
    ]
    for call in calls_of * 50:
        call()
    assert [sys.getrefcount(value) for value in values] == before
    nothing = sys.getrefcount(None)
    for _ in range(1000):
        library.store(1)
    assert sys.getrefcount(None) < nothing + 500


def test_text_is_read_from_memory() -> None:
    held = np.frombuffer(b"ab\0cd", np.uint8)
    assert text_reader()(held.ctypes.data, 5) == b"ab\0cd"


def test_an_interpreter_that_looks_different_is_left_to_ctypes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "_HEAD", 32)  # as if objects began otherwise
    assert calls.quick.__wrapped__(Path("nowhere")) is None
