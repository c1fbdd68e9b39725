"""Compiles and loads the native half of the chain (`native/*.c`), once per version of its sources.

The wheel's plain clang and lld make a shared object without any libc of its own: the few C functions it needs
come from the Python process that loads it.
"""

from __future__ import annotations

import ctypes
import tempfile
from functools import cache
from pathlib import Path

from cinquefoil.build import toolchain
from cinquefoil.build.cache import get_or_make
from cinquefoil.errors import EngineError

_FLAGS = ("-O2", "-fPIC", "-march=x86-64-v2", "-ffp-contract=off", "-fno-stack-protector", "-w")
_POINTER, _U32, _U64, _INT = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_int
_SIGNATURES = {
    "cinq_solver_new": (_POINTER, (_POINTER, _POINTER, _POINTER, _U32)),
    "cinq_solver_free": (None, (_POINTER,)),
    "cinq_slice": (_INT, (_POINTER, _POINTER, _POINTER, _U32, ctypes.c_char_p, _U32, ctypes.c_char_p, _U64)),
    "cinq_slice_constraints": (_POINTER, (_POINTER,)),
    "cinq_slice_bytes": (_POINTER, (_POINTER,)),
    "cinq_slice_byte_count": (_U32, (_POINTER,)),
    "cinq_slice_model": (_POINTER, (_POINTER,)),
    "cinq_work": (_U64, (_POINTER,)),
    "cinq_domains": (_INT, (_POINTER,)),
    "cinq_bounds": (_INT, (_POINTER,)),
    "cinq_search": (_INT, (_POINTER, _U64)),
    "cinq_pairs": (_INT, (_POINTER,)),
    "cinq_edits": (_INT, (_POINTER,)),
    "cinq_check_solution": (_INT, (_POINTER, ctypes.c_char_p, _U64)),
    "cinq_refute": (_U32, (_POINTER, _POINTER, _POINTER, _POINTER, _U32, _POINTER)),
    "cinq_try_model": (_INT, (_POINTER,)),
    "cinq_descend": (_INT, (_POINTER, ctypes.c_char_p, _U32, ctypes.c_char_p, _U64, _U64, _U64, _U64)),
    "cinq_path": (_U32, (_POINTER, _POINTER, _POINTER, _U32, _U32, _U32)),
    "cinq_screen": (_INT, (_POINTER, ctypes.c_char_p, _U64)),
    "cinq_sweep": (_INT, (_POINTER, ctypes.c_char_p, _U64, _U64, _U64, _U32)),
    "cinq_descent_inputs": (_U32, (_POINTER, _POINTER)),
    "cinq_descent_rows": (_POINTER, (_POINTER,)),
    "cinq_descent_count": (_U32, (_POINTER,)),
    "cinq_descent_work": (_U64, (_POINTER,)),
    "cinq_descent_minima": (_U32, (_POINTER,)),
    "cinq_objective": (ctypes.c_double, (_POINTER, ctypes.c_char_p, _U32, ctypes.c_char_p, _U64)),
    "cinq_distance": (ctypes.c_double, (_U32, _U32, _U32, _U64, _U64, _U64, _U64)),
    "cinq_scaled": (ctypes.c_double, (ctypes.c_double,)),
}


class EventPath(ctypes.Structure):
    """struct path of refute.c."""

    _fields_ = (
        ("events", _POINTER),
        ("alts", _POINTER),
        ("alt_count", _U64),
        ("count", _U32),
        ("failed", _U32),
    )


def _sources() -> list[Path]:
    return sorted((Path(__file__).parent / "native").glob("*.[ch]"))


def _shared_headers() -> list[Path]:
    """The worker's own: what nodes look like, and what operations mean."""
    folder = Path(__file__).parents[1] / "machine" / "runtime"
    return [folder / "layout.h", folder / "eval.h"]


def _build(output: Path) -> None:
    includes = [toolchain.clang_headers(), *toolchain.libc_headers(), _shared_headers()[0].parent]
    flags = ["-c", f"--target={toolchain.TARGET}", "-nostdinc", *_FLAGS]
    flags += [part for folder in includes for part in ("-isystem", str(folder))]
    with tempfile.TemporaryDirectory() as folder:
        objects: list[str] = []
        for source in (path for path in _sources() if path.suffix == ".c"):
            objects.append(str(Path(folder) / f"{source.stem}.o"))
            toolchain.clang([*flags, str(source), "-o", objects[-1]], source.name)
        result = toolchain.run_tool("ld.lld", ["-shared", "-o", str(output), *objects])
        if result.returncode:
            raise EngineError(f"the solver's native part does not link: {result.stderr.strip()}")


@cache
def load() -> ctypes.CDLL:
    """The library, with argument types declared."""
    parts = [toolchain.version(), *_FLAGS, *_shared_headers(), *_sources()]
    library = ctypes.CDLL(str(get_or_make("solver", parts, ".so", _build)))
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library
