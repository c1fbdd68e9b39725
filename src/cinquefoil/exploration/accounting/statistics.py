"""What happened and where the time went.

One phase of an exploration runs at any moment: beginning one ends the one before, so a path costs one look at the clock
per change, and phases add up.  `watch.c` keeps them: a change takes less than one of Python's function calls.
`search` is all that has to do with pending states: keeping, choosing, telling the strategy what became of them.  `loop`
is what every exploration does between its steps, whatever the strategy: limits, counts, the journal."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields

from cinquefoil.exploration.limits import LIMITS
from cinquefoil.native import core
from cinquefoil.native.structures import structure

PHASES = ("native", "tree", "search", "query", "solver", "output", "prune", "variants", "loop")
CLOCKS = ("wall", "processor", "counting")  # as in watch.c; the last one shows how often it was looked at

_clock = 0


def measure_by(clock: str) -> None:
    """Another clock for all phases from now on: "processor" where the processor has other things to do.  A look at that
    one is a system call; what it costs more than one at the wall's is left out."""
    global _clock
    _clock = CLOCKS.index(clock)


class Watch:
    """Which phase runs, and since when; at first number 0, which nobody asks about."""

    def __init__(self) -> None:
        self.native = structure("watch")()
        self.seconds: ctypes.Array[ctypes.c_double] = self.native.seconds
        where = ctypes.addressof(self.native)
        core.cinq_watch_start(where, _clock)
        self.begin: Callable[[int], None] = core.bound(core.cinq_watch_begin, where)
        self.now: Callable[[], float] = lambda: core.cinq_watch_now(where)

    def beginner(self, number: int) -> Callable[[], None]:
        """Begins one phase, ever the same."""
        return core.bound(core.cinq_watch_begin, ctypes.addressof(self.native), number)


class Phase:
    """One kind of work: it runs from `begin` until another one begins; `with phase:` goes back to what ran before."""

    __slots__ = ("_before", "_number", "_watch", "begin")

    def __init__(self, watch: Watch, number: int) -> None:
        self.begin = watch.beginner(number)
        self._watch = watch
        self._number = number
        self._before: list[int] = []

    @property
    def seconds(self) -> float:
        return self._watch.seconds[self._number]

    @seconds.setter
    def seconds(self, value: float) -> None:
        self._watch.seconds[self._number] = value

    def __enter__(self) -> None:
        self._before.append(self._watch.native.phase)
        self.begin()

    def __exit__(self, *error: object) -> None:
        self._watch.begin(self._before.pop())


class Phases(dict[str, Phase]):
    """All phases by name; `idle` is none of them."""

    def __init__(self) -> None:
        self.watch = Watch()
        super().__init__({name: Phase(self.watch, number) for number, name in enumerate(PHASES, 1)})
        self.idle = Phase(self.watch, 0)


@dataclass(slots=True)
class Statistics:
    """Counts of paths by how they ended, of answers, and seconds by phase."""

    runs: int = 0
    instructions: int = 0
    completed: int = 0
    errors: int = 0
    assumed: int = 0  # ended by a false assumption
    cut_by: dict[str, int] = field(default_factory=lambda: dict.fromkeys(LIMITS, 0))  # ended by that limit
    unsupported: int = 0  # ended by a construct that is not supported
    unmodelled: int = 0  # runs that met such a construct, whether they went on or not
    died: int = 0
    faults: int = 0  # of the engine itself, each of which cost a query or a run
    infeasible: int = 0
    refuted: int = 0  # untaken branches that never became states, since they have no solution
    diverged: int = 0
    doubtful: int = 0  # processes that found memory never written deciding something
    known: int = 0  # runs whose path had been seen
    probed: int = 0  # partial solutions run untraced
    probed_known: int = 0  # of them, those dropped since their path was known
    partial: int = 0  # traced runs of partial solutions
    partial_paths: int = 0  # of them, those that took a new path
    partial_won: int = 0  # blocks and branches that they covered first
    mutations: int = 0  # inputs that were varied and looked at
    mutations_kept: int = 0  # of them, those that promised something and were added
    mutations_won: int = 0  # blocks and branches that they covered first
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

    @property
    def cut(self) -> int:
        """Paths that ended by a limit."""
        return sum(self.cut_by.values())

    def numbers(self) -> dict[str, float]:
        """All counts by name, and the seconds of phases by theirs."""
        counts = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in ("phases", "cut_by")}
        counts |= {f"cut {limit}": count for limit, count in self.cut_by.items()}
        return counts | {f"phase {name}": phase.seconds for name, phase in self.phases.items()}

    def add(self, numbers: Mapping[str, float]) -> None:
        """Counts what another process did."""
        for name, number in numbers.items():
            kind, _, part = name.partition(" ")
            if kind == "cut":
                self.cut_by[part] += int(number)
            elif part:
                self.phases[part].seconds += number
            else:
                setattr(self, kind, getattr(self, kind) + number)
