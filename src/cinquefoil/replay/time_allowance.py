"""Time for tests that do not end: so much for each, and so much for all of them together.

Every test runs, whatever the others took: when the common time is used up each still has a little.  A replay of n tests
thus takes no longer than the common time and n times that little.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass

from cinquefoil.replay.process import ProcessLimits

LEAST = 1.0  # seconds


@dataclass(slots=True)
class TimeAllowance:
    each: float
    common: float = 300.0
    clock: Callable[[], float] = time.monotonic

    @contextmanager
    def limits(self) -> Generator[ProcessLimits]:
        """The time of the next test, which runs inside."""
        begun = self.clock()
        yield ProcessLimits(seconds=min(self.each, max(LEAST, self.common)))
        self.common -= self.clock() - begun
