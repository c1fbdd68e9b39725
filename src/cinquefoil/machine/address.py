"""Where an array's memory is, for native code."""

from __future__ import annotations

import ctypes

import numpy as np
from numpy.typing import NDArray

_locate = ctypes.addressof
_first_byte = ctypes.c_char.from_buffer


def address(array: NDArray[np.generic]) -> int:
    """The address of an array's first element; of one without elements, any.

    Asked several times a path: for arrays of records, this way is ten times as quick as numpy's own."""
    try:
        return _locate(_first_byte(array))  # pyright: ignore[reportArgumentType] (numpy's types do not tell)
    except (TypeError, ValueError):  # read-only, or empty
        return array.ctypes.data
