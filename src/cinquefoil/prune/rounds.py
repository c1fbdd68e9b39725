"""Pruning in rounds (Homi, Algorithm 2): each has a budget, and ends by beginning again from the first run.

What the pruners have in common: the clock, the record of every round, and what this engine adds to the paper.

*The main round* is the first one, which prunes nothing.  When it covers new things less than half as quickly as it
did on average, and only if so many states are pending that they may be what is in its way, it is put aside, and others
begin.  From then on time goes to what pays: what the main round and the others covered per second of late says which is
next.  The others get a chance after one budget of the main round, after two if they were behind, then four, and so on;
the main round after three others: keeping its states costs nothing, and a program that can be explored to the end is.
*A round goes on while it pays*: one that covers no less per second than the main round did gets its budget once more.

With the parameter `paper`, neither holds: every round begins from the first run and ends with its budget.  Then, when
pruning leaves nothing to explore, the next round prunes nothing, with twice the budget of the last such round."""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from cinquefoil.prune.api import FROM_THE_FIRST_RUN, Beginning, Covering, Due, Pending, Pruner, Setting
from cinquefoil.prune.spaces import Settings

MAIN: Final = "main"
UNPRUNED: Final = "unpruned"
_PATIENCE: Final = 3  # rounds after which the main one goes on, however little it brought
_MOST_BUDGETS: Final = 64  # of the main round, between two tries of others that are behind
_FALLEN: Final = 0.5  # share of its average rate below which the main round is left for the first time
_MEMORY: Final = 0.5  # share of what was known about a kind of round that still counts after the next one


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


@dataclass(slots=True)
class Yield:
    """What one kind of round brought of late: directions covered, and seconds."""

    gained: float = 0.0
    seconds: float = 0.0

    def add(self, gained: float, seconds: float) -> None:
        self.gained = _MEMORY * self.gained + gained
        self.seconds = _MEMORY * self.seconds + seconds

    @property
    def rate(self) -> float:
        return self.gained / self.seconds if self.seconds else 0.0


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
        self._gained = 0  # directions, since the last budget was granted
        self._granted = 0.0
        self.enough = self.settings.least
        self._dried = 0  # rounds that ran dry
        self._main_yield, self._other_yield = Yield(), Yield()
        self._since_main = 0  # rounds
        self._main_budgets = 0  # since it goes on
        self._wait = 1  # budgets of the main round until others are tried again
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
        self._covered |= covering.branches
        self._covered_here |= covering.branches
        here.branches = self._covered_here.bit_count()

    def restart(self, clock: float, dry: bool) -> Beginning:
        self._close(clock, dry)
        if not self._paper and self._main_is_next(dry):
            self._begin(clock, self._unpruned(MAIN))
            return Beginning(resume=True)
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
        if here.method != MAIN:
            self._since_main += 1
            self._other_yield.add(here.new_branches, here.seconds)
            return
        self._since_main = 0

    def _main_is_next(self, dry: bool) -> bool:
        if self.now.method == MAIN:
            return False
        behind = self._main_yield.rate > self._other_yield.rate
        self._wait = min(_MOST_BUDGETS, 2 * self._wait) if behind else 1
        return dry or behind or self._since_main >= _PATIENCE

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
        self._main_budgets = 0
        self._grant(clock)
        self._schedule(clock)

    def _grant(self, clock: float) -> None:
        self._deadline = clock + self.now.budget
        self._granted = clock
        self._gained = 0

    def _extend(self, clock: float) -> bool:
        """The budget is spent: does the round go on?"""
        if self._paper:
            return False
        rate = self._gained / (clock - self._granted)
        stays = self._main_stays(clock, rate) if self.now.method == MAIN else rate >= self._main_yield.rate
        if not (stays and self._gained):
            return False
        self.now.extended += 1
        self._grant(clock)
        return True

    def _main_stays(self, clock: float, rate: float) -> bool:
        self._main_budgets += 1
        if not self._gained:
            self._main_yield = Yield()  # it may have brought much before, but that is over
        self._main_yield.add(self._gained, clock - self._granted)
        if not self.began:
            return rate >= _FALLEN * self.now.new_branches / (clock - self._begun)
        return self._main_yield.rate >= self._other_yield.rate and self._main_budgets < self._wait

    def _schedule(self, clock: float) -> None:
        self._next = min(clock + self.settings.interval, self._deadline)
