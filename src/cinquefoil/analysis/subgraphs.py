"""Acyclic subgraphs of the program: one per function and one per natural loop (Empc, section 4.1.1).

A function is a one-entry-one-exit subgraph (Definition 1, Algorithm 2) from its entry to its virtual return
node.  A loop is split off by Algorithm 3: its body without back edges, and the vertices it exits to as
virtual exit vertices; in the graph around it, its header stands for all of it and leads to these exits.
Inner loops are split off first, so a loop's subgraph has a single vertex for every loop inside it.  A
subgraph is known by its entry: no block is both a function's entry and a loop's header, since nothing jumps
to an entry.

Risk: a loop whose function has irreducible cycles loses the edges cut there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cinquefoil.analysis.digraph import Edges, Graph, reachable, reversed_graph
from cinquefoil.analysis.icfg import ICFG
from cinquefoil.analysis.loops import find_loops


@dataclass(frozen=True, slots=True)
class Subgraph:
    """`exits` are the virtual exit vertices of a loop, or the virtual return node of a function.  `body` are
    the blocks inside, those of inner loops included.  `parent` is the subgraph around a loop."""

    entry: int
    edges: Edges
    exits: frozenset[int]
    body: frozenset[int]
    parent: int | None


@dataclass(frozen=True, slots=True)
class Decomposition:
    """All subgraphs by entry, the innermost subgraph of each block, and how many cycles were left alone."""

    subgraphs: dict[int, Subgraph]
    innermost: dict[int, int]
    irreducible: int


def split_function(graph: Graph, entry: int, exit: int) -> tuple[Edges, Edges]:
    """Algorithm 2: the one-entry-one-exit subgraph between two vertices, and the graph in which `entry`
    stands for all of it."""
    inside = reachable(graph, [entry]) & reachable(reversed_graph(graph), [exit]) | {entry, exit}
    sub = {v: tuple(t for t in graph[v] if t in inside) for v in graph if v in inside}
    sub[exit] = ()
    rest = {v: tuple(targets) for v, targets in graph.items() if v not in inside}
    return sub, {**rest, entry: tuple(graph[exit])}


def split_loop(graph: Graph, header: int, members: Iterable[int]) -> tuple[Edges, Edges, tuple[int, ...]]:
    """Algorithm 3: the loop subgraph with its virtual exits, the graph in which `header` stands for the loop,
    and the exits."""
    inside = dict.fromkeys(members)
    exits = tuple(dict.fromkeys(t for v in inside for t in graph[v] if t not in inside))
    sub = {**{v: tuple(graph[v]) for v in inside}, **dict.fromkeys(exits, ())}
    rest = {v: tuple(targets) for v, targets in graph.items() if v not in inside}
    return sub, {**rest, header: exits}, exits


def decompose(icfg: ICFG) -> Decomposition:
    """Every function of the program, split."""
    result = Decomposition({}, {}, 0)
    irreducible = sum(_decompose_function(graph, entry, result) for entry, graph in icfg.functions.items())
    return Decomposition(result.subgraphs, result.innermost, irreducible)


def _decompose_function(graph: Graph, entry: int, result: Decomposition) -> int:
    """Adds a function's subgraphs to the result; gives the number of cycles left alone."""
    back = -entry
    live = reachable(graph, [entry])
    nest = find_loops({v: targets for v, targets in graph.items() if v in live}, entry)
    rest = {**nest.acyclic, back: ()}
    result.innermost.update(dict.fromkeys((v for v in live if v != back), entry))
    for loop in reversed(nest.loops):  # outer first, so that inner ones overwrite
        result.innermost.update(dict.fromkeys(loop.body, loop.header))
    for loop in nest.loops:
        sub, rest, exits = split_loop(rest, loop.header, [v for v in rest if v in loop.body])
        parent = entry if loop.parent is None else loop.parent
        result.subgraphs[loop.header] = Subgraph(loop.header, sub, frozenset(exits), loop.body, parent)
    closed = {v: targets or (() if v == back else (back,)) for v, targets in rest.items()}
    sub, _ = split_function(closed, entry, back)
    result.subgraphs[entry] = Subgraph(entry, sub, frozenset({back}), frozenset(live - {back}), None)
    return nest.irreducible
