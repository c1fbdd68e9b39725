"""From states to questions for the solver.

A state's path condition is in its witness's run.  The events of recent runs are kept; for older ones, and
after the expression table was dropped, the witness runs again, which costs tens of microseconds."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cinquefoil.explore.events import constraints
from cinquefoil.layout import EventKind
from cinquefoil.machine.run import Machine, Run
from cinquefoil.search.state import OTHER, State, Witness
from cinquefoil.solver.api import Constraint, PathConstraints, Prefix, Query, never

_OVERHEAD = 1000  # bytes a remembered run costs beside its events


class TracingMachine(Machine, Protocol):
    """A machine whose switch conditions can be read."""

    @property
    def alts(self) -> NDArray[np.uint32]:
        """layout.h's ALTS of the current epoch: at an event's `alts` the number of groups, then their
        conditions."""
        ...


class Remembered:
    """A run's events, and its constraints once somebody asked for them."""

    __slots__ = ("constraints", "run")

    def __init__(self, run: Run) -> None:
        self.run = run
        self.constraints: PathConstraints | None = None


class Paths:
    """Runs by witness, the least recently used ones forgotten beyond `limit` bytes."""

    def __init__(self, machine: TracingMachine, limit: int = 256 << 20) -> None:
        self._machine = machine
        self._limit = limit
        self._bytes = 0
        self._kept: OrderedDict[bytes, Remembered] = OrderedDict()
        self._number = 0
        self._epoch = machine.epoch

    def remember(self, witness: Witness, run: Run) -> Remembered:
        self._follow_epoch()
        old = self._kept.pop(witness.data, None)
        self._bytes -= self._size(old.run) if old is not None else 0
        kept = self._kept[witness.data] = Remembered(run)
        self._bytes += self._size(run)
        while self._bytes > self._limit and len(self._kept) > 1:
            _, old = self._kept.popitem(last=False)
            self._bytes -= self._size(old.run)
        return kept

    def recall(self, witness: Witness) -> Remembered | None:
        """None if it was forgotten or belongs to an earlier epoch: the witness must run again."""
        self._follow_epoch()
        kept = self._kept.get(witness.data)
        if kept is not None:
            self._kept.move_to_end(witness.data)
        return kept

    def known(self, witness: bytes) -> Remembered | None:
        """The run of an input, if it is remembered and of this epoch."""
        self._follow_epoch()
        return self._kept.get(witness)

    def _follow_epoch(self) -> None:
        """Ids of an earlier epoch mean nothing any more."""
        if self._epoch != self._machine.epoch:
            self._epoch = self._machine.epoch
            self._kept.clear()
            self._bytes = 0

    def query(
        self,
        state: State,
        kept: Remembered,
        seconds: float | None,
        stop: Callable[[], bool] = never,
        left: float = float("inf"),
    ) -> Query:
        if kept.constraints is None:
            self._number += 1
            kept.constraints = constraints_of(kept.run, self._machine.alts, self._number)
        goal = goal_of(state, kept.run, self._machine.alts)
        return Query(Prefix(kept.constraints, state.index), goal, kept.run.witness, seconds, stop, left)

    @staticmethod
    def _size(run: Run) -> int:
        arrays = run.events.nbytes * 3 // 2 + run.trace.nbytes + run.covered.nbytes
        return arrays + len(run.witness) + len(run.output) + _OVERHEAD


def constraints_of(run: Run, alts: NDArray[np.uint32], number: int) -> PathConstraints:
    """All that a run's events say about its input."""
    nodes, values = constraints(run, alts)
    return PathConstraints(number, run.epoch, nodes, values)


def goal_of(state: State, run: Run, alts: NDArray[np.uint32]) -> tuple[Constraint, ...]:
    """What the state's turn asks for."""
    if state.kind == EventKind.SWITCH:
        return (Constraint(alts.item(run.events["alts"].item(state.index) + 1 + state.alternative), 1),)
    node = run.events["expr"].item(state.index)
    if state.alternative == OTHER:
        return tuple(Constraint(node, value, False) for value in state.seen)
    return (Constraint(node, state.alternative),)
