"""Builds and loads the native evaluator: `evaluator/evaluator.c` as a shared library.

The wheel's clang and linker make it at first use, freestanding (no libc is built or needed); the result is
cached by content.  The meaning of each operation comes from the worker's own `eval.h`.
"""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path
from typing import Final

from cinquefoil import layout
from cinquefoil.build.cache import get_or_make
from cinquefoil.build.toolchain import TARGET, clang, clang_headers, run_tool, version
from cinquefoil.errors import EngineError

SOURCES: Final = Path(__file__).parent / "evaluator"
RUNTIME: Final = Path(layout.__file__).parent / "machine" / "runtime"
FLAGS: Final = (
    "-c", f"--target={TARGET}", "-std=gnu2x", "-O2", "-fPIC", "-ffreestanding", "-fno-builtin", "-nostdinc",
    "-ffp-contract=off", "-fno-strict-aliasing", "-fno-stack-protector", "-Wall", "-Wextra",
)  # fmt: skip


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


def build(target: Path) -> None:
    """Compile and link the library to `target`."""
    unit = target.with_suffix(".o")
    includes = ["-isystem", str(clang_headers()), "-I", str(RUNTIME)]
    try:
        clang([*FLAGS, *includes, str(SOURCES / "evaluator.c"), "-o", str(unit)], "the native evaluator")
        linked = run_tool("ld.lld", ["-shared", str(unit), "-o", str(target)])
        if linked.returncode != 0:
            raise EngineError(f"the native evaluator does not link: {linked.stderr.strip()}")
    finally:
        unit.unlink(missing_ok=True)


def library_path() -> Path:
    """The built library, from the cache if it is there."""
    texts = [*sorted(SOURCES.glob("*.[ch]")), RUNTIME / "eval.h", RUNTIME / "layout.h"]
    return get_or_make("evaluator", [version(), " ".join(FLAGS), *texts], ".so", build)


@cache
def load() -> ctypes.CDLL:
    """The library with its functions' types."""
    library = ctypes.CDLL(str(library_path()))
    space, code, lanes = ctypes.POINTER(Space), ctypes.POINTER(CodeBuffers), ctypes.POINTER(Lanes)
    pointer, u32 = ctypes.c_void_p, ctypes.c_uint32
    signatures = {
        "cinq_compile": (ctypes.c_int, [space, code, pointer, u32]),
        "cinq_run": (None, [space, code, lanes]),
        "cinq_collect": (None, [code, lanes, u32, pointer, pointer]),
        "cinq_first_violated": (ctypes.c_int64, [space, code, lanes, pointer, pointer, u32]),
        "cinq_domain": (None, [space, code, lanes, pointer, pointer, u32, pointer]),
        "cinq_dependencies": (None, [space, code, pointer, u32]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library
