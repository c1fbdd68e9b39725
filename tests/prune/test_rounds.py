"""Rounds: how long each lasts, which is next, and what it begins with."""

from __future__ import annotations

from collections import Counter, defaultdict
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cinquefoil.prune.api import Beginning, Covering, Due, Setting
from cinquefoil.prune.registry import make
from cinquefoil.prune.rounds import RoundPruner, RoundYield


def rounds_of(name: str, seed: int = 1) -> RoundPruner:
    pruner = make(name, Setting(seed, 60.0))
    assert isinstance(pruner, RoundPruner)
    return pruner


class Drive:
    """Spends the budgets of a pruner's rounds."""

    def __init__(self, name: str) -> None:
        self.pruner = rounds_of(name)
        self.clock = 0.0
        self.covered = 0
        self.spent: dict[str, float] = defaultdict(float)  # by method

    def spend(self, won: int) -> bool:
        """One budget, in which so many new directions are covered; does the round go on?"""
        self.pruner.observe(Covering((), ((1 << won) - 1) << self.covered))
        self.covered += won
        self.clock += self.pruner.now.budget
        self.spent[self.pruner.now.method] += self.pruner.now.budget
        return self.pruner.due(self.clock) is not Due.RESTART

    def take(self, seconds: float, won: int) -> bool:
        """The same with a budget of so many seconds."""
        self.pruner.now.budget = seconds
        self.pruner.postpone(self.clock)
        return self.spend(won)

    def go_on(self, main: int, others: int) -> None:
        """Many budgets of half a second, in which the main round and others always cover as much."""
        for _ in range(300):
            if not self.take(0.5, main if self.pruner.now.method == "main" else others):
                self.leave()

    def share(self) -> float:
        """Of the time, that the main round had."""
        return self.spent["main"] / self.clock

    def leave(self, dry: bool = False) -> str:
        """Ends the round; how the next one is called."""
        resumed = self.pruner.restart(self.clock, dry).resume
        assert resumed == (self.pruner.now.method == "main")
        return self.pruner.now.method


def test_the_main_round_is_left_when_it_pays_half_as_much_as_on_average() -> None:
    drive = Drive("random")
    assert drive.spend(10)
    assert drive.spend(8)
    assert not drive.spend(3), "less than half of 21 in three budgets"
    assert not Drive("random").spend(0)
    assert drive.leave() == "random"


def test_rounds_last_while_they_pay_no_less_than_the_main_one() -> None:
    drive = Drive("random")
    drive.take(1.0, 10)
    drive.take(1.0, 4)
    assert drive.leave() == "random"
    assert drive.take(1.0, 1000)
    assert not drive.take(1.0, 3), "the main round covered four"
    assert not drive.take(0.1, 0)


def test_a_rate_is_that_of_the_second_half_and_one_more() -> None:
    brought = RoundYield()
    assert brought.rate == inf, "nobody knows"
    brought.add(100, 1.0)
    assert brought.rate == pytest.approx((50 + 1) / 0.5)
    brought.add(6, 3.0)
    assert brought.rate == pytest.approx((4 + 1) / 2), "four in the last two seconds"
    brought.add(0, 1.0)
    assert brought.rate == pytest.approx((3 + 1) / 2.5), "one empty budget does not end it"
    brought.add(0, 5.0)
    assert brought.rate == pytest.approx(1 / 5), "but as many again do"


@given(st.lists(st.tuples(st.integers(0, 50), st.floats(0.1, 10.0)), min_size=1, max_size=20))
def test_rates_are_of_what_was_covered(budgets: list[tuple[int, float]]) -> None:
    brought = RoundYield()
    for gained, seconds in budgets:
        brought.add(gained, seconds)
    assert brought.seconds == pytest.approx(sum(seconds for _, seconds in budgets))
    assert 1 - 1e-6 <= brought.rate * brought.seconds / 2 <= sum(gained for gained, _ in budgets) + 1 + 1e-6


def left(main: int) -> Drive:
    """A main round of eight seconds, left after it covered `main` in each of the last four."""
    drive = Drive("random")
    drive.take(4.0, 1000)
    assert not drive.take(4.0, 4 * main)
    assert drive.leave() == "random"
    return drive


def test_time_goes_to_what_pays() -> None:
    drive = left(main=10)
    drive.take(2.0, 16)
    assert drive.leave() == "main", "(8 + 1) / 1 are less than (40 + 1) / 4"
    better = left(main=10)
    better.take(2.0, 22)
    assert better.leave() == "random"
    better.take(2.0, 0)
    assert better.leave() == "main", "of late they brought less"
    assert not better.take(30.0, 0), "neither does the main round, any more"
    assert better.leave() == "random"


def test_where_pruning_does_not_pay_it_costs_less_and_less() -> None:
    """A sixteenth of the time, a thirty-second, ... is when others are tried again; they cover nothing."""
    drive = left(main=50)
    tried = list[float]()
    for _ in range(4):
        drive.take(drive.clock / 5, 0)
        assert drive.leave() == "main"
        while drive.take(drive.clock / 100, 2 + int(drive.clock / 2)):
            pass
        tried.append(1 - drive.share())
        assert drive.leave() == "random"
    assert tried == pytest.approx([1 / 16, 1 / 32, 1 / 64, 1 / 64], rel=0.05)


