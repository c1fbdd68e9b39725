"""The report of a replayed program: a file that its process maps and fills (build/native/replay/replay.h).

The program could write anything there, so nothing in it is believed beyond its size.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

_MAGIC = 0x31594C5045524E43
_HEAD = struct.Struct("<QQQQIIII")
TRACE_ROOM = 1 << 22  # blocks; the file is sparse
ENDS = ("", "assume", "silent", "user", "abort", "reach-error")


@dataclass(frozen=True, slots=True)
class Report:
    """Blocks by the executable's own numbers; `entered` may exceed the length of `trace`."""

    covered: NDArray[np.uint32]
    trace: NDArray[np.uint32]
    entered: int
    end: str  # why the replay library ended the program, if it did
    missing: int  # objects that the test does not have
    resized: int  # objects that have another size in the test


_NO_BLOCKS: NDArray[np.uint32] = np.zeros(0, np.uint32)
NOTHING = Report(_NO_BLOCKS, _NO_BLOCKS, 0, "", 0, 0)  # of a program that was not started


def prepare_report(path: Path, blocks: int, room: int = TRACE_ROOM) -> None:
    with path.open("wb") as file:
        file.write(_HEAD.pack(_MAGIC, blocks, room, 0, 0, 0, 0, 0))
        file.truncate(_HEAD.size + _padded(blocks) + 4 * room)


def read_report(path: Path, blocks: int, room: int = TRACE_ROOM) -> Report:
    with path.open("rb") as file:
        head = file.read(_HEAD.size)
        _, _, _, entered, end, missing, resized, _ = _HEAD.unpack(head.ljust(_HEAD.size, b"\0"))
        covered = np.frombuffer(file.read(_padded(blocks)), dtype=np.uint8)[:blocks]
        trace = np.frombuffer(file.read(4 * min(entered, room)), dtype=np.uint32)
    known = trace[trace < blocks]
    name = ENDS[end] if end < len(ENDS) else ""
    return Report(np.flatnonzero(covered).astype(np.uint32), known, entered, name, missing, resized)


def _padded(blocks: int) -> int:
    return (blocks + 3) & ~3
