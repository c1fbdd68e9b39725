"""The memory that engine and worker share, as numpy views.

Whatever is read here may have been written by a hostile program: `intake.py` says what is done about that."""

from __future__ import annotations

import mmap
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cinquefoil import layout
from cinquefoil.errors import EngineError

_FIELDS: dict[str, tuple[Any, ...]] = {str(name): field for name, field in (layout.CONTROL.fields or {}).items()}
_COUNTERS = _FIELDS["error"][1]  # bytes; all that comes before is numbers of eight bytes each


def counter(name: str) -> int:
    """A number's index in `SharedMemory.counters`."""
    dtype, offset = _FIELDS[name][:2]
    if dtype != np.uint64 or offset >= _COUNTERS:
        raise EngineError(f"the control block has no number {name}")
    return offset // 8


class SharedMemory:
    """One sparse memory file, mapped here and, at a fixed address, in the worker."""

    def __init__(self) -> None:
        self.fd = os.memfd_create("cinquefoil", os.MFD_CLOEXEC)
        try:
            os.ftruncate(self.fd, layout.SHM_SIZE)
        except OSError as error:
            size = f"{layout.SHM_SIZE >> 30} GB of address space, few of which are used"
            raise EngineError(f"no memory to share with a worker ({size}): {error.strerror}; see ulimit -f") from error
        self._map = mmap.mmap(self.fd, layout.SHM_SIZE)
        self.control = self.records(layout.CONTROL, layout.SHM_CONTROL, 1)
        self._view = memoryview(self._map)
        self.whole = self.bytes(0, layout.SHM_SIZE)
        start = layout.SHM_CONTROL
        # The control block's numbers, by their indices in it: quicker to read and write than `control`.
        self.counters: memoryview[int] = memoryview(self._map)[start : start + _COUNTERS].cast("Q")
        self.events = self.records(layout.EVENT, layout.SHM_EVENTS, layout.EVENT_CAPACITY)
        self.trace = self.words(layout.SHM_TRACE, layout.TRACE_CAPACITY)

    def records(self, dtype: np.dtype[np.void], offset: int, count: int) -> NDArray[np.void]:
        return np.frombuffer(self._map, dtype=dtype, count=count, offset=offset)

    def words(self, offset: int, count: int) -> NDArray[np.uint32]:
        return np.frombuffer(self._map, dtype=np.uint32, count=count, offset=offset)

    def bytes(self, offset: int, count: int) -> NDArray[np.uint8]:
        return np.frombuffer(self._map, dtype=np.uint8, count=count, offset=offset)

    def write(self, offset: int, data: bytes) -> None:
        self._map[offset : offset + len(data)] = data

    def read(self, offset: int, size: int) -> bytes:
        return self._map[offset : offset + size]

    def view(self, offset: int, size: int) -> memoryview[int]:
        return self._view[offset : offset + size]

    def resident(self) -> int:
        """Bytes of the file that are there."""
        return os.fstat(self.fd).st_blocks * 512

    def drop_table(self) -> None:
        """Gives the memory of all expressions back: they are the end of the file.  The worker must be idle."""
        os.ftruncate(self.fd, layout.SHM_ALTS)
        os.ftruncate(self.fd, layout.SHM_SIZE)

    def close(self) -> None:
        """Views that are still alive keep the mapping; the file goes when the last of them does."""
        os.close(self.fd)
