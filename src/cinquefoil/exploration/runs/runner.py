"""Runs inputs and keeps count of it: a full expression table or a worker's death costs one repetition.

The table of expressions only grows, so it is dropped when it has grown large: what it held is found again by running
witnesses.  When that happens depends on the table alone, not on the machine's memory, so that equal seeds give equal
tests.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from cinquefoil.exploration.accounting.statistics import Statistics
from cinquefoil.exploration.options import TABLE_MEMORY
from cinquefoil.exploration.runs.events import unmuted
from cinquefoil.machine.run import Machine, Run
from cinquefoil.native import core

_FAILED = ("table", "memory", "died")


@runtime_checkable
class Tabled(Protocol):
    """A machine that keeps expressions."""

    def table_bytes(self) -> int: ...


class Runner:
    """A machine, counted; `explore_output` leaves events inside output formatting in; with more than `table_memory`
    bytes of expressions the table is dropped.  What follows a run counts as the tree's time."""

    def __init__(
        self, machine: Machine, statistics: Statistics, explore_output: bool = False, table_memory: int = TABLE_MEMORY
    ) -> None:
        self.count_in(statistics)
        self._machine = machine
        self._scan = core.cinq_scan
        self._explore_output = explore_output
        self.table_memory = table_memory
        self._table = machine if isinstance(machine, Tabled) else None

    def count_in(self, statistics: Statistics) -> None:
        """From now on, runs are counted there."""
        self.statistics = statistics
        self._native, self._tree = statistics.phases["native"], statistics.phases["tree"]

    def run(self, witness: bytes) -> Run:
        """Runs once; again if the table was full, too much memory was held or the worker died."""
        if self._table is not None and self._table.table_bytes() > self.table_memory:
            self.new_epoch()
        run = self._measured(witness)
        if run.end in _FAILED:
            if run.end != "died":
                self.new_epoch()
            run = self._measured(witness)
        if self._explore_output:
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
