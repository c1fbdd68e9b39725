"""The execution tree: which paths are known, and what they left to explore.

A run is a path from the root; it is stored as the segment by which it extends what was known (its
`Witness`), found again by the hash of the path at the segment's first event.  A state's run follows its
witness up to the turn by construction, so checking that costs one comparison of hashes (`follows`); any
other run (the first, a seed, a partial solution, one that went astray) is placed by looking for the deepest
segment whose first hash is on it.

Every new event leaves states: a branch the other side, a switch one per other group, a check its error
side, a pin or concretisation "another value", which after every answer is asked again with one value more,
until there is none.

Risk: placing a run that no state predicted takes time linear in its length.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from cinquefoil.explore.events import (
    DECIDES,
    PathHash,
    keys,
    outcomes,
)
from cinquefoil.explore.turns import Directions
from cinquefoil.ir.sites import Site
from cinquefoil.machine.run import Run
from cinquefoil.search.state import HISTORY, OTHER, State, Witness

_NO_MARKS: NDArray[np.int64] = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class Growth:
    """What a run added.  `settled` is the state whose turn it took; `witness` is None if the path was
    known."""

    witness: Witness | None
    states: list[State]
    settled: State | None
    diverged: bool = False


@dataclass(frozen=True, slots=True)
class _Path:
    """A run's events as the tree sees them."""

    run: Run
    outcomes: NDArray[np.uint64]
    keys: NDArray[np.uint64]
    hashes: NDArray[np.uint64]

    def hash_before(self, index: int) -> int:
        return int(self.hashes[index - 1]) if index else 0


