"""Homi: keep promising states only (Cha and Oh, ESEC/FSE 2020).

Exploration goes in rounds.  A round prunes at intervals: every pending state is scored by which *features* its path
condition holds, and the lowest-scoring share is forgotten.  After a round, all tests so far are looked at: those of a
small set that covers everything (`cover`) give the features of the next round (`features`), and what they were made
with gives the distributions of weights, ratio and budget (`distributions`).  A round then exploits these, does the
reverse, or ignores them, each with the same probability, once enough rounds have explored.

The paper's rounds begin from nothing, since states that were lost cannot be had back.  Here they can: a state is a run
and an untaken branch, and adding the run of a good test to a new tree brings back all the states next to it.  So a
round begins from the good tests, those that score highest first, for as long as a quarter of its budget (not with
`paper`).

The paper draws a feature's weight around those it had when good tests were made, which hardly moves; here it follows
from how much more often good tests hold the feature than runs do (`distributions.contrast`; not with `paper`).

Weights and ratio are drawn anew at every pruning, the method and the budget once a round.  Risk: what is pruned has to
be found again in a later round; where states do not explode, that costs more than it brings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from cinquefoil.prune import distributions
from cinquefoil.prune.api import Beginning, Conditions, Covering, Pending, Setting
from cinquefoil.prune.distributions import Learned, PruningRecipe
from cinquefoil.prune.greedy_cover import greedy_cover
from cinquefoil.prune.rounds import Round, RoundPruner
from cinquefoil.prune.scoring import scores

METHODS: Final = ("exploit", "reverse", "explore")
_BEGINNING = 0.25  # share of a round's budget that goes into the good tests it begins with
_SHOWN = 5  # heaviest and lightest features told per round


class Homi(RoundPruner):
    """With the parameter `unlearned`, weights, ratio and budget are always drawn at random: what the learned ones bring
    is the difference."""

    modes: ClassVar[tuple[str, ...]] = ("paper", "unlearned")
    wants_conditions: ClassVar[bool] = True

    def __init__(self, setting: Setting, mode: str = "") -> None:
        self._learns = mode != "unlearned"
        self._data: list[tuple[Covering, PruningRecipe]] = []
        self._good: list[tuple[Covering, PruningRecipe]] = []
        self._learned = Learned({}, (), ())
        self._recipe = PruningRecipe({}, None, 0.0)
        self._seen: Counter[int] = Counter()  # how many runs of pruned rounds hold a feature
        self._runs = 0  # of pruned rounds
        super().__init__(setting, mode)
        self._recipe = PruningRecipe({}, None, self.now.budget)

    # ---- learning ----

    def observe(self, covering: Covering) -> None:
        super().observe(covering)
        self._data.append((covering, self._recipe))

    def restart(self, clock: float, dry: bool) -> Beginning:
        self._tell_weights()
        self._learn()
        beginning = super().restart(clock, dry)
        self._recipe = PruningRecipe({}, None, self.now.budget)
        if self._paper or beginning.resume:
            return beginning
        self._recipe = PruningRecipe(self._sample(self.now.method), None, self.now.budget)
        return Beginning(inputs=self._promising(), until=clock + _BEGINNING * self.now.budget)

    def ran(self, paths: Sequence[Conditions]) -> None:
        self._runs += len(paths)
        for path in paths:
            self._seen.update(path.codes.tolist())

    def _learn(self) -> None:
        chosen = greedy_cover([covering.branches for covering, _ in self._data])
        self._good = [self._data[number] for number in sorted(chosen)]
        features = sorted({code for covering, _ in self._good for code in covering.codes})
        self._learned = distributions.learn([recipe for _, recipe in self._good], features)
        if not self._paper:
            held = [covering.codes for covering, _ in self._good]
            weights = distributions.contrast(held, self._seen, self._runs, features)
            self._learned = replace(self._learned, weights=weights)

    def _promising(self) -> list[bytes]:
        """The good tests, those whose path conditions score highest first."""
        weights = self._recipe.weights
        order = sorted(self._good, key=lambda each: sum(weights[code] for code in each[0].codes), reverse=True)
        return [covering.witness for covering, _ in order]

    def plan(self) -> Round:
        experienced = self._learns and self.began >= self.settings.exploring
        method = self.rng.choice(METHODS) if experienced else "explore"
        counts = () if method == "explore" else self._learned.budgets
        budget = distributions.draw(counts, self.settings.budget_space, self.rng)
        return Round(len(self.rounds) + 1, method, budget, features=len(self._learned.weights))

    # ---- pruning ----

    @property
    def reads_states(self) -> bool:
        return self.prunes

    @property
    def prunes(self) -> bool:
        return super().prunes and bool(self._learned.weights)

    def ratio(self) -> float:
        """Samples what this pruning works with."""
        method = self.now.method
        counts = () if method == "explore" else self._learned.ratios
        ratio = distributions.draw(counts, self.settings.ratio_space, self.rng)
        self._recipe = PruningRecipe(self._sample(method), ratio, self.now.budget)
        return ratio

    def _sample(self, method: str) -> dict[int, float]:
        if method == "exploit":
            return distributions.exploit(self._learned.weights, self.rng)
        if method == "reverse":
            return distributions.reverse(self._learned.weights, self.rng)
        return distributions.explore(self._learned.weights, self.rng)

    def worst(self, pending: Pending, count: int) -> NDArray[np.intp]:
        """The lowest scores; which of equals is left to chance, lest the oldest or youngest always go."""
        most = max((int(path.codes.max()) for path in pending.paths if len(path.codes)), default=0)
        size = 1 + max(most, int(pending.flip.max(initial=0)), max(self._recipe.weights, default=0))
        found = scores(pending, dense(self._recipe.weights, size))
        shuffled = self.order.permutation(len(pending))
        return shuffled[np.argsort(found[shuffled], kind="stable")[:count]]

    # ---- telling ----

    def report(self) -> dict[str, object]:
        self._tell_weights()
        return {**super().report(), "tests": len(self._data), "good_tests": len(self._good)}

    def figures(self) -> dict[str, float]:
        weights = self._recipe.weights.values()
        return {**super().figures(), "heaviest": max(weights, default=0.0), "lightest": min(weights, default=0.0)}

    def describe(self, name: Callable[[int], str]) -> str:
        weights = self._recipe.weights
        if not weights:
            return super().describe(name)
        best = max(weights, key=weights.__getitem__)
        return f"{super().describe(name)}, {len(weights)} features, most ({name(best)}) {weights[best]:.2f}"

    def _tell_weights(self) -> None:
        weights = sorted(self._recipe.weights.items(), key=lambda item: item[1])
        extreme = weights if len(weights) <= 2 * _SHOWN else weights[:_SHOWN] + weights[-_SHOWN:]
        self.now.weights = {str(code): round(weight, 4) for code, weight in extreme}


def dense(weights: Mapping[int, float], size: int) -> NDArray[np.float64]:
    """Weights by code."""
    found = np.zeros(size)
    found[list(weights)] = list(weights.values())
    return found
