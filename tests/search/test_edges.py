"""edges: uncovered directions come first, in turn, and those that fail wait."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from test_strategies import Known, witness

from cinquefoil.search import Context, Searcher, State, make


class Partly(Known):
    """Directions of site 50 that are covered can be told."""

    def __init__(self) -> None:
        self.covered: set[int] = {0, 1}

    def uncovered(self, sites: NDArray[np.integer], directions: NDArray[np.integer]) -> NDArray[np.bool_]:
        return (sites == 50) & ~np.isin(directions, list(self.covered))


def edges(known: Known, seed: int = 0) -> Searcher:
    return make("edges", Context(random.Random(seed), known))


def turn(id: int, direction: int) -> State:
    return State(id, 0, witness(), id, 1, 50, direction, 5, 1, 0, 0, -1)


def directions(searcher: Searcher, count: int) -> list[int]:
    chosen: list[int] = []
    for _ in range(count):
        state = searcher.select()
        state.pending = False
        chosen.append(state.alternative)
    return chosen


def crowd(numbers: Sequence[int], each: int) -> list[State]:
    return [turn(id, numbers[id % len(numbers)]) for id in range(len(numbers) * each)]


def test_each_uncovered_direction_is_tried_before_any_covered_one() -> None:
    for seed in range(5):
        searcher = edges(Partly(), seed)
        searcher.add(crowd([0, 0, 0, 1, 1, 2, 3, 7], 6))
        assert sorted(directions(searcher, 3)) == [2, 3, 7]


def test_a_direction_that_stays_uncovered_comes_again_but_less_and_less() -> None:
    searcher = edges(Partly())
    searcher.add(crowd([0, 2], 300))
    chosen = directions(searcher, 200)
    when = [at for at, direction in enumerate(chosen) if direction == 2]
    assert when[0] == 0
    assert len(when) >= 4
    assert chosen.count(0) > 0
    later = edges(Partly())
    later.add([turn(1, 0), turn(2, 2)])
    assert directions(later, 2) == [2, 0]


def test_once_covered_a_direction_is_like_any_other() -> None:
    known = Partly()
    searcher = edges(known)
    searcher.add(crowd([0, 2, 3], 50))
    assert sorted(directions(searcher, 2)) == [2, 3]
    known.covered = {0, 2}
    searcher.add([turn(1000, 2)])
    rest = directions(searcher, 149)
    assert len(rest) == 149


def test_states_taken_by_others_are_not_given_out_again() -> None:
    searcher = edges(Partly())
    states = crowd([0, 2], 3)
    searcher.add(states)
    for state in states:
        if state.alternative == 2:
            state.pending = False
            searcher.remove(state)
    assert directions(searcher, 3) == [0, 0, 0]
