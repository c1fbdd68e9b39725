"""What to do when the wanted paths cannot be followed (Empc, section 4.2).

A goal is a block not visited yet, with the branch that leads to it: the last such block on a path that turned
out infeasible, or any unvisited successor of a visited branch.  States that lead straight to the block come
first, for a few attempts.  Then the inter-procedural graph is searched backwards from the branch for the
nearest block on which the branch depends (Definitions 3 and 4), and one of the states that stand there or lead
there is taken.  (With `rotate`, every second attempt begins at the second nearest block or further away, every fourth
at the third, and so on: the nearest often decides nothing by itself.  Goals with more unvisited blocks behind them get
more attempts.)  Goals alternate: those with fewer
attempts first, newer ones first among equals.

The goals are native (`goals.c`).  Risk: dependence is approximate, so an attempt may be in vain; goals that find
no state rest until something new is visited (or for many selections), and then until a state comes to where they look.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from math import log2

import numpy as np
from numpy.typing import NDArray

from cinquefoil.analysis.digraph import Path
from cinquefoil.native import core
from cinquefoil.search.api import Context
from cinquefoil.search.empc.by_block import StatesByBlock
from cinquefoil.search.empc.prepared import Prepared
from cinquefoil.states.index import NOBODY
from cinquefoil.states.state import State

_GAIN = 256  # unvisited blocks counted behind a goal
_FRESH = 16  # runs that visited something, after which that is counted anew


class Goals:
    """The goals, and how states are found for them."""

    def __init__(self, context: Context, program: Prepared, waiting: StatesByBlock, rotate: bool) -> None:
        self._rotate = rotate
        self._rng = context.rng
        self._graph = context.knowledge.graph
        self._icfg = program.icfg
        self._ancestors = program.ancestors
        self._arrays: dict[int, NDArray[np.uint64]] = {}  # the same, of the branches that have goals
        self._waiting = waiting
        self._visited = waiting.visited.data
        self._known: set[tuple[int, int]] = set()  # goals: branch and block
        self._weights: dict[int, float] = {}  # as they were, at most _FRESH visits ago
        self._visits = 0
        parts = (
            *waiting.groupings,
            waiting.state_index.handle,
            core.address(waiting.visited),
            core.address(waiting.touched),
        )
        self.handle: int = core.cinq_goals_new(*parts, rotate)
        weakref.finalize(self, core.cinq_goals_free, self.handle)

    def visit(self, blocks: Sequence[int]) -> None:
        """Blocks were entered for the first time: their unvisited successors are goals."""
        self._visits += 1
        if self._visits % _FRESH == 0:
            self._weights.clear()
        for block in blocks:
            targets = self._graph.cfg.get(block, ())
            if len(targets) > 1:
                for target in targets:
                    self._add(block, target)

    def wake(self) -> None:
        """Goals that rest may be in reach."""
        core.cinq_goals_wake(self.handle)

    def miss(self, path: Path) -> None:
        """A wanted path is infeasible: its last unvisited block becomes the newest goal."""
        for at in range(len(path) - 1, 0, -1):
            if path[at] > 0 and not self._visited[path[at]]:  # a function's virtual return is negative
                branch = next((b for b in path[at - 1 :: -1] if len(self._graph.cfg.get(b, ())) > 1), 0)
                if branch:
                    self._add(branch, path[at])
                return

    def select(self) -> State | None:
        """A state that may bring a goal nearer."""
        id = core.cinq_goals_select(self.handle, self._rng.getrandbits(64))
        if id == NOBODY:
            return None
        self.tried()
        return self._waiting.state_index.state(self._waiting.state_index.read(id))

    def tried(self) -> None:
        """The goal that a state was found for is weighed, and waits for its next attempt."""
        weight = self._weight(core.cinq_goals_block(self.handle)) if self._rotate else 1.0
        core.cinq_goals_again(self.handle, round(1000 / weight))

    def _add(self, branch: int, block: int) -> None:
        if self._visited[block] or (branch, block) in self._known:
            return
        self._known.add((branch, block))
        ancestors = self._arrays.get(branch)
        if ancestors is None:
            ancestors = self._arrays[branch] = np.array(self._ancestors.get(branch, ()), np.uint64)
        core.cinq_goals_add(self.handle, block, ancestors, len(ancestors))

    def _weight(self, block: int) -> float:
        """What the goal promises: the unvisited blocks behind it, calls included, on a logarithmic scale."""
        known = self._weights.get(block)
        if known is not None:
            return known
        stack = [block]
        behind = {block}
        while stack and len(behind) < _GAIN:
            for target in self._icfg.edges.get(stack.pop(), ()):
                if target not in behind and target > 0 and not self._visited[target]:
                    behind.add(target)
                    stack.append(target)
        found = self._weights[block] = log2(1 + len(behind))
        return found
