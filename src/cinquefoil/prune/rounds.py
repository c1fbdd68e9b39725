"""Pruning in rounds (Homi, Algorithm 2): each has a budget, and ends by beginning again from the first run.

What the pruners have in common: the clock, the record of every round, and what this engine adds to the paper.

*The main round* is the first one, which prunes nothing.  When it covers new things less than half as quickly as it
did on average, and only if so many states are pending that they may be what is in its way, it is interrupted, and
others begin.  From then on time goes to what pays: the main round and the others each have a rate, which is what they
covered in the second half of the time that they have had so far, and one more.  Coverage grows about as the logarithm
of time, so this window grows with it: a pause of the main round does not end it, and what it brought long ago does
not keep it alive.  The one more is for what may come next: where neither brings anything, they share the time.  The
higher rate is next.  What pays changes, and rates of short times are mostly chance.  So the main round, which does
all that search alone would do, gets a third of the time at least: a program that can be explored to the end is.  The
others get an eighth; half of that if they were behind when they ended, then a quarter, and so on.
*A round goes on while it pays*: one that covers no less per second than the main round does gets its budget once more.
*Nothing is found twice*: when the main round goes on, the runs by which others covered something new are added to it.

With the parameter `paper`, neither holds: every round begins from the first run and ends with its budget.  Then, when
pruning leaves nothing to explore, the next round prunes nothing, with twice the budget of the last such round."""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from math import inf
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from cinquefoil.prune.api import FROM_THE_FIRST_RUN, Beginning, Covering, Due, Pending, Pruner, Setting
from cinquefoil.prune.spaces import Settings

MAIN: Final = "main"
UNPRUNED: Final = "unpruned"
_LEAST_MAIN: Final = 1 / 3  # share of the time that the main round gets at least
_LEAST_OTHERS: Final = 1 / 8  # the same for all others together; half as much every time that they were behind,
_LEAST_OF_ALL: Final = 1 / 64  # down to this
_FALLEN: Final = 0.5  # share of its average rate below which the main round is left for the first time


@dataclass(slots=True)
class Round:
    """One round: how it was made and what came of it."""

    number: int
    method: str
    budget: float
    features: int = 0
    ratio: float | None = None  # of the last pruning
    prunings: int = 0
    dropped: int = 0
    most_states: int = 0  # at a pruning
    tests: int = 0  # runs that covered something new to the round
    branches: int = 0  # directions the round covered
    new_branches: int = 0  # those that no earlier round had covered
    extended: int = 0  # budgets granted beyond the first
    seconds: float = 0.0  # of the pruning clock
    dry: bool = False
    weights: dict[str, float] = field(default_factory=dict[str, float])  # the extreme ones, by feature


class RoundYield:
    """What one kind of round brought over the time it had: directions covered, noted at the end of every budget."""

    def __init__(self) -> None:
        self._seconds, self._gained = [0.0], [0.0]  # both in all so far

    def add(self, gained: float, seconds: float) -> None:
        self._gained.append(self._gained[-1] + gained)
        self._seconds.append(self._seconds[-1] + seconds)

    @property
    def seconds(self) -> float:
        return self._seconds[-1]

    @property
    def rate(self) -> float:
        """Directions per second in the second half of its time, one more than there were."""
        half = self.seconds / 2
        lately = self._gained[-1] - float(np.interp(half, self._seconds, self._gained))
        return (lately + 1) / half if half else inf


