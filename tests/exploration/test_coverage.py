"""Coverage figures, distances to the uncovered, call paths, the block graph."""

from __future__ import annotations

import networkx as nx
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cinquefoil.exploration.runs.callpaths import CallPaths
from cinquefoil.exploration.runs.coverage import Coverage, parts_with
from cinquefoil.exploration.runs.distance import Distances
from cinquefoil.ir.sites import Site, SiteKind
from cinquefoil.machine.graph import ProgramGraph
from cinquefoil.testing.toymachine import toy


def test_figures_grow_to_what_can_be_reached() -> None:
    machine = toy("loops")
    coverage = Coverage(machine.sites)
    gains = [bool(coverage.add(machine.run(data))) for data in machine.inputs()]
    figures = coverage.figures()
    assert Coverage(machine.sites).line_count() == Coverage([]).line_count() == 0
    assert gains[0] and not gains[-1]
    assert figures.blocks == (6, 6)
    assert figures.branches == (4, 4)
    assert figures.functions == (1, 1)
    assert figures.lines[0] == figures.lines[1] == coverage.line_count()


def test_the_library_does_not_count() -> None:
    sites = [Site(SiteKind.FUNCTION, "", "", 0, 0), Site(SiteKind.BLOCK, "main", "a.c", 1, 0)]
    sites.append(Site(SiteKind.LINE, "main", "a.c", 1, 0, block=1))
    sites.append(Site(SiteKind.BLOCK, "strlen", "strlen.c", 1, 0, library=True))
    sites.append(Site(SiteKind.LINE, "strlen", "strlen.c", 1, 0, block=3, library=True))
    figures = Coverage(sites).figures()
    assert (figures.blocks[1], figures.lines[1], figures.functions[1]) == (1, 1, 1)


def test_new_coverage_is_marked_at_the_event_that_follows_it() -> None:
    machine = toy("loops")
    coverage = Coverage(machine.sites)
    coverage.add(machine.run(b"\x00\x00"))
    gain = coverage.add(machine.run(b"\x02\x01"))
    # Events are i<a, b==i, i<a, ...: the loop's body is new before b==0, both its directions before the next.
    assert gain.marks.tolist()[0] == 1
    assert gain


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 12), st.data())
def test_distances_within_a_function_are_shortest_paths(size: int, data: st.DataObject) -> None:
    blocks = range(1, size + 1)
    cfg = {b: tuple(data.draw(st.lists(st.sampled_from(blocks), max_size=2, unique=True))) for b in blocks}
    cost = {b: data.draw(st.integers(1, 9)) for b in blocks}
    goals = data.draw(st.lists(st.sampled_from(blocks), min_size=1, unique=True))
    distance = Distances(ProgramGraph(cfg, {}, cost, frozenset([1])), size + 1).to(np.array(goals, np.int64))
    graph = nx.DiGraph()
    graph.add_nodes_from(blocks)
    graph.add_weighted_edges_from((b, t, cost[b]) for b in blocks for t in cfg[b])
    for block in blocks:
        lengths = nx.single_source_dijkstra_path_length(graph, block)
        expected = min((lengths[goal] + 1 for goal in goals if goal in lengths), default=np.inf)
        assert distance[block] == expected


def test_distances_go_into_through_and_out_of_calls() -> None:
    # main: 1 -> 2 (calls f) -> 3;  f: 10 -> 11;  g, never called: 20
    graph = ProgramGraph(
        {1: (2,), 2: (3,), 3: (), 10: (11,), 11: (), 20: ()},
        {2: (10,)},
        {1: 4, 2: 2, 3: 1, 10: 5, 11: 6, 20: 1},
        frozenset([1, 10, 20]),
    )
    reach = Distances(graph, 21)
    into = reach.to(np.array([11]))
    assert (into[10], into[2], into[1]) == (6, 7, 11)
    through = reach.to(np.array([3]))
    assert through[2] == 13  # into f, through its 11 instructions, and 1 there
    assert through[11] == 7
    assert np.isinf(through[20])


def test_a_call_that_never_returns_is_no_way_through() -> None:
    graph = ProgramGraph({1: (2,), 2: (), 10: ()}, {1: (10,)}, {}, frozenset([1, 10]), frozenset([10]))
    assert np.isinf(Distances(graph, 11).to(np.array([2]))[1])


def test_call_paths_follow_calls_and_returns() -> None:
    # main 1 -> 2 -> 3, calls f (10 -> 11) from 1 and 2; f calls itself from 10
    graph = ProgramGraph(
        {1: (2,), 2: (3,), 3: (), 10: (11,), 11: ()},
        {1: (10,), 2: (10,), 10: (10,)},
        {},
        frozenset([1, 10]),
    )
    functions = np.array([0] + [1] * 9 + [2] * 2)
    paths = CallPaths(graph, functions)
    trace = [1, 10, 10, 11, 11, 2, 10, 11, 3]
    paths.observe(np.array(trace, np.uint32))
    chain = [paths.at(i + 1) for i in range(len(trace))]
    main, once, twice = chain[0], chain[1], chain[2]
    assert len({main, once, twice}) == 3
    assert chain == [main, once, twice, twice, once, main, once, once, main]
    assert paths.counts[[main, once, twice]].tolist() == [3, 4, 2]


@given(st.lists(st.integers(0, 9), max_size=20), st.lists(st.integers(0, 20), max_size=6), st.sets(st.integers(0, 9)))
def test_parts_of_a_trace_with_certain_blocks(blocks: list[int], ends: list[int], wanted: set[int]) -> None:
    trace = np.array(blocks, np.uint32)
    bounds = np.array(sorted(min(end, len(blocks)) for end in ends), np.int64)
    found = parts_with(trace, bounds, np.array(sorted(wanted), np.int64), 10)
    where = np.flatnonzero(np.isin(trace, sorted(wanted)))
    assert found.tolist() == np.unique(np.searchsorted(bounds, where, side="right")).tolist()
