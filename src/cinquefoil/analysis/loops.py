"""Natural loops of a function, nested ones too; and what is no natural loop.

A back edge leads to a block that dominates its source; the back edges to one header make one loop, whose
body is what reaches them without passing the header.  Two loops are nested or disjoint, also in irreducible
graphs.  Cycles that are left without back edges have several entries: they are counted, and the retreating
edges of one depth-first search are cut so that the rest has no cycle (Empc, section 4.1.1, leaves such loops
alone in the same way).
"""

from __future__ import annotations

from dataclasses import dataclass

import rustworkx as rx

from cinquefoil.analysis.digraph import Edges, Graph, reversed_graph, without_edges
from cinquefoil.ir.depth_first import depth_first


@dataclass(frozen=True, slots=True)
class Loop:
    """`body` holds the header too; `parent` is the header of the loop around it, None if there is none."""

    header: int
    body: frozenset[int]
    latches: tuple[int, ...]
    parent: int | None


@dataclass(frozen=True, slots=True)
class LoopNest:
    """The loops, inner ones before those around them.  `acyclic` is the graph without back edges and without
    the edges cut in `irreducible` other cycles."""

    loops: tuple[Loop, ...]
    acyclic: Edges
    irreducible: int


def find_loops(graph: Graph, entry: int) -> LoopNest:
    """The loops of what `entry` reaches, which must be all of the graph."""
    above = _dominators(graph, entry)
    _, retreating = depth_first(graph, entry)
    back = [(source, header) for source, header in retreating if _dominates(above, header, source)]
    loops = _nest(_bodies(graph, back))
    rest = without_edges(graph, set(back))
    _, others = depth_first(rest, entry)
    return LoopNest(loops, without_edges(rest, set(others)), _cycles(rest))


def _dominators(graph: Graph, entry: int) -> dict[int, int]:
    """The immediate dominator of each vertex; the entry's is itself."""
    made, vertices = _numbered(graph)
    found = rx.immediate_dominators(made, vertices.index(entry))
    return {vertices[below]: vertices[above] for below, above in found.items()}


def _dominates(above: dict[int, int], upper: int, lower: int) -> bool:
    while lower != upper and above[lower] != lower:
        lower = above[lower]
    return lower == upper


def _bodies(graph: Graph, back: list[tuple[int, int]]) -> dict[int, tuple[frozenset[int], tuple[int, ...]]]:
    sources = reversed_graph(graph)
    latches: dict[int, list[int]] = {}
    for source, header in back:
        latches.setdefault(header, []).append(source)
    found: dict[int, tuple[frozenset[int], tuple[int, ...]]] = {}
    for header, ends in latches.items():
        body = {header}
        stack = list(ends)
        while stack:
            block = stack.pop()
            if block not in body:
                body.add(block)
                stack.extend(sources[block])
        found[header] = (frozenset(body), tuple(ends))
    return found


def _nest(bodies: dict[int, tuple[frozenset[int], tuple[int, ...]]]) -> tuple[Loop, ...]:
    ordered = sorted(bodies, key=lambda header: (len(bodies[header][0]), header))
    loops: list[Loop] = []
    for number, header in enumerate(ordered):
        parent = next((outer for outer in ordered[number + 1 :] if header in bodies[outer][0]), None)
        loops.append(Loop(header, *bodies[header], parent))
    return tuple(loops)


def _cycles(graph: Graph) -> int:
    """Strongly connected components of more than one vertex."""
    return sum(len(component) > 1 for component in rx.strongly_connected_components(_numbered(graph)[0]))


def _numbered(graph: Graph) -> tuple[rx.PyDiGraph[int | None, None], list[int]]:
    """The graph for the library, and the vertices by the numbers it has there."""
    vertices = list(graph)
    number = {vertex: n for n, vertex in enumerate(vertices)}
    made: rx.PyDiGraph[int | None, None] = rx.PyDiGraph()
    made.add_nodes_from(vertices)
    made.extend_from_edge_list([(number[v], number[t]) for v, targets in graph.items() for t in targets])
    return made, vertices
