"""What happened and where the time went.

One phase of an exploration runs at any moment: beginning one ends the one before, so a path costs one look at the clock
per change, and phases add up.  (A look takes up to a microsecond where the processor's time is counted.)"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields

PHASES = ("native", "tree", "search", "query", "solver", "output", "prune", "variants")

_clock: Callable[[], float] = time.perf_counter


def now() -> float:
    """What phases are measured by."""
    return _clock()


def measure_by(clock: Callable[[], float]) -> None:
    """Another clock for all phases: `time.thread_time` where the processor has other things to do."""
    global _clock
    _clock = clock


class Watch:
    """Which phase runs, and since when; at first one that nobody asks about."""

    __slots__ = ("phase", "since")

    def __init__(self) -> None:
        self.phase = Phase(self)
        self.since = _clock()


class Phase:
    """One kind of work: it runs from `begin` until another one begins; `with phase:` goes back to what ran before."""

    __slots__ = ("_before", "_watch", "seconds")

    def __init__(self, watch: Watch) -> None:
        self.seconds = 0.0
        self._watch = watch
        self._before: list[Phase] = []

    def begin(self) -> None:
        watch = self._watch
        if watch.phase is not self:
            now = _clock()
            watch.phase.seconds += now - watch.since
            watch.phase, watch.since = self, now

    def __enter__(self) -> None:
        self._before.append(self._watch.phase)
        self.begin()

    def __exit__(self, *error: object) -> None:
        self._before.pop().begin()


class Phases(dict[str, Phase]):
    """All phases by name; `idle` is none of them."""

    def __init__(self) -> None:
        watch = Watch()
        super().__init__({name: Phase(watch) for name in PHASES})
        self.idle = watch.phase


@dataclass(slots=True)
class Statistics:
    """Counts of paths by how they ended, of answers, and seconds by phase."""

    runs: int = 0
    instructions: int = 0
    completed: int = 0
    errors: int = 0
    assumed: int = 0  # ended by a false assumption
    cut: int = 0  # ended by a limit of the machine
    died: int = 0
    infeasible: int = 0
    refuted: int = 0  # turns that never became states, since they have no solution
    diverged: int = 0
    known: int = 0  # runs whose path had been seen
    probed: int = 0  # partial solutions run untraced
    probed_known: int = 0  # of them, those dropped since their path was known
    partial: int = 0  # traced runs of partial solutions
    partial_paths: int = 0  # of them, those that took a new path
    partial_won: int = 0  # blocks and branches that they covered first
    variants: int = 0  # inputs that were varied and looked at
    variants_kept: int = 0  # of them, those that promised something and were added
    variants_won: int = 0  # blocks and branches that they covered first
    reruns: int = 0  # of witnesses whose events were forgotten
    queries: int = 0
    sat: int = 0
    unsat: int = 0
    unknown: int = 0
    cost: int = 0  # of all answers, in the solver's units
    pruned: int = 0
    restarts: int = 0  # by a pruner
    recalled: int = 0  # states whose answer was known from before a restart
    limited: int = 0  # sizes, addresses and the like of which no further values are tried
    epochs: int = 0
    replaced: int = 0  # exploring processes that died or fell silent
    native_seconds: float = 0.0  # as the worker measured
    phases: Phases = field(default_factory=Phases)

    @property
    def paths(self) -> int:
        """Distinct paths that came to an end of their own."""
        return self.completed + self.errors

    def numbers(self) -> dict[str, float]:
        """All counts by name, and the seconds of phases by theirs."""
        counts = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "phases"}
        return counts | {f"phase {name}": phase.seconds for name, phase in self.phases.items()}

    def add(self, numbers: Mapping[str, float]) -> None:
        """Counts what another process did."""
        for name, number in numbers.items():
            kind, _, phase = name.partition(" ")
            if phase:
                self.phases[phase].seconds += number
            else:
                setattr(self, kind, getattr(self, kind) + number)
