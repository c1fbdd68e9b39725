"""Pending states as rows: the states that a run left, all together.

A run may leave hundreds of states of which one is selected, so a state is a row of a few columns (`Chunk`, 45
bytes a row) and becomes a `State` object when somebody asks for it.  A `Batch` is a sequence of `State` for those
who iterate, and numpy columns for those who compute.

    for state in batch: ...                 # objects, made as you go
    batch.depths, batch.targets, batch.ids  # columns, views of the rows
    batch.pending                           # which rows still wait: a view that follows what happens

What is gone for good is forgotten: a batch when its last state is settled and no longer pending, a chunk with its last
batch.

Risk: one state that waits for ever keeps the rows of its chunk's other batches, 3 MB at most.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence, Set
from typing import TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from cinquefoil.native import core
from cinquefoil.native.structures import structure
from cinquefoil.states.state import State, Witness

_States = TypeVar("_States", bound=Sequence[State])

ROWS = 1 << 16  # of a chunk, unless one run leaves more
COLUMNS = ("index", "site", "target", "depth", "steps", "trace", "alternative", "fresh", "value", "kind")
_YES = 1
_FEW = 16
_TAKEN = tuple(b"\1" * count for count in range(_FEW))


class Chunk:
    """Room for the rows of many batches.  `waiting` and `unsettled` hold 1 or 0 per row; `read` gives a row's numbers
    as a state takes them; `columns_address`, `waiting_address` and `unsettled_address` are where native code finds all
    that."""

    __slots__ = (
        "alternative",
        "columns",
        "columns_address",
        "depth",
        "fresh",
        "index",
        "kind",
        "read",
        "site",
        "size",
        "steps",
        "target",
        "trace",
        "unsettled",
        "unsettled_address",
        "used",
        "value",
        "waiting",
        "waiting_address",
    )

    def __init__(self, size: int = ROWS) -> None:
        self.size = size
        self.used = 0
        self.index = np.empty(size, np.uint32)
        self.site = np.empty(size, np.uint32)
        self.target = np.empty(size, np.uint32)
        self.depth = np.empty(size, np.uint32)
        self.steps = np.empty(size, np.uint32)
        self.trace = np.empty(size, np.uint32)
        self.alternative = np.empty(size, np.int32)
        self.fresh = np.empty(size, np.int32)
        self.value = np.empty(size, np.uint64)  # of a pin or concretisation: the first of those seen
        self.kind = np.empty(size, np.uint8)
        self.waiting = bytearray(size)
        self.unsettled = bytearray(size)
        self.waiting_address, self.unsettled_address = address_of(self.waiting), address_of(self.unsettled)
        self.columns = structure("columns")(**{name: core.address(getattr(self, name)) for name in COLUMNS}, size=size)
        self.columns_address = ctypes.addressof(self.columns)
        self.read: Callable[[int], tuple[int, ...]] = core.bound(core.cinq_row, self.columns_address)

    def put(self, state: State) -> int:
        """Appends a row with a state's values."""
        row = self.used
        for name in ("index", "site", "target", "depth", "steps", "trace", "alternative", "fresh", "kind"):
            getattr(self, name)[row] = getattr(state, name)
        self.value[row] = state.seen[0] if state.seen else 0
        self.take(1)
        return row

    def take(self, count: int) -> None:
        """The next rows are filled: they wait."""
        end = self.used + count
        self.waiting[self.used : end] = self.unsettled[self.used : end] = b"\1" * count
        self.used = end


