"""What Homi learns from good tests (section 3.2.3) and how it samples from that (3.2.4).

Weights are truncated normals on [-1, 1] where a feature was used for a good test, else uniform; ratio and budget are
drawn as often as they led to good tests.  Nothing here knows of programs or states."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import copysign, sqrt, tanh
from statistics import NormalDist
from typing import Final

ALTERNATIVES: Final = 100  # numbers among which reverse exploitation looks for the farthest


@dataclass(frozen=True, slots=True)
class PruningRecipe:
    """What a test was made with (the paper's quadruple): weight by feature, ratio, budget.

    Before a round's first pruning nothing was pruned: then there are no weights, and the ratio is None."""

    weights: Mapping[int, float]
    ratio: float | None
    budget: float


@dataclass(frozen=True, slots=True)
class TruncatedNormal:
    """A normal distribution cut to [-1, 1]; `mean` and `deviation` are those of the uncut one."""

    mean: float
    deviation: float

    @classmethod
    def fitted(cls, values: Iterable[float]) -> TruncatedNormal:
        found = sorted(values)
        mean = sum(found) / len(found)
        return cls(mean, sqrt(sum((value - mean) ** 2 for value in found) / len(found)))

    def sample(self, rng: random.Random) -> float:
        """Draws by the inverse of the distribution function: one number, no rejection."""
        if self.deviation < 1e-9:
            return self.mean
        normal = NormalDist(self.mean, self.deviation)
        low, high = normal.cdf(-1.0), normal.cdf(1.0)
        share = low + (high - low) * rng.random()
        return min(1.0, max(-1.0, normal.inv_cdf(min(max(share, 1e-300), 1 - 1e-16))))


@dataclass(frozen=True, slots=True)
class Uniform:
    """Nothing is known about a weight."""

    def sample(self, rng: random.Random) -> float:
        return rng.uniform(-1.0, 1.0)


Weight = TruncatedNormal | Uniform


@dataclass(frozen=True, slots=True)
class Learned:
    """Distributions of weights by feature; of ratio and budget as (value, how often) pairs."""

    weights: Mapping[int, Weight]
    ratios: tuple[tuple[float, int], ...]
    budgets: tuple[tuple[float, int], ...]


def learn(good: Sequence[PruningRecipe], features: Iterable[int]) -> Learned:
    """From what good tests were made with, for the features to come (equations 1 to 3)."""
    used: dict[int, set[float]] = {}
    for recipe in good:
        for feature, weight in recipe.weights.items():
            used.setdefault(feature, set()).add(weight)
    weights = {f: TruncatedNormal.fitted(used[f]) if f in used else Uniform() for f in features}
    ratios = Counter(recipe.ratio for recipe in good if recipe.ratio is not None)
    budgets = Counter(recipe.budget for recipe in good)
    return Learned(weights, tuple(sorted(ratios.items())), tuple(sorted(budgets.items())))


def contrast(
    good: Sequence[Iterable[int]], seen: Mapping[int, int], runs: int, features: Iterable[int]
) -> dict[int, Weight]:
    """Weights by how much more often good tests hold a feature than runs do.

    `good` are the features of good tests, `seen` says how many of `runs` hold a feature.  The difference of the two
    shares is measured in its own standard deviations; what chance alone brings forth (one of them) is ignored."""
    if not good or not runs:
        return {feature: Uniform() for feature in features}
    held = Counter(feature for each in good for feature in set(each))
    deviation = 1.0 / sqrt(1 + len(good))
    pooled = 1.0 / len(good) + 1.0 / runs
    weights: dict[int, Weight] = {}
    for feature in features:
        often, usual = held[feature] / len(good), seen.get(feature, 0) / runs
        share = (held[feature] + seen.get(feature, 0) + 1) / (len(good) + runs + 2)
        away = (often - usual) / sqrt(share * (1 - share) * pooled)
        weights[feature] = TruncatedNormal(copysign(tanh(max(0.0, abs(away) - 1.0) / 2), away), deviation)
    return weights


def exploit(weights: Mapping[int, Weight], rng: random.Random) -> dict[int, float]:
    return {feature: weight.sample(rng) for feature, weight in weights.items()}


def reverse(weights: Mapping[int, Weight], rng: random.Random) -> dict[int, float]:
    """The one of some random numbers that is farthest from what exploitation would have taken."""
    numbers = [rng.uniform(-1.0, 1.0) for _ in range(ALTERNATIVES)]
    low, high = min(numbers), max(numbers)
    sampled = exploit(weights, rng)
    return {feature: low if value - low > high - value else high for feature, value in sampled.items()}


def explore(features: Iterable[int], rng: random.Random) -> dict[int, float]:
    return {feature: rng.uniform(-1.0, 1.0) for feature in features}


def draw(counts: Sequence[tuple[float, int]], space: Sequence[float], rng: random.Random) -> float:
    """Draws in proportion to the counts; from the whole space if there are none."""
    if not counts:
        return rng.choice(space)
    return rng.choices([value for value, _ in counts], [count for _, count in counts])[0]
