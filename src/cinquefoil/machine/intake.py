"""Taking in what a worker wrote: the engine's own, checked copy of expressions (`native/intake/intake.c`).

The memory that is shared with the worker is hostile input.  After each run its new expressions are copied and checked
in one native call; the engine follows the copy only.  `UntrustedWorker` says that the shared memory holds something
that the run-time never writes: the worker has to be replaced."""

from __future__ import annotations

import ctypes
import mmap
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from cinquefoil import layout
from cinquefoil.errors import UntrustedWorker
from cinquefoil.layout import ErrorKind, Reason
from cinquefoil.native import core
from cinquefoil.native.structures import structure

Scalar = TypeVar("Scalar", bound=np.generic)
_NO_RESERVE = 0x4000  # MAP_NORESERVE: address space only, until something is written
_FLAGS = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NO_RESERVE


class Intake:
    """The expressions of one epoch, copied and checked: `nodes`, `tables`, `pool` and `alts` as `layout` has them.

    `sites` is how many the image has."""

    def __init__(self, shared: NDArray[np.uint8], sites: int) -> None:
        self._maps: list[mmap.mmap] = []
        self.nodes: NDArray[np.void] = self._memory(layout.NODE_CAPACITY, layout.NODE)
        self.tables: NDArray[np.void] = self._memory(layout.TABLE_CAPACITY, layout.TABLE)
        self.pool: NDArray[np.uint8] = self._memory(layout.POOL_CAPACITY, np.dtype(np.uint8))
        self.alts: NDArray[np.uint32] = self._memory(layout.ALTS_CAPACITY, np.dtype(np.uint32))
        self._tops: NDArray[np.uint32] = self._memory(layout.TABLE_CAPACITY, np.dtype(np.uint32))
        self._covered = np.zeros(sites, np.bool_)
        arrays = (shared, self.nodes, self.tables, self.pool, self.alts, self._tops, self._covered)
        self._native = structure("intake")(
            *map(core.address, arrays), sites=sites, last_reason=max(Reason), last_error=max(ErrorKind)
        )
        address, bound = ctypes.addressof(self._native), core.bound
        self._take = bound(core.cinq_intake_take, address)
        self._check = bound(core.cinq_intake_check, address)
        self._check_remarks = bound(core.cinq_intake_check_remarks, address)
        self._cover = bound(core.cinq_intake_cover, address)
        self._reaches = bound(core.cinq_intake_reaches, address)
        self._forget = bound(core.cinq_intake_forget, address)

    def _memory(self, count: int, dtype: np.dtype[Scalar]) -> NDArray[Scalar]:
        """Zeros of the engine's own that take no memory before they are written."""
        self._maps.append(mmap.mmap(-1, count * dtype.itemsize, flags=_FLAGS))
        return np.frombuffer(self._maps[-1], dtype=dtype)

    def take(self) -> tuple[int, ...]:
        """Takes in a run's coverage and expressions; its end, code, and counts: events, trace, made, objects,
        input_known, output, output_total, steps, nanoseconds, remarks."""
        counts = self._take()
        if counts is None:
            raise UntrustedWorker("counts or expressions")
        return counts

    def check(self, events: NDArray[np.void], trace: NDArray[np.uint32]) -> None:
        """Events and block trace of the run that was taken in last, in memory that the worker cannot write."""
        if not self._check(events, len(events), trace, len(trace)):
            raise UntrustedWorker("events or block trace")

    def check_remarks(self, remarks: NDArray[np.void]) -> None:
        """Remarks of the same run, likewise."""
        if not self._check_remarks(remarks, len(remarks)):
            raise UntrustedWorker("remarks")

    def covered(self) -> NDArray[np.int64]:
        """The sites that the run which was taken in last has covered, sorted."""
        return self._covered.nonzero()[0]

    def cover(self) -> NDArray[np.int64]:
        """The same of a run that left no expressions and is not taken in otherwise."""
        self._cover()
        return self._covered.nonzero()[0]

    def reaches(self, wanted: NDArray[np.bool_]) -> bool:
        """Does a run that is not taken in otherwise cover one of the sites that `wanted` marks?"""
        return bool(self._reaches(wanted, len(wanted)))

    def restart(self) -> None:
        """Takes in everything again from the beginning."""
        self._forget()

    def forget(self) -> None:
        """All expressions go: a new epoch begins."""
        self._forget()
        for memory in self._maps:
            memory.madvise(mmap.MADV_DONTNEED)
