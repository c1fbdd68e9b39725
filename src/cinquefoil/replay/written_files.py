"""What a program wrote, as the supervisor sends it (build/native/starter/supervise.c): names and contents.

The program chose both: names are looked at before they are used, and contents are only read by gcov.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

_MOST = 300 << 20  # bytes that are read; the supervisor sends less


def unpack(file: int) -> Iterator[tuple[str, bytes]]:
    """The files in it; one that is cut off at the end is left out."""
    data = _read(file)
    at = 0
    while at + 4 <= len(data):
        name, at = _counted(data, at, 4)
        content, at = _counted(data, at, 8)
        if name is None or content is None:
            return
        yield os.fsdecode(name), content


def _read(file: int) -> bytes:
    return os.pread(file, min(os.fstat(file).st_size, _MOST), 0)


def _counted(data: bytes, at: int, width: int) -> tuple[bytes | None, int]:
    size = int.from_bytes(data[at : at + width], "little")
    end = at + width + size
    return (data[at + width : end], end) if end <= len(data) else (None, len(data))


def gcov_counters(file: int) -> dict[str, bytes]:
    """The counters of a gcov build among them, by their names below the folder: those for which gcc left notes."""
    return {name: content for name, content in unpack(file) if _has_notes(name)}


def _has_notes(name: str) -> bool:
    path = PurePosixPath(name)
    if path.suffix != ".gcda" or path.is_absolute() or ".." in path.parts:
        return False
    return Path("/", path).with_suffix(".gcno").is_file()
