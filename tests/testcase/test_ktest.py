"""The .ktest format: round trips, KLEE's byte layout, and damaged files."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cinquefoil.errors import TestFileError
from cinquefoil.testcase.ktest import KTest

texts = st.binary(max_size=12).map(lambda raw: raw.decode("utf-8", "surrogateescape"))
words = st.integers(0, 2**32 - 1)
tests = st.builds(
    KTest,
    st.lists(texts, max_size=4).map(tuple),
    st.lists(st.tuples(texts, st.binary(max_size=20)), max_size=4).map(tuple),
    words,
    words,
)
SAMPLE = KTest(("prog.bc", "-x"), (("n", b"\x01\x00\x00\x00"), ("model_version", b"\x01\0\0\0")))


@given(tests)
def test_round_trip(test: KTest) -> None:
    assert KTest.decode(test.encode()) == test


def test_layout_is_klees() -> None:
    expected = b"KTEST\0\0\0\3\0\0\0\1\0\0\0\1p\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\1x\0\0\0\2\7\x09"
    assert KTest(("p",), (("x", b"\7\x09"),)).encode() == expected


def test_version_1_has_no_symbolic_arguments() -> None:
    old = b"BOUT\n\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0\1x\0\0\0\1A"
    assert KTest.decode(old) == KTest((), (("x", b"A"),))


def test_every_truncation_is_refused() -> None:
    data = SAMPLE.encode()
    for size in range(len(data)):
        with pytest.raises(TestFileError, match="byte"):
            KTest.decode(data[:size], "t.ktest")


@given(st.binary(max_size=60))
def test_arbitrary_bytes_never_crash(data: bytes) -> None:
    with contextlib.suppress(TestFileError):
        KTest.decode(data)
    with contextlib.suppress(TestFileError):
        assert KTest.decode(b"KTEST\0\0\0\3" + data).encode() == b"KTEST\0\0\0\3" + data


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"ELF..\0\0\0\3", "not a .ktest file"),
        (b"KTEST\0\0\0\x09", "version 9"),
        (b"KTEST\0\0\0\3\xff\xff\xff\xff", "argument count 4294967295"),
        (SAMPLE.encode() + b"!", "1 bytes after the last object"),
    ],
)
def test_what_is_wrong_is_said(data: bytes, message: str) -> None:
    with pytest.raises(TestFileError, match=message):
        KTest.decode(data, "t.ktest")


def test_files(tmp_path: Path) -> None:
    SAMPLE.write(tmp_path / "a.ktest")
    assert KTest.read(tmp_path / "a.ktest") == SAMPLE
    with pytest.raises(TestFileError, match=r"cannot read test file .*missing\.ktest"):
        KTest.read(tmp_path / "missing.ktest")


def test_numbers_that_do_not_fit_are_refused() -> None:
    with pytest.raises(TestFileError, match="symArgvs"):
        KTest(sym_argvs=2**32).encode()


def test_objects_of_one_name_are_told_apart_as_in_a_run() -> None:
    """KLEE writes the name that the program gave, each time; a run calls them x, x_1, x_2."""
    test = KTest(objects=(("x", b"a"), ("x_1", b"b"), ("x", b"c"), ("y", b"d"), ("x", b"e")))
    assert KTest.decode(test.encode()) == test
    assert test.contents() == {"x": b"a", "x_1": b"b", "x_2": b"c", "y": b"d", "x_3": b"e"}
