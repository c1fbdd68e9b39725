"""What Empc prepares: the native search backwards against a plain one, and the cache."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cinquefoil.analysis.digraph import Edges
from cinquefoil.build.program import load_program
from cinquefoil.machine.image import build_image
from cinquefoil.search.empc import prepared as module
from cinquefoil.search.empc.prepared import nearest, prepared

VERTICES = range(1, 9)


@st.composite
def graphs(draw: st.DrawFn) -> Edges:
    targets = st.lists(st.sampled_from(VERTICES), max_size=3, unique=True)
    return {vertex: tuple(draw(targets)) for vertex in VERTICES}


def breadth_first(sources: Edges, start: int, wanted: frozenset[int]) -> tuple[int, ...]:
    found: list[int] = []
    seen, queue = {start}, deque([start])
    while queue:
        for source in sources[queue.popleft()]:
            if source not in seen:
                seen.add(source)
                queue.append(source)
                found += [source] if source in wanted else []
    return tuple(found)


@given(graphs(), st.dictionaries(st.sampled_from(VERTICES), st.frozensets(st.sampled_from(VERTICES))))
def test_ancestors_come_in_the_order_of_a_search_backwards(sources: Edges, wanted: dict[int, frozenset[int]]) -> None:
    expected = {start: breadth_first(sources, start, blocks) for start, blocks in wanted.items()}
    assert nearest(sources, wanted) == {start: found for start, found in expected.items() if found}


SOURCE = """
#include <unistd.h>
int main(void) {
    unsigned char in[2];
    int n = 0;
    if (read(0, in, 2) != 2) return 1;
    if (in[0] > 10) n = 1;
    if (n + in[1] > 100) return 2;
    return 3;
}
"""


def test_a_program_is_analysed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "twice.c"
    source.write_text(SOURCE)
    graph = build_image(load_program(source), blocks=True).graph
    monkeypatch.setenv("CINQUEFOIL_CACHE", str(tmp_path / "cache"))
    first = prepared(graph)
    assert first.ancestors  # the last branch depends on the one before
    monkeypatch.setattr(module, "prepare", lambda graph: pytest.fail("analysed again"))
    second = prepared(graph)
    assert second.ancestors == first.ancestors
    assert second.decomposition == first.decomposition
    assert second.trees.blocks.tolist() == first.trees.blocks.tolist()
