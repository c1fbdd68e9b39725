"""Where an array's memory is, for native code."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

_locate = ctypes.addressof
_first_byte = ctypes.c_char.from_buffer


def address(array: NDArray[np.generic]) -> int:
    """The address of an array's first element; of one without elements, any.

    Asked several times a path, so it matters that this is quicker than numpy's own ways, above all for records: those
    that fill a bytearray are asked for that."""
    base: Any = array.base
    if type(base) is not bytearray or len(base) != array.nbytes:
        base = array
    try:
        return _locate(_first_byte(base))
    except (TypeError, ValueError):  # read-only, or empty
        return array.ctypes.data
