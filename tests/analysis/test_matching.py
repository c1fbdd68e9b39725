"""Matchings: one of maximum size, and each of them once."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from cinquefoil.analysis.matching import Matching, maximum_matching, maximum_matchings

bipartite = st.integers(0, 5).flatmap(lambda rights: st.tuples(
    st.lists(st.integers(0, (1 << rights) - 1), max_size=5), st.just(rights)
))  # fmt: skip


def brute_force(rows: list[int], rights: int) -> set[Matching]:
    """All maximum matchings."""
    choices = [[-1, *(r for r in range(rights) if row >> r & 1)] for row in rows]
    found: dict[int, set[Matching]] = {}
    for matching in itertools.product(*choices):
        used = [right for right in matching if right >= 0]
        if len(set(used)) == len(used):
            found.setdefault(len(used), set()).add(matching)
    return found[max(found)]


@given(bipartite)
def test_one_is_maximum(graph: tuple[list[int], int]) -> None:
    assert maximum_matching(*graph) in brute_force(*graph)


@given(bipartite)
def test_all_are_given_and_each_once(graph: tuple[list[int], int]) -> None:
    given_out = list(maximum_matchings(*graph))
    assert len(given_out) == len(set(given_out))
    assert set(given_out) == brute_force(*graph)


def test_a_complete_graph_has_all_permutations() -> None:
    assert set(maximum_matchings([31] * 5, 5)) == set(itertools.permutations(range(5)))
