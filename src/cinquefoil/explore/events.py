"""A run's events as vectors: what happened at each, and a hash of the path up to each.

The hash after event i is the sum over j <= i of key(j) * factor(j) modulo 2^64, where key mixes site, kind
and outcome and factor is a fixed odd random number per position: prefixes of paths are compared by one
number, all of them computed by a handful of vector operations.  Two different prefixes collide with
probability about 2^-64."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cinquefoil.layout import EventKind
from cinquefoil.machine.run import Run


# Tables by event kind: is its outcome its value, is it a decision in a history, does it leave a state?
def _kinds(*kinds: EventKind) -> NDArray[np.bool_]:
    table = np.zeros(256, np.bool_)
    table[list(kinds)] = True
    return table


BY_VALUE = _kinds(EventKind.PIN, EventKind.CONCRETIZE)
DECIDES = BY_VALUE | _kinds(EventKind.BRANCH, EventKind.SWITCH)
LEAVES_STATE = DECIDES | _kinds(EventKind.CHECK)

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_S8, _S27, _S30, _S31 = (np.uint64(n) for n in (8, 27, 30, 31))


def unmuted(run: Run) -> Run:
    """The run without its events inside output formatting.

    They only shape what is printed, so they are neither turned nor held on to: kept as constraints, the
    digits of one printed number would forbid every other number from then on."""
    muted = run.events["muted"]
    return replace(run, events=run.events[muted == 0]) if muted.any() else run


def fails_assumption(run: Run) -> bool:
    """The run ended at an assumption about its input, which is its last event."""
    return run.end == "assume" and len(run.events) > 0 and run.events["kind"][-1] == EventKind.ASSUME


def outcomes(run: Run) -> NDArray[np.uint64]:
    """What each event turned out: the direction taken, or the value of a pin or concretisation."""
    events = run.events
    kinds = events["kind"]
    result = events["taken"].astype(np.uint64)
    by_value = BY_VALUE[kinds]
    if by_value.any():
        result[by_value] = events["value"][by_value]
    assumed = kinds == EventKind.ASSUME
    if assumed.any():
        result[assumed] = 1
        if fails_assumption(run):
            result[-1] = 0
    return result


def keys(sites: NDArray[np.uint32], kinds: NDArray[np.uint8], what: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """search.state.decision_key, for many."""
    value = sites.astype(np.uint64)
    value <<= _S8
    value |= kinds
    value *= _GOLDEN
    value += what
    value ^= value >> _S30
    value *= _FIRST
    value ^= value >> _S27
    value *= _SECOND
    value ^= value >> _S31
    return value


class PathHash:
    """Hashes of all prefixes of a path."""

    def __init__(self) -> None:
        self._factors = self._draw(1024)

    def __call__(self, path: NDArray[np.uint64]) -> NDArray[np.uint64]:
        if len(path) > len(self._factors):
            self._factors = self._draw(2 * len(path))
        return np.cumsum(path * self._factors[: len(path)], dtype=np.uint64)

    @staticmethod
    def _draw(count: int) -> NDArray[np.uint64]:
        # Philox gives the same numbers on every machine, and more of them continue the same sequence.
        source = np.random.Generator(np.random.Philox(0x51))
        return source.integers(0, 1 << 64, count, np.uint64, endpoint=False) | np.uint64(1)