class RoundPruner(Pruner):
    """Subclasses say how a round is made and which states go."""

    modes: ClassVar[tuple[str, ...]] = ("paper",)

    def __init__(self, setting: Setting, mode: str = "") -> None:
        if mode and mode not in self.modes:
            raise ValueError(f"{mode!r}: the only parameters are {', '.join(self.modes)}")
        self._paper = mode == "paper"
        self.resumes = not self._paper
        self.settings = Settings().scaled(setting.max_time)
        self.rng = random.Random(f"prune {setting.seed}")
        self.order = np.random.default_rng(np.random.SeedSequence([setting.seed, 0x9A11]))
        self.rounds: list[Round] = []
        self._covered = 0  # by all rounds
        self._covered_here = 0
        self._begun = self._latest = 0.0
        self._next = 0.0
        self._deadline = 0.0
        self._gained = 0  # directions, since they were accounted for
        self._accounted = 0.0  # when that was
        self.enough = self.settings.least
        self._dried = 0  # rounds that ran dry
        self._main, self._others = RoundYield(), RoundYield()
        self._least_others = _LEAST_OTHERS
        self._found: list[bytes] = []  # inputs by which others covered something new since the main round was left
        self._begin(0.0, self._unpruned(MAIN))

    # ---- for subclasses ----

    @abstractmethod
    def plan(self) -> Round:
        """The next round that begins from the first run; `began` tells how many there were."""

    @property
    def prunes(self) -> bool:
        """Whether this round does."""
        return self.now.method not in (MAIN, UNPRUNED)

    @property
    def began(self) -> int:
        return sum(each.method != MAIN for each in self.rounds)

    @abstractmethod
    def worst(self, pending: Pending, count: int) -> NDArray[np.intp]:
        """That many states to forget."""

    @abstractmethod
    def ratio(self) -> float:
        """How much to prune now."""

    @property
    def now(self) -> Round:
        return self.rounds[-1]

    # ---- Pruner ----

    def due(self, clock: float) -> Due:
        self._latest = clock
        if clock < self._next:
            return Due.NOTHING
        if clock >= self._deadline and not self._extend(clock):
            return Due.RESTART
        self._schedule(clock)
        return Due.PRUNE if self.prunes else Due.NOTHING

    def postpone(self, clock: float) -> None:
        self._account(clock)
        self._grant(clock)
        self._schedule(clock)

    def choose(self, pending: Pending, clock: float) -> NDArray[np.bool_]:
        chosen = np.zeros(len(pending), np.bool_)
        here = self.now
        here.prunings += 1
        here.most_states = max(here.most_states, len(pending))
        ratio = here.ratio = self.ratio()
        count = min(int(len(pending) * ratio), len(pending) - self.settings.least)
        if count > 0:
            chosen[self.worst(pending, count)] = True
            here.dropped += count
        return chosen

    def observe(self, covering: Covering) -> None:
        here = self.now
        here.tests += 1
        new = (covering.branches & ~self._covered).bit_count()
        here.new_branches += new
        self._gained += new
        if new and self.resumes and here.method != MAIN:
            self._found.append(covering.witness)
        self._covered |= covering.branches
        self._covered_here |= covering.branches
        here.branches = self._covered_here.bit_count()

    def restart(self, clock: float, dry: bool) -> Beginning:
        self._close(clock, dry)
        if not self._paper and self._main_is_next(dry):
            self._begin(clock, self._unpruned(MAIN))
            found, self._found = self._found, []
            return Beginning(resume=True, inputs=found)
        if self._paper and dry:
            self._dried += 1
            following = self._unpruned(UNPRUNED)
            following.budget *= 2.0**self._dried
        else:
            following = self.plan()
        self._begin(clock, following)
        return FROM_THE_FIRST_RUN

    def _close(self, clock: float, dry: bool) -> None:
        """Writes down what came of the round that ends."""
        here = self.now
        here.seconds = round(clock - self._begun, 3)
        here.dry = dry
        self._account(clock)

    def _main_is_next(self, dry: bool) -> bool:
        if self.now.method == MAIN:
            return False
        behind = self._others.rate < self._main.rate
        self._least_others = max(_LEAST_OF_ALL, self._least_others / 2) if behind else _LEAST_OTHERS
        return dry or self._main_leads()

    def _main_leads(self) -> bool:
        """Whose time is it?"""
        share = self._main_share()
        if share < _LEAST_MAIN or share > 1 - self._least_others:
            return share < _LEAST_MAIN
        return self._main.rate > self._others.rate

    def _main_share(self) -> float:
        """The share of the time so far."""
        total = self._main.seconds + self._others.seconds
        return self._main.seconds / total if total else 1.0

    def _unpruned(self, method: str) -> Round:
        return Round(len(self.rounds) + 1, method, self.rng.choice(self.settings.budget_space))

    def report(self) -> dict[str, object]:
        self.now.seconds = round(self._latest - self._begun, 3)  # it is not over
        return {
            "rounds": [asdict(each) for each in self.rounds],
            "interval": self.settings.interval,
            "budgets": list(self.settings.budget_space),
            "ratios": list(self.settings.ratio_space),
        }

    def figures(self) -> dict[str, float]:
        here = self.now
        figures = {"round": here.number, "features": here.features, "ratio": here.ratio or 0.0}
        return {**figures, "round_pruned": here.dropped, "round_won": here.new_branches}

    def describe(self, name: Callable[[int], str]) -> str:
        here = self.now
        ratio = f" at ratio {here.ratio:.1f}" if here.ratio else ""
        return f"round {here.number} ({here.method}): {here.dropped} pruned{ratio}, {here.new_branches} branches won"

    # ---- the clock ----

    def _begin(self, clock: float, following: Round) -> None:
        self.rounds.append(following)
        self._covered_here = 0
        self._begun = clock
        self._grant(clock)
        self._schedule(clock)

    def _grant(self, clock: float) -> None:
        self._deadline = clock + self.now.budget

    def _account(self, clock: float) -> float:
        """Notes what came since the last time; per second."""
        gained, seconds = self._gained, clock - self._accounted
        self._gained, self._accounted = 0, clock
        (self._main if self.now.method == MAIN else self._others).add(gained, seconds)
        return gained / seconds if seconds else 0.0

    def _extend(self, clock: float) -> bool:
        """The budget is spent: does the round go on?"""
        if self._paper:
            return False
        rate = self._account(clock)
        if not (self._main_stays(clock, rate) if self.now.method == MAIN else self._other_stays(rate)):
            return False
        self.now.extended += 1
        self._grant(clock)
        return True

    def _main_stays(self, clock: float, rate: float) -> bool:
        if not self.began:
            return rate > 0 and rate >= _FALLEN * self.now.new_branches / (clock - self._begun)
        return self._main_leads()

    def _other_stays(self, rate: float) -> bool:
        return rate > 0 and rate >= self._main.rate and self._main_share() >= _LEAST_MAIN

    def _schedule(self, clock: float) -> None:
        self._next = min(clock + self.settings.interval, self._deadline)
