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
