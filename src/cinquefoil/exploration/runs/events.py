"""A run's events, read natively in one pass each: prefix hashes, decisions, constraints, untaken directions.

`native/exploration/path.c` says what they are.  Buffers are kept from run to run, so what a reading shows is
overwritten by the next one: whoever keeps something copies it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cinquefoil.ir.sites import Site, once_per_table
from cinquefoil.layout import ErrorKind, EventKind
from cinquefoil.machine.failure import FALSE_ASSUMPTION
from cinquefoil.machine.run import Run, RunError
from cinquefoil.native import core
from cinquefoil.native.structures import structure
from cinquefoil.states.batch import Chunk, RowStore
from cinquefoil.states.state import State

BY_VALUE = frozenset({EventKind.PIN, EventKind.CONCRETIZE})
_NEVER = 0xFFFFFFFF
_MUTED = 1  # of what cinq_scan may find
_NOTHING_NEW = structure("news")(None, 0, 0, -1)
_NO_NEWS = ctypes.addressof(_NOTHING_NEW)
_NO_ALTS: NDArray[np.uint32] = np.zeros(1, np.uint32)
_KEPT = 1 << 16  # numbers of witnesses that are kept in one piece of memory


def unmuted(run: Run) -> Run:
    """The run without its events inside output formatting.

    They only shape what is printed, so they leave no states and are no constraints: kept as such, the
    digits of one printed number would forbid every other number from then on."""
    if not core.cinq_scan(run.events, len(run.events)) & _MUTED:
        return run
    return replace(run, events=run.events[run.events["muted"] == 0])


def failed_assumption(run: Run) -> int:
    """The index of the assumption that ended the run, or a number beyond all indices."""
    if run.end != "assume":
        return _NEVER
    last = len(run.events) - 1
    failed = last >= 0 and run.events["kind"][last] == EventKind.ASSUME and not run.events["taken"][last]
    return last if failed else _NEVER


def false_assumption(run: Run) -> RunError | None:
    """The error of a run whose last assumption nothing satisfies; None if that is not one, or if the path is narrower
    than the program's, because it had to take one of several values."""
    index = failed_assumption(run)
    narrowed = np.isin(run.events["kind"], (*BY_VALUE, EventKind.UNSUPPORTED)).any()
    if index == _NEVER or narrowed or run.events["value"][index] != ErrorKind.FALSE_ASSUMPTION:
        return None
    site = int(run.events["site"][index])
    message = "no input of this path satisfies it"
    return RunError(FALSE_ASSUMPTION, site, message, "none", "none", 0, 0, 0, 0, 0, 0, (site,))


def outcome_at(run: Run, index: int) -> int:
    """What happened at an event: the direction taken, or the value of a pin or concretisation."""
    events = run.events
    kind = events["kind"].item(index)
    if kind in BY_VALUE:
        return events["value"].item(index)
    if kind == EventKind.ASSUME:
        return int(index != failed_assumption(run))
    return events["taken"].item(index)


def constraints(run: Run, alts: NDArray[np.uint32]) -> tuple[NDArray[np.uint32], NDArray[np.uint64]]:
    """All that a run's events say about its input: nodes and their values."""
    events, alts = run.events, np.ascontiguousarray(alts)
    count = len(events)
    nodes, values = np.empty(count, np.uint32), np.empty(count, np.uint64)
    failed = _NEVER if run.end != "assume" else failed_assumption(run)
    core.cinq_constraints(events, count, failed, alts, len(alts), nodes, values)
    return nodes, values


class Path(NamedTuple):
    """A run's events as the tree sees them, until the next run is read."""

    run: Run
    address: int  # of its events
    failed: int
    hashes: NDArray[np.uint64]  # [i] stands for the path before event i
    decisions: NDArray[np.uint64]  # keys of its decisions, in order
    depths: NDArray[np.uint32]  # decisions up to each event, if the path leaves there

    @property
    def length(self) -> int:
        """The number of events."""
        return len(self.depths)


