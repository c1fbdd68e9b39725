"""Random graphs, and brute force to hold the algorithms against."""

from __future__ import annotations

import itertools

import networkx as nx
from hypothesis import strategies as st

from cinquefoil.analysis.digraph import Edges, Graph


@st.composite
def dags(draw: st.DrawFn, largest: int = 9) -> Edges:
    """Any acyclic graph: edges lead from lower to higher vertices."""
    count = draw(st.integers(1, largest))
    pairs = list(itertools.combinations(range(1, count + 1), 2))
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return {v: tuple(b for a, b in sorted(chosen) if a == v) for v in range(1, count + 1)}


@st.composite
def single_entry_dags(draw: st.DrawFn, largest: int = 8, base: int = 1) -> Edges:
    """The first vertex reaches all."""
    count = draw(st.integers(1, largest))
    edges: dict[int, set[int]] = {base + v: set() for v in range(count)}
    for v in range(1, count):
        for source in draw(st.sets(st.integers(0, v - 1), min_size=1, max_size=3)):
            edges[base + source].add(base + v)
    return {v: tuple(sorted(targets)) for v, targets in edges.items()}


@st.composite
def flow_graphs(draw: st.DrawFn, largest: int = 12) -> Edges:
    """Any graph the first vertex of which reaches all and is reached by none, cycles of all kinds included."""
    edges = {v: set(targets) for v, targets in draw(single_entry_dags(largest)).items()}
    vertices = sorted(edges)
    pairs = st.tuples(st.sampled_from(vertices), st.sampled_from(vertices[1:] or vertices))
    for source, target in draw(st.lists(pairs, max_size=8)) if len(vertices) > 1 else []:
        edges[source].add(target)
    return {v: tuple(sorted(targets)) for v, targets in edges.items()}


@st.composite
def structured(draw: st.DrawFn, depth: int = 3) -> Edges:
    """Nested ifs and loops with breaks and continues: what compilers make of structured code."""
    edges: dict[int, set[int]] = {1: set()}

    def fresh() -> int:
        edges[len(edges) + 1] = set()
        return len(edges)

    def statement(at: int, level: int, out: int, again: int) -> int:
        """Code from block `at` on; gives the block behind it."""
        kind = draw(st.sampled_from(["plain", "if", "loop", "two"] if level else ["plain", "leave"]))
        if kind == "plain" or (kind == "leave" and not out):
            after = fresh()
            edges[at].add(after)
            return after
        if kind == "leave":
            after = fresh()
            edges[at] |= {after, draw(st.sampled_from([out, again]))}
            return after
        if kind == "two":
            return statement(statement(at, level - 1, out, again), level - 1, out, again)
        if kind == "if":
            then, after = fresh(), fresh()
            edges[at] |= {then, after}
            edges[statement(then, level - 1, out, again)].add(after)
            return after
        header, body, after = fresh(), fresh(), fresh()
        edges[at].add(header)
        edges[header] |= {body, after}
        edges[statement(body, level - 1, after, header)].add(header)
        return after

    statement(1, depth, 0, 0)
    return {v: tuple(sorted(targets)) for v, targets in edges.items()}


def digraph(graph: Graph) -> nx.DiGraph:
    made: nx.DiGraph = nx.DiGraph()
    made.add_nodes_from(graph)
    made.add_edges_from((v, t) for v, targets in graph.items() for t in targets)
    return made


def largest_antichain(graph: Graph) -> int:
    """By looking at all sets of vertices."""
    reach = {v: nx.descendants(digraph(graph), v) for v in graph}
    apart = {(a, b) for a in graph for b in graph if a != b and b not in reach[a] and a not in reach[b]}
    best = 1
    stack: list[tuple[int, list[int]]] = [(0, sorted(graph))]
    while stack:
        size, rest = stack.pop()
        best = max(best, size)
        for number, vertex in enumerate(rest):
            stack.append((size + 1, [other for other in rest[number + 1 :] if (vertex, other) in apart]))
    return best


def is_real(graph: Graph, path: tuple[int, ...]) -> bool:
    return all(b in graph[a] for a, b in itertools.pairwise(path))
