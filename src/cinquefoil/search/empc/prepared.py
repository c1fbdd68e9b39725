"""All that Empc knows of a program before it runs: graph, subgraphs, covers, dependence.

Made once per program and kept in the cache, by content, as images are: with it, an exploration spends its time
exploring.  For every branch, the blocks it depends on (Definitions 3 and 4) are kept in the order in which a search
backwards over the inter-procedural graph meets them (section 4.2), the nearest first.

Risk: of the blocks that a branch depends on, only _MOST are kept, and only those among the _FAR nearest blocks.
"""

from __future__ import annotations

import marshal
import pickle
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cinquefoil import analysis
from cinquefoil.analysis.covertrees import CoverTrees, build_trees
from cinquefoil.analysis.dependence import load_dependence
from cinquefoil.analysis.digraph import Edges
from cinquefoil.analysis.icfg import ICFG, build_icfg
from cinquefoil.analysis.subgraphs import Decomposition, decompose
from cinquefoil.build.cache import get_or_make
from cinquefoil.machine.graph import ProgramGraph
from cinquefoil.native import core

_FAR = 2_000  # blocks walked backwards per branch
_MOST = 64


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """`ancestors`: by block with a branch."""

    icfg: ICFG
    decomposition: Decomposition
    trees: CoverTrees
    ancestors: dict[int, tuple[int, ...]]


def prepared(graph: ProgramGraph) -> Prepared:
    """From the cache if it is there; a graph whose program is not known is analysed anew, without dependence."""
    if graph.module is None:
        return prepare(graph)
    identity = marshal.dumps((graph.cfg, graph.calls, sorted(graph.entries), graph.names), 2)
    parts = [*_sources(), identity, graph.module]

    def make(target: Path) -> None:
        target.write_bytes(pickle.dumps(prepare(graph)))

    path = get_or_make("empc", parts, ".pickle", make)
    return pickle.loads(path.read_bytes())  # our own cache: it holds what we execute, too


def prepare(graph: ProgramGraph) -> Prepared:
    """The analysis itself."""
    icfg = build_icfg(graph.cfg, graph.calls, graph.entries)
    decomposition = decompose(icfg)
    dependence = load_dependence(graph.module, graph.names)
    wanted = {branch: dependence.of(branch) for branch in branches_of(graph)}
    return Prepared(icfg, decomposition, build_trees(decomposition), nearest(icfg.sources(), wanted))


def branches_of(graph: ProgramGraph) -> list[int]:
    """The blocks that end in a choice."""
    return [block for block, targets in graph.cfg.items() if len(targets) > 1]


def nearest(sources: Edges, wanted: dict[int, frozenset[int]]) -> dict[int, tuple[int, ...]]:
    """The wanted blocks that lead to each branch, nearest first."""
    search = _Backwards(sources)
    return {branch: found for branch, blocks in wanted.items() if (found := search.nearest(branch, blocks))}


class _Backwards:
    """A graph for the native search."""

    def __init__(self, sources: Edges) -> None:
        self._vertices = list(sources)
        self._index = {vertex: index for index, vertex in enumerate(self._vertices)}
        counts = [len(targets) for targets in sources.values()]
        self._first = np.cumsum([0, *counts]).astype(np.int32)
        self._targets = _indices(self._index, (target for targets in sources.values() for target in targets))
        self._wanted = np.zeros(len(self._vertices), np.uint8)
        self._seen = np.zeros(len(self._vertices), np.int32)
        self._stamp = 0
        self._queue, self._found = np.empty(_FAR, np.uint32), np.empty(_MOST, np.uint32)

    def nearest(self, start: int, wanted: Iterable[int]) -> tuple[int, ...]:
        if start not in self._index:
            return ()
        marks = _indices(self._index, (block for block in wanted if block in self._index))
        if not len(marks):
            return ()
        self._wanted[marks] = 1
        self._stamp += 1
        count = core.cinq_nearest(
            core.address(self._first),
            core.address(self._targets),
            self._index[start],
            core.address(self._wanted),
            min(len(marks), _MOST),
            _FAR,
            core.address(self._seen),
            self._stamp,
            core.address(self._queue),
            core.address(self._found),
        )
        self._wanted[marks] = 0
        found: list[int] = self._found[:count].tolist()
        return tuple([self._vertices[index] for index in found])


def _indices(index: dict[int, int], vertices: Iterable[int]) -> NDArray[np.int32]:
    return np.fromiter((index[vertex] for vertex in vertices), np.int32)


@cache
def _sources() -> tuple[Path, ...]:
    """The code whose results are kept."""
    folder = Path(analysis.__file__).parent
    return (*sorted(folder.glob("*.py")), Path(__file__))
