"""The native part of exploration: `native/*.c` and the structures it shares with Python."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path

from cinquefoil.build.calls import Numbers
from cinquefoil.build.shared import Signatures, load_library


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


class Tables(ctypes.Structure):
    """struct reader."""

    _fields_ = (
        ("directions", ctypes.c_void_p),
        ("alts", ctypes.c_void_p),
        ("alt_count", ctypes.c_uint64),
        ("factors", ctypes.c_void_p),
        ("hashes", ctypes.c_void_p),
        ("depths", ctypes.c_void_p),
        ("decisions", ctypes.c_void_p),
        ("room", ctypes.c_uint64),
        ("kept", ctypes.c_void_p),
        ("kept_size", ctypes.c_uint64),
        ("kept_used", ctypes.c_uint64),
        ("out", ctypes.c_void_p),
    )


class Watch(ctypes.Structure):
    """struct watch."""

    _fields_ = (
        ("seconds", ctypes.c_double * 16),
        ("since", ctypes.c_double),
        ("extra", ctypes.c_double),
        ("spent", ctypes.c_double),
        ("phase", ctypes.c_uint32),
        ("clock", ctypes.c_uint32),
        ("looks", ctypes.c_uint64),
    )


MUTED = 1  # of what cinq_scan may find


@cache
def load() -> ctypes.CDLL:
    """The library with its functions' types."""
    pointer, u32, u64 = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64
    signatures: Signatures = {
        "cinq_path": (u32, (pointer, u32, u32, pointer, pointer, pointer, pointer)),
        "cinq_constraints": (None, (pointer, u32, u32, pointer, u64, pointer, pointer)),
        "cinq_follow": (Numbers, (pointer, pointer, u64, u32, pointer, *[u64] * 7, pointer, u64, pointer, u64, u64)),
        "cinq_scan": (u32, (pointer, u64)),
        "cinq_any_new": (u32, (pointer, u64, pointer, u64, u64)),
        "cinq_drop": (u64, (pointer, pointer, u64, pointer)),
        "cinq_watch_now": (ctypes.c_double, (pointer,)),
        "cinq_watch_begin": (None, (pointer, u32)),
        "cinq_watch_start": (None, (pointer, u32)),
        "cinq_turns": (u64, (pointer, u32, u32, u32, *[pointer] * 5)),
    }
    return load_library("explore", Path(__file__).parent / "native", signatures, ("-Wall", "-Wextra"))
