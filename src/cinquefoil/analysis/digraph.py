"""Directed graphs as mappings from vertices to successors, and sets of vertices as bits of one integer.

Vertices are integers: block sites, or negative numbers for virtual ones.  Every vertex is a key.  Order is
kept everywhere, so that the same graph gives the same results on every run.  Reachability on n vertices
takes n integers of n bits; unions of whole rows are one operation each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

Graph = Mapping[int, Sequence[int]]
Edges = dict[int, tuple[int, ...]]
Path = tuple[int, ...]


def reversed_graph(graph: Graph) -> Edges:
    """All edges turned round."""
    found: dict[int, list[int]] = {vertex: [] for vertex in graph}
    for vertex, targets in graph.items():
        for target in targets:
            found[target].append(vertex)
    return {vertex: tuple(sources) for vertex, sources in found.items()}


def reachable(graph: Graph, starts: Iterable[int]) -> set[int]:
    """What can be reached, the starts included."""
    stack = list(starts)
    found = set(stack)
    while stack:
        for target in graph.get(stack.pop(), ()):
            if target not in found:
                found.add(target)
                stack.append(target)
    return found


def without_edges(graph: Graph, removed: set[tuple[int, int]]) -> Edges:
    return {v: tuple(t for t in targets if (v, t) not in removed) for v, targets in graph.items()}


def topological_order(graph: Graph) -> list[int]:
    """Every vertex before its successors.  ValueError if there is a cycle."""
    waiting = dict.fromkeys(graph, 0)
    for targets in graph.values():
        for target in targets:
            waiting[target] += 1
    order = [vertex for vertex, count in waiting.items() if count == 0]
    for vertex in order:
        for target in graph[vertex]:
            waiting[target] -= 1
            if waiting[target] == 0:
                order.append(target)
    if len(order) != len(waiting):
        raise ValueError("the graph has a cycle")
    return order


def closure(graph: Graph, order: Sequence[int]) -> list[int]:
    """For each vertex, by its position in the topological order, the positions of all it reaches, itself not
    included."""
    position = {vertex: number for number, vertex in enumerate(order)}
    rows = [0] * len(order)
    for number in range(len(order) - 1, -1, -1):
        row = 0
        for target in graph[order[number]]:
            row |= rows[position[target]] | 1 << position[target]
        rows[number] = row
    return rows


def bits(row: int) -> Iterator[int]:
    """The members of a set, lowest first."""
    while row:
        low = row & -row
        yield low.bit_length() - 1
        row ^= low