class Batch(Sequence[State]):
    """`size` rows of a chunk from `row` on: states of one witness, in path order, with ids from `first` on."""

    __slots__ = ("chunk", "first", "parent", "row", "seen", "size", "witness")

    def __init__(
        self,
        chunk: Chunk,
        row: int,
        size: int,
        first: int,
        parent: int,
        witness: Witness,
        seen: tuple[int, ...] | None = None,
    ) -> None:
        self.chunk = chunk
        self.row = row
        self.size = size
        self.first = first
        self.parent = parent
        self.witness = witness
        self.seen = seen  # of states that are asked again; else the value of their event

    # ---- as a sequence of states ----

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, at: int) -> State: ...
    @overload
    def __getitem__(self, at: slice) -> list[State]: ...

    def __getitem__(self, at: int | slice) -> State | list[State]:
        if isinstance(at, slice):
            return [self.state(number) for number in range(*at.indices(self.size))]
        if not -self.size <= at < self.size:
            raise IndexError(at)
        return self.state(at % self.size)

    def __iter__(self) -> Iterator[State]:
        return map(self.state, range(self.size))

    def state(self, at: int) -> State:
        """One of them, by its row, which is not checked."""
        row, chunk = self.row + at, self.chunk
        return State.of_row(self.first + at, self.parent, self.witness, chunk.read(row), self.seen, chunk.waiting)

    # ---- as columns ----

    def column(self, name: str) -> NDArray[np.integer]:
        """The column of a state's attribute, by its name."""
        return self.ids if name == "id" else getattr(self.chunk, name)[self.row : self.row + self.size]

    @property
    def ids(self) -> NDArray[np.int64]:
        return np.arange(self.first, self.first + self.size, dtype=np.int64)

    @property
    def indices(self) -> NDArray[np.uint32]:
        return self.chunk.index[self.row : self.row + self.size]

    @property
    def kinds(self) -> NDArray[np.uint8]:
        return self.chunk.kind[self.row : self.row + self.size]

    @property
    def sites(self) -> NDArray[np.uint32]:
        return self.chunk.site[self.row : self.row + self.size]

    @property
    def alternatives(self) -> NDArray[np.int32]:
        return self.chunk.alternative[self.row : self.row + self.size]

    @property
    def targets(self) -> NDArray[np.uint32]:
        return self.chunk.target[self.row : self.row + self.size]

    @property
    def depths(self) -> NDArray[np.uint32]:
        return self.chunk.depth[self.row : self.row + self.size]

    @property
    def steps(self) -> NDArray[np.uint32]:
        return self.chunk.steps[self.row : self.row + self.size]

    @property
    def traces(self) -> NDArray[np.uint32]:
        return self.chunk.trace[self.row : self.row + self.size]

    @property
    def fresh(self) -> NDArray[np.int32]:
        return self.chunk.fresh[self.row : self.row + self.size]

    @property
    def pending(self) -> NDArray[np.bool_]:
        """Which rows wait, now and later; `Frontier.discard` is the way to change that."""
        return np.frombuffer(self.chunk.waiting, np.bool_, self.size, self.row)

    @property
    def live(self) -> int:
        """How many rows wait."""
        return self.chunk.waiting.count(_YES, self.row, self.row + self.size)

    def waits(self, at: int) -> bool:
        """Does this row wait?"""
        return self.chunk.waiting[self.row + at] == _YES

    def depth(self, at: int) -> int:
        """The depth of one row's state."""
        return self.chunk.depth.item(self.row + at)

    def next_pending(self, at: int) -> int:
        """The first row from `at` on that waits, or -1."""
        found = self.chunk.waiting.find(_YES, self.row + at, self.row + self.size)
        return found - self.row if found >= 0 else -1

    def last_pending(self, end: int) -> int:
        """The last row before `end` that waits, or -1."""
        found = self.chunk.waiting.rfind(_YES, self.row, self.row + end)
        return found - self.row if found >= 0 else -1

    # ---- what the tree knows: which untaken branches are still to be explored ----

    def unsettled(self, first: int, end: int) -> list[State]:
        """Those of the rows first .. end-1 whose branch no run has taken and no solver refuted."""
        rows = range(self.row + first, self.row + end)
        return [self.state(row - self.row) for row in rows if self.chunk.unsettled[row]]

    def unsettled_to(self, first: int, targets: Set[int]) -> list[State]:
        """Those of the rows from `first` on that lead to such blocks."""
        leading = self.targets[first:].tolist()
        rows = [row for row, target in enumerate(leading, first) if target in targets]
        return [self.state(row) for row in rows if self.chunk.unsettled[self.row + row]]

    def settle_many(self, rows: NDArray[np.intp]) -> None:
        np.frombuffer(self.chunk.unsettled, np.uint8, self.size, self.row)[rows] = 0

    def settled(self) -> bool:
        return self.chunk.unsettled.find(_YES, self.row, self.row + self.size) < 0


class RowStore:
    """Gives batches their rows, and states their ids."""

    def __init__(self) -> None:
        self.chunk = Chunk()
        self.next_id = 1

    def make_room(self, count: int) -> Chunk:
        """A chunk with that many rows left."""
        if self.chunk.size - self.chunk.used < count:
            self.chunk = Chunk(max(ROWS, count))
        return self.chunk

    def take(self, count: int, parent: int, witness: Witness) -> Batch:
        """The rows that were just filled."""
        chunk, first = self.chunk, self.next_id
        row = chunk.used
        end = chunk.used = row + count  # as `Chunk.take` does it
        chunk.waiting[row:end] = chunk.unsettled[row:end] = _TAKEN[count] if count < _FEW else b"\1" * count
        self.next_id = first + count
        return Batch(chunk, row, count, first, parent, witness)

    def again(self, state: State, seen: tuple[int, ...] | None = None) -> Batch:
        """The same question once more, as a new state: searchers see every state only once."""
        chunk = self.make_room(1)
        batch = Batch(chunk, chunk.put(state), 1, self.next_id, state.id, state.witness)
        batch.seen = state.seen if seen is None else seen
        self.next_id += 1
        return batch


def still_waiting(many: list[_States]) -> list[_States]:
    """Without the batches of which no state waits.  (As `next_pending` tells; there are as many as runs.)"""
    return [
        each
        for each in many
        if not isinstance(each, Batch) or each.chunk.waiting.find(_YES, each.row, each.row + each.size) >= 0
    ]


def address_of(memory: bytearray) -> int:
    """Where its bytes are, while it lives and is not resized."""
    return core.address(memory)
