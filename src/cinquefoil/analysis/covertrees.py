"""The covers of all subgraphs of a program, as prefix trees in arrays.

A node is a subpath from its subgraph's entry that a path of some cover begins with; an end is the last node of such a
path.  Nodes of one subgraph have consecutive numbers, parents before children.  Arrays, because a large program has
millions of nodes, of which an exploration looks at few: they are made once, kept on disk, and read as they are.

Virtual return nodes are left out: they are nothing a run can be at.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cinquefoil.analysis.path_cover import LIMIT, Cover, minimum_path_covers
from cinquefoil.analysis.subgraphs import Decomposition

NOWHERE = -1  # the parent of a root; a subpath that no cover has
MOST_COVERS = 63  # of a subgraph, as bits

_Numbers = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class CoverTrees:
    """By node: its parent, its block, the entry of its subgraph, the covers that have a path through it as bits, how
    many ends lie at or below it, and whether it is one.  The children of node n are children[first[n] : first[n + 1]].
    The paths through block crossed[i] end at crossing[i]; `crossed` is sorted.  `spans` are the first node of each
    subgraph, its root, and the one after its last."""

    spans: dict[int, tuple[int, int]]
    parents: _Numbers
    blocks: _Numbers
    entries: _Numbers
    members: NDArray[np.int64]
    paths: _Numbers
    ends: NDArray[np.bool_]
    first: _Numbers
    children: _Numbers
    crossed: _Numbers
    crossing: _Numbers


def build_trees(decomposition: Decomposition, limit: int = LIMIT) -> CoverTrees:
    """Up to `limit` minimum path covers of each subgraph."""
    building = _Building()
    for entry, subgraph in decomposition.subgraphs.items():
        building.add(entry, minimum_path_covers(subgraph.edges, entry, min(limit, MOST_COVERS)))
    return building.trees()


class _Building:
    """Nodes as they come."""

    def __init__(self) -> None:
        self._spans: dict[int, tuple[int, int]] = {}
        self._parents: list[int] = []
        self._blocks: list[int] = []
        self._entries: list[int] = []
        self._members: list[int] = []
        self._ends: set[int] = set()

    def add(self, entry: int, covers: tuple[Cover, ...]) -> None:
        steps: dict[tuple[int, int], int] = {}
        root = self._node(NOWHERE, entry, entry)
        for number, cover in enumerate(covers):
            for path in cover:
                self._ends.add(self._enter(root, path, 1 << number, steps))
        self._spans[entry] = (root, len(self._parents))

    def _enter(self, root: int, path: tuple[int, ...], cover: int, steps: dict[tuple[int, int], int]) -> int:
        node = root
        self._members[node] |= cover
        for block in path[1:]:
            if block > 0:
                below = steps.get((node, block))
                if below is None:
                    below = steps[node, block] = self._node(node, block, self._entries[root])
                node = below
                self._members[node] |= cover
        return node

    def _node(self, parent: int, block: int, entry: int) -> int:
        self._parents.append(parent)
        self._blocks.append(block)
        self._entries.append(entry)
        self._members.append(0)
        return len(self._parents) - 1

    def trees(self) -> CoverTrees:
        parents, blocks = np.array(self._parents, np.int32), np.array(self._blocks, np.int32)
        last = np.array(sorted(self._ends), np.int32)
        ends = np.zeros(len(parents), np.bool_)
        ends[last] = True
        paths, crossed, crossing = _crossings(parents, blocks, last)
        children = np.argsort(parents, kind="stable").astype(np.int32)
        first = np.searchsorted(parents[children], np.arange(len(parents) + 1)).astype(np.int32)
        entries, members = np.array(self._entries, np.int32), np.array(self._members, np.int64)
        return CoverTrees(
            self._spans, parents, blocks, entries, members, paths, ends, first, children, crossed, crossing
        )


def _crossings(parents: _Numbers, blocks: _Numbers, ends: _Numbers) -> tuple[_Numbers, _Numbers, _Numbers]:
    """From all ends upwards at once: how many of them pass each node; the blocks they pass, sorted, and who does."""
    counts = np.zeros(len(parents), np.int32)
    passed, passing = [np.zeros(0, np.int32)], [np.zeros(0, np.int32)]
    at, of = ends, ends
    while len(at):
        np.add.at(counts, at, 1)
        passed.append(blocks[at])
        passing.append(of)
        at = parents[at]
        at, of = at[at != NOWHERE], of[at != NOWHERE]
    crossed, crossing = np.concatenate(passed), np.concatenate(passing)
    order = np.argsort(crossed, kind="stable")
    return counts, crossed[order], crossing[order]
