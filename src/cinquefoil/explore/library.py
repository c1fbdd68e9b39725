"""The native part of exploration: `native/*.c` and the structures it shares with Python."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path

from cinquefoil.build.shared import Signatures, load_library
from cinquefoil.search.batch import COLUMNS


class DirectionTable(ctypes.Structure):
    """struct directions."""

    _fields_ = (
        ("first", ctypes.c_void_p),
        ("counts", ctypes.c_void_p),
        ("targets", ctypes.c_void_p),
        ("sites", ctypes.c_uint64),
    )


class Surroundings(ctypes.Structure):
    """struct surroundings."""

    _fields_ = (
        ("alts", ctypes.c_void_p),
        ("alt_count", ctypes.c_uint64),
        ("trace", ctypes.c_void_p),
        ("trace_count", ctypes.c_uint64),
    )


class News(ctypes.Structure):
    """struct news."""

    _fields_ = (
        ("marks", ctypes.c_void_p),
        ("mark_count", ctypes.c_uint64),
        ("turned", ctypes.c_int64),
        ("inherited", ctypes.c_int64),
    )


class Columns(ctypes.Structure):
    """struct columns."""

    _fields_ = (*((name, ctypes.c_void_p) for name in COLUMNS), ("used", ctypes.c_uint64), ("size", ctypes.c_uint64))


@cache
def load() -> ctypes.CDLL:
    """The library with its functions' types."""
    pointer, u32, u64 = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64
    signatures: Signatures = {
        "cinq_path": (u32, (pointer, u32, u32, pointer, pointer, pointer, pointer)),
        "cinq_constraints": (None, (pointer, u32, u32, pointer, u64, pointer, pointer)),
        "cinq_keep": (u64, (pointer, pointer, u64)),
        "cinq_turns": (u64, (pointer, u32, u32, u32, *[pointer] * 5)),
    }
    return load_library("explore", Path(__file__).parent / "native", signatures, ("-Wall", "-Wextra"))
