"""Depth-first search, for every graph in the project: of labels, of block numbers."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

Vertex = TypeVar("Vertex", bound=Hashable)


def depth_first(
    graph: Mapping[Vertex, Iterable[Vertex]], start: Vertex
) -> tuple[list[Vertex], list[tuple[Vertex, Vertex]]]:
    """Post order of a depth-first search, and its retreating edges: without these there is no cycle left among what was
    reached.  It is iterative, so that a graph with very long paths cannot overflow the stack."""
    order: list[Vertex] = []
    retreating: list[tuple[Vertex, Vertex]] = []
    seen, active = {start}, {start}
    stack = [(start, iter(graph[start]))]
    while stack:
        vertex, targets = stack[-1]
        target = next(targets, None)
        if target is None:
            stack.pop()
            active.discard(vertex)
            order.append(vertex)
        elif target in active:
            retreating.append((vertex, target))
        elif target not in seen:
            seen.add(target)
            active.add(target)
            stack.append((target, iter(graph[target])))
    return order, retreating
