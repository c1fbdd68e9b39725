"""The named inputs of several workers, kept in step.

A witness is bytes by input index, and a worker hands out indices in the order in which its runs meet named inputs.
With several workers one registry is the true one: that of the exploring process.  Its order is the order in which runs
are added, which does not depend on timing.  Before a job, an answering process takes over what the true registry got
since (`extend`); after every run it forgets what that run met first (`cut_back`) and reports it instead, and the
exploring process gives those inputs their true places and moves the witness's bytes there (`Registry.adopt`).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cinquefoil import layout
from cinquefoil.errors import EngineError
from cinquefoil.machine.run import Run
from cinquefoil.machine.shared import SharedMemory, counter

_ROW = layout.OBJECT.itemsize
_OBJECTS, _KNOWN = counter("objects"), counter("input_known")


def known(memory: SharedMemory) -> tuple[int, int]:
    """How many named inputs the worker knows, and how many bytes they have."""
    counters = memory.counters
    return counters[_OBJECTS], counters[_KNOWN]


def rows_from(memory: SharedMemory, first: int) -> bytes:
    """The named inputs from number `first` on, as they are in memory."""
    return memory.read(layout.SHM_OBJECTS + first * _ROW, (known(memory)[0] - first) * _ROW)


def extend(memory: SharedMemory, rows: bytes) -> None:
    """Takes over named inputs that follow on those known."""
    if not rows:
        return
    table = parse_rows(rows)
    objects, size = known(memory)
    memory.write(layout.SHM_OBJECTS + objects * _ROW, rows)
    cut_back(memory, objects + len(table), size + int(table["size"].sum()))


def cut_back(memory: SharedMemory, objects: int, size: int) -> None:
    """Forgets all but the first named inputs."""
    memory.counters[_OBJECTS] = objects
    memory.counters[_KNOWN] = size


def parse_rows(rows: bytes) -> NDArray[np.void]:
    if len(rows) % _ROW or len(rows) > _ROW * layout.OBJECT_CAPACITY:
        raise EngineError("the named inputs of a run are damaged")
    return np.frombuffer(rows, layout.OBJECT)


class Registry:
    """The true registry: that of one worker, which may itself add to it by running."""

    def __init__(self, memory: SharedMemory) -> None:
        self._memory = memory
        self._places: dict[tuple[bytes, int], int] = {}  # by name and size: the first byte's index
        self._indexed = 0

    def adopt(self, run: Run, rows: bytes) -> Run | None:
        """The run with the inputs it met first at their true places; None if there is no room for them."""
        met = parse_rows(rows)
        if not len(met):
            return run
        moves: dict[int, int] = {}
        for row in met:
            place = self._place(bytes(row["name"]), int(row["size"]))
            if place is None:
                return None
            moves[int(row["first"])] = place
        if all(here == there for here, there in moves.items()):
            return run
        return self._moved(run, met, moves)

    def _place(self, name: bytes, size: int) -> int | None:
        self._index()
        place = self._places.get((name, size))
        return place if place is not None else self._append(name, size)

    def _index(self) -> None:
        """Looks at what was added since, by whomever."""
        count = known(self._memory)[0]
        for row in self._memory.objects[self._indexed : count]:
            self._places[bytes(row["name"]), int(row["size"])] = int(row["first"])
        self._indexed = count

    def _append(self, name: bytes, size: int) -> int | None:
        objects, first = known(self._memory)
        if objects >= layout.OBJECT_CAPACITY or first + size > layout.INPUT_CAPACITY:
            return None
        row = np.zeros(1, layout.OBJECT)
        row["name"], row["size"], row["first"] = name, size, first
        extend(self._memory, row.tobytes())
        return first

    def _moved(self, run: Run, met: NDArray[np.void], moves: dict[int, int]) -> Run:
        start = int(met["first"][0])
        data = bytearray(known(self._memory)[1])
        data[: min(start, len(run.witness))] = run.witness[:start]
        for row in met:
            first, size = int(row["first"]), int(row["size"])
            content = run.witness[first : first + size]
            data[moves[first] : moves[first] + len(content)] = content
        objects = tuple(replace(o, first=moves.get(o.first, o.first)) for o in run.objects)
        return replace(run, witness=bytes(data), objects=objects)
