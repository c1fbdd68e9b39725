"""What a pruner is, and what it may know.

A pruner looks at the pending states now and then and says which to forget, and when to begin again from the
first run.  Exploration keeps the clock, removes what was chosen, sees to it that no error state is lost and that a
forgotten state leaves a test if it is worth one.  About 15 lines are enough:

    @register_pruner("young")
    class Young(Pruner):
        \"\"\"Every ten seconds, the older half goes.\"\"\"

        def __init__(self, setting: Setting) -> None:
            self._next = 10.0

        def due(self, clock: float) -> Due:
            return Due.PRUNE if clock >= self._next else Due.NOTHING

        def choose(self, pending: Pending, clock: float) -> NDArray[np.bool_]:
            self._next = clock + 10.0
            return np.arange(len(pending)) < len(pending) // 2

States are rows of numpy arrays here: a pruner never sees an object per state.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from math import inf
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray


class Due(Enum):
    """What a pruner wants to do now."""

    NOTHING = 0
    PRUNE = 1
    RESTART = 2


@dataclass(frozen=True, slots=True)
class Setting:
    """What a pruner is made with.  `max_time` is how long the exploration will last, None if nobody knows."""

    seed: int = 0
    max_time: float | None = None


@dataclass(frozen=True, slots=True)
class Conditions:
    """The core conditions on one run's path: `codes[i]` is met at event `positions[i]` for the first time."""

    positions: NDArray[np.int64]  # ascending
    codes: NDArray[np.int32]


NO_CONDITIONS = Conditions(np.zeros(0, np.int64), np.zeros(0, np.int32))


@dataclass(frozen=True, slots=True)
class Pending:
    """Pending states in order of creation.

    A state's path condition is that of run `paths[row]` before event `index`, and what its branch asks for: `flip`
    is the code of that condition, 0 if it is none of the language.  Without `Pruner.wants_conditions`, `paths` and
    `flip` tell nothing."""

    row: NDArray[np.int64]
    index: NDArray[np.int64]
    flip: NDArray[np.int32]
    paths: Sequence[Conditions]

    def __len__(self) -> int:
        return len(self.row)


@dataclass(frozen=True, slots=True)
class Covering:
    """A run that covered what no run of the same round had: its core conditions, all branch directions it took, as a
    bit set, and its input (the paper's path condition, branches and test)."""

    codes: tuple[int, ...]
    branches: int
    witness: bytes = b""


@dataclass(frozen=True, slots=True)
class Beginning:
    """How a round begins.  `resume`: the first round goes on where it was left.  Else from the first run.  To either,
    the runs of `inputs` are added, in order, as long as the clock is before `until`."""

    resume: bool = False
    inputs: Sequence[bytes] = ()
    until: float = inf


FROM_THE_FIRST_RUN = Beginning()


class Pruner(ABC):
    """Made as `Class(setting, *parameters)`."""

    wants_conditions: ClassVar[bool] = False
    enough = 0  # states with which it has nothing to do
    resumes = False  # it never prunes the first round, and goes on with it now and then

    @property
    def reads_states(self) -> bool:
        """Whether it will want the conditions of states that come now."""
        return self.wants_conditions

    @abstractmethod
    def due(self, clock: float) -> Due:
        """Asked after every step; `clock` is in seconds of effort."""

    def postpone(self, clock: float) -> None:  # noqa: B027
        """It wanted to begin again, but with so few states pending nothing is gained by that."""

    @abstractmethod
    def choose(self, pending: Pending, clock: float) -> NDArray[np.bool_]:
        """The states to forget; asked when pruning is due."""

    def observe(self, covering: Covering) -> None:  # noqa: B027
        """A run added something to its round."""

    def ran(self, paths: Sequence[Conditions]) -> None:  # noqa: B027
        """Runs whose states it will see: all of them but for some that left nothing to explore."""

    def restart(self, clock: float, dry: bool) -> Beginning:
        """A round ends and another begins; `dry`: because nothing was left of it.  The first round can be resumed if
        `resumes` says so.  Exploration comes to an end only if some round is not pruned and gets the time it needs."""
        return FROM_THE_FIRST_RUN

    def report(self) -> dict[str, object]:
        """What it decided so far, for summary.json."""
        return {}

    def describe(self, name: Callable[[int], str]) -> str:
        """What it is doing now, in a few words, for the live view; `name` says what a condition's code stands for."""
        return ""

    def figures(self) -> dict[str, float]:
        """The same as a few numbers, for stats.csv."""
        return {}
