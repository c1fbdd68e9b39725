"""The states that the covers ask for, best first.

A state is wanted if the subpath it makes within its subgraph is on a path of a cover in the subgraph's group that
was not taken yet; a turn out of a loop is also wanted once the loop has no path left and the subgraph around it wants
it.  In the paper's order the newest come first, but before them those at which the newest run left the wanted paths,
the earliest on top; otherwise those with the fewest decisions, and a turn onto a block that was never visited is
wanted on whatever subpath: where a run has left the covers, they say nothing about what is missing.

A state's feasibility is not known before it is solved, where the paper's engine asks at every fork.  So a direction
that was infeasible yields to those with fewer failures, and after PATIENCE of them in a row is not asked for any more
until it was taken; nor is a subpath that was entered PATIENCE times and is still wanted.

Another value, or a turn inside the library, is wanted while the subpath it is met on is.  Turns of the environment
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
from cinquefoil.build.shared import bound
from cinquefoil.layout import EventKind
from cinquefoil.machine.address import address
from cinquefoil.search.batch import Batch
from cinquefoil.search.book import Book
from cinquefoil.search.empc.covers import CoverGroups
from cinquefoil.search.empc.waiting import Waiting
from cinquefoil.search.empc.walk import BEFORE_ALL, LEADS_NOWHERE, Turn, Walker
from cinquefoil.search.library import load
from cinquefoil.search.state import State

_Left = tuple[NDArray[np.uint64], int, int, int]  # states: their chunk's table, first row, number, first id
Row = tuple[int, int, int]  # of a state: context, target (0: in the library, or to another value), site

PATIENCE = 8  # failures in a row
FORKS = frozenset((int(EventKind.BRANCH), int(EventKind.SWITCH)))
_CHECK = int(EventKind.CHECK)
_LEVELS = PATIENCE.bit_length()
_NO_STOPS = np.empty(0, np.uint32)
_MAYBE = 5  # numbers of struct maybe (native/sift.c)
_WISHES = 4


class Held:
    """A state and where it leads.  `left`: the run it is of left the wanted paths there."""

    __slots__ = ("left", "state", "subpath", "turn")

    def __init__(self, state: State, turn: Turn) -> None:
        self.state = state
        self.turn = turn
        self.left = False
        # What attempts are counted by: where it leads; for turns that stay, their place too.
        place = 0 if state.target != 0 and state.kind in FORKS else state.site
        self.subpath = (place, turn.block, turn.loop, *turn.nodes)


class Luck:
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
    """Heaps of wanted states, by failures in powers of two.  The states are in `book`; `waiting` is shown where each
    stands."""

    def __init__(
        self,
        groups: CoverGroups,
        walker: Walker,
        newest: bool,
        book: Book | None = None,
        waiting: Waiting | None = None,
    ) -> None:
        self._groups = groups
        self._walker = walker
        self._newest = newest
        self._luck = Luck()
        self._unlucky = self._luck.known
        self._heaps: list[list[tuple[int, int, Held]]] = [[] for _ in range(_LEVELS)]
        self._number = 0
        self._exits: dict[int, list[Held]] = {}  # by loop: turns out of it, wanted once it is exhausted
        self._tried: dict[tuple[int, ...], int] = {}
        self._turning: dict[int, Held] = {}  # selected, not settled
        self._library = load()
        self._sieve: int = self._library.cinq_sieve_new()
        weakref.finalize(self, self._library.cinq_sieve_free, self._sieve)
        self._maybe, self._contexts, self._room = np.empty((0, _MAYBE), np.int32), np.empty(0, np.int32), 0
        self._book = Book() if book is None else book
        places = (0,) * 6 if waiting is None else waiting.places
        self._seeing = np.array([walker.handle, self._sieve, self._book.handle, *places, newest], np.uint64)
        self.seeing = address(self._seeing)
        self._see: Callable[..., int] = bound(self._library.cinq_see, self.seeing)
        groups.on_exhausted = self._release

    def follow(self, trace: NDArray[np.uint32]) -> None:
        """Takes the paths that a run took which left no states."""
        if self._newest:
            self._walker.follow(trace, _NO_STOPS)

    def see(self, turn: int, states: Sequence[State], batch: Batch, trace: NDArray[np.uint32]) -> None:
        """Takes the paths that a run took from the state with the id `turn` on; and states that it left, and the same
        as rows.  Most are not wanted: no objects are made of those."""
        self.room_for(batch.size)
        found = self._sift(turn, (batch.chunk.table, batch.row, batch.size, batch.first), trace)
        if found:
            self._weigh(states, found, trace)

    def saw(self, found: int, turn: int, batch: Batch, trace: NDArray[np.uint32]) -> None:
        """Goes on from what `cinq_see` gave for a run and the states that it left."""
        if found < 0:
            found = self._sift(turn, (batch.chunk.table, batch.row, batch.size, batch.first), trace, found)
        if found:
            self._weigh(batch, found, trace)

    def room_for(self, states: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Where `cinq_see` puts contexts, and states that may be wanted."""
        if self._room < states:
            self._room = 2 * states
            self._maybe, self._contexts = np.empty((self._room, _MAYBE), np.int32), np.empty(self._room, np.int32)
        return self._contexts, self._maybe

    def _sift(self, turn: int, left: _Left, trace: NDArray[np.uint32], found: int | None = None) -> int:
        """Finds the states that may be wanted: what was not, from the same place to the same block, never is."""
        size, contexts, maybe = len(trace), self._contexts, self._maybe
        if found is None:
            found = self._see(turn, *left, trace, size, 0, contexts, maybe)
        while found < 0:
            self._walker.learn(trace.item(~found))
            found = self._see(turn, *left, trace, size, ~found, contexts, maybe)
        return found

    def _weigh(self, states: Sequence[State], found: int, trace: NDArray[np.uint32]) -> None:
        """Those that were found."""
        wanted: list[Held] = []
        alike: dict[Row, int] = {}  # a run may leave thousands at one place: no more than can be tried
        for at, context, kind, target, site in self._maybe[:found].tolist():
            row = (context, target, site)
            count = alike.get(row, 0)
            if count < PATIENCE:
                turn = self.turn(context, kind, target)
                held = self._consider(states, at, turn, target, context, trace, wanted)
                alike[row] = count + 1 if held else PATIENCE
                if not held:
                    self._library.cinq_sieve_drop(self._sieve, context, target)
        for held in wanted:
            if not held.left:
                self._push(held)
        for held in reversed(wanted):
            if held.left:
                self._push(held)

    def turn(self, context: int, kind: int, target: int) -> Turn:
        """Where a turn in this context leads."""
        if kind == _CHECK:
            return LEADS_NOWHERE
        if target == 0 or kind not in FORKS:  # in the library, or to another value: to no other block
            return self._walker.here(context)
        turn = self._walker.turn(context, target)
        if self._newest or self._wants(turn) or not self._groups.misses(target):
            return turn
        return Turn((), block=target)

    def watches(self, state: State) -> bool:
        """Does it matter that this one is feasible?  That one is not always does."""
        return (state.site, state.alternative) in self._unlucky or state.id in self._turning

    @property
    def any(self) -> bool:
        """May there be one?"""
        return any(self._heaps)

    def pop(self) -> State | None:
        """The best that is still wanted, taken out."""
        for level, heap in enumerate(self._heaps):
            while heap:
                held = heapq.heappop(heap)[2]
                if not held.state.pending or not self._wants(held.turn):
                    continue
                if self._level(held) > level:
                    self._push(held)
                    continue
                self._tried[held.subpath] = self._tried.get(held.subpath, 0) + 1
                self._turning[held.state.id] = held
                return held.state
        return None

    def settle(self, state: State, feasible: bool) -> Path | None:
        """If it was selected as wanted and cannot be: the path that is missed."""
        self._luck.note(state, feasible)
        held = self._turning.pop(state.id, None) if self._turning else None
        if held is None or feasible:
            return None
        nodes = [n for n in (*held.turn.nodes, *held.turn.outer) if n >= 0 and self._groups.open[n]]
        return self._groups.wanted_path(nodes[0]) if nodes else None

    def wishes(self, state: State) -> Sequence[State]:
        """Turns onto the rest of the wanted path, as far as the state's own witness met them."""
        held = self._turning.get(state.id) if self._turning else None
        if held is None:
            return ()
        nodes = [node for node in held.turn.nodes if self._groups.open[node]]
        if not nodes:
            return ()
        path = self._groups.wanted_path(nodes[0])
        ahead = self._groups.unvisited(path[len(self._groups.path(nodes[0])) :])
        later = state.witness.unsettled_after(state.index, ahead) if ahead else []
        return list({each.target: each for each in later if each.kind in FORKS}.values())[:_WISHES]

    def tidy(self) -> None:
        """Lets go of states that are gone."""
        self._heaps = [sorted(rank for rank in heap if rank[2].state.pending) for heap in self._heaps]
        self._exits = {loop: [h for h in held if h.state.pending] for loop, held in self._exits.items()}

    # ---- what is wanted ----

    def _consider(
        self,
        new: Sequence[State],
        at: int,
        turn: Turn,
        target: int,
        context: int,
        trace: NDArray[np.uint32],
        wanted: list[Held],
    ) -> bool:
        """Holds a state if it is wanted, now or later; if not, others like it are not either."""
        leaves_loop = turn.loop != 0 and any(self._groups.open[node] for node in turn.outer)
        if (not leaves_loop and not self._wants(turn)) or self._given_up(turn, target):
            return False
        self._hold(Held(new[at], turn), context, trace, wanted)
        return True

    def _hold(self, held: Held, context: int, trace: NDArray[np.uint32], wanted: list[Held]) -> None:
        """Wanted now, or later, when its loop is exhausted."""
        if self._level(held) >= _LEVELS:
            return
        if held.turn.loop and any(self._groups.open[node] for node in held.turn.outer):
            self._exits.setdefault(held.turn.loop, []).append(held)
        if self._wants(held.turn):
            held.left = self._newest and self._leaves(held.state, context, trace)
            wanted.append(held)

    def _given_up(self, turn: Turn, target: int) -> bool:
        """Were all attempts made on its subpath?  Then it is as if not wanted, unless its block may be later."""
        if target == 0 or turn.block or self._tried.get((0, 0, turn.loop, *turn.nodes), 0) < PATIENCE:
            return False
        return self._newest or not self._groups.misses(target)

    def _leaves(self, state: State, context: int, trace: NDArray[np.uint32]) -> bool:
        taken = int(trace[state.trace]) if state.trace < len(trace) else 0
        return not self._wants(self._walker.turn(context, taken))

    def _wants(self, turn: Turn) -> bool:
        count = self._groups.open
        if turn is BEFORE_ALL:
            return True
        for node in turn.nodes:
            if count[node]:
                return True
        if turn.block and self._groups.misses(turn.block):
            return True
        return turn.loop != 0 and self._groups.exhausted(turn.loop) and any(count[node] for node in turn.outer)

    def _push(self, held: Held) -> None:
        level = self._level(held)
        if level < _LEVELS:
            self._number += 1
            depth = 0 if self._newest else held.state.depth
            heapq.heappush(self._heaps[level], (depth, -self._number, held))

    def _level(self, held: Held) -> int:
        """By failures of its direction, and attempts on its subpath: some paths can be entered but not ended."""
        return (self._luck.failures(held.state) + self._tried.get(held.subpath, 0)).bit_length()

    def _release(self, loop: int) -> None:
        """Its exits may be wanted now."""
        for held in self._exits.pop(loop, ()):
            if held.state.pending:
                self._push(held)
