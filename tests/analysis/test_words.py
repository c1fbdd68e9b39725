"""Words of a program: what its constants say of its input."""

from __future__ import annotations

from pathlib import Path

from cinquefoil.analysis.words import words_in, words_of
from cinquefoil.build.program import load_program

IR = r"""
@.str = private constant [6 x i8] c"ifdef\00"
@.message = private constant [14 x i8] c"no such file\0A\00"
@.format = private constant [4 x i8] c"%dx\00"
@.two = internal constant [8 x i8] c"red\00blu\00"
@.letter = private constant [2 x i8] c"q\00"
define i32 @f(i32 %x) {
  %y = icmp eq i32 %x, 513
  %z = icmp ult i32 %x, 7
  switch i32 %x, label %a [
    i32 66051, label %b
  ]
}
"""


def test_texts_that_could_be_words_and_numbers_of_several_bytes_are_taken() -> None:
    numbers = {b"\x01\x02", b"\x02\x01", b"\x03\x02\x01\x00", b"\x00\x01\x02\x03"}
    assert set(words_in(IR)) == {b"ifdef", b"red", b"blu", *numbers}


def test_the_shortest_are_kept() -> None:
    assert words_in(IR, most=3) == (b"\x01\x02", b"\x02\x01", b"blu")


def test_a_program_s_words(tmp_path: Path) -> None:
    source = tmp_path / "words.c"
    source.write_text('#include <string.h>\nint main(int c, char **v) { return c > 1 && !strcmp(v[1], "--zebra"); }\n')
    assert b"--zebra" in words_of(load_program(source).module_bitcode)
