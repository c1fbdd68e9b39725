"""Structures that Python fills for native code, as ctypes has them, made from the public headers.

`Reader = structure("reader")` gives a class: `Reader(first, second, field=value)`, fields as attributes.  The compiler
checks that they lie where ctypes puts them (`extension.py`)."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from cinquefoil.native.headers import SIZES, Field, all_headers

_SCALARS: Final[dict[str, Any]] = {
    "u8": ctypes.c_uint8,
    "u16": ctypes.c_uint16,
    "u32": ctypes.c_uint32,
    "u64": ctypes.c_uint64,
    "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
    "int": ctypes.c_int,
    "double": ctypes.c_double,
}
assert _SCALARS.keys() == SIZES.keys()


@cache
def structure(name: str) -> Any:
    """The class of `struct name`."""
    return _made(name, all_headers().structures[name])


def layout_of(fields: Sequence[Field], structures: Mapping[str, Sequence[Field]]) -> tuple[int, list[int]]:
    """The size of a structure, and where its fields begin."""
    made = _made("", fields)
    return ctypes.sizeof(made), [getattr(made, field.name).offset for field in fields]


def _made(name: str, fields: Sequence[Field]) -> Any:
    return type(name, (ctypes.Structure,), {"_fields_": [(field.name, _type(field)) for field in fields]})


def _type(field: Field) -> Any:
    kind = ctypes.c_void_p if field.type.stars else _SCALARS[field.type.base]
    return kind if field.count is None else kind * field.count
