"""Groups of path covers, one per subgraph, as prefix trees (Empc, section 4.1.3).

A subgraph's tree holds the paths of all covers of its group; a node is a subpath from the subgraph's entry.
`open` counts the paths below a node that are still wanted: of a cover that is in the group, and not taken.
A run that steps from node to node takes the path at whose end it arrives, and makes covers leave the group
that have no path with the steps it made, unless none would be left.  A group's size and a node's open paths
only ever shrink.

With `spare`, a path all of whose blocks were visited in some way or other is not wanted any more either.  Without
`shrink`, covers stay in their groups: runs are matched with all of them.

Trees are made when a subgraph is entered for the first time: much of a program is never met.
"""

from __future__ import annotations

from collections.abc import Callable

from cinquefoil.analysis.cover import minimum_path_covers
from cinquefoil.analysis.digraph import Path, bits
from cinquefoil.analysis.subgraphs import Decomposition

NOWHERE = -1  # a subpath that no cover has
_COMPARED = 32  # paths


def edge(node: int, block: int) -> int:
    """A step's key."""
    return node << 32 | block


class CoverGroups:
    """Nodes are numbers; the lists are indexed by them."""

    def __init__(self, decomposition: Decomposition, limit: int, spare: bool, shrink: bool = True) -> None:
        self._subgraphs = decomposition.subgraphs
        self._limit = limit
        self._spare = spare
        self._shrink = shrink
        self.steps: dict[int, int] = {}
        self.open: list[int] = []
        self.members: list[int] = []  # bits: the covers that have a path through the node
        self.wanted: list[bool] = []  # at the end of a path: not taken yet
        self.entry: list[int] = []  # the subgraph of the node
        self.alive: dict[int, int] = {}  # bits: the covers in a subgraph's group
        self.on_exhausted: Callable[[int], None] = lambda subgraph: None
        self._parents: list[int] = []
        self._children: list[list[int]] = []
        self._blocks: list[int] = []
        self._roots: dict[int, int] = {}
        self._ends: dict[int, list[list[int]]] = {}  # per subgraph and cover, the ends of its paths
        self._unvisited: dict[int, int] = {}  # per end, blocks of its path not visited
        self._through: dict[int, list[int]] = {}  # per unvisited block, the ends of paths through it
        self._visited: set[int] = set()

    def root(self, subgraph: int) -> int:
        """The node of the subpath that is just the subgraph's entry."""
        found = self._roots.get(subgraph)
        return self._make(subgraph) if found is None else found

    def exhausted(self, subgraph: int) -> bool:
        """No path is wanted any more."""
        return self.open[self.root(subgraph)] == 0

    def arrive(self, node: int) -> None:
        """A run made the step to this node."""
        subgraph = self.entry[node]
        left = self.alive[subgraph] & self.members[node]
        if self._shrink and left and left != self.alive[subgraph]:
            self._leave(subgraph, self.alive[subgraph] ^ left)
        if self.wanted[node]:
            self._close(node)

    def visit(self, block: int) -> None:
        """A block was entered for the first time."""
        self._visited.add(block)
        for end in self._through.pop(block, ()):
            self._unvisited[end] -= 1
            if self._spare and self._unvisited[end] == 0 and self.wanted[end]:
                self._close(end)

    def unvisited(self, path: Path) -> set[int]:
        return set(path) - self._visited

    def wanted_path(self, node: int) -> Path:
        """The first wanted path through a node (any path if none is wanted); with `spare`, of the first few the one
        with the most blocks not visited."""
        ends: list[int] = []
        stack = [node]
        while stack and len(ends) < (_COMPARED if self._spare else 1):
            at = stack.pop()
            children = self._children[at]
            below = [child for child in children if self.open[child]] or children[:1]
            stack.extend(reversed(below))
            if not children or self.wanted[at]:
                ends.append(at)
        return self.path(max(ends, key=lambda end: self._unvisited.get(end, 0)))

    def path(self, node: int) -> Path:
        """The subpath a node stands for."""
        blocks: list[int] = []
        while node != NOWHERE:
            blocks.append(self._blocks[node])
            node = self._parents[node]
        return tuple(reversed(blocks))

    # ---- making ----

    def _make(self, subgraph: int) -> int:
        covers = minimum_path_covers(self._subgraphs[subgraph].edges, subgraph, self._limit)
        root = self._roots[subgraph] = self._node(NOWHERE, subgraph, subgraph)
        self.alive[subgraph] = (1 << len(covers)) - 1
        self._ends[subgraph] = [
            [self._enter(root, path, 1 << number, subgraph) for path in cover] for number, cover in enumerate(covers)
        ]
        for end in sorted({end for ends in self._ends[subgraph] for end in ends}):
            self._want(end)
        return root

    def _node(self, parent: int, block: int, subgraph: int) -> int:
        number = len(self.open)
        self.open.append(0)
        self.members.append(0)
        self.wanted.append(False)
        self.entry.append(subgraph)
        self._parents.append(parent)
        self._children.append([])
        self._blocks.append(block)
        if parent != NOWHERE:
            self.steps[edge(parent, block)] = number
            self._children[parent].append(number)
        return number

    def _enter(self, root: int, path: Path, cover: int, subgraph: int) -> int:
        """Adds a path; virtual return nodes are nothing a run can be at."""
        node = root
        self.members[node] |= cover
        for block in path[1:]:
            if block > 0:
                below = self.steps.get(edge(node, block))
                node = self._node(node, block, subgraph) if below is None else below
                self.members[node] |= cover
        return node

    def _want(self, end: int) -> None:
        blocks = {block for block in self.path(end) if block not in self._visited}
        self._unvisited[end] = len(blocks)
        for block in blocks:
            self._through.setdefault(block, []).append(end)
        if blocks or not self._spare:
            self.wanted[end] = True
            self._count(end, 1)

    # ---- shrinking ----

    def _leave(self, subgraph: int, gone: int) -> None:
        self.alive[subgraph] &= ~gone
        for cover in bits(gone):
            for end in self._ends[subgraph][cover]:
                if self.wanted[end] and not self.members[end] & self.alive[subgraph]:
                    self._close(end)

    def _close(self, end: int) -> None:
        self.wanted[end] = False
        self._count(end, -1)
        if self.open[self._roots[self.entry[end]]] == 0:
            self.on_exhausted(self.entry[end])

    def _count(self, node: int, by: int) -> None:
        while node != NOWHERE:
            self.open[node] += by
            node = self._parents[node]
