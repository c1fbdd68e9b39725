"""KLEE's random-path: from the root of the execution tree, a fair coin at every fork.

A run's states are a caterpillar: at each event that leads to a pending state, half of the chance goes to the turn
and half to the rest of the path, so a walk is short however long the path.  The turns of one event (a switch) share
its half evenly.  What leads to no pending state is as if it were not there: a selected state's place is closed until
its run grows there.  (Walks that end in such places and start over would take for ever when several workers have the
likeliest states in hand.)

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


class _Node:
    """The states of one run.  `own` has 1 for each that waits, `alive` also for those with runs below them that lead
    to one, `heads` where an event begins.  `below` lists, by row, the runs that lead somewhere; `live` counts the
    ones of `alive`, `holes` the states that were taken and are not settled: runs may still grow there."""

    __slots__ = ("alive", "below", "heads", "holes", "live", "own", "row", "states", "up")

    def __init__(self, states: Sequence[State]) -> None:
        self.states = states
        index = states.indices if isinstance(states, Batch) else column(states, "index")
        heads = np.ones(len(index), np.bool_)
        np.not_equal(index[1:], index[:-1], out=heads[1:])
        self.heads = bytearray(heads)
        self.alive = bytearray(b"\1" * len(states))
        self.own = bytearray(self.alive)
        self.live = len(states)
        self.holes = 0
        self.below: dict[int, list[_Node]] = {}
        self.up: _Node | None = None
        self.row = 0


class RandomPath(Searcher):
    """See the module's text."""

    def __init__(self, context: Context) -> None:
        self._rng = context.rng
        self._roots: list[_Node] = []
        self._firsts: list[int] = []  # ids, of nodes made of batches
        self._nodes: list[_Node] = []
        self._loose: dict[int, tuple[_Node, int]] = {}  # states that came as objects, by id
        self._sweep_at = _SWEEP

    def add(self, states: Sequence[State]) -> None:
        node = _Node(states)
        parent = states.parent if isinstance(states, Batch) else states[0].parent
        place = self._find(parent)
        if place is not None:
            node.up, node.row = place
        self._attach(node)
        self._enter(node)

    def select(self) -> State:
        node, row = self._walk()
        self._close(node, row)
        return node.states[row]

    def remove(self, state: State) -> None:
        place = self._find(state.id)
        if place is not None:
            self._close(*place)

    def update(self, state: State | None, run: Run | None, new: Sequence[State]) -> None:
        place = self._find(state.id) if state is not None else None
        if place is not None:
            place[0].holes -= 1

    def discard(self, batch: Batch, rows: NDArray[np.intp]) -> None:
        place = self._find(batch.first)
        if place is not None:
            for row in rows.tolist():
                self._close(place[0], row)
            place[0].holes -= len(rows)

    # ---- walking ----

    def _walk(self) -> tuple[_Node, int]:
        """A state that waits."""
        node = self._any(self._roots)
        while True:
            row = self._turn(node)
            below = node.below.get(row)
            if below is None:
                return node, row
            if node.own[row] and self._rng.randrange(len(below) + 1) == 0:
                return node, row
            if node.live == 1 and len(below) == 1 and not node.own[row] and not node.holes:
                self._pass_over(node, below[0])
            node = self._any(below)

    def _any(self, ways: list[_Node]) -> _Node:
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
        node.alive[node.alive.find(1)] = 0
        node.below = {}

    # ---- growing and shrinking ----

    def _attach(self, node: _Node) -> None:
        """It leads somewhere now, and so does the place it grows in, upwards."""
        while node.up is not None:
            up, row = node.up, node.row
            up.below.setdefault(row, []).append(node)
            if up.alive[row]:
                return
            up.alive[row] = 1
            up.live += 1
            if up.live > 1:
                return
            node = up
        self._roots.append(node)

    def _close(self, node: _Node, row: int) -> None:
        """Its state is taken: if nothing grows there, it leads nowhere; nor may its run, upwards."""
        node.holes += 1
        node.own[row] = 0
        while row not in node.below and not node.own[row] and node.alive[row]:
            node.alive[row] = 0
            node.live -= 1
            if node.live:
                return
            if node.up is None:
                self._roots.remove(node)
                return
            ways = node.up.below[node.row]
            ways.remove(node)
            if ways:
                return
            node, row = node.up, node.row
            del node.below[row]

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
        """Forgets runs below which nothing waits and nothing can grow any more."""
        pairs = zip(self._firsts, self._nodes, strict=True)
        kept = [(first, node) for first, node in pairs if node.live or node.holes]
        self._firsts, self._nodes = [first for first, _ in kept], [node for _, node in kept]
        self._loose = {id: place for id, place in self._loose.items() if place[0].live or place[0].holes}
        self._sweep_at = _SWEEP + 2 * (len(self._nodes) + len(self._loose))
