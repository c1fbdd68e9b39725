"""Covers as prefix trees: the same paths, counted and found again."""

from __future__ import annotations

import numpy as np
from graphs import structured
from hypothesis import given

from cinquefoil.analysis.covertrees import NOWHERE, CoverTrees, build_trees
from cinquefoil.analysis.digraph import Edges, Path
from cinquefoil.analysis.icfg import build_icfg
from cinquefoil.analysis.path_cover import minimum_path_covers
from cinquefoil.analysis.subgraphs import decompose


def path_to(trees: CoverTrees, node: int) -> Path:
    blocks: list[int] = []
    while node != NOWHERE:
        blocks.append(int(trees.blocks[node]))
        node = int(trees.parents[node])
    return tuple(reversed(blocks))


@given(structured())
def test_trees_hold_the_paths_of_all_covers_and_no_others(graph: Edges) -> None:
    decomposition = decompose(build_icfg(graph, {}, [1]))
    trees = build_trees(decomposition, 4)
    for entry, (first, end) in trees.spans.items():
        covers = minimum_path_covers(decomposition.subgraphs[entry].edges, entry, 4)
        wanted = [{tuple(block for block in path if block > 0) for path in cover} for cover in covers]
        ends = [node for node in range(first, end) if trees.ends[node]]
        assert {path_to(trees, node) for node in ends} == set().union(*wanted)
        for node in range(first, end):
            path = path_to(trees, node)
            through = [number for number, paths in enumerate(wanted) if any(p[: len(path)] == path for p in paths)]
            assert int(trees.members[node]) == sum(1 << number for number in through)
            assert trees.paths[node] == sum(path_to(trees, each)[: len(path)] == path for each in ends)
            children = trees.children[trees.first[node] : trees.first[node + 1]]
            assert sorted(children.tolist()) == [n for n in range(first, end) if trees.parents[n] == node]


@given(structured())
def test_crossings_are_the_blocks_of_the_paths(graph: Edges) -> None:
    trees = build_trees(decompose(build_icfg(graph, {}, [1])), 4)
    found = sorted(zip(trees.crossed.tolist(), trees.crossing.tolist(), strict=True))
    ends = np.flatnonzero(trees.ends).tolist()
    assert found == sorted((block, end) for end in ends for block in path_to(trees, end))
    assert trees.crossed.tolist() == sorted(trees.crossed.tolist())
