"""Runs inputs and keeps count of it: a full expression table or a worker's death costs one repetition."""

from __future__ import annotations

from cinquefoil.explore.events import unmuted
from cinquefoil.explore.statistics import Statistics
from cinquefoil.machine.run import Machine, Run


class Runner:
    """A machine, counted; `muted` leaves events inside output formatting in."""

    def __init__(self, machine: Machine, statistics: Statistics, muted: bool = False) -> None:
        self.statistics = statistics
        self._machine = machine
        self._muted = muted

    def run(self, witness: bytes) -> Run:
        """Runs once; again if the table was full or the worker died."""
        run = self._measured(witness)
        if run.end == "table":
            self._machine.new_epoch()
            self.statistics.epochs += 1
            run = self._measured(witness)
        elif run.end == "died":
            run = self._measured(witness)
        return run

    def _measured(self, witness: bytes) -> Run:
        with self.statistics.phases["native"]:
            run = self._machine.run(witness)
        self.statistics.runs += 1
        self.statistics.instructions += run.steps
        self.statistics.native_seconds += run.nanoseconds * 1e-9
        return run if self._muted else unmuted(run)
