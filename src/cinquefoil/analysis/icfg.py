"""The inter-procedural control-flow graph over block sites.

Calls stand inside blocks, so a block that calls has both its own successors and edges to the entries of what
it may call.  Every function has one virtual return node, numbered minus its entry, behind all of its returns
(Empc, figure 3): from there control goes on to what follows the calls.  Functions are told apart by
reachability from their entries along edges that are no calls.

Risk: calls through pointers have no edges.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cinquefoil.analysis.digraph import Edges, Graph, reachable, reversed_graph


@dataclass(frozen=True, slots=True)
class ICFG:
    """`functions`: entry to the function's own graph, virtual return node included.  `owner`: block to the
    entry of its function.  `edges`: the whole graph, calls and returns included."""

    functions: dict[int, Edges]
    owner: dict[int, int]
    edges: Edges

    def sources(self) -> Edges:
        """Predecessors over calls and returns: what the backward search for dependence walks."""
        return reversed_graph(self.edges)


def build_icfg(cfg: Graph, calls: Mapping[int, Iterable[int]], entries: Iterable[int]) -> ICFG:
    """`calls`: block to entries of the functions it may call."""
    functions: dict[int, Edges] = {}
    owner: dict[int, int] = {}
    for entry in sorted(entries):
        if entry in owner:
            continue  # one that another function jumps into is a part of it
        blocks = sorted(reachable(cfg, [entry]) - owner.keys())
        owner.update(dict.fromkeys(blocks, entry))
        functions[entry] = _with_return(cfg, blocks, entry)
    return ICFG(functions, owner, _whole(functions, calls))


def _with_return(cfg: Graph, blocks: list[int], entry: int) -> Edges:
    """The function's blocks; those that end in it, by a return or not, lead to the virtual return node."""
    own = set(blocks)
    inside = {block: tuple(t for t in dict.fromkeys(cfg.get(block, ())) if t in own) for block in blocks}
    return {**{block: targets or (-entry,) for block, targets in inside.items()}, -entry: ()}


def _whole(functions: dict[int, Edges], calls: Mapping[int, Iterable[int]]) -> Edges:
    edges: dict[int, dict[int, None]] = {
        vertex: dict.fromkeys(targets) for graph in functions.values() for vertex, targets in graph.items()
    }
    for block in sorted(calls):
        after = tuple(t for t in edges.get(block, ()) if t not in functions)
        for entry in calls[block]:
            if entry in functions and block in edges:
                edges[block][entry] = None
                edges[-entry].update(dict.fromkeys(after))
    return {vertex: tuple(targets) for vertex, targets in edges.items()}
