"""Compiles and loads `native/path.c`, once per version of its source, with the wheel's clang and linker."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path
from typing import Final

from cinquefoil.build.cache import get_or_make
from cinquefoil.build.toolchain import TARGET, clang, clang_headers, run_tool, version
from cinquefoil.errors import EngineError
from cinquefoil.search.batch import COLUMNS

SOURCE: Final = Path(__file__).parent / "native" / "path.c"
RUNTIME: Final = Path(__file__).parents[1] / "machine" / "runtime"
FLAGS: Final = ("-c", f"--target={TARGET}", "-O2", "-fPIC", "-ffreestanding", "-nostdinc", "-Wall", "-Wextra")


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


def _build(target: Path) -> None:
    unit = target.with_suffix(".o")
    includes = ["-isystem", str(clang_headers()), "-I", str(RUNTIME)]
    try:
        clang([*FLAGS, *includes, str(SOURCE), "-o", str(unit)], "the path reader")
        linked = run_tool("ld.lld", ["-shared", str(unit), "-o", str(target)])
        if linked.returncode != 0:
            raise EngineError(f"the path reader does not link: {linked.stderr.strip()}")
    finally:
        unit.unlink(missing_ok=True)


@cache
def load() -> ctypes.CDLL:
    """The library with its functions' types."""
    parts = [version(), " ".join(FLAGS), SOURCE, RUNTIME / "layout.h"]
    library = ctypes.CDLL(str(get_or_make("explore", parts, ".so", _build)))
    pointer, u32, u64 = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64
    signatures = {
        "cinq_path": (u32, [pointer, u32, u32, pointer, pointer, pointer, pointer]),
        "cinq_constraints": (None, [pointer, u32, u32, pointer, u64, pointer, pointer]),
        "cinq_keep": (u64, [pointer, pointer, u64]),
        "cinq_turns": (u64, [pointer, u32, u32, u32, *[pointer] * 5]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library
