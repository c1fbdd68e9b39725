"""What an exploration found, in full."""

from __future__ import annotations

from dataclasses import dataclass

from cinquefoil.exploration.accounting.faults import Fault
from cinquefoil.exploration.accounting.statistics import Statistics
from cinquefoil.exploration.limits import Cut, cuts
from cinquefoil.exploration.runs.coverage import Figures
from cinquefoil.exploration.runs.doubts import Doubt
from cinquefoil.exploration.runs.findings import FoundError, Test
from cinquefoil.exploration.runs.remarks import Told
from cinquefoil.exploration.runs.unsupported import Unsupported


@dataclass(frozen=True, slots=True)
class Outcome:
    """`exhausted` is claimed only when no path was cut, lost, pruned or left undecided, none met what is not supported
    or let memory never written decide, and the engine itself did not fail anywhere."""

    reason: str  # "exhausted", "done" (nothing left that can be solved), "interrupted", "covered", or the limit met
    exhausted: bool
    seconds: float
    statistics: Statistics
    coverage: Figures
    tests: tuple[Test, ...]
    errors: tuple[FoundError, ...]
    pending: int
    unknown: int
    created: int
    peak: int
    memory: int
    unsupported: tuple[Unsupported, ...] = ()
    pruning: dict[str, object] | None = None  # what the pruner decided
    faults: tuple[Fault, ...] = ()  # of the engine itself, as far as this process met them
    warnings: tuple[Told, ...] = ()  # what the program told by klee_warning, klee_print_expr and the like
    doubts: tuple[Doubt, ...] = ()  # memory never written that may have decided something, if it is not looked for

    @property
    def cuts(self) -> tuple[Cut, ...]:
        """What cut paths."""
        return tuple(cuts(self.statistics.cut_by, self.reason))

    @property
    def met_unsupported(self) -> bool:
        """Did a run meet a construct that has no model?"""
        return any(not each.is_limit for each in self.unsupported)
