"""What a time limit counts: wall time, or processor time, which a busy machine does not distort.

Processor time is that of this process (tree, search, solving) and of its worker (running).  Limits of single queries
and runs stay in wall time: they guard against what hangs."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from cinquefoil.errors import UserError


class Spender(Protocol):
    """A machine that knows its processor time."""

    def cpu_seconds(self) -> float: ...


def clock_of(name: str, machine: Spender) -> Callable[[], float]:
    """The clock called "wall" or "cpu"."""
    if name == "wall":
        return time.monotonic
    if name == "cpu":
        return lambda: time.process_time() + machine.cpu_seconds()
    raise UserError(f"there is no clock '{name}': wall and cpu are")


class Stopwatch:
    """Seconds of an exploration, by its clock, and whether its limit is passed."""

    def __init__(self, clock: Callable[[], float], limit: float | None) -> None:
        self._clock = clock
        self._limit = float("inf") if limit is None else limit
        self.start()

    def start(self, spent: float = 0.0) -> None:
        """Begins now, `spent` seconds being counted already."""
        self._begun = self._clock() - spent
        self._end = self._begun + self._limit

    @property
    def seconds(self) -> float:
        return self._clock() - self._begun

    @property
    def late(self) -> bool:
        return self._clock() >= self._end

    def left(self) -> float:
        """Seconds until it is late."""
        return max(0.0, self._end - self._clock())
