"""KLEE's random-path: from the root of the execution tree, a fair coin at every fork.

The tree holds only forks with pending states on both sides: a leaf is a state, and when it goes, its
sibling takes the place of their common parent.  The states of a run are a caterpillar: at each event, half
of the chance goes to the turn and half to the rest of the path, so a walk is short however long the path.
A selected state stays as a hole until it is settled, because what it leads to grows in its place; walks
that end in a hole start over.

Risk: states whose place is gone (retried ones) are put at the root, where they are likelier than before.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import groupby

from cinquefoil.machine.run import Run
from cinquefoil.search.api import Context, Searcher
from cinquefoil.search.state import State

_NONE = -1


class RandomPath(Searcher):
    """Nodes are numbers; `left` of a leaf is _NONE, and `state` says which it is."""

    def __init__(self, context: Context) -> None:
        self._rng = context.rng
        self._root = _NONE
        self._up = array("i")
        self._left = array("i")
        self._right = array("i")
        self._state: list[State | None] = []
        self._free: list[int] = []
        self._leaf: dict[int, int] = {}  # state id to node, holes included

    def add(self, states: Sequence[State]) -> None:
        subtree = self._grow(states)
        place = self._leaf.get(states[0].parent, self._root)
        if place == _NONE:
            self._root = subtree
        else:
            self._join_above(place, subtree)

    def select(self) -> State:
        while True:
            state = self._walk()
            if state.pending:
                return state

    def update(self, state: State | None, run: Run | None, new: Sequence[State]) -> None:
        if state is not None and state.id in self._leaf:
            self._cut(self._leaf.pop(state.id))

    def _walk(self) -> State:
        node, left, right = self._root, self._left, self._right
        coins = self._rng.getrandbits(64) | 1 << 64
        while left[node] != _NONE:
            if coins == 1:
                coins = self._rng.getrandbits(64) | 1 << 64
            node = left[node] if coins & 1 else right[node]
            coins >>= 1
        state = self._state[node]
        assert state is not None
        return state

    def _grow(self, states: Sequence[State]) -> int:
        """The caterpillar of one run's states; those of one event share their half."""
        events = [list(group) for _, group in groupby(states, key=lambda state: state.index)]
        tree = _NONE
        for group in reversed(events):
            turn = self._balanced([self._new_leaf(state) for state in group])
            tree = turn if tree == _NONE else self._new_fork(turn, tree)
        return tree

    def _balanced(self, nodes: list[int]) -> int:
        while len(nodes) > 1:
            pairs = [self._new_fork(a, b) for a, b in zip(nodes[::2], nodes[1::2], strict=False)]
            nodes = pairs + (nodes[-1:] if len(nodes) % 2 else [])
        return nodes[0]

    def _new_leaf(self, state: State) -> int:
        node = self._new(state)
        self._leaf[state.id] = node
        return node

    def _new_fork(self, left: int, right: int) -> int:
        node = self._new(None)
        self._left[node], self._right[node] = left, right
        self._up[left] = self._up[right] = node
        return node

    def _new(self, state: State | None) -> int:
        if self._free:
            node = self._free.pop()
            self._up[node] = self._left[node] = self._right[node] = _NONE
            self._state[node] = state
            return node
        for column in (self._up, self._left, self._right):
            column.append(_NONE)
        self._state.append(state)
        return len(self._state) - 1

    def _join_above(self, place: int, subtree: int) -> None:
        """Puts a fork where `place` is, with it and `subtree` below."""
        parent = self._up[place]
        fork = self._new_fork(place, subtree)
        self._replace(parent, place, fork)

    def _cut(self, leaf: int) -> None:
        parent = self._up[leaf]
        if parent == _NONE:
            self._root = _NONE
        else:
            sibling = self._right[parent] if self._left[parent] == leaf else self._left[parent]
            self._replace(self._up[parent], parent, sibling)
            self._drop(parent)
        self._drop(leaf)

    def _replace(self, parent: int, old: int, new: int) -> None:
        self._up[new] = parent
        if parent == _NONE:
            self._root = new
        elif self._left[parent] == old:
            self._left[parent] = new
        else:
            self._right[parent] = new

    def _drop(self, node: int) -> None:
        self._state[node] = None
        self._free.append(node)
