"""The states that the covers ask for, best first.

A state is wanted if the subpath it makes within its subgraph is on a path of a cover in the subgraph's group that
was not taken yet; a branch out of a loop is also wanted once the loop has no path left and the subgraph around it wants
it.  In the paper's order the newest come first, but before them those at which the newest run left the wanted paths,
the earliest on top; otherwise those with the fewest decisions, and a branch onto a block that was never visited is
wanted on whatever subpath: where a run has left the covers, they say nothing about what is missing.

A state's feasibility is not known before it is solved, where the paper's engine asks at every fork.  So a direction
that was infeasible yields to those with fewer failures, and after PATIENCE of them in a row is not asked for any more
until it was taken; nor is a subpath that was entered PATIENCE times and is still wanted.

Another value, or a branch inside the library, is wanted while the subpath it is met on is.  Branches of the environment
before the program's first block (how many arguments there are) are wanted.

In the paper's order the whole trace of a run is followed, since paths that it took are not wanted again.  Otherwise a
path is not wanted once its blocks are visited, whoever took it, so a trace is followed to the last state that it left.
"""

from __future__ import annotations

import heapq
import weakref
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from cinquefoil.analysis.digraph import Path
from cinquefoil.layout import EventKind
from cinquefoil.native import core
from cinquefoil.native.structures import structure
from cinquefoil.search.empc.by_block import StatesByBlock
from cinquefoil.search.empc.covers import CoverGroups
from cinquefoil.search.empc.walk import BEFORE_ALL, LEADS_NOWHERE, Destination, Walker
from cinquefoil.states.batch import Batch
from cinquefoil.states.index import StateIndex
from cinquefoil.states.state import State

_Left = tuple[int, int, int, int]  # states: where their chunk's columns are, first row, number, first id
Row = tuple[int, int, int]  # of a state: context, target (0: in the library, or to another value), site

PATIENCE = 8  # failures in a row
FORKS = frozenset((int(EventKind.BRANCH), int(EventKind.SWITCH)))
_CHECK = int(EventKind.CHECK)
_LEVELS = PATIENCE.bit_length()
_NO_STOPS = np.empty(0, np.uint32)
_MAYBE: np.dtype[np.void] = np.dtype(structure("maybe"))
_WISHES = 4


class WantedState:
    """A state and where it leads.  `left`: the run it is of left the wanted paths there."""

    __slots__ = ("destination", "left", "state", "subpath")

    def __init__(self, state: State, destination: Destination) -> None:
        self.state = state
        self.destination = destination
        self.left = False
        # What attempts are counted by: where it leads; for branches that stay, their site too.
        site = 0 if state.target != 0 and state.kind in FORKS else state.site
        self.subpath = (site, destination.block, destination.loop, *destination.nodes)


class FailureCounts:
    """How often each direction of each branch was infeasible since it last was not."""

    def __init__(self) -> None:
        self.known: dict[tuple[int, int], int] = {}  # where there was one at least

    def note(self, state: State, feasible: bool) -> None:
        key = (state.site, state.alternative)
        if not feasible:
            self.known[key] = self.known.get(key, 0) + 1
        elif key in self.known:
            del self.known[key]

    def failures(self, state: State) -> int:
        return self.known.get((state.site, state.alternative), 0)


