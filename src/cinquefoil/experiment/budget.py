"""A total time divided among cells.

Every cell costs its budget and some seconds around it (starting, finishing); cells run side by side.  What is finished
costs nothing any more.  The result is rounded down to a tidy number, so that it can be read and typed again."""

from __future__ import annotations

import math
from collections.abc import Sequence

from cinquefoil.errors import UserError
from cinquefoil.experiment.plan import Plan

OVERHEAD = 2.5  # seconds around a cell's budget
LEAST = 1.0  # seconds that a run should have
_PREPARING = 4.0  # seconds per subject


def divide(total: float, plan: Plan, jobs: int) -> float:
    """The budget per cell with which the plan takes about `total` seconds; `UserError` if that is too little."""
    rounds = len(plan.subjects) * len(plan.seeds)
    count = rounds * len(plan.configurations)
    shares = rounds * math.fsum(each.share for each in plan.configurations)
    around = count * OVERHEAD + len(plan.subjects) * _PREPARING
    budget = (total * jobs - around) / shares
    if budget < LEAST:
        needed = (shares * LEAST + around) / jobs
        raise UserError(
            f"{total:g} s are too little for {count} runs ({jobs} at a time); at least {needed:.0f} s are needed, or "
            "fewer seeds, subjects or configurations"
        )
    return tidy(budget)


def tidy(seconds: float) -> float:
    """Two figures, rounded down."""
    power = 10.0 ** (math.floor(math.log10(seconds)) - 1)
    return round(math.floor(seconds / power + 1e-9) * power, 3)


def expected(plan: Plan, jobs: int, finished: int = 0) -> float:
    """Seconds that the rest of a plan takes."""
    rounds = len(plan.subjects) * len(plan.seeds)
    costs: Sequence[float] = [budget * each.share + OVERHEAD for budget in plan.budgets for each in plan.configurations]
    count = max(1, rounds * len(costs))
    return rounds * math.fsum(costs) * (1 - finished / count) / jobs
