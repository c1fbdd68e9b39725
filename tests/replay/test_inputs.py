"""Test objects become arguments, standard input and files."""

from __future__ import annotations

import stat
import struct
from pathlib import Path

import pytest

from cinquefoil.machine.environment import parse_arguments
from cinquefoil.replay.inputs import Inputs, inputs_of, write_files
from cinquefoil.testcase.ktest import KTest


def inputs(words: str, **objects: bytes) -> Inputs:
    named = [(name.replace("__", "-"), content) for name, content in objects.items()]
    return inputs_of(KTest.of(named), parse_arguments(words.split()))


def word(n: int) -> bytes:
    return struct.pack("<I", n)


def test_arguments_keep_their_order_and_end_at_the_first_zero() -> None:
    found = inputs("-a --sym-arg 3 b --sym-arg 2", arg00=b"x\0yz", arg01=b"pq\0")
    assert found.arguments == (b"-a", b"x", b"b", b"pq")
    assert found.taken == ("arg00", "arg01")


def test_ranges_say_how_many_arguments_there_are() -> None:
    objects = {"n_args": word(2), "arg00": b"a\0", "arg01": b"b\0", "n_args_1": word(1), "arg02": b"c\0"}
    found = inputs("--sym-args 0 3 1 --sym-args 1 2 1", **objects)
    assert found.arguments == (b"a", b"b", b"c")
    assert found.taken == ("n_args", "arg00", "arg01", "n_args_1", "arg02")


def test_the_hundredth_argument_is_not_the_tenth() -> None:
    found = inputs("--sym-args 100 100 1", arg00=b"a\0", arg09=b"b\0", arg99=b"z\0").arguments
    assert (found[0], found[9], found[99]) == (b"a", b"b", b"z")


def test_a_range_of_one_number_has_no_object() -> None:
    assert inputs("--sym-args 2 2 1", arg00=b"a", arg01=b"b").taken == ("arg00", "arg01")


@pytest.mark.parametrize("count", [0, 4, 1 << 31])
def test_numbers_of_arguments_out_of_range_are_impossible(count: int) -> None:
    assert not inputs("--sym-args 1 3 1", n_args=word(count)).possible


def test_what_a_test_does_not_say_is_zero() -> None:
    found = inputs("--sym-arg 2 --sym-stdin 4 --sym-files 1 3", stdin=b"ab")
    assert found.arguments == (b"",)
    assert found.stdin.data == b"ab\0\0"
    assert found.files["A"].data == bytes(3)


def test_contents_are_cut_by_their_short_objects() -> None:
    found = inputs(
        "--sym-files 1 4 --sym-stdin 4", stdin=b"abcd", stdin__short=word(4), A__data=b"wxyz", A__data__short=word(1)
    )
    assert (found.stdin.data, found.files["A"].data) == (b"", b"wxy")
    assert not inputs("--sym-stdin 4", stdin__short=word(5)).possible


def status(mode: int, changed: int) -> bytes:
    data = bytearray(144)
    data[24:28] = word(mode)
    data[88:96] = struct.pack("<Q", changed)
    return bytes(data)


def test_files_are_written_with_their_status(tmp_path: Path) -> None:
    regular = status(stat.S_IFREG | 0o640, 1_600_000_000)
    found = inputs(
        "--sym-files 2 2", A__data=b"hi", A__data__stat=regular, B__data__stat=status(stat.S_IFDIR | 0o700, 0)
    )
    assert write_files(found, tmp_path) == []
    assert (tmp_path / "A").read_bytes() == b"hi"
    assert stat.S_IMODE((tmp_path / "A").stat().st_mode) == 0o640
    assert (tmp_path / "A").stat().st_mtime == 1_600_000_000
    assert (tmp_path / "B").is_dir()


def test_pipes_cannot_be_made(tmp_path: Path) -> None:
    found = inputs("--sym-files 1 2", A__data__stat=status(stat.S_IFIFO | 0o600, 0))
    assert "pipe" in write_files(found, tmp_path)[0]


@pytest.mark.parametrize("name", ["/etc/passwd", "../up", "a/../../b", ""])
def test_no_file_is_written_outside_the_folder(tmp_path: Path, name: str) -> None:
    from cinquefoil.machine.environment import ConcreteFile, Environment

    inside = tmp_path / "inside"
    inside.mkdir()
    found = inputs_of(KTest(), Environment(files=(ConcreteFile(name, b"x"),)))
    assert "outside" in write_files(found, inside)[0]
    assert sorted(tmp_path.rglob("*")) == [inside]
