"""Python's cyclic garbage collector, kept out of the loop.

Paths and states live long, and what is dropped one by one is in no cycle: in an exploration of 20,000 paths, the
collector looks at 200,000 objects and finds nothing.  So it does not run by itself.  A pruner that begins again drops a
whole tree at once, which is full of cycles: then it may run, as long as that takes _SHARE of the time at most.
docs/measurements.md has the gain.

Risk: a strategy of one's own that makes cycles keeps their memory until the exploration ends.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Generator
from contextlib import contextmanager

_SHARE = 0.02


class Collector:
    """Collects when it is told that much was dropped, and not too often."""

    def __init__(self) -> None:
        self._due = 0.0

    def collect(self) -> None:
        begun = time.monotonic()
        if begun >= self._due:
            gc.collect()
            now = time.monotonic()
            self._due = now + (now - begun) / _SHARE


@contextmanager
def rarely_collecting() -> Generator[None]:
    """Not by itself, in the meantime."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()
