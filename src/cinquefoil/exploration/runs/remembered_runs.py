"""From states to questions for the solver.

A state's path condition is in its witness's run.  The events of recent runs are kept; for older ones, and
after the expression table was dropped, the witness runs again, which costs tens of microseconds."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cinquefoil.exploration.runs.epochs import EpochWatch
from cinquefoil.exploration.runs.events import constraints
from cinquefoil.layout import EVENT, EventKind
from cinquefoil.machine.run import Machine, Run
from cinquefoil.solver.api import Constraint, PathConstraints, Prefix, Query, never, unlimited
from cinquefoil.states.state import OTHER, State, Witness

_EVENT = EVENT.itemsize * 3 // 2  # with its constraint
_OVERHEAD = 1000  # bytes a remembered run costs beside its events


class TracingMachine(Machine, Protocol):
    """A machine whose switch conditions can be read."""

    @property
    def alts(self) -> NDArray[np.uint32]:
        """layout.h's ALTS of the current epoch: at an event's `alts` the number of groups, then their
        conditions."""
        ...


class RememberedRun:
    """A run's events, and its constraints once somebody asked for them."""

    __slots__ = ("constraints", "run", "size")

    def __init__(self, run: Run, size: int = 0) -> None:
        self.run = run
        self.size = size  # bytes
        self.constraints: PathConstraints | None = None


class RememberedRuns:
    """Runs by witness, the least recently used ones forgotten beyond `limit` bytes."""

    def __init__(self, machine: TracingMachine, limit: int = 256 << 20) -> None:
        self._machine = machine
        self._limit = limit
        self._bytes = 0
        self._kept: OrderedDict[bytes, RememberedRun] = OrderedDict()
        self._number = 0
        self._watch = EpochWatch(machine)

    def next_number(self) -> int:
        """A number for the constraints of a path, by which solvers know them."""
        self._number += 1
        return self._number

    def remember(self, witness: Witness, run: Run) -> RememberedRun:
        if self._watch.passed():
            self._forget_all()
        held, data, count = self._kept, witness.data, len(run.events)
        size = count * _EVENT + 4 * len(run.trace) + 8 * len(run.covered) + len(data) + len(run.output) + _OVERHEAD
        old = held.pop(data, None)
        self._bytes += size if old is None else size - old.size
        kept = held[data] = RememberedRun(run, size)
        if self._bytes > self._limit:
            self._forget()
        return kept

    def _forget(self) -> None:
        held = self._kept
        while self._bytes > self._limit and len(held) > 1:
            self._bytes -= held.popitem(last=False)[1].size

    def recall(self, witness: Witness) -> RememberedRun | None:
        """None if it was forgotten or belongs to an earlier epoch: the witness must run again."""
        if self._watch.passed():
            self._forget_all()
        kept = self._kept.get(witness.data)
        if kept is not None:
            self._kept.move_to_end(witness.data)
        return kept

    def known(self, witness: bytes) -> RememberedRun | None:
        """The run of an input, if it is remembered and of this epoch."""
        if self._watch.passed():
            self._forget_all()
        return self._kept.get(witness)

    def _forget_all(self) -> None:
        self._kept.clear()
        self._bytes = 0

    def query(
        self,
        state: State,
        kept: RememberedRun,
        seconds: float | None,
        stop: Callable[[], bool] = never,
        left: Callable[[], float] = unlimited,
    ) -> Query:
        path, run = kept.constraints, kept.run
        if path is None:
            path = kept.constraints = constraints_of(run, self._machine.alts, self.next_number())
        if state.alternative == OTHER or state.kind == EventKind.SWITCH:
            goal = goal_of(state, run, self._machine.alts)
        else:  # the usual case: the same condition, another value
            goal = (Constraint(path.nodes.item(state.index), state.alternative),)
        return Query(Prefix(path, state.index), goal, run.witness, seconds, stop, left, state.site)


def constraints_of(run: Run, alts: NDArray[np.uint32], number: int) -> PathConstraints:
    """All that a run's events say about its input."""
    nodes, values = constraints(run, alts)
    return PathConstraints(number, run.epoch, nodes, values)


def goal_of(state: State, run: Run, alts: NDArray[np.uint32]) -> tuple[Constraint, ...]:
    """What the state's branch asks for."""
    if state.kind == EventKind.SWITCH:
        return (Constraint(alts.item(run.events["alts"].item(state.index) + 1 + state.alternative), 1),)
    node = run.events["expr"].item(state.index)
    if state.alternative == OTHER:
        return tuple([Constraint(node, value, False) for value in state.seen])
    return (Constraint(node, state.alternative),)
