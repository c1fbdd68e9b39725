"""KLEE's dfs and bfs: by order alone."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Sequence

from cinquefoil.search.api import Context, Searcher
from cinquefoil.search.state import State


class DepthFirst(Searcher):
    """dfs: the newest state, which is the deepest turn of the newest run.

    Risk: a loop on symbolic data keeps it busy for ever."""

    def __init__(self, context: Context) -> None:
        self._stack: list[State] = []
        self._dead = 0

    def add(self, states: Sequence[State]) -> None:
        self._stack.extend(states)

    def select(self) -> State:
        return self._stack.pop()

    def remove(self, state: State) -> None:
        self._dead += 1
        if 2 * self._dead > len(self._stack):
            self._stack = [held for held in self._stack if held.pending]
            self._dead = 0


class BreadthFirst(Searcher):
    """bfs: the state with the fewest decisions, the oldest of them.

    KLEE moves a state to the back of its queue at each fork, which visits the tree level by level; a run of
    ours leaves states on many levels at once, so there is one queue per level.  Risk: deep code is seen
    late."""

    def __init__(self, context: Context) -> None:
        self._levels: dict[int, deque[State]] = {}
        self._depths: list[int] = []  # heap of the levels in use
        self._held = 0
        self._dead = 0

    def add(self, states: Sequence[State]) -> None:
        self._held += len(states)
        for state in states:
            level = self._levels.get(state.depth)
            if level is None:
                level = self._levels[state.depth] = deque()
                heapq.heappush(self._depths, state.depth)
            level.append(state)

    def select(self) -> State:
        depth = self._depths[0]
        level = self._levels[depth]
        state = level.popleft()
        self._held -= 1
        if not level:
            del self._levels[depth]
            heapq.heappop(self._depths)
        return state

    def remove(self, state: State) -> None:
        self._dead += 1
        if 2 * self._dead > self._held:
            self._tidy()

    def _tidy(self) -> None:
        live = {d: deque(s for s in level if s.pending) for d, level in self._levels.items()}
        self._levels = {depth: level for depth, level in live.items() if level}
        self._depths = sorted(self._levels)
        self._held = sum(map(len, self._levels.values()))
        self._dead = 0
