"""The report of a replayed program: a file that its process maps and fills (build/native/replay/replay.h).

The program could write anything there, so nothing in it is believed, and the file's size is sealed.  It is a memory
file that the engine holds: no name leads to it, so nothing else can be put there instead.
"""

from __future__ import annotations

import fcntl
import os
import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_MAGIC = 0x31594C5045524E43
_HEAD = struct.Struct("<QQQQIIII")
TRACE_ROOM = 1 << 22  # blocks; the file is sparse
ENDS = ("", "assume", "silent", "user", "abort", "reach-error", "undefined")


@dataclass(frozen=True, slots=True)
class BlockReport:
    """Blocks by the executable's own numbers; `entered` may exceed the length of `trace`."""

    covered: NDArray[np.uint32]
    trace: NDArray[np.uint32]
    entered: int
    end: str  # why the replay library ended the program, if it did
    missing: int  # objects that the test does not have
    resized: int  # objects that have another size in the test


_NO_BLOCKS: NDArray[np.uint32] = np.zeros(0, np.uint32)
NOTHING = BlockReport(_NO_BLOCKS, _NO_BLOCKS, 0, "", 0, 0)  # of a program that was not started


def make_report(blocks: int, room: int = TRACE_ROOM) -> int:
    """A descriptor of an empty report."""
    file = os.memfd_create("report", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.truncate(file, _HEAD.size + _padded(blocks) + 4 * room)
    os.pwrite(file, _HEAD.pack(_MAGIC, blocks, room, 0, 0, 0, 0, 0), 0)
    fcntl.fcntl(file, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
    return file


def read_report(file: int, blocks: int, room: int = TRACE_ROOM) -> BlockReport:
    numbers: tuple[int, ...] = _HEAD.unpack(os.pread(file, _HEAD.size, 0))
    _, _, _, entered, end, missing, resized, _ = numbers
    covered = np.frombuffer(os.pread(file, _padded(blocks), _HEAD.size), dtype=np.uint8)[:blocks]
    at = _HEAD.size + _padded(blocks)
    trace = np.frombuffer(os.pread(file, 4 * min(entered, room), at), dtype=np.uint32)
    known = trace[trace < blocks]
    name = ENDS[end] if end < len(ENDS) else ""
    return BlockReport(np.flatnonzero(covered).astype(np.uint32), known, entered, name, missing, resized)


def _padded(blocks: int) -> int:
    return (blocks + 3) & ~3
