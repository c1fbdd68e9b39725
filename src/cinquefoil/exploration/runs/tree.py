"""The execution tree: which paths are known, and what they left to explore.

A run is a path from the root; it is stored as the segment by which it extends what was known (its
`Witness`), found again by the hash of the path at the segment's first event.  A state's run follows its
witness up to its untaken branch by construction, so checking that costs one comparison of hashes (`follows`); any
other run (the first, a seed, a partial solution, one that went astray) is attached by looking for the deepest
segment whose first hash is on it.

Every new event leaves states: a branch one for the other direction, a switch one per other group, a check its
error, a pin or concretisation "another value", which after every answer is asked again with one value more,
until there is none (a pin) or enough have been tried (`limited` counts those).

Risk: attaching a run that no state predicted takes time linear in its length.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cinquefoil.exploration.runs.events import Followed, Path, Reader, no_alts, outcome_at
from cinquefoil.ir.sites import Site
from cinquefoil.layout import EventKind
from cinquefoil.machine.run import Run
from cinquefoil.states.batch import Batch, Chunk, RowStore
from cinquefoil.states.pending import PendingStates
from cinquefoil.states.state import HISTORY, OTHER, State, Witness

MOST_VALUES = 256  # tried of what a run had to fix; all of a byte
_NO_MARKS: NDArray[np.int64] = np.zeros(0, np.int64)


class Growth(NamedTuple):
    """What a run added.  `settled` is the state whose branch it took; `witness` is None if the path was
    known."""

    witness: Witness | None
    batches: tuple[Batch, ...]
    settled: State | None
    diverged: bool = False

    @property
    def states(self) -> Sequence[State]:
        if len(self.batches) == 1:
            return self.batches[0]
        return PendingStates(self.batches) if self.batches else ()


@dataclass(slots=True)
class KnownPaths:
    """The paths of a tree."""

    root: Witness | None = None
    starts: dict[int, Witness] = field(default_factory=dict[int, Witness])


class Tree:
    """Grows by runs; `alts` gives the machine's current table of switch conditions, `refute` tells which untaken
    branches of a run have no solution (`infeasible_branches.py`), `note` is told of these."""

    def __init__(
        self,
        sites: Sequence[Site],
        alts: Callable[[], NDArray[np.uint32]] = no_alts,
        refute: Callable[[Run, Chunk, int], NDArray[np.bool_] | None] = lambda run, chunk, count: None,
        note: Callable[[NDArray[np.int64]], None] = lambda untaken: None,
    ) -> None:
        self._refute = refute
        self._note = note
        self._reader = Reader(sites, alts)
        self._follow = self._reader.follow
        self._root: Witness | None = None
        self._starts: dict[int, Witness] = {}
        self._store = RowStore()
        self._next_witness = 1
        self.limited = 0  # questions for another value that are no longer asked
        self.shared = False  # with other processes: untaken branches that no state here asks for are theirs

    @property
    def witnesses(self) -> int:
        """How many distinct paths are known."""
        return self._next_witness - 1

    def exchange(self, known: KnownPaths) -> KnownPaths:
        """Goes on with other paths; what was known until now.  Numbers go on counting."""
        before = KnownPaths(self._root, self._starts)
        self._root, self._starts = known.root, known.starts
        return before

    def add(self, run: Run, state: State | None = None, covered: NDArray[np.int64] = _NO_MARKS) -> Growth:
        """Adds a run; `state` is the one whose solution it ran.

        `covered` are the indices of the events before which something was covered for the first time."""
        if state is not None:
            other = state.alternative == OTHER
            followed = self._follow(run, state, covered, self._store, int(other and _asks_again(state)))
            if followed is not None and not (other and outcome_at(run, state.index) in state.seen):
                return self._extend(run, state, followed)
        return self._attach(self._reader.read(run), covered, state is not None)

    def follows(self, run: Run, state: State) -> bool:
        """Did the run take the state's path and its branch?"""
        return self._follows(self._reader.read(run), state)

    def same_prefix(self, run: Run, state: State) -> bool:
        """Is the run, of the state's own witness, the path it was when the state was made?"""
        hashes = self._reader.read(run).hashes
        return len(run.events) > state.index and hashes[state.index] == state.witness.hash_before(state.index)

    def settle(self, state: State) -> None:
        """The state is answered: nothing is left to explore there."""
        witness, id = state.witness, state.id
        batch = witness.batch
        if witness.asked and id in witness.asked:
            del witness.asked[id]
        elif batch is not None:
            unsettled, row = batch.chunk.unsettled, batch.row
            unsettled[row + id - batch.first] = 0
            if unsettled.find(1, row, row + batch.size) < 0:
                witness.batch = None

    def settle_many(self, batch: Batch, rows: NDArray[np.intp]) -> None:
        """The same for many states of a batch."""
        witness = batch.witness
        if batch is not witness.batch:
            for state in batch:
                witness.asked.pop(state.id, None)
            return
        batch.settle_many(rows)
        if batch.settled():
            witness.batch = None

    def again(self, state: State, seen: tuple[int, ...] | None = None) -> Batch:
        """The same state under a new id, at its position; `seen` are the values it asks for none of."""
        self.settle(state)
        fresh = self._store.again(state, seen)
        state.witness.asked[fresh.first] = fresh[0]
        return fresh

    def adopt(
        self, witness: Witness, columns: Mapping[str, NDArray[np.integer]], seen: tuple[int, ...] | None
    ) -> Batch:
        """States that another tree gave away, in path order, under the witness that another process ran."""
        chunk, count = self._store.make_room(len(columns["index"])), len(columns["index"])
        for name, values in columns.items():
            getattr(chunk, name)[chunk.used : chunk.used + count] = values
        batch = witness.batch = self._store.take(count, 0, witness)
        batch.seen = seen
        if len(witness.hashes) > 1:
            self._starts.setdefault(witness.hashes.item(1), witness)
        return batch

    # ---- attaching ----

    def _follows(self, path: Path, state: State) -> bool:
        index, events = state.index, path.run.events
        if len(events) <= index or path.hashes.item(index) != state.witness.hash_before(index):
            return False
        if events["site"].item(index) != state.site or events["kind"].item(index) != state.kind:
            return False
        outcome = outcome_at(path.run, index)
        return outcome not in state.seen if state.alternative == OTHER else outcome == state.alternative

    def _attach(self, path: Path, covered: NDArray[np.int64], diverged: bool) -> Growth:
        segment = self._deepest(path)
        if segment is None and not self.shared:
            return self._grow(path, None, 0, None, covered, diverged)
        index = self._leaves_at(path, segment) if segment is not None else path.length
        if segment is None or index >= path.length:
            return Growth(None, (), None, diverged)
        waiting = self._asking_for(path, segment, index)
        if waiting is None and self.shared:
            return Growth(None, (), None, diverged)
        return self._grow(path, segment, index, waiting, covered, diverged)

    def _deepest(self, path: Path) -> Witness | None:
        """The last segment that the path enters."""
        for value in reversed(path.hashes[1:].tolist()):
            segment = self._starts.get(value)
            if segment is not None:
                return segment
        return self._root

    @staticmethod
    def _leaves_at(path: Path, segment: Witness) -> int:
        known, actual = segment.hashes[1:], path.hashes[segment.start + 1 :]
        common = min(len(known), len(actual))
        differing = np.flatnonzero(known[:common] != actual[:common])
        return segment.start + (int(differing[0]) if len(differing) else common)

    def _asking_for(self, path: Path, segment: Witness, index: int) -> State | None:
        """The state that asks for the branch which the path takes off the segment."""
        for state in segment.unsettled_at(index):
            if self._follows(path, state):
                return state
        return None

    # ---- growing ----

    def _grow(
        self,
        path: Path,
        segment: Witness | None,
        start: int,
        settled: State | None,
        covered: NDArray[np.int64],
        diverged: bool,
    ) -> Growth:
        witness = self._witness(path, start, settled)
        again = self._ask_again(path.run, settled)
        first = start if segment is None else _first_left(segment, start)
        count = self._reader.untaken(path, first, settled, covered, self._store)
        return Growth(witness, again + self._left(path.run, witness, settled, count), settled, diverged)

    def _witness(self, path: Path, start: int, origin: State | None) -> Witness:
        before = path.depths.item(start) - 1 if start < path.length else len(path.decisions)
        decided = max(0, before - HISTORY)
        hashes, decisions = path.hashes[start:].copy(), path.decisions[decided:].copy()
        return self._known(Witness(self._next_witness, path.run.witness, origin, start, hashes, decisions, decided))

    def _known(self, witness: Witness) -> Witness:
        self._next_witness += 1
        if len(witness.hashes) > 1:
            self._starts[witness.hashes.item(1)] = witness
        if self._root is None:
            self._root = witness
        return witness

    def _extend(self, run: Run, state: State, followed: Followed) -> Growth:
        """The run of a state's solution, which took the branch."""
        rows, hashes, decisions, decided = followed
        witness = Witness(self._next_witness, run.witness, state, state.index, hashes, decisions, decided)
        self._next_witness += 1  # as `_known` does it; a branch's path goes on with at least its own event
        self._starts[hashes.item(1)] = witness
        if state.alternative == OTHER:
            return Growth(witness, self._ask_again(run, state) + self._left(run, witness, state, rows), state)
        self.settle(state)
        return Growth(witness, self._left(run, witness, state, rows) if rows else (), state)

    def _ask_again(self, run: Run, settled: State | None) -> tuple[Batch, ...]:
        """Settles a state; one that asks for any other value is followed by one that excludes this value
        too."""
        if settled is None:
            return ()
        if not _asks_again(settled):
            self.limited += settled.alternative == OTHER
            self.settle(settled)
            return ()
        return (self.again(settled, (*settled.seen, outcome_at(run, settled.index))),)

    def _left(self, run: Run, witness: Witness, origin: State | None, count: int) -> tuple[Batch, ...]:
        """The states that the run's new events leave, of as many untaken branches, which are in the store's next
        rows."""
        refuted = self._refute(run, self._store.chunk, count) if count else None
        if refuted is not None:
            count, gone = self._reader.drop(self._store.chunk, refuted)
            self._note(gone)
        if not count:
            return ()
        batch = witness.batch = self._store.take(count, origin.id if origin is not None else 0, witness)
        return (batch,)


def _first_left(segment: Witness, start: int) -> int:
    """The first event whose untaken branches are a run's that leaves a known segment at `start`: that event itself is
    the segment's to explore further."""
    return start if start - segment.start >= len(segment.hashes) - 1 else start + 1


def _asks_again(settled: State) -> bool:
    """Is another value sought?  A size or an address may have any of 2^64: after many, no more are asked for."""
    if settled.alternative != OTHER:
        return False
    return settled.kind != EventKind.CONCRETIZE or len(settled.seen) < MOST_VALUES
