"""KLEE's random-path: from the root of the execution tree, a fair coin at every fork.

A run's states are a caterpillar: at each event that leads to a pending state, half of the chance goes to the turn
and half to the rest of the path, so a walk is short however long the path.  The turns of one event (a switch) share
its half evenly.  A selected state stays as a hole until it is settled, because what it leads to grows in its place;
walks that end in a hole start over.  With many states being answered at once (`--workers`), holes may take nearly all
of the chance: after enough walks in vain, any state that waits will do.

A node is a run, not a state: one byte per state says whether it leads anywhere, and the next event that does is
found by a search for that byte.  Runs with one way left that leads to one other run are passed over for good.

Risk: states whose place is gone (retried ones) are put at the root, where they are likelier than before.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cinquefoil.machine.run import Run
from cinquefoil.search.api import Context, Searcher
from cinquefoil.search.batch import Batch, column
from cinquefoil.search.state import State

_SWEEP = 64
_WALKS = 64  # in vain, before any state will do


class _Node:
    """The states of one run.  `alive` has 1 for each that waits, is a hole, or has runs below it; `heads` has 1 where
    an event begins.  `below` lists, by row, what grows in a state's place: runs, and None for the state until it is
    settled."""

    __slots__ = ("alive", "below", "heads", "live", "row", "states", "up")

    def __init__(self, states: Sequence[State]) -> None:
        self.states = states
        index = column(states, "index")
        self.heads = bytearray((np.diff(index, prepend=-1) != 0).tobytes())
        self.alive = bytearray(b"\1" * len(states))
        self.live = len(states)
        self.below: dict[int, list[_Node | None]] = {}
        self.up: _Node | None = None
        self.row = 0


class RandomPath(Searcher):
    """See the module's text."""

    def __init__(self, context: Context) -> None:
        self._rng = context.rng
        self._roots: list[_Node | None] = []
        self._firsts: list[int] = []  # ids, of nodes made of batches
        self._nodes: list[_Node] = []
        self._loose: dict[int, tuple[_Node, int]] = {}  # states that came as objects, by id
        self._sweep_at = _SWEEP

    def add(self, states: Sequence[State]) -> None:
        node = _Node(states)
        parent = states.parent if isinstance(states, Batch) else states[0].parent
        place = self._find(parent)
        if place is None or not place[0].alive[place[1]]:
            self._roots.append(node)
        else:
            node.up, node.row = place
            node.up.below.setdefault(node.row, [None]).append(node)
        self._enter(node)

    def select(self) -> State:
        for _ in range(_WALKS):
            state = self._walk()
            if state.pending:
                return state
        return self._any_waiting()

    def update(self, state: State | None, run: Run | None, new: Sequence[State]) -> None:
        place = self._find(state.id) if state is not None else None
        if place is not None:
            self._settle(*place)

    def discard(self, batch: Batch, rows: NDArray[np.intp]) -> None:
        place = self._find(batch.first)
        if place is not None:
            for row in rows.tolist():
                self._settle(place[0], row)

    # ---- walking ----

    def _walk(self) -> State:
        """A state, which may have been taken."""
        node = self._any(self._roots)
        assert node is not None
        while True:
            row = self._turn(node)
            below = node.below.get(row)
            if below is not None and node.live == 1 and len(below) == 1 and below[0] is not None:
                self._pass_over(node, below[0])
            child = self._any(below) if below is not None else None
            if child is None:
                return node.states[row]
            node = child

    def _any_waiting(self) -> State:
        """A state that waits, of a run that is as likely as any other."""
        runs = [node.states for node in self._nodes if node.live]
        for states in self._rng.sample(runs, len(runs)):
            rows = np.flatnonzero(states.pending) if isinstance(states, Batch) else ()
            if len(rows):
                return states[int(rows[self._rng.randrange(len(rows))])]
        places = (node.states[row] for node, row in self._loose.values())
        return next(state for state in places if state.pending)

    def _any(self, ways: list[_Node | None]) -> _Node | None:
        return ways[self._rng.randrange(len(ways))] if len(ways) > 1 else ways[0]

    def _turn(self, node: _Node) -> int:
        """A row: a coin at each event that leads anywhere, then any of the event's."""
        coins = self._rng.getrandbits(64) | 1 << 64
        row = node.alive.find(1)
        while True:
            end = node.heads.find(1, row + 1)
            rest = node.alive.find(1, end) if end >= 0 else -1
            if coins == 1:
                coins = self._rng.getrandbits(64) | 1 << 64
            if rest < 0 or coins & 1:
                return self._among(node, row, end if end >= 0 else len(node.alive))
            coins >>= 1
            row = rest

    def _among(self, node: _Node, row: int, end: int) -> int:
        count = node.alive.count(1, row, end)
        for _ in range(self._rng.randrange(count) if count > 1 else 0):
            row = node.alive.find(1, row + 1)
        return row

    def _pass_over(self, node: _Node, child: _Node) -> None:
        """Nothing else is left below a run: what is takes its place."""
        ways = self._roots if node.up is None else node.up.below[node.row]
        ways[ways.index(node)] = child
        child.up, child.row = node.up, node.row
        node.live = 0

    # ---- growing and shrinking ----

    def _settle(self, node: _Node, row: int) -> None:
        """Its state is answered; what grew in its place stays."""
        below = node.below.get(row)
        if below is None:
            self._kill(node, row)
        elif below[0] is None:
            del below[0]
            if not below:
                self._kill(node, row)

    def _kill(self, node: _Node | None, row: int) -> None:
        """Nothing is left in this place; that may be the last of its run, and so on upwards."""
        while node is not None and node.alive[row]:
            node.alive[row] = 0
            node.below.pop(row, None)
            node.live -= 1
            if node.live:
                return
            ways = self._roots if node.up is None else node.up.below[node.row]
            ways.remove(node)
            if ways:
                return
            node, row = node.up, node.row

    def _enter(self, node: _Node) -> None:
        states = node.states
        if isinstance(states, Batch) and (not self._firsts or states.first > self._firsts[-1]):
            self._firsts.append(states.first)
            self._nodes.append(node)
        else:
            self._loose.update({state.id: (node, row) for row, state in enumerate(states)})
        if len(self._nodes) + len(self._loose) > self._sweep_at:
            self._sweep()

    def _find(self, id: int) -> tuple[_Node, int] | None:
        if id in self._loose:
            return self._loose[id]
        at = bisect_right(self._firsts, id) - 1
        if at < 0 or id - self._firsts[at] >= len(self._nodes[at].alive):
            return None
        return self._nodes[at], id - self._firsts[at]

    def _sweep(self) -> None:
        live = [(first, node) for first, node in zip(self._firsts, self._nodes, strict=True) if node.live]
        self._firsts, self._nodes = [first for first, _ in live], [node for _, node in live]
        self._loose = {id: place for id, place in self._loose.items() if place[0].alive[place[1]]}
        self._sweep_at = _SWEEP + 2 * (len(self._nodes) + len(self._loose))
