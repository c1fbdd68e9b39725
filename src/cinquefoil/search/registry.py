"""Search strategies by name (see `cinquefoil.registry`); entry points are of group `cinquefoil.searchers`."""

from __future__ import annotations

from collections.abc import Sequence

from cinquefoil.registry import Registry
from cinquefoil.search.api import Context, Searcher

DEFAULT = ("random-path", "edges", "random-path", "bfs")
"""KLEE's random-path; uncovered directions first, else least travelled subpaths; early decisions in full."""

REGISTRY: Registry[Searcher] = Registry(
    "search strategy",
    "cinquefoil.searchers",
    {
        "dfs": "cinquefoil.search.order:DepthFirst",
        "bfs": "cinquefoil.search.order:BreadthFirst",
        "random-state": "cinquefoil.search.nurs:RandomState",
        "random-path": "cinquefoil.search.randompath:RandomPath",
        "nurs:covnew": "cinquefoil.search.nurs:CoveringNew",
        "nurs:md2u": "cinquefoil.search.nurs:NearUncovered",
        "nurs:depth": "cinquefoil.search.nurs:Depth",
        "nurs:rp": "cinquefoil.search.nurs:RandomPathWeight",
        "nurs:icnt": "cinquefoil.search.nurs:InstructionCount",
        "nurs:cpicnt": "cinquefoil.search.nurs:CallPathCount",
        "nurs:qc": "cinquefoil.search.nurs:QueryCost",
        "edges": "cinquefoil.search.edges:Edges",
        "sgs": "cinquefoil.search.sgs:subpath_guided",
        "empc": "cinquefoil.search.empc:empc",
    },
)
register_searcher = REGISTRY.register
names = REGISTRY.names


def make(name: str, context: Context) -> Searcher:
    """The strategy called `name`, parameters included."""
    return REGISTRY.make(name, context)


def make_all(wanted: Sequence[str], context: Context) -> Searcher:
    """One strategy, or several that alternate; one that is named twice is asked twice as often."""
    from cinquefoil.search.interleave import Interleave

    chosen = wanted or DEFAULT
    searchers = {name: make(name, context) for name in dict.fromkeys(chosen)}
    if len(searchers) == 1:
        return searchers[chosen[0]]
    order = list(searchers)
    return Interleave(list(searchers.values()), [order.index(name) for name in chosen])