class Wanted:
    """Heaps of wanted states, by failures in powers of two.  The states are in `state_index`; `waiting` is shown where
    each stands."""

    def __init__(
        self,
        groups: CoverGroups,
        walker: Walker,
        newest: bool,
        state_index: StateIndex | None = None,
        waiting: StatesByBlock | None = None,
    ) -> None:
        self._groups = groups
        self._walker = walker
        self._newest = newest
        self._failures = FailureCounts()
        self._failed = self._failures.known
        self._heaps: list[list[tuple[int, int, WantedState]]] = [[] for _ in range(_LEVELS)]
        self._number = 0
        self._exits: dict[int, list[WantedState]] = {}  # by loop: branches out of it, wanted once it is exhausted
        self._tried: dict[tuple[int, ...], int] = {}
        self._selected: dict[int, WantedState] = {}  # selected, not settled
        self._sieve: int = core.cinq_sieve_new()
        weakref.finalize(self, core.cinq_sieve_free, self._sieve)
        self._maybe, self._contexts, self._room = np.empty(0, _MAYBE), np.empty(0, np.int32), 0
        self._state_index = StateIndex() if state_index is None else state_index
        kept_at = (0,) * 6 if waiting is None else waiting.kept_at
        self._seeing = structure("seeing")(walker.handle, self._sieve, self._state_index.handle, *kept_at, newest)
        self.seeing = core.address(self._seeing)
        self._see: Callable[..., int] = core.bound(core.cinq_see, self.seeing)
        groups.on_exhausted = self._release

    def follow(self, trace: NDArray[np.uint32]) -> None:
        """Takes the paths that a run took which left no states."""
        if self._newest:
            self._walker.follow(trace, _NO_STOPS)

    def see(self, origin: int, states: Sequence[State], batch: Batch, trace: NDArray[np.uint32]) -> None:
        """Takes the paths that a run took from the state with the id `origin` on; and states that it left, and the same
        as rows.  Most are not wanted: no objects are made of those."""
        self.room_for(batch.size)
        found = self._sift(origin, (batch.chunk.columns_address, batch.row, batch.size, batch.first), trace)
        if found:
            self._weigh(states, found, trace)

    def saw(self, found: int, origin: int, batch: Batch, trace: NDArray[np.uint32]) -> None:
        """Goes on from what `cinq_see` gave for a run and the states that it left."""
        if found < 0:
            found = self._sift(origin, (batch.chunk.columns_address, batch.row, batch.size, batch.first), trace, found)
        if found:
            self._weigh(batch, found, trace)

    def room_for(self, states: int) -> tuple[NDArray[np.int32], NDArray[np.void]]:
        """Where `cinq_see` puts contexts, and states that may be wanted."""
        if self._room < states:
            self._room = 2 * states
            self._maybe, self._contexts = np.empty(self._room, _MAYBE), np.empty(self._room, np.int32)
        return self._contexts, self._maybe

    def _sift(self, origin: int, left: _Left, trace: NDArray[np.uint32], found: int | None = None) -> int:
        """Finds the states that may be wanted: what was not, from the same context to the same block, never is."""
        size, contexts, maybe = len(trace), self._contexts, self._maybe
        if found is None:
            found = self._see(origin, *left, trace, size, 0, contexts, maybe)
        while found < 0:
            self._walker.learn(trace.item(~found))
            found = self._see(origin, *left, trace, size, ~found, contexts, maybe)
        return found

    def _weigh(self, states: Sequence[State], found: int, trace: NDArray[np.uint32]) -> None:
        """Those that were found."""
        wanted: list[WantedState] = []
        alike: dict[Row, int] = {}  # a run may leave thousands alike: no more than can be tried
        for at, context, kind, target, site in self._maybe[:found].tolist():
            row = (context, target, site)
            count = alike.get(row, 0)
            if count < PATIENCE:
                destination = self.destination(context, kind, target)
                entry = self._consider(states, at, destination, target, context, trace, wanted)
                alike[row] = count + 1 if entry else PATIENCE
                if not entry:
                    core.cinq_sieve_drop(self._sieve, context, target)
        for entry in wanted:
            if not entry.left:
                self._push(entry)
        for entry in reversed(wanted):
            if entry.left:
                self._push(entry)

    def destination(self, context: int, kind: int, target: int) -> Destination:
        """Where a branch in this context leads."""
        if kind == _CHECK:
            return LEADS_NOWHERE
        if target == 0 or kind not in FORKS:  # in the library, or to another value: to no other block
            return self._walker.here(context)
        destination = self._walker.destination(context, target)
        if self._newest or self._wants(destination) or not self._groups.misses(target):
            return destination
        return Destination((), block=target)

    def watches(self, state: State) -> bool:
        """Does it matter that this one is feasible?  That one is not always does."""
        return (state.site, state.alternative) in self._failed or state.id in self._selected

    @property
    def any(self) -> bool:
        """May there be one?"""
        return any(self._heaps)

    def pop(self) -> State | None:
        """The best that is still wanted, taken out."""
        for level, heap in enumerate(self._heaps):
            while heap:
                entry = heapq.heappop(heap)[2]
                if not entry.state.pending or not self._wants(entry.destination):
                    continue
                if self._level(entry) > level:
                    self._push(entry)
                    continue
                self._tried[entry.subpath] = self._tried.get(entry.subpath, 0) + 1
                self._selected[entry.state.id] = entry
                return entry.state
        return None

    def settle(self, state: State, feasible: bool) -> Path | None:
        """If it was selected as wanted and cannot be: the path that is missed."""
        self._failures.note(state, feasible)
        entry = self._selected.pop(state.id, None) if self._selected else None
        if entry is None or feasible:
            return None
        nodes = [n for n in (*entry.destination.nodes, *entry.destination.outer) if n >= 0 and self._groups.open[n]]
        return self._groups.wanted_path(nodes[0]) if nodes else None

    def preferred_branches(self, state: State) -> Sequence[State]:
        """Untaken branches onto the rest of the wanted path, as far as the state's own witness met them."""
        entry = self._selected.get(state.id) if self._selected else None
        if entry is None:
            return ()
        nodes = [node for node in entry.destination.nodes if self._groups.open[node]]
        if not nodes:
            return ()
        path = self._groups.wanted_path(nodes[0])
        ahead = self._groups.unvisited(path[len(self._groups.path(nodes[0])) :])
        later = state.witness.unsettled_after(state.index, ahead) if ahead else []
        return list({each.target: each for each in later if each.kind in FORKS}.values())[:_WISHES]

    def tidy(self) -> None:
        """Lets go of states that are gone."""
        self._heaps = [sorted(rank for rank in heap if rank[2].state.pending) for heap in self._heaps]
        self._exits = {loop: [h for h in entry if h.state.pending] for loop, entry in self._exits.items()}

    # ---- what is wanted ----

    def _consider(
        self,
        new: Sequence[State],
        at: int,
        destination: Destination,
        target: int,
        context: int,
        trace: NDArray[np.uint32],
        wanted: list[WantedState],
    ) -> bool:
        """Holds a state if it is wanted, now or later; if not, others like it are not either."""
        leaves_loop = destination.loop != 0 and any(self._groups.open[node] for node in destination.outer)
        if (not leaves_loop and not self._wants(destination)) or self._given_up(destination, target):
            return False
        self._hold(WantedState(new[at], destination), context, trace, wanted)
        return True

    def _hold(self, entry: WantedState, context: int, trace: NDArray[np.uint32], wanted: list[WantedState]) -> None:
        """Wanted now, or later, when its loop is exhausted."""
        if self._level(entry) >= _LEVELS:
            return
        if entry.destination.loop and any(self._groups.open[node] for node in entry.destination.outer):
            self._exits.setdefault(entry.destination.loop, []).append(entry)
        if self._wants(entry.destination):
            entry.left = self._newest and self._leaves(entry.state, context, trace)
            wanted.append(entry)

    def _given_up(self, destination: Destination, target: int) -> bool:
        """Were all attempts made on its subpath?  Then it is as if not wanted, unless its block may be later."""
        if (
            target == 0
            or destination.block
            or self._tried.get((0, 0, destination.loop, *destination.nodes), 0) < PATIENCE
        ):
            return False
        return self._newest or not self._groups.misses(target)

    def _leaves(self, state: State, context: int, trace: NDArray[np.uint32]) -> bool:
        taken = int(trace[state.trace]) if state.trace < len(trace) else 0
        return not self._wants(self._walker.destination(context, taken))

    def _wants(self, destination: Destination) -> bool:
        count = self._groups.open
        if destination is BEFORE_ALL:
            return True
        for node in destination.nodes:
            if count[node]:
                return True
        if destination.block and self._groups.misses(destination.block):
            return True
        return (
            destination.loop != 0
            and self._groups.exhausted(destination.loop)
            and any(count[node] for node in destination.outer)
        )

    def _push(self, entry: WantedState) -> None:
        level = self._level(entry)
        if level < _LEVELS:
            self._number += 1
            depth = 0 if self._newest else entry.state.depth
            heapq.heappush(self._heaps[level], (depth, -self._number, entry))

    def _level(self, entry: WantedState) -> int:
        """Its level counts failures of its direction, and attempts on its subpath: some paths can be entered but not
        ended."""
        return (self._failures.failures(entry.state) + self._tried.get(entry.subpath, 0)).bit_length()

    def _release(self, loop: int) -> None:
        """Its exits may be wanted now."""
        for entry in self._exits.pop(loop, ()):
            if entry.state.pending:
                self._push(entry)
