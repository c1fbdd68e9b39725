"""Untaken branches that are no states: those that the solver refutes by one pass along the path, without a query.

An engine that asks at every fork never has a state that cannot be.  Here nothing is solved when a branch is met; but
most untaken branches of a long run ask for something that an earlier decision on the same byte rules out, and one pass
along the run's constraints tells (`solver.api.Refuter`).  On GNU bc nine untaken branches in ten never become states.

Only what has no solution is left out, so an exploration that ends for want of states is still complete.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cinquefoil.exploration.accounting.statistics import Phases
from cinquefoil.exploration.runs.events import failed_assumption
from cinquefoil.exploration.runs.remembered_runs import TracingMachine
from cinquefoil.machine.run import Run
from cinquefoil.solver.api import Refuter, UntakenBranches
from cinquefoil.states.batch import Chunk


class InfeasibleBranches:
    """Tells untaken branches to leave out; `refuted` counts them.  Its time is the solver's."""

    def __init__(self, machine: TracingMachine, solver: object, phases: Phases) -> None:
        self._phase, self._after = phases["solver"], phases["tree"]
        self._machine = machine
        self._solver = solver if isinstance(solver, Refuter) else None
        self.refuted = 0

    def look(self, run: Run, chunk: Chunk, count: int) -> NDArray[np.bool_] | None:
        """Which of the untaken branches of a run, the chunk's next `count` rows, have no solution; None: none of which
        we know."""
        if self._solver is None or run.epoch != self._machine.epoch:
            return None
        self._phase.begin()
        alts, rows = np.ascontiguousarray(self._machine.alts), slice(chunk.used, chunk.used + count)
        at, directions = chunk.index[rows], chunk.alternative[rows]
        refuted = self._solver.refuted(
            UntakenBranches(run.epoch, run.events, alts, failed_assumption(run), at, directions)
        )
        found = int(np.count_nonzero(refuted))
        self.refuted += found
        self._after.begin()
        return refuted if found else None
