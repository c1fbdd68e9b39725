"""The native part of searching: `native/*.c`."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path
from typing import Final

from cinquefoil.build.calls import Numbers
from cinquefoil.build.shared import Signatures, load_library

_POINTER, _U32, _U64, _INT = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_int
_I32, _I64 = ctypes.c_int32, ctypes.c_int64
_SIGNATURES: Final[Signatures] = {
    "cinq_row": (Numbers, (_POINTER, _U64)),
    "cinq_crowd_new": (_POINTER, (_INT, _INT)),
    "cinq_crowd_free": (None, (_POINTER,)),
    "cinq_crowd_add": (None, (_POINTER, _POINTER, _POINTER, _U64)),
    "cinq_crowd_drop": (None, (_POINTER, _POINTER, _U64)),
    "cinq_crowd_find": (_U32, (_POINTER, _U64)),
    "cinq_crowd_groups": (_U64, (_POINTER,)),
    "cinq_crowd_size": (_U64, (_POINTER, _U32)),
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
    "cinq_crowd_untidy": (_INT, (_POINTER, _U32)),
    "cinq_crowd_look_up": (None, (_POINTER, _POINTER, _U64)),
    "cinq_book_new": (_POINTER, ()),
    "cinq_book_free": (None, (_POINTER,)),
    "cinq_book_add": (
        _U64,
        (_POINTER, _U64, _U64, _U64, _POINTER, _U64, _POINTER, _POINTER, _POINTER, _U64),
    ),
    "cinq_book_row": (Numbers, (_POINTER, _U64)),
    "cinq_book_pending": (_INT, (_POINTER, _U64)),
    "cinq_book_sweep": (_U64, (_POINTER, _POINTER)),
    "cinq_paths_new": (_POINTER, (_POINTER,)),
    "cinq_paths_free": (None, (_POINTER,)),
    "cinq_paths_catch_up": (None, (_POINTER,)),
    "cinq_paths_settle": (None, (_POINTER, _U64)),
    "cinq_paths_select": (_U64, (_POINTER, _U64)),
    "cinq_fewest_new": (_POINTER, (_POINTER,)),
    "cinq_fewest_free": (None, (_POINTER,)),
    "cinq_fewest_select": (_U64, (_POINTER,)),
    "cinq_walker_new": (_POINTER, (_POINTER, _U64, _POINTER, _POINTER, _U64)),
    "cinq_walker_free": (None, (_POINTER,)),
    "cinq_walker_context": (None, (_POINTER, _U32)),
    "cinq_walker_call": (None, (_POINTER, _U32, _I32)),
    "cinq_walker_step": (None, (_POINTER, _I32, _U32, _I32)),
    "cinq_walker_go": (None, (_POINTER, _U32)),
    "cinq_walk": (_U64, (_POINTER, _POINTER, _U64, _U64, _POINTER, _U64, _POINTER, _POINTER)),
    "cinq_walker_at": (_I32, (_POINTER,)),
    "cinq_walker_frame": (_I32, (_POINTER,)),
    "cinq_sieve_new": (_POINTER, ()),
    "cinq_sieve_free": (None, (_POINTER,)),
    "cinq_sieve_drop": (None, (_POINTER, _I32, _U32)),
    "cinq_place": (
        None,
        (_POINTER, _POINTER, _POINTER, _U64, _U64, _U64, _POINTER, _U64, _POINTER, _POINTER, _U64, _U64),
    ),
    "cinq_see": (
        _I64,
        (_POINTER, _U64, _POINTER, _U64, _U64, _U64, _POINTER, _U64, _U64, _POINTER, _POINTER),
    ),
    "cinq_covers_visit": (_U64, (_POINTER, _POINTER, _U64, _POINTER, _U64, _POINTER, _POINTER, _POINTER)),
    "cinq_first_waiting": (_U64, (_POINTER, _POINTER, _POINTER, _POINTER, _U64, _POINTER)),
    "cinq_covers_best": (_I32, (_POINTER, _I32, _U64)),
    "cinq_goals_new": (_POINTER, (_POINTER, _POINTER, _POINTER, _POINTER, _POINTER, _INT)),
    "cinq_goals_free": (None, (_POINTER,)),
    "cinq_goals_add": (None, (_POINTER, _U64, _POINTER, _U64)),
    "cinq_goals_wake": (None, (_POINTER,)),
    "cinq_goals_select": (_U64, (_POINTER, _U64)),
    "cinq_goals_block": (_U64, (_POINTER,)),
    "cinq_goals_again": (None, (_POINTER, _U64)),
    "cinq_nearest": (_U64, (_POINTER, _POINTER, _U32, _POINTER, _U64, _U64, _POINTER, _I32, _POINTER, _POINTER)),
    "cinq_subpaths": (
        None,
        (_POINTER, _U64, _POINTER, _POINTER, _POINTER, _POINTER, _U64, _U64, _POINTER),
    ),
    "cinq_subpaths_draw": (_U64, (_POINTER, _U64, _U64)),
    "cinq_subpaths_pass": (None, (_POINTER, _POINTER, _U64, _U64, _I32)),
    "cinq_arms_new": (_POINTER, (_U64, _U64)),
    "cinq_arms_free": (None, (_POINTER,)),
    "cinq_arms_draw": (_U64, (_POINTER, _POINTER)),
    "cinq_arms_note": (None, (_POINTER, _U64, _U64, _U64)),
    "cinq_arms_shares": (None, (_POINTER, _POINTER)),
    "cinq_arms_chances": (None, (_POINTER, _POINTER)),
    "cinq_turns_new": (_POINTER, (_POINTER,)),
    "cinq_turns_free": (None, (_POINTER,)),
    "cinq_turns_begin": (None, (_POINTER, _U64)),
    "cinq_turns_select": (Numbers, (_POINTER, _U64)),
    "cinq_turns_settle": (None, (_POINTER, _U64, _POINTER, _U64, _U64, _U64)),
    "cinq_turns_see": (
        _I64,
        (_POINTER, _U64, _POINTER, _U64, _U64, _POINTER, _U64, _U64, _U64, _POINTER, _U64, _POINTER, _POINTER),
    ),
}


@cache
def load() -> ctypes.CDLL:
    """The library with its functions' types."""
    return load_library("search", Path(__file__).parent / "native", _SIGNATURES, ("-Wall", "-Wextra"))
