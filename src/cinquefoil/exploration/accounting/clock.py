"""What a time limit counts: wall time, or processor time, which a busy machine does not distort.

Processor time is that of this process (tree, search, solving) and of its worker (running).  Limits of single queries
and runs stay in wall time: they guard against what hangs."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from cinquefoil.errors import UserError

_STALE = 0.001


class Spender(Protocol):
    """A machine that knows its processor time."""

    def cpu_seconds(self) -> float: ...


def clock_of(name: str, machine: Spender) -> Callable[[], float]:
    """The clock called "wall" or "cpu"."""
    if name == "wall":
        return time.monotonic
    if name == "cpu":
        return _Processor(machine)
    raise UserError(f"there is no clock '{name}': wall and cpu are")


class _Processor:
    """Processor time, at most _STALE seconds old: to look takes two system calls, and it is asked for at every step."""

    def __init__(self, machine: Spender) -> None:
        self._machine = machine
        self._until = 0.0
        self._shown = 0.0

    def __call__(self) -> float:
        now = time.monotonic()
        if now >= self._until:
            self._shown = time.process_time() + self._machine.cpu_seconds()
            self._until = now + _STALE
        return self._shown


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