Followed = tuple[int, NDArray[np.uint64], NDArray[np.uint64], int]
"""How many untaken branches are left, and what the witness keeps: hashes, decisions, the number of the first of
these."""


def no_alts() -> NDArray[np.uint32]:
    """No conditions: for runs without switches, or whose sites tell all there is to know of them."""
    return _NO_ALTS


@once_per_table
def _directions_of(sites: Sequence[Site]) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32]]:
    """For each site, where the blocks that its directions lead to begin among all of these, and how many there are."""
    targets = [site.targets or (site.block, site.block) for site in sites]
    counts = [len(each) for each in targets]
    first = np.cumsum([0, *counts[:-1]]).astype(np.uint32)
    return first, np.array(counts, np.uint32), np.array([block for each in targets for block in each], np.uint32)


class Reader:
    """Reads runs of one program; `alts` gives the machine's current table of switch conditions."""

    def __init__(self, sites: Sequence[Site], alts: Callable[[], NDArray[np.uint32]] = no_alts) -> None:
        self._alts = alts
        self._first, self._counts, self._targets = _directions_of(sites)
        self._directions = structure("directions")(
            core.address(self._first), core.address(self._counts), core.address(self._targets), len(sites)
        )
        self._directions_address = ctypes.addressof(self._directions)
        self._tables = structure("reader")(self._directions_address)
        self._tables_address = ctypes.addressof(self._tables)
        self._follow = core.bound(core.cinq_follow, self._tables_address)
        self._kept: NDArray[np.uint64] = np.empty(0, np.uint64)
        self._kept_used = 0
        self._known_alts: NDArray[np.uint32] | None = None
        self._flat_alts = _NO_ALTS
        self._surroundings = structure("surroundings")()
        self._surroundings_address = ctypes.addressof(self._surroundings)
        self._fresh = structure("news")()
        self._fresh_address = ctypes.addressof(self._fresh)
        self._chunk: Chunk | None = None
        self._columns_address = 0
        self._make_room(1024)

    def read(self, run: Run) -> Path:
        count = len(run.events)
        if count > self._room:
            self._make_room(2 * count)
        failed = failed_assumption(run)
        where = core.address(run.events)
        decided = core.cinq_read_path(where, count, failed, *self._buffers)
        hashes, decisions, depths = self._hashes[: count + 1], self._decisions[:decided], self._depths[:count]
        return Path(run, where, failed, hashes, decisions, depths)

    def untaken(self, path: Path, first: int, origin: State | None, marks: NDArray[np.int64], store: RowStore) -> int:
        """Puts the directions not taken from event `first` on into the store's next rows; how many there are.

        `origin` is the state whose branch the run took, `marks` the events before which it covered something first."""
        around = self._around(path.run)
        news = self._news(marks, origin) if len(marks) or origin is not None else _NO_NEWS
        chunk = store.chunk
        while True:
            rows = core.cinq_turns(
                path.address,
                first,
                len(path.run.events),
                path.failed,
                self._directions_address,
                around,
                news,
                self._depths_address,
                self._room_in(chunk),
            )
            if chunk.used + rows <= chunk.size:
                return rows
            chunk = store.make_room(rows)

    def follow(
        self, run: Run, state: State, marks: NDArray[np.int64], store: RowStore, skip: int = 0
    ) -> Followed | None:
        """`read` and `untaken` at once, for a run that was made for a state; None if the run does not take its branch.

        Whether a branch to any other value led to one that was not seen is for the caller to look at, who takes `skip`
        of the store's rows before those of the untaken branches."""
        alts, chunk = self._alts(), store.chunk
        if alts is not self._known_alts:
            self._follow_alts(alts)
        if chunk is not self._chunk:
            self._room_in(chunk)
        events, trace, witness = run.events, run.trace, state.witness
        used = chunk.used + skip
        found = self._follow(
            events, len(events), run.end == "assume", trace, len(trace),
            state.index, state.site, state.kind, state.alternative, state.steps, state.fresh,
            witness.hashes, witness.start, marks, len(marks), used,
        )  # fmt: skip
        if not found:
            return None if found is None else self._follow_in_more_room(run, state, marks, store, skip)
        rows, middle, end, decided = found
        if used + rows > chunk.size:
            store.make_room(skip + rows)
            return self.follow(run, state, marks, store, skip)
        kept, begin = self._kept, self._kept_used
        self._kept_used = end
        return rows, kept[begin:middle], kept[middle:end], decided

    def _follow_in_more_room(
        self, run: Run, state: State, marks: NDArray[np.int64], store: RowStore, skip: int
    ) -> Followed | None:
        count = len(run.events)
        if count > self._room:
            self._make_room(2 * count)
        self._make_kept(2 * count + 1)
        return self.follow(run, state, marks, store, skip)

    def drop(self, chunk: Chunk, refuted: NDArray[np.bool_]) -> tuple[int, NDArray[np.int64]]:
        """Of the chunk's next rows, which are filled but not taken, the refuted ones go; how many stay, and the untaken
        branches that went, packed (`Journal.refuted_unsolved`)."""
        count = len(refuted)
        gone = np.empty(count, np.int64)
        stay = core.cinq_drop(self._room_in(chunk), refuted, count, gone)
        return stay, gone[: count - stay]

    # Structures for native code are kept and filled anew: making one takes longer than what is done with it.

    def _follow_alts(self, alts: NDArray[np.uint32]) -> None:
        self._known_alts = alts
        self._flat_alts = np.ascontiguousarray(alts)
        self._surroundings.alts = self._tables.alts = core.address(self._flat_alts)
        self._surroundings.alt_count = self._tables.alt_count = len(alts)

    def _around(self, run: Run) -> int:
        alts = self._alts()
        if alts is not self._known_alts:
            self._follow_alts(alts)
        self._surroundings.trace = core.address(run.trace)
        self._surroundings.trace_count = len(run.trace)
        return self._surroundings_address

    def _news(self, marks: NDArray[np.int64], origin: State | None) -> int:
        news = self._fresh
        news.mark_count = len(marks)
        news.marks = core.address(marks) if len(marks) else 0
        news.left_at, news.inherited = (0, -1) if origin is None else (origin.steps, origin.fresh)
        return self._fresh_address

    def _room_in(self, chunk: Chunk) -> int:
        if chunk is not self._chunk:
            self._chunk = chunk
            self._tables.out = self._columns_address = ctypes.addressof(chunk.columns)
        chunk.columns.used = chunk.used
        return self._columns_address

    def _make_room(self, count: int) -> None:
        self._room = count
        self._hashes = np.zeros(count + 1, np.uint64)
        self._decisions = np.zeros(count, np.uint64)
        self._depths = np.zeros(count, np.uint32)
        self._factors = path_factors(count)
        buffers = (self._factors, self._hashes, self._depths, self._decisions)
        self._buffers = tuple(map(core.address, buffers))
        self._depths_address = core.address(self._depths)
        tables = self._tables
        tables.factors, tables.hashes, tables.depths, tables.decisions = self._buffers
        tables.room = count

    def _make_kept(self, least: int) -> None:
        self._kept = np.empty(max(_KEPT, least), np.uint64)
        self._kept_used = 0
        tables = self._tables
        tables.kept, tables.kept_size, tables.kept_used = core.address(self._kept), len(self._kept), 0


def path_factors(count: int) -> NDArray[np.uint64]:
    """One odd random number per position: the same on every machine, and more continue the sequence."""
    source = np.random.Generator(np.random.Philox(0x51))
    return source.integers(0, 1 << 64, count, np.uint64, endpoint=False) | np.uint64(1)
