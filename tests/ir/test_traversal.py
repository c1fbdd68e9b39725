"""Uses and control flow, against networkx on random graphs."""

from __future__ import annotations

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from cinquefoil.ir import traversal
from cinquefoil.ir.model import Call, ConstInt, Function
from cinquefoil.ir.parser import parse_module
from cinquefoil.ir.types import I32


def _function(edges: list[list[int]]) -> Function:
    """A function whose block b<i> jumps to the blocks in edges[i]."""
    lines = ["define void @f(i32 %x) {"]
    for i, targets in enumerate(edges):
        lines.append(f"b{i}:")
        cases = " ".join(f"i32 {n}, label %b{target}" for n, target in enumerate(targets[1:]))
        lines.append(f"  switch i32 %x, label %b{targets[0]} [{cases}]" if targets else "  ret void")
    return parse_module("\n".join([*lines, "}"])).functions["f"]


@st.composite
def graphs(draw: st.DrawFn) -> list[list[int]]:
    count = draw(st.integers(1, 12))
    target = st.integers(1, count - 1) if count > 1 else st.nothing()
    return [draw(st.lists(target, max_size=3)) if count > 1 else [] for _ in range(count)]


def _graph(edges: list[list[int]]) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from(f"b{i}" for i in range(len(edges)))
    graph.add_edges_from((f"b{i}", f"b{target}") for i, targets in enumerate(edges) for target in targets)
    return graph


@given(graphs())
@settings(max_examples=80)
def test_dominators(edges: list[list[int]]) -> None:
    found = traversal.immediate_dominators(_function(edges))
    expected = {k: v for k, v in nx.immediate_dominators(_graph(edges), "b0").items() if k != "b0"}
    assert found == {**expected, "b0": None}


@given(graphs())
@settings(max_examples=80)
def test_order_and_loops(edges: list[list[int]]) -> None:
    function, graph = _function(edges), _graph(edges)
    order = traversal.reverse_post_order(function)
    assert order[0] == "b0"
    assert set(order) == nx.descendants(graph, "b0") | {"b0"}
    reachable = nx.DiGraph(graph.subgraph(order))
    reachable.remove_edges_from(traversal.retreating_edges(function))
    assert nx.is_directed_acyclic_graph(reachable)
    assert all(order.index(a) < order.index(b) for a, b in reachable.edges)


@given(graphs())
@settings(max_examples=80)
def test_every_cycle_has_a_header(edges: list[list[int]]) -> None:
    function, graph = _function(edges), _graph(edges)
    reachable = nx.DiGraph(graph.subgraph(traversal.reverse_post_order(function)))
    reachable.remove_nodes_from(traversal.loop_headers(function))
    assert nx.is_directed_acyclic_graph(reachable)


def test_predecessors_are_listed_once() -> None:
    function = _function([[1, 1, 2], [2], []])
    assert traversal.predecessors(function) == {"b0": [], "b1": ["b0"], "b2": ["b0", "b1"]}


def test_irreducible_cycle_has_a_header() -> None:
    assert traversal.loop_headers(_function([[1, 2], [2], [1]])) in ({"b1"}, {"b2"})


CALLS = """
define i32 @f(ptr %g, i32 %x, ptr %p) {
  %r = call i32 %g(i32 %x, i32 3) [ "align"(ptr %p, i64 8) ]
  ret i32 %r
}
"""


def test_uses_include_callee_and_bundles() -> None:
    function = parse_module(CALLS).functions["f"]
    call = function.blocks[0].instructions[0]
    assert [local.name for local in traversal.locals_of(call)] == ["x", "g", "p"]
    assert traversal.users(function)["r"] == [function.blocks[0].terminator]
    assert traversal.definitions(function) == {"r": call}


def test_replacement_is_in_place() -> None:
    function = parse_module(CALLS).functions["f"]
    call = function.blocks[0].instructions[0]
    assert isinstance(call, Call)
    traversal.replace_operands(call, {"x": ConstInt(7, I32), "p": call.callee})
    assert call.operands[0] == ConstInt(7, I32)
    assert call.bundles[0].operands[0] == call.callee
