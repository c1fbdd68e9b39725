"""Homi's discrete spaces, its set cover and its distributions."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstest, truncnorm

from cinquefoil.prune import distributions
from cinquefoil.prune.distributions import PruningRecipe, TruncatedNormal, Uniform, Weight, learn
from cinquefoil.prune.greedy_cover import greedy_cover
from cinquefoil.prune.spaces import Settings, discrete_space

# ---- spaces ----


def test_the_papers_example_spaces() -> None:
    assert discrete_space(600, 6) == (100, 200, 300, 400, 500, 600)
    assert discrete_space(0.8, 4) == pytest.approx((0.2, 0.4, 0.6, 0.8))


def test_the_papers_settings() -> None:
    paper = Settings()
    assert paper.ratio_space == pytest.approx((0.2, 0.4, 0.6))
    assert paper.budget_space == (200, 400, 600, 800)
    assert (paper.interval, paper.exploring) == (30, 10)
    assert paper.scaled(None) == paper.scaled(5 * 3600) == paper.scaled(1e6) == paper


def test_times_keep_their_proportions() -> None:
    hour = Settings().scaled(3600)
    assert hour.interval == pytest.approx(6)
    assert hour.budget_space == pytest.approx((40, 80, 120, 160))
    assert hour.exploring == 10
    assert hour.ratio_space == Settings().ratio_space


def test_rounds_have_time_to_get_somewhere() -> None:
    short = Settings().scaled(10)
    assert short.interval == 0.05
    assert short.budget_space == pytest.approx((0.125, 0.25, 0.375, 0.5))
    assert short.exploring == 10
    assert Settings().scaled(5).exploring == 5  # a third of the rounds there is time for
    assert Settings().scaled(60).budget_space[-1] == pytest.approx(800 / 300)
    assert Settings().scaled(60).exploring == 10


# ---- set cover ----

sets = st.lists(st.integers(0, (1 << 12) - 1), max_size=10)


@given(sets)
def test_a_cover_keeps_everything(found: list[int]) -> None:
    chosen = greedy_cover(found)
    assert _union(found[at] for at in chosen) == _union(found)
    assert len(set(chosen)) == len(chosen)


@given(sets)
def test_every_stage_takes_the_most(found: list[int]) -> None:
    covered = 0
    for at in greedy_cover(found):
        gains = [(each & ~covered).bit_count() for each in found]
        assert gains[at] == max(gains) > 0
        assert not any(gain == gains[at] for gain in gains[at + 1 :]), "the newest of equals"
        covered |= found[at]


@given(sets)
def test_a_cover_is_within_the_greedy_bound_of_the_smallest(found: list[int]) -> None:
    smallest = next(
        size for size in range(len(found) + 1) for some in combinations(found, size) if _union(some) == _union(found)
    )
    harmonic = sum(1 / k for k in range(1, max([each.bit_count() for each in found], default=0) + 1))
    assert len(greedy_cover(found)) <= max(1, harmonic) * smallest


def _union(parts) -> int:
    whole = 0
    for part in parts:
        whole |= part
    return whole


# ---- learning ----


def test_weights_of_good_tests_make_a_normal() -> None:
    good = [PruningRecipe({1: 0.2, 2: 0.9}, 0.2, 100), PruningRecipe({1: 0.4}, 0.4, 100), PruningRecipe({}, None, 200)]
    learned = learn(good, [1, 2, 3])
    assert learned.weights[1] == TruncatedNormal(pytest.approx(0.3), pytest.approx(0.1))
    assert learned.weights[2] == TruncatedNormal(0.9, 0.0)
    assert learned.weights[3] == Uniform()
    assert learned.ratios == ((0.2, 1), (0.4, 1))  # equation 2: nothing was pruned for the third
    assert learned.budgets == ((100, 2), (200, 1))  # equation 3


def test_weights_are_a_set() -> None:
    """Tests made by the same pruning share their weights, which count once."""
    same = PruningRecipe({1: 0.5}, 0.2, 100)
    learned = learn([same, same, same, PruningRecipe({1: -0.5}, 0.2, 100)], [1])
    assert learned.weights[1] == TruncatedNormal(0.0, 0.5)


@pytest.mark.parametrize(("mean", "deviation"), [(0.0, 0.5), (0.9, 0.3), (-1.0, 1.0), (0.2, 0.05), (1.0, 0.02)])
def test_truncated_normals_have_their_moments(mean: float, deviation: float) -> None:
    rng = random.Random(1)
    found = [TruncatedNormal(mean, deviation).sample(rng) for _ in range(20_000)]
    low, high = (-1 - mean) / deviation, (1 - mean) / deviation
    exact = truncnorm(low, high, mean, deviation)
    assert all(-1 <= value <= 1 for value in found)
    average = sum(found) / len(found)
    assert average == pytest.approx(exact.mean(), abs=5 * exact.std() / sqrt(len(found)))
    assert kstest(found, exact.cdf).pvalue > 1e-4


def test_a_normal_without_deviation_is_its_mean() -> None:
    assert TruncatedNormal(0.25, 0.0).sample(random.Random(0)) == 0.25


@given(st.integers(0, 1 << 30), st.floats(-1, 1))
def test_the_reverse_is_far_away(seed: int, mean: float) -> None:
    weights = {1: TruncatedNormal(mean, 0.0)}
    found = distributions.reverse(weights, random.Random(seed))[1]
    rng = random.Random(seed)
    numbers = [rng.uniform(-1, 1) for _ in range(100)]
    assert found in numbers
    assert abs(found - mean) == max(abs(number - mean) for number in numbers)


def test_values_are_drawn_as_often_as_they_were_good() -> None:
    rng = random.Random(2)
    drawn = Counter(distributions.draw(((0.2, 1), (0.6, 3)), (0.2, 0.4, 0.6), rng) for _ in range(8000))
    assert drawn[0.2] == pytest.approx(2000, abs=200)
    assert drawn[0.6] == pytest.approx(6000, abs=200)
    assert drawn[0.4] == 0


def test_without_experience_all_values_are_equal() -> None:
    rng = random.Random(3)
    drawn = Counter(distributions.draw((), (1, 2, 3, 4), rng) for _ in range(8000))
    assert all(drawn[value] == pytest.approx(2000, abs=200) for value in (1, 2, 3, 4))


# ---- what learning is worth ----


def test_features_that_good_tests_hold_more_often_than_runs_do_weigh_more() -> None:
    good = [(1, 2), (1, 3), (1, 2), (1,)] * 8
    seen = {1: 100, 2: 500, 3: 900}
    weights = distributions.contrast(good, seen, 1000, [1, 2, 3, 4])
    means = {feature: weight.mean for feature, weight in weights.items() if isinstance(weight, TruncatedNormal)}
    assert means[1] > 0.9, "all good tests, a tenth of the runs"
    assert abs(means[2]) < 0.1, "half of both"
    assert means[3] < -0.9, "a quarter of the good tests, nearly all runs"
    assert means[4] == 0, "nobody"
    assert distributions.contrast([], seen, 1000, [1]) == {1: Uniform()}
    assert distributions.contrast(good, {}, 0, [1]) == {1: Uniform()}


class Planted:
    """States hold half of the features each; one of fifty of those with feature 0 leads to something new."""

    FEATURES, STATES, LUCK = range(30), 300, 0.02

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.good: list[tuple[tuple[int, ...], PruningRecipe]] = []
        self.seen: Counter[int] = Counter()
        self.runs = 0

    def prune_and_run(self, weights: dict[int, float]) -> int:
        """Forgets 60 % of the states, then runs some; how many led to something new."""
        states = [tuple(f for f in self.FEATURES if self.rng.random() < 0.5) for _ in range(self.STATES)]
        states.sort(key=lambda held: sum(weights[f] for f in held))
        before = len(self.good)
        for held in self.rng.choices(states[int(0.6 * len(states)) :], k=20):
            self.runs += 1
            self.seen.update(held)
            if 0 in held and self.rng.random() < self.LUCK:
                self.good.append((held, PruningRecipe(weights, 0.6, 1.0)))
        return len(self.good) - before

    def explore(self, prunings: int) -> None:
        for _ in range(prunings):
            self.prune_and_run(distributions.explore(self.FEATURES, self.rng))

    def exploit(self, weights: Mapping[int, Weight], prunings: int) -> int:
        return sum(self.prune_and_run(distributions.exploit(weights, self.rng)) for _ in range(prunings))


def test_learned_weights_beat_random_ones_where_one_feature_decides() -> None:
    """By how often good tests hold it, what matters is found; the paper's weights hardly move from random ones."""
    learned = papers = unlearned = 0
    for seed in range(4):
        world = Planted(seed)
        world.explore(200)
        weights = distributions.contrast([held for held, _ in world.good], world.seen, world.runs, Planted.FEATURES)
        decisive = weights[0]
        assert isinstance(decisive, TruncatedNormal)
        assert decisive.mean > 0.9
        paper = learn([recipe for _, recipe in world.good], Planted.FEATURES).weights
        unlearned += world.exploit({feature: Uniform() for feature in Planted.FEATURES}, 100)
        papers += world.exploit(paper, 100)
        learned += world.exploit(weights, 100)
    assert learned > 1.3 * unlearned
    assert learned > 1.1 * papers
