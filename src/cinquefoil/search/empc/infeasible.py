"""What to do when the wanted paths cannot be followed (Empc, section 4.2).

A goal is a block not visited yet, with the branch that leads to it: the last such block on a path that turned
out infeasible, or any unvisited successor of a visited branch.  States that lead straight to the block come
first, for _DIRECT attempts.  Then the inter-procedural graph is searched backwards from the branch for the
nearest block on which the branch depends (Definitions 3 and 4), and one of the states that stand there or lead
there is taken.  (With `rotate`, every second attempt begins at the second nearest block or further away, every fourth
at the third, and so on: the nearest often decides nothing by itself.  Goals with more unvisited blocks behind them get
more attempts.)  Goals take turns: those with fewer
attempts first, newer ones first among equals.

Risk: dependence is approximate, so an attempt may be in vain; goals that find no state rest until something
new is visited, or for _REST selections.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from math import log2

import numpy as np
from numpy.typing import NDArray

from cinquefoil.analysis.digraph import Path
from cinquefoil.search.api import Context
from cinquefoil.search.empc.prepared import Prepared
from cinquefoil.search.empc.waiting import Waiting
from cinquefoil.search.state import State

_DIRECT = 3
_AHEAD = 8  # attempts a new goal has more than the others
_GAIN = 256  # unvisited blocks counted behind a goal
_REST = 256  # selections after which resting goals are looked at again

_Goal = tuple[float, int, int, int, int]  # attempts by weight, minus its number, branch, block, attempts


class Infeasible:
    """The goals, and the way from them to states."""

    def __init__(self, context: Context, program: Prepared, waiting: Waiting, rotate: bool) -> None:
        self._rotate = rotate
        self._graph = context.knowledge.graph
        self._icfg = program.icfg
        self._ancestors = program.ancestors
        self._arrays: dict[int, NDArray[np.uint64]] = {}  # the same, of the branches asked for
        self._waiting = waiting
        self._visited: set[int] = set()
        self._goals: list[_Goal] = []  # heap
        self._direct: dict[tuple[int, int], int] = {}  # goals by branch and block: states straight there tried
        self._resting: list[_Goal] = []
        self._weights: dict[int, float] = {}  # until something is visited
        self._selections = 0

    def visit(self, blocks: Sequence[int]) -> None:
        """Blocks were entered for the first time: their unvisited successors are goals, and resting ones may be in
        reach."""
        self._visited.update(blocks)
        self._weights.clear()
        for block in blocks:
            targets = self._graph.cfg.get(block, ())
            if len(targets) > 1:
                for target in targets:
                    self._add(block, target)
        self._wake()

    def miss(self, path: Path) -> None:
        """A wanted path is infeasible: its last unvisited block becomes the newest goal."""
        for at in range(len(path) - 1, 0, -1):
            if path[at] not in self._visited:
                branch = next((b for b in path[at - 1 :: -1] if len(self._graph.cfg.get(b, ())) > 1), 0)
                if branch:
                    self._add(branch, path[at])
                return

    def select(self) -> State | None:
        """A state that may bring a goal nearer."""
        self._selections += 1
        if self._selections % _REST == 0:
            self._wake()
        while self._goals:
            goal = heapq.heappop(self._goals)
            time, number, branch, block, attempts = goal
            if block in self._visited:
                continue
            found = self._find(branch, block, attempts)
            if found is not None:
                cost = 1 / self._weight(block) if self._rotate else 1
                heapq.heappush(self._goals, (time + cost, number, branch, block, attempts + 1))
                return found
            self._resting.append(goal)
        return None

    def _add(self, branch: int, block: int) -> None:
        if block not in self._visited and (branch, block) not in self._direct:
            self._direct[branch, block] = 0
            time = max(0.0, self._goals[0][0] - _AHEAD) if self._goals else 0.0
            heapq.heappush(self._goals, (time, -len(self._direct), branch, block, 0))

    def _weight(self, block: int) -> float:
        """What the goal promises: the unvisited blocks behind it, calls included, on a logarithmic scale."""
        known = self._weights.get(block)
        if known is not None:
            return known
        stack = [block]
        behind = {block}
        while stack and len(behind) < _GAIN:
            for target in self._icfg.edges.get(stack.pop(), ()):
                if target not in behind and target not in self._visited:
                    behind.add(target)
                    stack.append(target)
        found = self._weights[block] = log2(1 + len(behind))
        return found

    def _wake(self) -> None:
        for goal in self._resting:
            heapq.heappush(self._goals, goal)
        self._resting.clear()

    def _find(self, branch: int, block: int, attempts: int) -> State | None:
        if self._direct[branch, block] < _DIRECT:
            self._direct[branch, block] += 1
            leading = self._waiting.leading_to(block)
            if leading is not None:
                return leading
        ancestors = self._ancestors_of(branch)
        first = min(_ruler(attempts), len(ancestors)) if self._rotate else 0
        if first == 0:
            return self._waiting.near(ancestors)
        found = self._waiting.near(ancestors[first:])
        return found if found is not None else self._waiting.near(ancestors[:first])

    def _ancestors_of(self, branch: int) -> NDArray[np.uint64]:
        found = self._arrays.get(branch)
        if found is None:
            found = self._arrays[branch] = np.array(self._ancestors.get(branch, ()), np.uint64)
        return found


def _ruler(attempts: int) -> int:
    """0 1 0 2 0 1 0 3 ...: how often attempts + 1 can be halved."""
    return (~attempts & attempts + 1).bit_length() - 1
