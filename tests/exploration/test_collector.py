"""What a restart drops is collected, but not over and over."""

from __future__ import annotations

import gc
import math
import weakref

import pytest

from cinquefoil.exploration import Exploration, Options
from cinquefoil.exploration.accounting.collector import Collector, rarely_collecting
from cinquefoil.states.state import Witness
from cinquefoil.testing.toymachine import BruteForce, toy


class Knot:
    """In a cycle with itself."""

    def __init__(self) -> None:
        self.self = self


def test_nothing_is_collected_by_itself() -> None:
    with rarely_collecting():
        assert not gc.isenabled()
        left = weakref.ref(Knot())
        [[] for _ in range(100_000)]
        assert left() is not None
        Collector().collect()
        assert left() is None
    assert gc.isenabled()


def test_it_does_not_collect_over_and_over() -> None:
    collector = Collector()
    collector.collect()
    left = weakref.ref(Knot())
    collector.collect()
    assert left() is not None
    gc.collect()


@pytest.mark.parametrize("due", [0.0, math.inf])
def test_what_restarts_drop_is_collected(due: float) -> None:
    machine = toy("nested")
    exploration = Exploration(machine, BruteForce(machine), Options(search=("dfs",)))
    with rarely_collecting():
        exploration.start()
        before = witnesses()
        for _ in range(10):
            exploration.first.collector._due = due  # pyright: ignore[reportPrivateUsage]
            exploration.first.restart()
        assert (witnesses() - before < 5) == (due == 0)
    gc.collect()


def witnesses() -> int:
    return sum(isinstance(each, Witness) for each in gc.get_objects())
