"""Statistics against scipy, brute force, and cases worked out by hand."""

from __future__ import annotations

import math
import statistics as standard
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from cinquefoil.experiment import samples as statistics
from cinquefoil.experiment.samples import a12, compare, deviation, geometric_mean, mann_whitney, mean, median

SAMPLES = st.lists(st.integers(0, 6).map(float), min_size=1, max_size=7)


def test_separate_samples_by_hand() -> None:
    # Of the C(6,3) = 20 ways to split six ranks, two are as extreme as {1,2,3} against {4,5,6}.
    assert mann_whitney([1, 2, 3], [4, 5, 6]) == pytest.approx(2 / 20)
    assert mann_whitney([1] * 5, [2] * 5) == pytest.approx(2 / 252)
    assert mann_whitney([4, 5], [4, 5]) == 1.0
    assert math.isnan(mann_whitney([], [1]))


def test_effect_size_by_hand() -> None:
    assert a12([1, 2, 3], [4, 5, 6]) == 0
    assert a12([5, 5], [5, 5]) == 0.5
    assert a12([1, 3], [2, 2, 3]) == pytest.approx((0 + 2.5) / 6)
    assert math.isnan(a12([], [1]))


def brute_force(first: list[float], second: list[float]) -> float:
    """The share of all splits whose rank sum is at least as far from its mean."""
    ranks = stats.rankdata([*first, *second])
    middle = ranks.mean() * len(first)
    sums = np.array([sum(chosen) for chosen in combinations(ranks, len(first))])
    seen = abs(ranks[: len(first)].sum() - middle)
    return float((abs(sums - middle) >= seen - 1e-9).mean())


@settings(max_examples=80)
@given(SAMPLES, SAMPLES)
def test_the_exact_test_with_ties_is_what_counting_gives(first: list[float], second: list[float]) -> None:
    assert mann_whitney(first, second) == pytest.approx(brute_force(first, second))


@settings(max_examples=60)
@given(st.lists(st.floats(0, 100), min_size=12, max_size=12, unique=True), st.integers(1, 11))
def test_the_exact_test_without_ties_is_scipys(values: list[float], cut: int) -> None:
    first, second = values[:cut], values[cut:]
    expected = stats.mannwhitneyu(first, second, method="exact").pvalue
    assert mann_whitney(first, second) == pytest.approx(expected)


@pytest.mark.parametrize("shift", [0.0, 0.3, 1.0])
def test_large_samples_as_scipy_approximates_them(shift: float) -> None:
    random = np.random.default_rng(7)
    first = np.round(random.normal(0, 1, 60), 1).tolist()
    second = np.round(random.normal(shift, 1, 45), 1).tolist()
    expected = stats.mannwhitneyu(first, second, method="asymptotic").pvalue
    assert mann_whitney(first, second) == pytest.approx(expected, rel=1e-9)
    assert mann_whitney([3.0] * 60, [3.0] * 60) == 1.0


@settings(max_examples=60)
@given(SAMPLES, SAMPLES)
def test_the_effect_size_is_u_over_all_pairs(first: list[float], second: list[float]) -> None:
    u = stats.mannwhitneyu(first, second, method="asymptotic").statistic
    assert a12(first, second) == pytest.approx(u / (len(first) * len(second)))
    assert a12(first, second) + a12(second, first) == pytest.approx(1)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=20))
def test_mean_deviation_median(values: list[float]) -> None:
    assert mean(values) == pytest.approx(standard.fmean(values), abs=1e-6)
    assert deviation(values) == pytest.approx(standard.stdev(values), rel=1e-6, abs=1e-3)
    assert median(values) == standard.median(values)


def test_edges() -> None:
    assert deviation([4.0]) == 0
    assert math.isnan(mean([])) and math.isnan(deviation([])) and math.isnan(median([]))
    assert geometric_mean([1, 4]) == pytest.approx(2)
    assert math.isnan(geometric_mean([])) and math.isnan(geometric_mean([1, 0]))


def test_verdicts() -> None:
    better = compare([11, 12, 13, 14, 15], [1, 2, 3, 4, 5])
    assert (better.verdict, better.size, better.effect) == ("better", "large", 1.0)
    assert better.ratio == pytest.approx(13 / 3)
    assert compare([1, 2, 3, 4, 5], [11, 12, 13, 14, 15]).verdict == "worse"
    assert compare([1, 2, 3], [4, 5, 6]).verdict == ""  # three seeds cannot tell
    assert compare([1, 2], [1, 2]).size == "none"
    assert math.isnan(compare([1.0], [0.0]).ratio)
    assert statistics.EXACT >= 20
