"""The states that one run left, as columns: what pruning works on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cinquefoil.search.state import State, Witness


class Rows:
    """States of one witness in path order."""

    __slots__ = ("alternative", "first", "index", "kind", "site", "states", "target", "witness")

    def __init__(self, states: Sequence[State]) -> None:
        self.states = list(states)
        self.first = states[0].id
        self.witness: Witness = states[0].witness
        self.index = self._column("index")
        self.kind = self._column("kind")
        self.site = self._column("site")
        self.alternative = self._column("alternative")
        self.target = self._column("target")

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, at: int) -> State:
        return self.states[at]

    @property
    def pending(self) -> NDArray[np.bool_]:
        return np.fromiter((state.pending for state in self.states), np.bool_, len(self.states))

    def _column(self, name: str) -> NDArray[np.int64]:
        return np.fromiter((getattr(state, name) for state in self.states), np.int64, len(self.states))


class PendingRows:
    """All rows with pending states."""

    def __init__(self) -> None:
        self._rows: list[Rows] = []

    def add(self, states: Sequence[State]) -> None:
        if states:
            self._rows.append(Rows(states))

    def batches(self) -> list[Rows]:
        self._rows = [rows for rows in self._rows if any(state.pending for state in rows.states)]
        return self._rows

    def clear(self) -> None:
        self._rows = []
