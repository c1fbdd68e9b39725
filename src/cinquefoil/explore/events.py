"""A run's events, read natively in one pass each: prefix hashes, decisions, constraints, untaken directions.

`native/path.c` says what they are.  Buffers are kept from run to run, so what a reading shows is
overwritten by the next one: whoever keeps something copies it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cinquefoil.explore.library import DirectionTable, Surroundings, load
from cinquefoil.ir.sites import Site
from cinquefoil.layout import EventKind
from cinquefoil.machine.run import Run

BY_VALUE = frozenset({EventKind.PIN, EventKind.CONCRETIZE})
INDEX, KIND, SITE, ALTERNATIVE, TARGET, DEPTH, STEPS, TRACE = _COLUMNS = range(8)  # enum column of path.c
_NEVER = 0xFFFFFFFF
_NO_ALTS: NDArray[np.uint32] = np.zeros(1, np.uint32)


def unmuted(run: Run) -> Run:
    """The run without its events inside output formatting.

    They only shape what is printed, so they are neither turned nor held on to: kept as constraints, the
    digits of one printed number would forbid every other number from then on."""
    muted = run.events["muted"]
    return replace(run, events=run.events[muted == 0]) if muted.any() else run


def failed_assumption(run: Run) -> int:
    """The index of the assumption that ended the run, or a number beyond all indices."""
    last = len(run.events) - 1
    fails = run.end == "assume" and last >= 0 and run.events["kind"][last] == EventKind.ASSUME
    return last if fails else _NEVER


def outcome_at(run: Run, index: int) -> int:
    """What an event turned out: the direction taken, or the value of a pin or concretisation."""
    event = run.events[index]
    kind = int(event["kind"])
    if kind in BY_VALUE:
        return int(event["value"])
    if kind == EventKind.ASSUME:
        return int(index != failed_assumption(run))
    return int(event["taken"])


def constraints(run: Run, alts: NDArray[np.uint32]) -> tuple[NDArray[np.uint32], NDArray[np.uint64]]:
    """All that a run's events say about its input: nodes and their values."""
    count = len(run.events)
    nodes, values = np.empty(count, np.uint32), np.empty(count, np.uint64)
    alts = np.ascontiguousarray(alts)
    load().cinq_constraints(
        _address(run.events),
        count,
        failed_assumption(run),
        _address(alts),
        len(alts),
        _address(nodes),
        _address(values),
    )
    return nodes, values


@dataclass(frozen=True, slots=True)
class Path:
    """A run's events as the tree sees them, until the next run is read."""

    run: Run
    failed: int
    hashes: NDArray[np.uint64]  # [i] stands for the path before event i
    decisions: NDArray[np.uint64]  # keys of its decisions, in order
    depths: NDArray[np.uint32]  # decisions up to each event, if that is turned

    def __len__(self) -> int:
        return len(self.run.events)


def no_alts() -> NDArray[np.uint32]:
    """For runs without switches, or whose sites tell all there is to know of them."""
    return _NO_ALTS


class Reader:
    """Reads runs of one program; `alts` gives the machine's current table of switch conditions."""

    def __init__(self, sites: Sequence[Site], alts: Callable[[], NDArray[np.uint32]] = no_alts) -> None:
        self._alts = alts
        self._library = load()
        targets = [site.targets or (site.block, site.block) for site in sites]
        counts = [len(each) for each in targets]
        self._first = np.cumsum([0, *counts[:-1]]).astype(np.uint32)
        self._counts = np.array(counts, np.uint32)
        self._targets = np.array([target for each in targets for target in each], np.uint32)
        self._directions = DirectionTable(
            _address(self._first), _address(self._counts), _address(self._targets), len(sites)
        )
        self._make_room(1024)
        self._make_rows(1024)

    def read(self, run: Run) -> Path:
        count = len(run.events)
        if count > self._room:
            self._make_room(2 * count)
        failed = failed_assumption(run)
        decided = self._library.cinq_path(_address(run.events), count, failed, *self._buffers)
        return Path(run, failed, self._hashes[: count + 1], self._decisions[:decided], self._depths[:count])

    def turns(self, path: Path, first: int) -> NDArray[np.int64]:
        """The directions not taken from event `first` on, by column: INDEX, KIND, SITE, ALTERNATIVE, TARGET,
        DEPTH, STEPS, TRACE."""
        alts = np.ascontiguousarray(self._alts())
        trace = path.run.trace
        around = Surroundings(_address(alts), len(alts), _address(trace), len(trace))
        while True:
            rows = self._library.cinq_turns(
                _address(path.run.events),
                first,
                len(path),
                path.failed,
                ctypes.addressof(self._directions),
                ctypes.addressof(around),
                self._depths_address,
                self._rows_address,
                self._row_room,
            )
            if rows <= self._row_room:
                return self._rows[:, :rows]
            self._make_rows(2 * rows)

    def _make_room(self, count: int) -> None:
        self._room = count
        self._hashes = np.zeros(count + 1, np.uint64)
        self._decisions = np.zeros(count, np.uint64)
        self._depths = np.zeros(count, np.uint32)
        self._factors = path_factors(count)
        buffers = (self._factors, self._hashes, self._depths, self._decisions)
        self._buffers = tuple(map(_address, buffers))
        self._depths_address = _address(self._depths)

    def _make_rows(self, count: int) -> None:
        self._row_room = count
        self._rows = np.zeros((len(_COLUMNS), count), np.int64)
        self._rows_address = _address(self._rows)


def path_factors(count: int) -> NDArray[np.uint64]:
    """One odd random number per position: the same on every machine, and more continue the sequence."""
    source = np.random.Generator(np.random.Philox(0x51))
    return source.integers(0, 1 << 64, count, np.uint64, endpoint=False) | np.uint64(1)


def _address(buffer: NDArray[np.generic]) -> int:
    """Three times as quick as `buffer.ctypes.data`, and it is asked for seven times a path."""
    address: int = buffer.__array_interface__["data"][0]
    return address
