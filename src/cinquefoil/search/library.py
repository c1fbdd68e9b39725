"""Compiles and loads `native/*.c`, once per version of the sources; C functions they need are the process's own."""

from __future__ import annotations

import ctypes
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

from cinquefoil.build import toolchain
from cinquefoil.build.cache import get_or_make
from cinquefoil.errors import EngineError

SOURCES: Final = tuple(sorted((Path(__file__).parent / "native").glob("*.c")))
RUNTIME: Final = Path(__file__).parents[1] / "machine" / "runtime"
FLAGS: Final = ("-O2", "-fPIC", "-fno-stack-protector", "-Wall", "-Wextra")
_POINTER, _U32, _U64, _INT = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_int
_I32 = ctypes.c_int32
_SIGNATURES: Final = {
    "cinq_crowd_new": (_POINTER, (_INT, _INT)),
    "cinq_crowd_free": (None, (_POINTER,)),
    "cinq_crowd_add": (None, (_POINTER, _POINTER, _POINTER, _U64)),
    "cinq_crowd_drop": (None, (_POINTER, _POINTER, _U64)),
    "cinq_crowd_find": (_U32, (_POINTER, _U64)),
    "cinq_crowd_groups": (_U64, (_POINTER,)),
    "cinq_crowd_size": (_U64, (_POINTER, _U32)),
    "cinq_crowd_count": (_U64, (_POINTER, _U32)),
    "cinq_crowd_frequency": (_U64, (_POINTER, _U32)),
    "cinq_crowd_keys": (None, (_POINTER, _POINTER)),
    "cinq_crowd_counts": (None, (_POINTER, _POINTER)),
    "cinq_crowd_take": (_U64, (_POINTER, _U32, _U64)),
    "cinq_crowd_gone": (None, (_POINTER, _U32)),
    "cinq_crowd_members": (None, (_POINTER, _U32, _POINTER)),
    "cinq_crowd_keep": (None, (_POINTER, _U32, _POINTER, _U64)),
    "cinq_crowd_lowest": (_U64, (_POINTER,)),
    "cinq_crowd_at": (_U32, (_POINTER, _U64)),
    "cinq_crowd_newest": (_U32, (_POINTER,)),
    "cinq_crowd_travel": (None, (_POINTER, _U32)),
    "cinq_crowd_rise": (_INT, (_POINTER, _U32)),
    "cinq_crowd_pass": (None, (_POINTER, _POINTER, _U64, _U64, _U64)),
    "cinq_walker_new": (_POINTER, (_POINTER, _U64)),
    "cinq_walker_free": (None, (_POINTER,)),
    "cinq_walker_context": (None, (_POINTER, _I32)),
    "cinq_walker_call": (None, (_POINTER, _U32, _I32)),
    "cinq_walker_step": (None, (_POINTER, _I32, _U32, _I32)),
    "cinq_walk": (_U64, (_POINTER, _POINTER, _U64, _U64, _POINTER, _U64, _POINTER)),
    "cinq_walker_at": (_I32, (_POINTER,)),
    "cinq_walker_frame": (_I32, (_POINTER,)),
    "cinq_nearest": (_U64, (_POINTER, _POINTER, _U32, _POINTER, _U64, _U64, _POINTER, _I32, _POINTER, _POINTER)),
    "cinq_subpaths": (
        None,
        (_POINTER, _U64, _POINTER, _POINTER, _POINTER, _POINTER, _U64, _U64, _POINTER),
    ),
}


def _build(target: Path) -> None:
    flags = ["-c", f"--target={toolchain.TARGET}", "-nostdinc", "-I", str(RUNTIME), *FLAGS]
    for folder in (toolchain.clang_headers(), *toolchain.libc_headers()):
        flags += ["-isystem", str(folder)]
    with tempfile.TemporaryDirectory() as folder:
        units = [Path(folder) / f"{source.stem}.o" for source in SOURCES]
        for source, unit in zip(SOURCES, units, strict=True):
            toolchain.clang([*flags, str(source), "-o", str(unit)], source.name)
        linked = toolchain.run_tool("ld.lld", ["-shared", *map(str, units), "-o", str(target)])
        if linked.returncode:
            raise EngineError(f"the search's native part does not link: {linked.stderr.strip()}")


@cache
def load() -> ctypes.CDLL:
    """The library with its functions' types."""
    parts = [toolchain.version(), " ".join(FLAGS), *SOURCES, RUNTIME / "layout.h"]
    library = ctypes.CDLL(str(get_or_make("search", parts, ".so", _build)))
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library
