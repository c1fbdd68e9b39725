"""Positions for the vertices of an acyclic graph: layers by longest path, order within layers by barycentres.

Sugiyama's scheme without dummy vertices: good enough to read a function's control flow, linear per sweep.
"""

from __future__ import annotations

from cinquefoil.analysis.digraph import Edges, Graph, reversed_graph, topological_order

_SWEEPS = 6


def layered_layout(graph: Graph) -> dict[int, tuple[float, int]]:
    """(column, layer) of each vertex; columns of a layer are one apart and centred on 0."""
    layers = _layers(graph)
    below, above = dict(graph), reversed_graph(graph)
    columns = {v: column for layer in layers for v, column in _centred(layer).items()}
    for sweep in range(_SWEEPS):
        neighbours = above if sweep % 2 == 0 else below
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            layer.sort(key=lambda v: (_barycentre(v, neighbours, columns), columns[v]))
            columns.update(_centred(layer))
    return {v: (columns[v], number) for number, layer in enumerate(layers) for v in layer}


def _layers(graph: Graph) -> list[list[int]]:
    depth = dict.fromkeys(graph, 0)
    for vertex in topological_order(graph):
        for target in graph[vertex]:
            depth[target] = max(depth[target], depth[vertex] + 1)
    layers: list[list[int]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for vertex, number in depth.items():
        layers[number].append(vertex)
    return layers


def _centred(layer: list[int]) -> dict[int, float]:
    return {vertex: number - (len(layer) - 1) / 2 for number, vertex in enumerate(layer)}


def _barycentre(vertex: int, neighbours: Graph | Edges, columns: dict[int, float]) -> float:
    near = neighbours[vertex]
    return sum(columns[other] for other in near) / len(near) if near else columns[vertex]
