"""Groups of path covers, one per subgraph (Empc, section 4.1.3), over the prefix trees of analysis/covertrees.py.

`open` counts the paths at or below a node that are still wanted: of a cover that is in the group, and not taken.
A run that steps from node to node takes the path at whose end it arrives, and makes covers leave the group
that have no path with the steps it made, unless none would be left.  A group's size and a node's open paths
only ever shrink.

With `spare`, a path all of whose blocks were visited on whatever path is not wanted any more either.  Without
`shrink`, covers stay in their groups: runs are matched with all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from cinquefoil.analysis.covertrees import NOWHERE, CoverTrees
from cinquefoil.analysis.digraph import Path
from cinquefoil.native import core
from cinquefoil.native.structures import structure

_COMPARED = 32  # paths


class CoverGroups:
    """Nodes are numbers.  Memory views are read one number at a time, which arrays are slow at."""

    def __init__(self, trees: CoverTrees, spare: bool, shrink: bool = True) -> None:
        self._trees = trees
        self._spare = spare
        self._shrink = shrink
        self._open = trees.paths.copy()
        self._wanted = trees.ends.copy()
        self._unvisited = np.bincount(trees.crossing, minlength=len(trees.parents)).astype(np.int32)
        self.open = self._open.data
        self.wanted = self._wanted.view(np.uint8).data  # at the end of a path: not taken yet
        self.entry = trees.entries.data  # the subgraph of the node
        self.alive: dict[int, int] = {}  # bits: the covers in a subgraph's group, if some have left
        self.on_exhausted: Callable[[int], None] = lambda subgraph: None
        self._members = trees.members.data
        self._parents = trees.parents.data
        self._blocks = trees.blocks.data
        self._first = trees.first.data
        self._children = trees.children.data
        self._visited: set[int] = set()
        self._seen = np.empty(len(trees.parents), np.int32)
        crossed, crossing = (np.ascontiguousarray(each, np.int32) for each in (trees.crossed, trees.crossing))
        self._visit = partial(core.cinq_covers_visit, crossed, crossing, len(crossed))
        arrays = (trees.first, trees.children, self._open, self._unvisited, self._wanted)
        self._covers = structure("covers")(*map(core.address, arrays))
        self._best = core.bound(core.cinq_covers_best, core.address(self._covers))

    def root(self, subgraph: int) -> int:
        """The node of the subpath that is just the subgraph's entry."""
        return self._trees.spans[subgraph][0]

    def group(self, subgraph: int) -> int:
        """The covers that are left, as bits."""
        found = self.alive.get(subgraph)
        return self._members[self.root(subgraph)] if found is None else found

    def exhausted(self, subgraph: int) -> bool:
        """No path is wanted any more."""
        return self.open[self.root(subgraph)] == 0

    def below(self, node: int, block: int) -> int:
        """The subpath with one more block."""
        if node != NOWHERE:
            for child in self._children[self._first[node] : self._first[node + 1]]:
                if self._blocks[child] == block:
                    return child
        return NOWHERE

    def arrive(self, node: int) -> None:
        """A run made the step to this node."""
        if self._shrink:
            subgraph = self.entry[node]
            group = self.group(subgraph)
            left = group & self._members[node]
            if left and left != group:
                self._leave(subgraph, left)
        if self.wanted[node]:
            self._close(node)

    def visit(self, blocks: Sequence[int]) -> None:
        """Blocks were entered for the first time."""
        self._visited.update(blocks)
        entered = np.array(blocks, np.int32)
        found = self._visit(entered, len(entered), self._unvisited, self._wanted, self._seen)
        if self._spare:
            for path in sorted(self._seen[:found].tolist()):
                self._close(path)

    def misses(self, block: int) -> bool:
        """Was the block never entered?"""
        return block not in self._visited

    def unvisited(self, path: Path) -> set[int]:
        return set(path) - self._visited

    def wanted_path(self, node: int) -> Path:
        """The first wanted path through a node (any path if none is wanted); with `spare`, of the first few the one
        with the most blocks not visited."""
        return self.path(self._best(node, _COMPARED if self._spare else 1))

    def path(self, node: int) -> Path:
        """The subpath a node stands for."""
        blocks: list[int] = []
        while node != NOWHERE:
            blocks.append(self._blocks[node])
            node = self._parents[node]
        return tuple(reversed(blocks))

    # ---- shrinking ----

    def _leave(self, subgraph: int, left: int) -> None:
        self.alive[subgraph] = left
        start, end = self._trees.spans[subgraph]
        gone = self._wanted[start:end] & (self._trees.members[start:end] & left == 0)
        for path in (np.flatnonzero(gone) + start).tolist():
            self._close(path)

    def _close(self, end: int) -> None:
        self.wanted[end] = 0
        node = end
        while node != NOWHERE:
            self.open[node] -= 1
            node = self._parents[node]
        if self.exhausted(self.entry[end]):
            self.on_exhausted(self.entry[end])
