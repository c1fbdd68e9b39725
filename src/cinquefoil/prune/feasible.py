"""Which turns a single input byte refutes, for all states of a run at once.

A state is infeasible if its turn allows some values of a byte, and what the path says of that byte alone before the
turn allows others only.  On table-driven programs that is so for nearly all states, since a run leaves a state at
every case of every switch it passes.  The sets along a path are intersected once; each state is a look-up.

States that this leaves may still have no solution: several bytes together can refute them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

_SHIFT = 32
Words = NDArray[np.uint64]


class Domains:
    """What a path says of single bytes: `bytes_` and `bits` (four words each) by event, byte -1 where it says
    nothing of one."""

    def __init__(self, bytes_: NDArray[np.int32], bits: Words) -> None:
        where = np.flatnonzero(bytes_ >= 0)
        keys = bytes_[where].astype(np.int64) << _SHIFT | where
        order = np.argsort(keys)
        self._keys = keys[order]
        self._bits = _intersections(self._keys >> _SHIFT, bits[where[order]])

    def refuted(self, indices: NDArray[np.int64], bytes_: NDArray[np.int32], bits: Words) -> NDArray[np.bool_]:
        """Of turns at these events that allow these values of these bytes: which are impossible?"""
        byte = bytes_.astype(np.int64)
        at = np.searchsorted(self._keys, byte << _SHIFT | indices) - 1
        known = (byte >= 0) & (at >= 0)
        if len(self._keys):
            known &= self._keys[at] >> _SHIFT == byte
            allowed = np.where(known[:, None], bits & self._bits[at], bits)
        else:
            allowed = bits
        return (byte >= 0) & ~allowed.any(axis=1)


def _intersections(groups: NDArray[np.int64], bits: Words) -> Words:
    """Running intersections of rows, beginning anew with every group."""
    found = bits.copy()
    bounds = [*np.flatnonzero(np.diff(groups, prepend=-1)).tolist(), len(groups)]
    for begin, end in pairwise(bounds):
        if end - begin > 1:
            np.bitwise_and.accumulate(bits[begin:end], axis=0, out=found[begin:end])
    return found