def test_others_that_pay_are_tried_sooner_again() -> None:
    drive = left(main=50)
    drive.go_on(main=25, others=0)
    while drive.pruner.now.method == "main":
        if not drive.take(0.5, 25):
            drive.leave()
    drive.take(4.0, 4000)
    assert drive.leave() == "random", "they are ahead now"
    drive.take(100.0, 0)
    assert drive.leave() == "main"
    while drive.take(drive.clock / 100, 2 + int(drive.clock / 2)):
        pass
    assert 1 - drive.share() == pytest.approx(1 / 16, abs=0.01), "behind once, not for the tenth time"


def test_the_main_round_gets_a_third_however_little_it_brings() -> None:
    drive = left(main=0)
    drive.go_on(main=0, others=50)
    assert drive.share() == pytest.approx(1 / 3, abs=0.02)


def test_while_nothing_pays_time_is_shared() -> None:
    drive = left(main=0)
    drive.go_on(main=0, others=0)
    assert drive.share() == pytest.approx(1 / 2, abs=0.02)


def test_the_main_round_goes_on_when_nothing_is_left_of_another() -> None:
    drive = left(main=0)
    drive.take(0.5, 1000)
    assert drive.leave(dry=True) == "main"


@pytest.mark.parametrize("name", ["homi", "random"])
def test_what_others_found_is_added_to_the_main_round(name: str) -> None:
    pruner = rounds_of(name)
    pruner.observe(Covering((1,), 0b0011, b"main"))
    pruner.restart(5.0, dry=False)
    pruner.observe(Covering((1,), 0b0001, b"known"))
    pruner.observe(Covering((2,), 0b0100, b"new"))
    assert pruner.restart(6.0, dry=True) == Beginning(resume=True, inputs=[b"new"])
    pruner.observe(Covering((3,), 0b1000, b"its own"))
    pruner.restart(9.0, dry=False)
    again = pruner.restart(9.5, dry=True)
    assert again.resume
    assert not again.inputs, "once is enough"


def test_what_is_not_to_happen_yet_gets_another_budget() -> None:
    drive = Drive("random")
    assert not drive.spend(0)
    drive.pruner.postpone(drive.clock)
    assert drive.pruner.due(drive.clock) is not Due.RESTART
    assert not drive.spend(0)


def test_rounds_of_the_paper_begin_from_the_first_run_and_end_with_their_budget() -> None:
    pruner = rounds_of("homi:paper")
    pruner.observe(Covering((1,), 0b11, b"x"))
    assert pruner.due(pruner.now.budget) is Due.RESTART, "although it covered something"
    for second in range(1, 8):
        assert pruner.restart(9.0 * second, dry=False) == Beginning()
    assert not any(each.method == "main" for each in pruner.rounds[1:])


def test_a_round_of_homi_begins_from_the_good_tests() -> None:
    pruner = rounds_of("homi")
    pruner.observe(Covering((1,), 0b0011, b"small"))
    pruner.observe(Covering((1, 2), 0b0111, b"large"))
    pruner.observe(Covering((3,), 0b1000, b"other"))
    beginning = pruner.restart(5.0, dry=False)
    assert sorted(beginning.inputs) == [b"large", b"other"]  # the smaller one covers nothing more
    assert 5.0 < beginning.until < 5.0 + pruner.now.budget
    assert pruner.now.features == 3
    assert not list(rounds_of("random").restart(5.0, dry=False).inputs)


def test_the_best_scores_come_first() -> None:
    """Which of two good tests comes first is what the weights say, whatever they are."""
    seen = set()
    for seed in range(20):
        pruner = rounds_of("homi", seed)
        pruner.observe(Covering((1,), 0b01, b"one"))
        pruner.observe(Covering((2,), 0b10, b"two"))
        inputs = list(pruner.restart(5.0, dry=False).inputs)
        figures, words = pruner.figures(), pruner.describe(lambda code: {1: "one", 2: "two"}[code])
        assert f"most ({inputs[0].decode()}) {figures['heaviest']:.2f}" in words
        seen.add(inputs[0])
    assert seen == {b"one", b"two"}


def test_methods_are_equally_likely_once_ten_rounds_have_explored() -> None:
    pruner = rounds_of("homi:paper")
    for second in range(1, 1000):
        pruner.restart(float(second), dry=False)
    methods = [each.method for each in pruner.rounds[1:]]
    assert set(methods[:10]) == {"explore"}
    counts = Counter(methods[10:])
    assert all(counts[method] == pytest.approx(330, abs=60) for method in ("exploit", "reverse", "explore"))
    unlearned = rounds_of("homi:unlearned")
    for second in range(1, 60):
        unlearned.restart(float(second), dry=False)
    assert {each.method for each in unlearned.rounds} == {"main", "explore"}
