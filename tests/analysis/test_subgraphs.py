"""Loops and acyclic subgraphs: nothing of a program is lost, and nothing has a cycle."""

from __future__ import annotations

import networkx as nx
from graphs import digraph, flow_graphs, structured
from hypothesis import given

from cinquefoil.analysis.digraph import Edges, topological_order
from cinquefoil.analysis.icfg import build_icfg
from cinquefoil.analysis.loops import find_loops
from cinquefoil.analysis.path_cover import minimum_path_covers
from cinquefoil.analysis.subgraphs import Decomposition, decompose


def natural_loops(graph: Edges) -> dict[int, set[int]]:
    """By networkx' dominators and plain reachability."""
    made = digraph(graph)
    above = nx.immediate_dominators(made, 1)
    found: dict[int, set[int]] = {}
    for source, header in made.edges:
        chain = [source]
        while chain[-1] != 1:
            chain.append(above[chain[-1]])
        if header in chain:
            without = made.copy()
            without.remove_node(header)
            body = {header} | ({source} | nx.ancestors(without, source) if source != header else set())
            found[header] = found.get(header, set()) | body
    return found


@given(flow_graphs())
def test_loops_are_the_natural_ones(graph: Edges) -> None:
    nest = find_loops(graph, 1)
    assert {loop.header: set(loop.body) for loop in nest.loops} == natural_loops(graph)
    topological_order(nest.acyclic)
    for loop in nest.loops:
        around = [other for other in nest.loops if loop.header in other.body and other is not loop]
        assert loop.parent == (min(around, key=lambda other: len(other.body)).header if around else None)


@given(flow_graphs())
def test_irreducible_cycles_are_counted(graph: Edges) -> None:
    nest = find_loops(graph, 1)
    rest = digraph(graph)
    rest.remove_edges_from((latch, loop.header) for loop in nest.loops for latch in loop.latches)
    assert nest.irreducible == sum(len(c) > 1 for c in nx.strongly_connected_components(rest))


@given(structured())
def test_structured_code_has_no_irreducible_cycles_and_loses_no_edge(graph: Edges) -> None:
    found = decompose(build_icfg(graph, {}, [1]))
    assert found.irreducible == 0
    assert kept_edges(graph, found) == {(v, t) for v, targets in graph.items() for t in targets}
    nothing_is_lost(graph, found)


@given(flow_graphs())
def test_any_graph_loses_no_block(graph: Edges) -> None:
    nothing_is_lost(graph, decompose(build_icfg(graph, {}, [1])))


def kept_edges(graph: Edges, found: Decomposition) -> set[tuple[int, int]]:
    """The subgraphs' own edges between blocks, and the edges back to headers."""
    kept = {(v, loop.header) for loop in find_loops(graph, 1).loops for v in loop.latches}
    for sub in found.subgraphs.values():
        own = [v for v in sub.edges if v not in sub.exits and (v == sub.entry or v not in found.subgraphs)]
        kept |= {(v, target) for v in own for target in sub.edges[v] if target > 0}
    return kept


def nothing_is_lost(graph: Edges, found: Decomposition) -> None:
    nest = find_loops(graph, 1)
    assert set(found.subgraphs) == {1, *(loop.header for loop in nest.loops)}
    seen: set[int] = set()
    for sub in found.subgraphs.values():
        topological_order(sub.edges)
        for cover in minimum_path_covers(sub.edges, sub.entry, limit=2):
            assert {v for path in cover for v in path} == set(sub.edges)
        seen |= {vertex for vertex in sub.edges if vertex > 0}
    assert seen == set(graph)
    assert {block for block, entry in found.innermost.items() if block in found.subgraphs[entry].edges} == set(graph)


def test_figure_3_calls_are_cut_and_returns_joined() -> None:
    """Two callers of one function: its subgraph has one entry and the virtual return node as its one exit."""
    cfg = {1: (2,), 2: (), 11: (12, 13), 12: (), 13: ()}
    icfg = build_icfg(cfg, {1: (11,), 2: (11,)}, [1, 11])
    assert icfg.functions == {1: {1: (2,), 2: (-1,), -1: ()}, 11: {11: (12, 13), 12: (-11,), 13: (-11,), -11: ()}}
    assert icfg.edges[1] == (2, 11)
    assert set(icfg.edges[-11]) == {2, -1}
    assert set(icfg.sources()[2]) == {1, -11}
    assert decompose(icfg).subgraphs[11].exits == {-11}


def test_figure_4_a_loop_is_one_vertex_outside() -> None:
    cfg = {1: (2,), 2: (3, 6), 3: (4, 5), 4: (2,), 5: (2, 7), 6: (), 7: ()}
    found = decompose(build_icfg(cfg, {}, [1])).subgraphs
    assert found[2].edges == {2: (3, 6), 3: (4, 5), 4: (), 5: (7,), 6: (), 7: ()}
    assert found[2].exits == {6, 7}
    assert found[1].edges == {1: (2,), 2: (6, 7), 6: (-1,), 7: (-1,), -1: ()}
