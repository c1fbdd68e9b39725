"""How input bytes are called: which object a byte belongs to, and where in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import NamedTuple


class ByteName(NamedTuple):
    """A byte of a named object of `size` bytes."""

    name: str
    offset: int
    size: int


Namer = Callable[[int], ByteName]


def plain_names(index: int) -> ByteName:
    """Names inputs that nobody named: `input[index]`."""
    return ByteName("input", index, 1 << 32)


def object_names(objects: Iterable[tuple[str, int, int]]) -> Namer:
    """Names from objects given as (name, first input index, size); bytes of none are `input[index]`."""
    known = sorted((first, size, name) for name, first, size in objects if size)
    starts = [first for first, _, _ in known]

    def byte_name(index: int) -> ByteName:
        at = bisect_right(starts, index) - 1
        if at >= 0 and index < known[at][0] + known[at][1]:
            first, size, name = known[at]
            return ByteName(name, index - first, size)
        return plain_names(index)

    return byte_name


def byte_range(names: Namer, first: int, count: int) -> str | None:
    """`x`, `x[3]` or `x[0:4]` for consecutive bytes of one object, else None."""
    start, last = names(first), names(first + count - 1)
    if start.name != last.name or last.offset - start.offset != count - 1:
        return None
    if count == start.size:
        return start.name
    end = f":{start.offset + count}" if count > 1 else ""
    return f"{start.name}[{start.offset}{end}]"
