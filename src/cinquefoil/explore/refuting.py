"""Turns that are no states: those that the solver refutes at a glance.

An engine that asks at every fork never has a state that cannot be.  Here nothing is solved when a branch is met; but
most turns of a long run ask for something that an earlier decision on the same byte rules out, and one pass along the
run's constraints tells (`solver.api.Refuter`).  On GNU bc nine turns in ten never become states.

Only what has no solution is left out, so an exploration that ends for want of states is still complete.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cinquefoil.explore.events import ALTERNATIVE, INDEX, failed_assumption
from cinquefoil.explore.paths import TracingMachine
from cinquefoil.machine.run import Run
from cinquefoil.solver.api import Refuter, Turns


class Refuting:
    """Leaves out turns; `refuted` counts them."""

    def __init__(self, machine: TracingMachine, solver: object) -> None:
        self._machine = machine
        self._solver = solver if isinstance(solver, Refuter) else None
        self.refuted = 0

    def keep(self, run: Run, turns: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those of the turns (columns as `Reader.turns` gives them) that may have a solution."""
        if self._solver is None or not turns.shape[1] or run.epoch != self._machine.epoch:
            return turns
        alts = np.ascontiguousarray(self._machine.alts)
        asked = Turns(run.epoch, run.events, alts, failed_assumption(run), turns[INDEX], turns[ALTERNATIVE])
        refuted = self._solver.refuted(asked)
        count = int(np.count_nonzero(refuted))
        self.refuted += count
        return turns[:, ~refuted] if count else turns
