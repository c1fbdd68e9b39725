"""When to end something long: asked by whoever solves queries or waits for a run, who so need not know the loop."""

from __future__ import annotations

from cinquefoil.exploration.accounting.clock import Stopwatch
from cinquefoil.exploration.accounting.memory_use import Meter
from cinquefoil.exploration.loop.interrupts import Interrupts


class StopSignal:
    """Called without arguments, it says whether it is too late to go on: a signal came, or the time is over."""

    def __init__(self, interrupts: Interrupts, stopwatch: Stopwatch) -> None:
        self._interrupts = interrupts
        self._stopwatch = stopwatch

    def __call__(self) -> bool:
        return self._interrupts.requested or self._stopwatch.late


class HeavyRun:
    """Says whether the run that goes on takes more memory than this process has for itself and its worker; `most` bytes
    are shared by all processes, None if there is no limit."""

    def __init__(self, memory: Meter, most: int | None, processes: int) -> None:
        self._memory = memory
        self._most = None if most is None else most // processes

    def __call__(self) -> bool:
        return self._most is not None and self._memory.running() > self._most
