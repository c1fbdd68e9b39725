"""How much memory an exploration holds: the engine, the program's worker, the processes that answer for it.

The expression table lies in a file in memory that engine and worker both map: it counts once, by the blocks it holds.
What a library keeps natively (the SMT solver's terms) is part of the process it is loaded in.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol, runtime_checkable

from cinquefoil.machine.resident import own_bytes

_LATELY = 0.1  # seconds


@runtime_checkable
class Weighed(Protocol):
    """A machine that knows what it weighs."""

    def memory_bytes(self) -> int: ...

    def running_bytes(self) -> int: ...


class Meter:
    """The memory of this process and a machine's; `peak` is the most that was seen."""

    def __init__(self, machine: object) -> None:
        self._machine = machine if isinstance(machine, Weighed) else None
        self.others: Callable[[], int] = int  # what further processes hold
        self.peak = 0
        self._last, self._looked = 0, float("-inf")

    def now(self) -> int:
        """Bytes that are held now, the machine and other processes included."""
        machine = self._machine.memory_bytes() if self._machine is not None else 0
        total = self._last = own_bytes() + machine + self.others()
        self._looked = time.monotonic()
        self.peak = max(self.peak, total)
        return total

    def running(self) -> int:
        """Bytes of this process and its machine alone, while a run goes on."""
        return own_bytes() + (self._machine.running_bytes() if self._machine is not None else 0)

    def lately(self) -> int:
        """The same as of a tenth of a second ago or less: a look takes as long as a short run."""
        return self._last if time.monotonic() - self._looked < _LATELY else self.now()
