"""The two baselines of the Homi paper (section 4.4): random pruning, and beginning again without pruning."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cinquefoil.prune.api import Pending
from cinquefoil.prune.rounds import Round, RoundPruner


class RandomPruner(RoundPruner):
    """random: as Homi, but states are forgotten at random, and nothing is learned."""

    def plan(self) -> Round:
        budget = self.rng.choice(self.settings.budget_space)
        return Round(len(self.rounds) + 1, "random" if self.rounds else "unpruned", budget)

    @property
    def active(self) -> bool:
        return len(self.rounds) > 1

    def ratio(self) -> float:
        return self.rng.choice(self.settings.ratio_space)

    def worst(self, pending: Pending, count: int) -> NDArray[np.intp]:
        return self.order.permutation(len(pending))[:count]


class RestartOnly(RoundPruner):
    """restart: the same rounds, nothing pruned."""

    def plan(self) -> Round:
        return Round(len(self.rounds) + 1, "unpruned", self.rng.choice(self.settings.budget_space))

    @property
    def active(self) -> bool:
        return False

    def ratio(self) -> float:
        return 0.0

    def worst(self, pending: Pending, count: int) -> NDArray[np.intp]:
        return np.zeros(0, np.intp)
