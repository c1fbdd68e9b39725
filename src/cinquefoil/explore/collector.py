"""Python's cyclic garbage collector, kept out of the loop.

States live long and hold no cycles, but the collector walks all of them again and again.  Young objects are still
collected; the old generation is left alone until the exploration ends.  docs/measurements.md has the gain.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager

_YOUNG, _MIDDLE, _OLD = 100_000, 50, 1_000_000


@contextmanager
def rarely_collecting() -> Generator[None]:
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _OLD)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
