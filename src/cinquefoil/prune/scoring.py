"""How promising states are: the sum of the weights of the features that their path conditions hold (Homi, 3.1).

A state's path condition is a prefix of a run's and its branch.  For each run it is known where each condition is met
first; with all runs' conditions in one array, in order, the sum over a prefix is a difference of two cumulative sums,
found by bisection for all states at once.  The branch's own condition counts unless the prefix holds it already: where
each run meets each condition that untaken branches ask for is written into a table, some runs at a time, and read for
all their states."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cinquefoil.prune.api import Pending

_SHIFT: Final = 32
_CELLS: Final = 1 << 20  # of the table: what stays in the cache
_NEVER: Final = np.iinfo(np.int32).max


class _Met(NamedTuple):
    """All features of all runs in order of run and position; those of run i are starts[i] .. starts[i + 1] - 1."""

    starts: NDArray[np.int64]
    rows: NDArray[np.int64]
    positions: NDArray[np.int64]
    codes: NDArray[np.int32]


def scores(pending: Pending, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """`weights` is indexed by code, zero where a code is no feature."""
    if not len(pending):
        return np.zeros(0)
    met = _features(pending, weights != 0)
    sums = np.concatenate(([0.0], np.cumsum(weights[met.codes])))
    before = np.searchsorted(met.rows << _SHIFT | met.positions, pending.row << _SHIFT | pending.index)
    return sums[before] - sums[met.starts[pending.row]] + _branches(pending, weights, met)


def _features(pending: Pending, wanted: NDArray[np.bool_]) -> _Met:
    counts = np.array([len(path.codes) for path in pending.paths], np.int64)
    rows = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
    codes = np.concatenate([path.codes for path in pending.paths])
    positions = np.concatenate([path.positions for path in pending.paths])
    keep = wanted[codes]
    if not keep.all():
        rows, codes, positions = rows[keep], codes[keep], positions[keep]
    starts = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=len(counts)))))
    return _Met(starts, rows, positions, codes)


def _branches(pending: Pending, weights: NDArray[np.float64], met: _Met) -> NDArray[np.float64]:
    """What the states' untaken branches add."""
    added = weights[pending.flip]
    asking = np.flatnonzero(added)
    asking = asking[np.argsort(pending.row[asking], kind="stable")]
    column = np.full(len(weights), -1, np.int64)
    wanted = np.unique(pending.flip[asking])
    column[wanted] = np.arange(len(wanted))
    rows = pending.row[asking]
    height = max(1, _CELLS // max(1, len(wanted)))
    for first in range(0, len(met.starts) - 1, height):
        some = asking[slice(*np.searchsorted(rows, (first, first + height)))]
        if len(some):
            known = _first_met(met, first, min(height, len(met.starts) - 1 - first), column, len(wanted))
            where = known[pending.row[some] - first, column[pending.flip[some]]]
            added[some[where < pending.index[some]]] = 0.0
    return added


def _first_met(met: _Met, first: int, height: int, column: NDArray[np.int64], width: int) -> NDArray[np.int32]:
    """Where each of `height` runs meets each condition that untaken branches ask for."""
    known = np.full((height, width), _NEVER, np.int32)
    part = slice(met.starts[first], met.starts[first + height])
    columns = column[met.codes[part]]
    asked = np.flatnonzero(columns >= 0)
    known[met.rows[part][asked] - first, columns[asked]] = met.positions[part][asked]
    return known
