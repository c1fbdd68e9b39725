"""The native evaluator: `evaluator/*.c`.  The meaning of each operation comes from the worker's own `eval.h`."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path
from typing import Final

from cinquefoil.build.shared import Signatures, load_library

FLAGS: Final = ("-std=gnu2x", "-ffreestanding", "-fno-builtin", "-fno-strict-aliasing", "-Wall", "-Wextra")


class Space(ctypes.Structure):
    """struct space: the expression table and scratch per node."""

    _fields_ = (
        ("nodes", ctypes.c_void_p), ("tables", ctypes.c_void_p), ("pool", ctypes.c_void_p),
        ("stamp", ctypes.c_void_p), ("slot", ctypes.c_void_p),
        ("epoch", ctypes.c_uint32), ("stack_capacity", ctypes.c_uint32), ("stack", ctypes.c_void_p),
    )  # fmt: skip


class CodeBuffers(ctypes.Structure):
    """struct program: compiled instructions."""

    _fields_ = (
        ("code", ctypes.c_void_p), ("aux", ctypes.c_void_p), ("root_slots", ctypes.c_void_p),
        ("length", ctypes.c_uint32), ("capacity", ctypes.c_uint32),
        ("aux_length", ctypes.c_uint32), ("aux_capacity", ctypes.c_uint32),
    )  # fmt: skip


class Lanes(ctypes.Structure):
    """struct lanes: values of all slots, and where inputs come from."""

    _fields_ = (
        ("lo", ctypes.c_void_p), ("hi", ctypes.c_void_p), ("inputs", ctypes.c_void_p),
        ("stride", ctypes.c_uint64), ("size", ctypes.c_uint32), ("count", ctypes.c_uint32),
        ("inner", ctypes.c_uint32), ("outer", ctypes.c_uint32),
        ("outer_value", ctypes.c_uint32), ("partial", ctypes.c_uint32),
    )  # fmt: skip


@cache
def load() -> ctypes.CDLL:
    """The library with its functions' types."""
    space, code, lanes = ctypes.POINTER(Space), ctypes.POINTER(CodeBuffers), ctypes.POINTER(Lanes)
    pointer, u32 = ctypes.c_void_p, ctypes.c_uint32
    signatures: Signatures = {
        "cinq_compile": (ctypes.c_int, (space, code, pointer, u32)),
        "cinq_run": (None, (space, code, lanes)),
        "cinq_collect": (None, (code, lanes, u32, pointer, pointer)),
        "cinq_first_violated": (ctypes.c_int64, (space, code, lanes, pointer, pointer, u32)),
        "cinq_domain": (None, (space, code, lanes, pointer, pointer, u32, pointer)),
        "cinq_dependencies": (None, (space, code, pointer, u32)),
    }
    return load_library("evaluator", Path(__file__).parent / "evaluator", signatures, FLAGS)
