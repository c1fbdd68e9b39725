"""All pending states side by side: the batches' columns joined, so that nothing is done state by state."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cinquefoil.states.batch import Batch
from cinquefoil.states.state import State


class PendingStates:
    """Numbered in order of creation; columns as of now."""

    def __init__(self, batches: Sequence[Batch]) -> None:
        self.batches = batches
        self._starts = np.cumsum([0, *map(len, batches)])
        waiting = [batch.pending for batch in batches]
        self._where = np.flatnonzero(np.concatenate(waiting)) if waiting else np.zeros(0, np.intp)

    def __len__(self) -> int:
        return len(self._where)

    def __getitem__(self, number: int) -> State:
        batch = self.batches[int(self.batch[number])]
        return batch[self.row_in_batch(number)]

    def row_in_batch(self, number: int) -> int:
        return int(self._where[number] - self._starts[self.batch[number]])

    @cached_property
    def batch(self) -> NDArray[np.int64]:
        """Which batch each is of."""
        return np.searchsorted(self._starts, self._where, side="right").astype(np.int64) - 1

    @cached_property
    def index(self) -> NDArray[np.int64]:
        return self.join([batch.indices for batch in self.batches]).astype(np.int64)

    @cached_property
    def kind(self) -> NDArray[np.uint8]:
        return self.join([batch.kinds for batch in self.batches])

    @cached_property
    def site(self) -> NDArray[np.uint32]:
        return self.join([batch.sites for batch in self.batches])

    @cached_property
    def alternative(self) -> NDArray[np.int32]:
        return self.join([batch.alternatives for batch in self.batches])

    @cached_property
    def target(self) -> NDArray[np.uint32]:
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