class Tree:
    """Grows by runs."""

    def __init__(self, sites: Sequence[Site]) -> None:
        self._directions = Directions(sites)
        self._hash = PathHash()
        self._root: Witness | None = None
        self._starts: dict[int, Witness] = {}
        self._next_state = 1
        self._next_witness = 1

    @property
    def witnesses(self) -> int:
        """How many distinct paths are known."""
        return self._next_witness - 1

    def add(self, run: Run, state: State | None = None, covered: NDArray[np.int64] = _NO_MARKS) -> Growth:
        """Adds a run; `state` is the one whose solution it ran.

        `covered` are the indices of the events before which something was covered for the first time."""
        path = self._path(run)
        if state is not None and self._follows(path, state):
            return self._grow(path, state.witness, state.index, state, covered, False)
        return self._place(path, covered, state is not None)

    def follows(self, run: Run, state: State) -> bool:
        """Did the run take the state's path and its turn?"""
        return self._follows(self._path(run), state)

    def same_prefix(self, run: Run, state: State) -> bool:
        """Is the run, of the state's own witness, the path it was when the state was made?"""
        return len(run.events) > state.index and self._path(run).hash_before(
            state.index
        ) == state.witness.hash_before(state.index)

    def settle(self, state: State) -> None:
        """The state is answered: nothing is left to explore there."""
        self._put(state, None)

    def again(self, state: State) -> State:
        """The same state under a new id, in its place."""
        fresh = state.again(self._take_id())
        self._put(state, fresh)
        return fresh

    # ---- placing ----

    def _path(self, run: Run) -> _Path:
        what = outcomes(run)
        path_keys = keys(run.events["site"], run.events["kind"], what)
        return _Path(run, what, path_keys, self._hash(path_keys))

    def _follows(self, path: _Path, state: State) -> bool:
        index, events = state.index, path.run.events
        if len(events) <= index or path.hash_before(index) != state.witness.hash_before(index):
            return False
        if events["site"][index] != state.site or events["kind"][index] != state.kind:
            return False
        outcome = int(path.outcomes[index])
        return outcome not in state.seen if state.alternative == OTHER else outcome == state.alternative

    def _place(self, path: _Path, covered: NDArray[np.int64], diverged: bool) -> Growth:
        segment = self._deepest(path)
        if segment is None:
            return self._grow(path, None, 0, None, covered, diverged)
        index = self._leaves_at(path, segment)
        if index >= len(path.hashes):
            return Growth(None, [], None, diverged)
        return self._grow(path, segment, index, self._waiting(path, segment, index), covered, diverged)

    def _deepest(self, path: _Path) -> Witness | None:
        """The last segment that the path enters."""
        for value in reversed(path.hashes.tolist()):
            segment = self._starts.get(value)
            if segment is not None:
                return segment
        return self._root

    @staticmethod
    def _leaves_at(path: _Path, segment: Witness) -> int:
        known, actual = segment.hashes[1:], path.hashes[segment.start :]
        common = min(len(known), len(actual))
        differing = np.flatnonzero(known[:common] != actual[:common])
        return segment.start + (int(differing[0]) if len(differing) else common)

    def _waiting(self, path: _Path, segment: Witness, index: int) -> State | None:
        """The state that asks for the turn which the path takes off the segment."""
        slot = bisect_left(segment.positions, index)
        while slot < len(segment.positions) and segment.positions[slot] == index:
            state = segment.states[slot]
            if state is not None and self._follows(path, state):
                return state
            slot += 1
        return None

    # ---- growing ----

    def _grow(
        self,
        path: _Path,
        segment: Witness | None,
        start: int,
        settled: State | None,
        covered: NDArray[np.int64],
        diverged: bool,
    ) -> Growth:
        witness, depths = self._witness(path, start, settled)
        states = self._ask_again(path, settled)
        # The event that turns off a known segment is that segment's to explore further.
        first = start if segment is None or start - segment.start >= len(segment.hashes) - 1 else start + 1
        states += self._states(path.run, witness, settled, first, depths, self._fresh(path, settled, covered))
        return Growth(witness, states, settled, diverged)

    def _witness(self, path: _Path, start: int, origin: State | None) -> tuple[Witness, NDArray[np.int64]]:
        decides = DECIDES[path.run.events["kind"]]
        depths = np.cumsum(decides)
        decided = max(0, int(depths[start - 1]) - HISTORY) if start else 0
        hashes = np.concatenate([np.array([path.hash_before(start)], np.uint64), path.hashes[start:]])
        decisions = path.keys[decides][decided:]
        witness = Witness(self._next_witness, path.run.witness, origin, start, hashes, decisions, decided)
        self._next_witness += 1
        if len(path.hashes) > start:
            self._starts[int(path.hashes[start])] = witness
        if self._root is None:
            self._root = witness
        return witness, depths - decides + 1

    def _ask_again(self, path: _Path, settled: State | None) -> list[State]:
        """Settles a state; one that asks for any other value is followed by one that excludes this value
        too."""
        if settled is None:
            return []
        if settled.alternative != OTHER:
            self._put(settled, None)
            return []
        more = settled.again(self._take_id(), (*settled.seen, int(path.outcomes[settled.index])))
        self._put(settled, more)
        return [more]

    def _fresh(self, path: _Path, settled: State | None, covered: NDArray[np.int64]) -> NDArray[np.int64]:
        """Per event, steps since the path last covered something new, -1 for never."""
        steps = path.run.events["steps"].astype(np.int64)
        fresh = np.full(len(steps), -1, np.int64)
        if settled is not None and settled.fresh >= 0:
            fresh = np.maximum(0, steps - settled.steps + settled.fresh)
        if len(covered) and len(steps):
            last = np.searchsorted(covered, np.arange(len(steps)), side="right") - 1
            since = steps - steps[np.minimum(covered, len(steps) - 1)][last]
            fresh = np.where(last >= 0, since, fresh)
        return fresh

    def _states(
        self,
        run: Run,
        witness: Witness,
        origin: State | None,
        first: int,
        depths: NDArray[np.int64],
        fresh: NDArray[np.int64],
    ) -> list[State]:
        turns = self._directions.turns(run, first)
        where, count = turns.events, len(turns.events)
        if not count:
            return []
        events = run.events[where]
        number, self._next_state = self._next_state, self._next_state + count
        states = list(
            map(
                State,
                range(number, number + count),
                repeat(origin.id if origin is not None else 0),
                repeat(witness),
                where.tolist(),
                events["kind"].tolist(),
                events["site"].tolist(),
                turns.alternatives.tolist(),
                turns.targets.tolist(),
                depths[where].tolist(),
                events["steps"].tolist(),
                events["trace"].tolist(),
                fresh[where].tolist(),
                _seen(turns.alternatives, events["value"]),
            )
        )
        witness.positions = array("I", where.astype(np.uint32).tobytes())
        witness.states = [*states]
        return states

    def _put(self, state: State, successor: State | None) -> None:
        """Replaces a state in its witness's list."""
        witness = state.witness
        slot = bisect_left(witness.positions, state.index)
        while slot < len(witness.positions) and witness.positions[slot] == state.index:
            if witness.states[slot] is state:
                witness.states[slot] = successor
                return
            slot += 1

    def _take_id(self) -> int:
        self._next_state += 1
        return self._next_state - 1


def _seen(alternatives: NDArray[np.int64], values: NDArray[np.uint64]) -> Iterable[tuple[int, ...]]:
    """The values that states which ask for another one start with."""
    seen: list[tuple[int, ...]] = [()] * len(values)
    for at in np.flatnonzero(alternatives == OTHER).tolist():
        seen[at] = (int(values[at]),)
    return seen
