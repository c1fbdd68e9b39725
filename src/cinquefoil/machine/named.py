"""The named inputs of a worker: which input indices belong to which name.

The worker hands out indices when its program first makes an input of some name and size, and keeps them over runs, in a
table of the shared memory.  The engine has a copy that only grows by checked rows: what a worker does to older rows
concerns nobody but itself, and its successor gets the table as the engine knows it."""

from __future__ import annotations

import numpy as np

from cinquefoil import layout
from cinquefoil.errors import UntrustedWorker
from cinquefoil.machine.run import InputObject
from cinquefoil.machine.shared import SharedMemory, counter

_OBJECTS, _KNOWN = counter("objects"), counter("input_known")
_ROW = layout.OBJECT.itemsize
_MOST_KEPT = 1000


class NamedInputs:
    """All named inputs so far, in the order of their indices."""

    def __init__(self, memory: SharedMemory) -> None:
        self._memory = memory
        self._rows: list[bytes] = []
        self._objects: list[InputObject] = []
        self.first_indices: dict[tuple[bytes, int], int] = {}  # by name and size
        self._made: dict[bytes, tuple[InputObject, ...]] = {}  # what runs made, by their lists of rows
        self._size = 0  # input indices handed out

    def take(self, count: int, known: int) -> None:
        """Copies the rows that a run has added: it left `count` of them, and `known` input indices.  To be called after
        every run."""
        if known == self._size and count == len(self._rows):
            return
        if not len(self._rows) <= count <= layout.OBJECT_CAPACITY:
            raise UntrustedWorker("the number of named inputs")
        while len(self._rows) < count:
            self._add(self._memory.read(layout.SHM_OBJECTS + len(self._rows) * _ROW, _ROW))
        if known != self._size:
            raise UntrustedWorker("the number of input indices")

    def look(self) -> None:
        """The same, with the counts that the shared memory has."""
        self.take(self._memory.counters[_OBJECTS], self._memory.counters[_KNOWN])

    def made(self, rows: bytes) -> tuple[InputObject, ...]:
        """Those of a run, by their indices in the table, four bytes each; runs mostly make the same ones."""
        found = self._made.get(rows)
        if found is None:
            if len(self._made) >= _MOST_KEPT:
                self._made.clear()
            found = self._made[rows] = tuple([self._object(index) for index in memoryview(rows).cast("I")])
        return found

    def _object(self, index: int) -> InputObject:
        if index >= len(self._objects):
            raise UntrustedWorker("a named input that there is not")
        return self._objects[index]

    def append(self, name: bytes, size: int) -> int | None:
        """Gives a name its indices before any run does; the first of them, None if there is no room."""
        if len(self._rows) >= layout.OBJECT_CAPACITY or self._size + size > layout.INPUT_CAPACITY:
            return None
        row = np.zeros(1, layout.OBJECT)
        row["name"], row["size"], row["first"] = name, size, self._size
        self._add(row.tobytes())
        self._write(len(self._rows) - 1)
        return self._size - size

    def restore(self) -> None:
        """Writes the table anew, for a worker that is about to start."""
        self._write(0)

    def _add(self, row: bytes) -> None:
        fields = np.frombuffer(row, layout.OBJECT)[0]
        name, size = bytes(fields["name"]), int(fields["size"])
        if int(fields["first"]) != self._size or self._size + size > layout.INPUT_CAPACITY or len(name) >= layout.NAME:
            raise UntrustedWorker("the row of a named input")
        self._rows.append(row)
        self._objects.append(InputObject(name.decode("utf-8", "replace"), size, self._size))
        self.first_indices[name, size] = self._size
        self._size += size

    def _write(self, first: int) -> None:
        self._memory.write(layout.SHM_OBJECTS + first * _ROW, b"".join(self._rows[first:]))
        self._memory.counters[_OBJECTS], self._memory.counters[_KNOWN] = len(self._rows), self._size
