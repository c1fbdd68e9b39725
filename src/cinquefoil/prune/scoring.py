"""How promising states are: the sum of the weights of the features that their path conditions hold (Homi, 3.1).

A state's path condition is a prefix of a run's and its turn.  For each run it is known where each condition is met
first; with all runs' conditions in one array, in order, the sum over a prefix is a difference of two cumulative sums,
found by bisection for all states at once.  The turn's own condition counts unless the prefix holds it already."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cinquefoil.prune.api import Pending

_SHIFT = 32


def scores(pending: Pending, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """`weights` is indexed by code, zero where a code is no feature."""
    rows, positions, codes = _features(pending, weights != 0)
    keys = rows << _SHIFT | positions
    sums = np.concatenate(([0.0], np.cumsum(weights[codes])))
    first = np.searchsorted(keys, np.arange(len(pending.paths), dtype=np.int64) << _SHIFT)
    before = np.searchsorted(keys, pending.row << _SHIFT | pending.index)
    held = sums[before] - sums[first[pending.row]] if len(pending) else np.zeros(0)
    return held + _turns(pending, weights, rows, positions, codes)


def _features(
    pending: Pending, wanted: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32]]:
    """Row, position and code of all features of all runs, in order of row and position."""
    if not pending.paths:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.int32)
    counts = [len(path.codes) for path in pending.paths]
    codes = np.concatenate([path.codes for path in pending.paths])
    keep = wanted[codes]
    rows = np.repeat(np.arange(len(counts), dtype=np.int64), counts)[keep]
    return rows, np.concatenate([path.positions for path in pending.paths])[keep], codes[keep]


def _turns(
    pending: Pending,
    weights: NDArray[np.float64],
    rows: NDArray[np.int64],
    positions: NDArray[np.int64],
    codes: NDArray[np.int32],
) -> NDArray[np.float64]:
    """What the states' turns add."""
    added = weights[pending.flip]
    if not len(codes):
        return added
    keys = rows << _SHIFT | codes
    order = np.argsort(keys)
    wanted = pending.row << _SHIFT | pending.flip
    at = np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)
    found = order[at]
    known = (keys[found] == wanted) & (positions[found] < pending.index)
    return np.where(known, 0.0, added)
