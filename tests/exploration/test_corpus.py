"""Mutations of inputs keep to their room and do what their names say."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cinquefoil.exploration.mutations.api import Pool
from cinquefoil.exploration.mutations.corpus import Corpus, text_of
from cinquefoil.exploration.mutations.mutators import Number, Splice, continuations
from cinquefoil.exploration.mutations.registry import make_all
from cinquefoil.layout import EVENT
from cinquefoil.machine.run import InputObject, Run

TEXTS = st.binary(max_size=12)


@given(TEXTS, st.integers(1, 24))
def test_continuations_fill_the_room_with_what_begins_alike(text: bytes, room: int) -> None:
    found = list(continuations(text, room))
    assert len(set(found)) == len(found)
    assert all(len(each) == room for each in found)
    if len(text) >= room or not text:
        assert not found


def test_digits_are_followed_by_different_digits() -> None:
    first = next(continuations(b"12", 10))
    assert first.startswith(b"12") and first.isdigit()
    assert all(a != b for a, b in pairwise(first))


def test_words_and_lines_are_repeated() -> None:
    found = set(continuations(b"a+b", 9))
    assert {b"a+b+b+b+b", b"a+b\na+b\na", b"a+b+b+b+\n"} <= found


@given(TEXTS, st.integers(1, 16), st.integers(0, 1000), st.lists(TEXTS, max_size=3))
def test_every_change_gives_a_text(text: bytes, room: int, seed: int, others: list[bytes]) -> None:
    for mutator in make_all():
        once, again = (
            mutator.mutate(text[:room], room, Pool(random.Random(seed), [b"word"], others)) for _ in range(2)
        )
        assert isinstance(once, bytes) and once == again


def test_numbers_are_replaced_whole() -> None:
    found = {Number().mutate(b"a9b", 24, Pool(random.Random(seed))) for seed in range(200)}
    assert b"a18446744073709551616b" in found and b"a0b" in found


def test_splicing_joins_a_beginning_and_an_end() -> None:
    found = {Splice().mutate(b"ab", 8, Pool(random.Random(seed), (), [b"yz"])) for seed in range(200)}
    assert found == {a + b for a in (b"", b"a", b"ab") for b in (b"", b"z", b"yz")}


def run_with(*objects: tuple[str, bytes]) -> Run:
    made: list[InputObject] = []
    data = b""
    for name, content in objects:
        made.append(InputObject(name, len(content), len(data)))
        data += content
    nothing = np.zeros(0, np.int64)
    trace = np.zeros(0, np.uint32)
    return Run(data, "exit", 0, np.zeros(0, EVENT), nothing, trace, tuple(made), b"", 0, None, 0, 0, 1)


def test_an_argument_keeps_its_end_and_metadata_stays() -> None:
    corpus = Corpus(random.Random(1), [b"word"])
    corpus.add(run_with(("arg00", b"-x\0\0"), ("A-data", b"12\0\0\0"), ("A-stat", b"stat")))
    for _ in range(500):
        variant = corpus.mutated()
        assert len(variant) == 13
        assert variant[3] == 0 and variant[9:] == b"stat"


def test_without_texts_there_are_no_entries() -> None:
    corpus = Corpus(random.Random(1))
    corpus.add(run_with(("A-stat", b"stat")))
    assert not corpus.entries


def test_the_number_of_arguments_changes_too() -> None:
    corpus = Corpus(random.Random(1))
    corpus.add(run_with(("n_args", b"\1\0\0\0"), ("arg00", b"-x\0\0")))
    assert {corpus.mutated()[0] for _ in range(300)} == {0, 1, 2}


def test_texts_end_where_the_program_sees_them_end() -> None:
    assert text_of(b"a\0b\0", InputObject("arg00", 4, 0)) == b"a"
    assert text_of(b"a\0b\0", InputObject("stdin", 4, 0)) == b"a\0b"
