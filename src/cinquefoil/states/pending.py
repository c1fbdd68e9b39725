"""Pending states however they come: batches side by side, rows made of objects, columns of either.

`PendingStates` joins batches, so that nothing is done state by state.  `in_rows`, `in_groups` and `column` give rows or
columns of the same states, whether they came as a batch, as several or as objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from cinquefoil.states.batch import Batch, Chunk, address_of
from cinquefoil.states.state import State


class PendingStates(Sequence[State]):
    """The states of some batches that waited when they were first looked at, in order of creation."""

    def __init__(self, batches: Sequence[Batch]) -> None:
        self.batches = batches

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        """Where each batch begins, if all rows are counted; then their number."""
        return np.cumsum([0, *map(len, self.batches)])

    @cached_property
    def _where(self) -> NDArray[np.intp]:
        """The rows that waited, so counted."""
        waiting = [batch.pending for batch in self.batches]
        return np.flatnonzero(np.concatenate(waiting)) if waiting else np.zeros(0, np.intp)

    def __len__(self) -> int:
        return len(self._where)

    @overload
    def __getitem__(self, number: int) -> State: ...
    @overload
    def __getitem__(self, number: slice) -> list[State]: ...

    def __getitem__(self, number: int | slice) -> State | list[State]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        return self.batches[int(self.batch[number])][self.row_in_batch(number)]

    def __iter__(self) -> Iterator[State]:
        return (self[number] for number in range(len(self)))

    def row_in_batch(self, number: int) -> int:
        return int(self._where[number] - self._starts[self.batch[number]])

    @cached_property
    def batch(self) -> NDArray[np.int64]:
        """Which batch each is of."""
        return np.searchsorted(self._starts, self._where, side="right").astype(np.int64) - 1

    @cached_property
    def indices(self) -> NDArray[np.int64]:
        return self.join([batch.indices for batch in self.batches]).astype(np.int64)

    @cached_property
    def kinds(self) -> NDArray[np.uint8]:
        return self.join([batch.kinds for batch in self.batches])

    @cached_property
    def sites(self) -> NDArray[np.uint32]:
        return self.join([batch.sites for batch in self.batches])

    @cached_property
    def alternatives(self) -> NDArray[np.int32]:
        return self.join([batch.alternatives for batch in self.batches])

    @cached_property
    def targets(self) -> NDArray[np.uint32]:
        return self.join([batch.targets for batch in self.batches])

    def join(self, columns: Sequence[NDArray[Any]]) -> NDArray[Any]:
        """One column of all batches, of the pending states only."""
        return np.concatenate(columns)[self._where] if columns else np.zeros(0, np.int32)

    def masks(self, chosen: NDArray[np.bool_]) -> list[tuple[Batch, NDArray[np.bool_]]]:
        """The batches with chosen states, and which of their rows these are."""
        everywhere = np.zeros(int(self._starts[-1]), np.bool_)
        everywhere[self._where[chosen]] = True
        touched = np.unique(self.batch[chosen]).tolist()
        return [(self.batches[at], everywhere[self._starts[at] : self._starts[at + 1]]) for at in touched]


def in_rows(states: Sequence[State]) -> list[tuple[Batch, Sequence[State]]]:
    """The same states as batches, for those who want rows; beside each the states it has the values of."""
    if isinstance(states, Batch):
        return [(states, states)]
    if isinstance(states, PendingStates):
        return [(part, part) for part in states.batches]
    if not states:
        return []
    chunk = Chunk(len(states))
    return [(Batch(chunk, chunk.put(each), 1, each.id, each.parent, each.witness), [each]) for each in states]


def in_groups(states: Sequence[State]) -> list[tuple[Batch, Sequence[State], int]]:
    """The same with as few batches as can be: of states of one witness whose ids and whose bytes that say whether they
    wait are consecutive.  With each, where these bytes are."""
    if isinstance(states, PendingStates):
        return [(part, part, part.chunk.waiting_address + part.row) for part in states.batches]
    home = bytearray(max(2, len(states)))  # longer than a state's own byte: who was moved here stays
    chunk, found = Chunk(max(1, len(states))), list[tuple[Batch, list[State], int]]()
    for number, state in enumerate(states):
        state.move(home, number)
        waiting_at, row = state.waiting_address(address_of), chunk.put(state)
        if found:
            batch, same, start = found[-1]
            fits = (state.id, state.parent, waiting_at) == (batch.first + batch.size, batch.parent, start + batch.size)
            if fits and state.witness is batch.witness and state.depth >= same[-1].depth:  # in path order
                batch.size += 1
                same.append(state)
                continue
        found.append((Batch(chunk, row, 1, state.id, state.parent, state.witness), [state], waiting_at))
    return [*found]


def column(states: Sequence[State], name: str) -> NDArray[np.int64]:
    """One attribute of all states, whether they came as rows or as objects."""
    if isinstance(states, Batch):
        return states.column(name).astype(np.int64)
    if isinstance(states, PendingStates):
        return states.join([column(batch, name) for batch in states.batches]).astype(np.int64)
    return np.fromiter((getattr(state, name) for state in states), np.int64)
