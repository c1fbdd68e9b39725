"""Samples compared: mean, standard deviation, Mann-Whitney's U test, Vargha and Delaney's effect size.

Figures of coverage tie often (many seeds reach the same), and samples are small, so the test is exact with ties: the
distribution of the rank sum over all ways to split the pooled ranks is counted by dynamic programming.  Beyond
`EXACT` values in both samples together it is the normal approximation with the correction for ties and for
continuity.  Risk: with three seeds per side no difference, however large, can be significant at 5 % (the smallest
two-sided p is 0.1); use five or more.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

EXACT = 40  # values in both samples together
SIGNIFICANT = 0.05
SMALL, MEDIUM, LARGE = 0.56, 0.64, 0.71  # Vargha and Delaney's thresholds


def mean(values: Sequence[float]) -> float:
    """Not a number if there are none."""
    return statistics.fmean(values) if values else math.nan


def deviation(values: Sequence[float]) -> float:
    """The sample's standard deviation; 0 for a single value."""
    if len(values) < 2:
        return 0.0 if values else math.nan
    return float(statistics.stdev(values))


def median(values: Sequence[float]) -> float:
    """Not a number if there are none."""
    return float(statistics.median(values)) if values else math.nan


def geometric_mean(ratios: Sequence[float]) -> float:
    """The geometric mean of positive ratios; not a number if there are none."""
    return statistics.geometric_mean(ratios) if ratios and min(ratios) > 0 else math.nan


def a12(first: Sequence[float], second: Sequence[float]) -> float:
    """The probability that a value of `first` exceeds one of `second`, ties counting half; 0.5 is no effect."""
    if not first or not second:
        return math.nan
    above = sum((a > b) + 0.5 * (a == b) for a in first for b in second)
    return above / (len(first) * len(second))


def mann_whitney(first: Sequence[float], second: Sequence[float]) -> float:
    """The two-sided p value of the hypothesis that both samples are drawn alike."""
    if not first or not second:
        return math.nan
    doubled = _doubled_ranks([*first, *second])
    rank_sum = sum(doubled[: len(first)])
    if len(doubled) <= EXACT:
        return _exact(doubled, len(first), rank_sum)
    return _approximate(doubled, len(first), rank_sum)


def _doubled_ranks(values: Sequence[float]) -> list[int]:
    """Twice the mid-ranks, which are whole numbers."""
    counts = sorted(Counter(values).items())
    ends = list(accumulate(count for _, count in counts))
    ranks = {value: 2 * end - count + 1 for (value, count), end in zip(counts, ends, strict=True)}
    return [ranks[value] for value in values]


def _exact(doubled: Sequence[int], size: int, rank_sum: int) -> float:
    """How many of all subsets of that size have a rank sum at least as far from the middle."""
    ways: list[Counter[int]] = [Counter({0: 1}), *(Counter[int]() for _ in range(size))]
    for rank in doubled:
        for chosen in range(size, 0, -1):
            for total, count in ways[chosen - 1].items():
                ways[chosen][total + rank] += count
    middle = sum(doubled) * size  # of the rank sum, times the number of values: kept whole
    distance = abs(rank_sum * len(doubled) - middle)
    extreme = sum(n for total, n in ways[size].items() if abs(total * len(doubled) - middle) >= distance)
    return extreme / math.comb(len(doubled), size)


def _approximate(doubled: Sequence[int], size: int, rank_sum: int) -> float:
    total, other = len(doubled), len(doubled) - size
    ties = sum(count**3 - count for count in Counter(doubled).values())
    variance = size * other / 12 * ((total + 1) - ties / (total * (total - 1)))
    if variance <= 0:
        return 1.0
    u = rank_sum / 2 - size * (size + 1) / 2
    distance = max(0.0, abs(u - size * other / 2) - 0.5)
    return min(1.0, math.erfc(distance / math.sqrt(2 * variance)))


@dataclass(frozen=True, slots=True)
class SampleComparison:
    """A sample against a baseline's: means' ratio, p value and effect size."""

    ratio: float
    p: float
    effect: float

    @property
    def verdict(self) -> str:
        """ "better", "worse", or "" where the samples do not tell them apart."""
        if not self.p < SIGNIFICANT:  # also if p is not a number
            return ""
        return "better" if self.effect > 0.5 else "worse"

    @property
    def size(self) -> str:
        """The effect's size in Vargha and Delaney's words."""
        strength = max(self.effect, 1 - self.effect)
        names = ((LARGE, "large"), (MEDIUM, "medium"), (SMALL, "small"))
        return next((name for least, name in names if strength >= least), "none")


def compare(sample: Sequence[float], baseline: Sequence[float]) -> SampleComparison:
    base = mean(baseline)
    ratio = mean(sample) / base if base else math.nan
    return SampleComparison(ratio, mann_whitney(sample, baseline), a12(sample, baseline))
