"""Ways that pay get more time, dear ones fewer turns for it."""

from __future__ import annotations

from collections import Counter

import pytest

from cinquefoil.search.bandit import Bandit


def drawn(arms: Bandit, turns: int = 2_000) -> Counter[int]:
    return Counter(arms.draw()[0] for _ in range(turns))


def test_what_pays_is_drawn_more_often_but_nothing_is_forgotten() -> None:
    arms = Bandit(3, 1)
    for _ in range(500):
        arms.note(0, 1.0, 1.0)
        arms.note(1, 0.0, 1.0)
        arms.note(2, 0.0, 1.0)
    counts = drawn(arms)
    assert counts[0] > 3 * counts[1]
    assert min(counts[1], counts[2]) > 100


def test_a_dear_way_gets_its_share_of_time_not_of_turns() -> None:
    arms = Bandit(2, 1)
    for _ in range(2_000):
        arms.note(0, 0.5, 1.0)
        arms.note(1, 5.0, 10.0)  # pays the same for its cost
    assert arms.shares() == pytest.approx([0.5, 0.5], abs=0.01)
    assert arms.chances() == pytest.approx([10 / 11, 1 / 11], abs=0.01)
    assert drawn(arms)[0] == pytest.approx(2_000 * 10 / 11, rel=0.05)


def test_all_ways_are_offered_each_once() -> None:
    arms = Bandit(4, 1)
    assert all(sorted(arms.draw()) == [0, 1, 2, 3] for _ in range(50))
    assert {arms.draw()[0] for _ in range(50)} == {0, 1, 2, 3}


def test_time_is_shared_when_nothing_has_paid_for_very_long() -> None:
    """What was paid once fades to nothing."""
    arms = Bandit(3, 1)
    for _ in range(160_000):
        for way in range(3):
            arms.note(way, 0.0, 2.0)
    assert arms.shares() == pytest.approx([1 / 3] * 3)
    assert min(drawn(arms).values()) > 500
    for _ in range(16):
        arms.note(1, 1.0, 2.0)
    assert arms.shares() == pytest.approx([0.1, 0.8, 0.1])
