"""Runs inputs and keeps count of it: a full expression table or a worker's death costs one repetition.

The table of expressions only grows, so it is dropped when it has grown large: what it held is found again by running
witnesses.  When that happens depends on the table alone, not on the machine's memory, so that equal seeds give equal
tests.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from cinquefoil.explore.events import unmuted
from cinquefoil.explore.library import load
from cinquefoil.explore.options import TABLE_MEMORY
from cinquefoil.explore.statistics import Statistics
from cinquefoil.machine.run import Machine, Run

_FAILED = ("table", "died")


@runtime_checkable
class Tabled(Protocol):
    """A machine that keeps expressions."""

    def table_bytes(self) -> int: ...


class Runner:
    """A machine, counted; `muted` leaves events inside output formatting in; with more than `table_memory` bytes of
    expressions the table is dropped.  What follows a run counts as the tree's time."""

    def __init__(
        self, machine: Machine, statistics: Statistics, muted: bool = False, table_memory: int = TABLE_MEMORY
    ) -> None:
        self.count_in(statistics)
        self._machine = machine
        self._scan = load().cinq_scan
        self._muted = muted
        self.table_memory = table_memory
        self._table = machine if isinstance(machine, Tabled) else None

    def count_in(self, statistics: Statistics) -> None:
        """From now on, runs are counted there."""
        self.statistics = statistics
        self._native, self._tree = statistics.phases["native"], statistics.phases["tree"]

    def run(self, witness: bytes) -> Run:
        """Runs once; again if the table was full or the worker died."""
        if self._table is not None and self._table.table_bytes() > self.table_memory:
            self.new_epoch()
        run = self._measured(witness)
        if run.end in _FAILED:
            if run.end == "table":
                self.new_epoch()
            run = self._measured(witness)
        if self._muted:
            return run
        events = run.events
        if self._scan(events, len(events)):
            return unmuted(run)
        run.modelled = True
        return run

    def new_epoch(self) -> None:
        """Drops all expressions."""
        self._machine.new_epoch()
        self.statistics.epochs += 1

    def _measured(self, witness: bytes) -> Run:
        counts = self.statistics
        self._native.begin()
        run = self._machine.run(witness)
        self._tree.begin()
        counts.runs += 1
        counts.instructions += run.steps
        counts.native_seconds += run.nanoseconds * 1e-9
        return run
