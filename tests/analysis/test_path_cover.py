"""Minimum path covers against brute force, and Empc's theorems about them."""

from __future__ import annotations

import pytest
from graphs import dags, is_real, largest_antichain, single_entry_dags
from hypothesis import given
from hypothesis import strategies as st

from cinquefoil.analysis.digraph import Edges, Graph
from cinquefoil.analysis.path_cover import count_paths, minimum_path_cover, minimum_path_covers
from cinquefoil.analysis.subgraphs import split_function, split_loop

# Empc, figure 1: two forks give three subpaths that merge before a third fork.
FIGURE_1 = {1: (2, 3), 2: (6,), 3: (4, 5), 4: (6,), 5: (6,), 6: (7, 8), 7: (9,), 8: (9,), 9: ()}


def test_figure_1() -> None:
    assert count_paths(FIGURE_1, 1) == 6
    cover = minimum_path_cover(FIGURE_1, 1)
    assert len(cover) == 3
    assert all(path[0] == 1 and path[-1] == 9 and is_real(FIGURE_1, path) for path in cover)
    assert {block for path in cover for block in path} == set(FIGURE_1)


@given(dags())
def test_a_cover_is_minimum_complete_and_real(graph: Edges) -> None:
    cover = minimum_path_cover(graph)
    assert len(cover) == largest_antichain(graph)  # Dilworth
    assert {vertex for path in cover for vertex in path} == set(graph)
    assert all(is_real(graph, path) for path in cover)


@given(single_entry_dags())
def test_all_covers_are_complete_paths_from_the_entry(graph: Edges) -> None:
    covers = minimum_path_covers(graph, 1, limit=12)
    size = largest_antichain(graph)
    assert len({frozenset(cover) for cover in covers}) == len(covers)
    for cover in covers:
        assert len(cover) == size
        assert {vertex for path in cover for vertex in path} == set(graph)
        assert all(path[0] == 1 and not graph[path[-1]] and is_real(graph, path) for path in cover)


def test_covers_come_in_the_same_order_and_within_the_limit() -> None:
    covers = minimum_path_covers(FIGURE_1, 1, limit=3)
    assert len(covers) == 3
    assert covers == minimum_path_covers(FIGURE_1, 1, limit=3)
    assert covers == minimum_path_covers(FIGURE_1, 1, limit=5)[:3]


def test_a_cycle_is_refused() -> None:
    with pytest.raises(ValueError, match="cycle"):
        minimum_path_cover({1: (2,), 2: (1,)})


def size(graph: Graph) -> int:
    return len(minimum_path_cover(graph))


def most_through(graph: Graph, vertex: int) -> int:
    """The largest k such that some minimum cover has k paths through the vertex: with k copies of it that
    all have to be covered, the cover must not grow."""
    k = 1
    while size(_copied(graph, vertex, k + 1)) == size(graph):
        k += 1
    return k


def _copied(graph: Graph, vertex: int, times: int) -> Edges:
    copies = [vertex, *(-1000 - n for n in range(1, times))]
    made = {v: tuple(c for t in targets for c in (copies if t == vertex else [t])) for v, targets in graph.items()}
    return {**made, **dict.fromkeys(copies, made[vertex])}


@st.composite
def with_function(draw: st.DrawFn) -> tuple[Edges, int, int]:
    """A graph with a one-entry-one-exit subgraph instead of one vertex; its entry and exit."""
    outer = draw(dags(7))
    at = draw(st.sampled_from(sorted(outer)))
    inner = draw(single_entry_dags(6, base=101))
    inner = {v: targets or (200,) for v, targets in inner.items()} | {200: ()}
    around = {v: tuple(101 if t == at else t for t in targets) for v, targets in outer.items() if v != at}
    return {**around, **inner, 200: outer[at]}, 101, 200


@given(with_function())
def test_theorem_1(case: tuple[Edges, int, int]) -> None:
    graph, entry, exit = case
    sub, rest = split_function(graph, entry, exit)
    assert set(sub) | set(rest) == set(graph)
    k = most_through(rest, entry)
    assert size(graph) == size(rest) - k + max(size(sub), k)


@st.composite
def with_loop(draw: st.DrawFn, exits: int) -> tuple[Edges, int, list[int]]:
    """A graph with a loop's body (back edges already removed); its header and members.  As Definition 2 asks,
    exits are reached from the loop alone."""
    body = draw(single_entry_dags(6, base=101))
    outside = list(range(201, 201 + exits))
    ends = {v: draw(st.sets(st.sampled_from(outside), min_size=0 if body[v] else 1, max_size=2)) for v in body}
    for missing in sorted(set(outside).difference(*ends.values())):
        ends[draw(st.sampled_from(sorted(body)))].add(missing)
    after = draw(dags(5))
    graph: Edges = {1: (101, 2), 2: ()}
    graph |= {v: (*targets, *sorted(ends[v])) for v, targets in body.items()}
    graph |= {e: tuple(300 + t for t in draw(st.sets(st.sampled_from(sorted(after)), max_size=2))) for e in outside}
    graph |= {300 + v: tuple(300 + t for t in targets) for v, targets in after.items()}
    return graph, 101, sorted(body)


@given(with_loop(1))
def test_theorem_2_with_one_exit(case: tuple[Edges, int, list[int]]) -> None:
    graph, header, members = case
    sub, rest, exits = split_loop(graph, header, members)
    assert set(sub) | set(rest) == set(graph)
    assert exits == (201,)
    k = most_through(rest, header)
    assert size(graph) == size(rest) - k + max(size(sub), k)


@given(with_loop(3))
def test_theorem_2_is_a_lower_bound_with_several_exits(case: tuple[Edges, int, list[int]]) -> None:
    graph, header, members = case
    sub, rest, _ = split_loop(graph, header, members)
    k = most_through(rest, header)
    assert size(graph) >= size(rest) - k + max(size(sub), k)


def test_theorem_2_does_not_hold_for_every_loop_with_two_exits() -> None:
    """Many ways behind one exit and many paths to the other: the paper's formula counts only the larger sum."""
    after = dict.fromkeys(range(11, 17), ())
    graph = {1: (2, 3, 4, 5), 2: (6,), 3: (7,), 4: (7,), 5: (7,), 6: tuple(range(11, 16)), 7: (16,), **after}
    sub, rest, exits = split_loop(graph, 1, [1, 2, 3, 4, 5])
    k = most_through(rest, 1)
    assert (exits, size(sub), size(rest), k) == ((6, 7), 4, 6, 6)
    assert size(rest) - k + max(size(sub), k) == 6
    assert size(graph) == 8
