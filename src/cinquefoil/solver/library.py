"""The native half of the chain: `native/*.c`."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path
from typing import Final

from cinquefoil.build.shared import Signatures, load_library

_FLAGS: Final = ("-march=x86-64-v2", "-w")
_POINTER, _U32, _U64, _INT = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_int
_SIGNATURES: Final[Signatures] = {
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
_LONG: Final = ("cinq_search", "cinq_pairs", "cinq_descend", "cinq_sweep")


class EventPath(ctypes.Structure):
    """struct path of refute.c."""

    _fields_ = (
        ("events", _POINTER),
        ("alts", _POINTER),
        ("alt_count", _U64),
        ("count", _U32),
        ("failed", _U32),
    )


@cache
def load() -> ctypes.CDLL:
    """The library, with argument types declared."""
    return load_library("solver", Path(__file__).parent / "native", _SIGNATURES, _FLAGS, _LONG)
