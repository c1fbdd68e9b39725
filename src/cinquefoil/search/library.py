"""Compiles and loads `native/crowd.c`, once per version of its source; C functions it needs are the process's own."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path
from typing import Final

from cinquefoil.build import toolchain
from cinquefoil.build.cache import get_or_make
from cinquefoil.errors import EngineError

SOURCE: Final = Path(__file__).parent / "native" / "crowd.c"
FLAGS: Final = ("-O2", "-fPIC", "-fno-stack-protector", "-Wall", "-Wextra")
_POINTER, _U32, _U64, _INT = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_int
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
    "cinq_subpaths": (
        None,
        (_POINTER, _U64, _POINTER, _POINTER, _POINTER, _POINTER, _U64, _U64, _POINTER),
    ),
}


def _build(target: Path) -> None:
    unit = target.with_suffix(".o")
    flags = ["-c", f"--target={toolchain.TARGET}", "-nostdinc", *FLAGS]
    flags += [
        part for folder in (toolchain.clang_headers(), *toolchain.libc_headers()) for part in ("-isystem", str(folder))
    ]
    try:
        toolchain.clang([*flags, str(SOURCE), "-o", str(unit)], SOURCE.name)
        linked = toolchain.run_tool("ld.lld", ["-shared", str(unit), "-o", str(target)])
        if linked.returncode:
            raise EngineError(f"the search's native part does not link: {linked.stderr.strip()}")
    finally:
        unit.unlink(missing_ok=True)


@cache
def load() -> ctypes.CDLL:
    """The library with its functions' types."""
    library = ctypes.CDLL(str(get_or_make("search", [toolchain.version(), " ".join(FLAGS), SOURCE], ".so", _build)))
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library
