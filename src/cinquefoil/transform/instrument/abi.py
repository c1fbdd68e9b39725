"""Declarations of what instrumented code uses of the run-time (abi.h).

`dso_local` says that the image is one static file: names are then plain addresses in the code, not entries of a table.
"""

from __future__ import annotations

SCRATCH_BYTES = 1024
_SLOW = {
    "cinq_const": "i32 (i32, i64, i64)",
    "cinq_binary": "i32 (i32, i32, i32, i64, i64)",
    "cinq_fcmp": "i32 (i32, i32, i32, i32, i64, i64)",
    "cinq_cast": "i32 (i32, i32, i32, i32)",
    "cinq_f2i": "i32 (i32, i32, i32, i32, i32, i64)",
    "cinq_ite": "i32 (i32, i32, i32, i32, i64, i64, i64)",
    "cinq_extract": "i32 (i32, i32, i32)",
    "cinq_concat": "i32 (i32, i32, i32, i32, i64, i64)",
    "cinq_gep": "i32 (i64, i32, i64, i32, i32, i64, i64)",
    "cinq_intrinsic": "i32 (i32, i32, i32, i32, i64, i64, i64)",
    "cinq_load": "i32 (i64, i32, i32, i32)",
    "cinq_store": "void (i64, i32, i32, i32, i32, i64)",
    "cinq_copy": "void (i64, i64, i64, i32, i32, i32, i32, i32)",
    "cinq_fill": "void (i64, i64, i64, i32, i32, i32, i32)",
    "cinq_alive": "void (i64, i64)",
    "cinq_unwritten": "void (i64, i64, i32)",
    "cinq_unwritten_frame": "void (i64, ptr)",
    "cinq_unwritten_value": "i32 (i32, i32)",
    "cinq_dead": "void (i64, i64)",
    "cinq_clear": "void (i64, i64)",
    "cinq_alloca": "i64 (i64, i32, i32, i32)",
    "cinq_restore": "void (i64)",
    "cinq_branch": "void (i32, i32, i32)",
    "cinq_switch": "void (i32, i32, i64, ptr)",
    "cinq_division": "void (i32, i32, i32, i32, i64, i64)",
    "cinq_must_hold_check": "void (i32, i32, i32, i32, ptr, i64, i64)",
    "cinq_shift": "void (i32, i32, i32, i32)",
    "cinq_concretize": "void (i32, i32, i64, i32)",
    "cinq_callee": "void (i32, i64)",
    "cinq_jump": "void (i32, i64)",
    "cinq_unsupported": "void (i32, i32)",
    "cinq_fail": "void (i32, i32)",
    "cinq_ticks": "i64 ()",
    "cinq_exhausted": "void ()",
    "cinq_overflow_stack": "void (i32)",
    "cinq_check": "void (i32, i32, i64, i64, i32)",
}
_STATE = {
    "cinq_arg": "[128 x i32]",
    "cinq_ret": "[16 x i32]",
    "cinq_va": "ptr",
    "cinq_sp": "i64",
    "cinq_watching": "i32",
    "cinq_budget": "i64",
    "cinq_trace": "ptr",
    "cinq_frame": "ptr",
    "cinq_scratch": f"[{SCRATCH_BYTES} x i8]",
}


def _function(name: str, type_: str) -> str:
    result, _, parameters = type_.partition(" ")
    return f"declare dso_local preserve_mostcc {result} @{name}{parameters}"


DECLARATIONS = {name: _function(name, type_) for name, type_ in _SLOW.items()} | {
    name: f"@{name} = external dso_local global {type_}" for name, type_ in _STATE.items()
}
