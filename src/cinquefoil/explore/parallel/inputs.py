"""Inputs by name, since each process has an order of its own for them.

A witness is bytes by input index, and a native worker hands out indices in the order in which its runs meet named
inputs.  What one process tells another is therefore the contents by name and size; the other one gives names that it
has not met yet their places before any run does."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from cinquefoil import layout
from cinquefoil.machine.shared import SharedMemory, counter

_OBJECTS, _KNOWN = counter("objects"), counter("input_known")
_ROW = layout.OBJECT.itemsize
Contents = tuple[tuple[bytes, int, bytes], ...]
"""Name, size and bytes of each input that is not all zero."""


class Registry:
    """The named inputs of one worker, which may itself add to them by running."""

    def __init__(self, memory: SharedMemory) -> None:
        self._memory = memory
        self._places: dict[tuple[bytes, int], int] = {}  # the first byte's index, by name and size
        self._indexed = 0

    def named(self, data: bytes) -> Contents:
        """A witness's bytes by name."""
        self._index()
        places = ((name, size, data[first : first + size]) for (name, size), first in self._places.items())
        return tuple(each for each in places if each[2].strip(b"\0"))

    def witness(self, contents: Iterable[tuple[bytes, int, bytes]]) -> bytes | None:
        """The bytes that say the same to this worker; None if it has no room for so many names."""
        self._index()
        data = bytearray()
        for name, size, content in contents:
            first = self._places.get((name, size))
            if first is None and (first := self._append(name, size)) is None:
                return None
            data.extend(bytes(max(0, first + len(content) - len(data))))
            data[first : first + len(content)] = content
        return bytes(data)

    def _index(self) -> None:
        """Looks at what was added since, by whomever."""
        count = self._memory.counters[_OBJECTS]
        for row in self._memory.objects[self._indexed : count]:
            self._places[bytes(row["name"]), int(row["size"])] = int(row["first"])
        self._indexed = count

    def _append(self, name: bytes, size: int) -> int | None:
        counters = self._memory.counters
        objects, first = counters[_OBJECTS], counters[_KNOWN]
        if objects >= layout.OBJECT_CAPACITY or first + size > layout.INPUT_CAPACITY:
            return None
        row = np.zeros(1, layout.OBJECT)
        row["name"], row["size"], row["first"] = name, size, first
        self._memory.write(layout.SHM_OBJECTS + objects * _ROW, row.tobytes())
        counters[_OBJECTS], counters[_KNOWN] = objects + 1, first + size
        self._index()
        return first
