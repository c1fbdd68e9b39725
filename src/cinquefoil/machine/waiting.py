"""Waiting for the answer of a worker, and what may end a run before it comes.

A run is interrupted when it has used its processor time, when whoever asked for it has none left (`Guard.stop`), and
when it holds too much memory (`Guard.is_heavy`).  The last two are looked at a few dozen times a second, so that runs
that take less do not pay for it."""

from __future__ import annotations

import contextlib
import os
import select
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

_LOOKS = 30
_SLICE = 0.025  # seconds between looks at a run that goes on
_PATIENCE = 20  # times its limit of processor time that a run may take when others use the processors

Reply = Literal["", "gone", "time", "stopped", "memory"]
"""The answer came (""), the worker is gone, or why waiting ended."""


def _never() -> bool:
    return False


@dataclass(slots=True)
class Guard:
    """Set by whoever drives the worker."""

    stop: Callable[[], bool] = _never  # is it time to end?
    is_heavy: Callable[[], bool] = _never  # do engine and worker hold more memory than they may?


@runtime_checkable
class Guarded(Protocol):
    """A machine whose runs can be ended from outside."""

    guard: Guard


def cpu_seconds(pid: int) -> float:
    """A process's processor time, by the clock the kernel numbers after it (clock_getcpuclockid); 0 if it is gone."""
    with contextlib.suppress(OSError):
        return time.clock_gettime((~pid << 3) | 2)
    return 0.0


class Answers:
    """The pipe on which a worker answers."""

    def __init__(self, pipe: int, pid: int) -> None:
        self._pipe, self._pid = pipe, pid
        self._poll = select.poll()
        self._poll.register(pipe, select.POLLIN)

    def within(self, seconds: float) -> bool:
        """False if none comes in time or the worker is gone."""
        reply = self._look()
        return bool(self._next(seconds) if reply is None else reply)

    def of_run(self, seconds: float, guard: Guard, patience: float = _PATIENCE) -> Reply:
        """The same, until the worker has used so much processor time: on a busy machine that takes longer."""
        reply = self._look()
        if reply is None:
            return self._guarded(seconds, guard, patience)
        return "" if reply else "gone"

    def close(self) -> None:
        os.close(self._pipe)

    def _look(self) -> bool | None:
        """Most runs are over before an idle processor would have gone to sleep and woken up again, so it looks a few
        times first, giving way to others in between."""
        for _ in range(_LOOKS):
            reply = self._next(0)
            if reply is not None:
                return reply
            os.sched_yield()
        return None

    def _guarded(self, seconds: float, guard: Guard, patience: float) -> Reply:
        before, end = cpu_seconds(self._pid), time.monotonic() + seconds * patience
        left = seconds
        while left > 0:
            reply = self._next(min(left, _SLICE))
            if reply is not None:
                return "" if reply else "gone"
            if guard.stop():
                return "stopped"
            if guard.is_heavy():
                return "memory"
            left = min(seconds - (cpu_seconds(self._pid) - before), end - time.monotonic())
        return "time"

    def _next(self, seconds: float) -> bool | None:
        """None if nothing comes in time, False if the worker is gone."""
        return len(os.read(self._pipe, 8)) == 8 if self._poll.poll(seconds * 1000) else None
