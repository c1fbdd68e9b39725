"""Calls of native functions from Python: what is converted, what is refused, and that nothing leaks."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import Any

import numpy as np
import pytest

from cinquefoil.native import core
from cinquefoil.native.structures import structure

HIGHEST = (1 << 64) - 1


class Three(IntEnum):
    THREE = 3


@pytest.fixture
def groups() -> Iterator[int]:
    """A handle: 10 and 11 have key 1, 12 has key 2 to the 64th less 1."""
    made = core.cinq_groups_new(0, 0)
    core.cinq_groups_add(made, np.array([1, 1, HIGHEST], np.uint64), np.array([10, 11, 12], np.uint64), 3)
    yield made
    core.cinq_groups_free(made)


def test_integers_keep_their_value(groups: int) -> None:
    assert core.cinq_groups_find(groups, 1) == 0
    assert core.cinq_groups_find(groups, HIGHEST) == core.cinq_groups_find(groups, -1) == 1
    assert core.cinq_groups_find(groups, 5) == 0xFFFFFFFF
    assert core.cinq_groups_find(groups, True) == core.cinq_groups_find(groups, np.int64(1)) == 0
    assert core.cinq_intake_knows(Three.THREE) == core.cinq_intake_knows(3)


@pytest.mark.parametrize("value", [1 << 32, -(1 << 31) - 1, 1 << 63, -(1 << 63)])
def test_what_does_not_fit_is_refused(value: int) -> None:
    with pytest.raises(OverflowError, match="cinq_intake_knows"):
        core.cinq_intake_knows(value)
    assert core.cinq_intake_knows(0xFFFFFFFF) == 0


@pytest.mark.parametrize("given", [(), (1, 2), ("text",), (1.5,), ([],), (object(),)])
def test_wrong_arguments_are_refused(given: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError):
        core.cinq_intake_knows(*given)
    assert core.cinq_intake_knows(1) in (0, 1)  # and nothing is left of the error


def test_signed_and_floating_results() -> None:
    constraints = np.zeros(1, [("node", "u4"), ("equal", "u4"), ("value", "u8")])
    assert constraints.itemsize == ctypes.sizeof(structure("constraint"))
    assert core.cinq_scaled(0.0) == 0.0
    assert core.cinq_scaled(3) == 2.0
    with pytest.raises(TypeError):
        core.cinq_scaled("x")  # pyright: ignore[reportArgumentType]
    table, wanted = np.array([0, 0], np.int32), bytes(2)
    covers = structure("covers")(*[core.address(table)] * 4, core.address(wanted))
    assert core.cinq_covers_best(covers, 0, 1) == 0


@pytest.mark.parametrize("make", [bytes, bytearray, memoryview, lambda data: np.frombuffer(data, np.uint64), None])
def test_arrays_are_whatever_shows_its_memory(groups: int, make: Callable[[bytes], Any] | None) -> None:
    keys = np.array([7, 8], np.uint64)
    given = (ctypes.c_uint64 * 2)(7, 8) if make is None else make(keys.tobytes())
    core.cinq_groups_add(groups, given, keys, 2)
    assert core.cinq_groups_find(groups, 8) == 3
    core.cinq_groups_add(groups, keys.ctypes.data, core.address(keys), 2)  # or an address
    assert core.cinq_groups_size(groups, 3) == 2


@pytest.mark.parametrize(
    "wrong",
    [np.zeros(3, np.uint32), np.zeros(6, np.uint64)[::2], bytes(7), 1.5, "text", [1, 2]],
    ids=["other items", "not contiguous", "half an item", "a float", "a text", "a list"],
)
def test_arrays_of_other_items_are_refused(groups: int, wrong: object) -> None:
    with pytest.raises((TypeError, ValueError, BufferError)):
        core.cinq_groups_add(groups, wrong, np.zeros(1, np.uint64), 1)  # pyright: ignore[reportArgumentType]
    assert core.cinq_groups_count(groups) == 2


def test_results_of_many_numbers_and_of_none() -> None:
    book = core.cinq_index_new()
    assert core.cinq_index_row(book, 4) is None
    core.cinq_index_free(book)


_COLUMNS = dict.fromkeys(("index", "site", "target", "depth", "steps", "trace"), np.uint32) | {
    "alternative": np.int32,
    "fresh": np.int32,
    "value": np.uint64,
    "kind": np.uint8,
}


def test_rows_come_as_they_are() -> None:
    arrays = {name: np.array([0, number], kind) for number, (name, kind) in enumerate(_COLUMNS.items(), 1)}
    columns = structure("columns")(**{name: core.address(array) for name, array in arrays.items()})
    assert core.cinq_row(columns, 1) == (0, 1, 1, 10, 2, 7, 3, 4, 5, 6, 8, 9)


def test_the_first_arguments_may_be_fixed(groups: int) -> None:
    find = core.bound(core.cinq_groups_find, groups)
    assert [find(1), find(HIGHEST)] == [0, 1]
    assert core.bound(core.cinq_groups_find, groups, 1)() == 0
    for given in ((), (1, 2)):
        with pytest.raises(TypeError):
            find(*given)
    with pytest.raises(TypeError):
        core.bound(len, 1)
    with pytest.raises(TypeError):
        core.bound()  # pyright: ignore[reportCallIssue]


def test_references_are_counted(groups: int) -> None:
    values: list[Any] = [np.zeros(3, np.uint64), b"eight by", 2**40 + 1, groups]
    find = core.bound(core.cinq_groups_find, groups)
    before = [sys.getrefcount(value) for value in values]
    calls: list[Callable[[], object]] = [
        lambda: core.cinq_groups_add(groups, values[0], values[1], 1),
        lambda: core.cinq_groups_find(groups, values[2]),
        lambda: find(values[2]),
        lambda: core.bound(core.cinq_groups_find, groups)(1),
        lambda: core.address(values[0]),
    ]
    for call in calls * 50:
        call()
    assert [sys.getrefcount(value) for value in values] == before
    nothing = sys.getrefcount(None)
    for _ in range(1000):
        core.cinq_groups_members(groups, 0, values[0])
    assert sys.getrefcount(None) < nothing + 500


def test_an_array_is_held_no_longer_than_the_call(groups: int) -> None:
    keys = bytearray(8)
    core.cinq_groups_add(groups, keys, bytes(8), 1)
    keys.append(1)  # refused as long as its memory is shown to somebody
    with pytest.raises(TypeError):
        core.cinq_groups_add(groups, keys, "text", 1)  # pyright: ignore[reportArgumentType]
    keys.append(1)


def test_memory_is_found_and_read() -> None:
    held = np.frombuffer(b"ab\0cd", np.uint8)
    assert core.address(held[1:]) == core.address(held) + 1 == held.ctypes.data + 1
    assert core.text_at(core.address(held), 5) == b"ab\0cd"
    with pytest.raises((ValueError, BufferError)):
        core.address(np.zeros(6)[::2])


def test_what_the_core_does_not_have_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="cinq_nothing"):
        getattr(core, "cinq_nothing")  # noqa: B009 (a checker would complain of the name)
