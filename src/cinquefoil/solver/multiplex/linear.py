"""The simplex instance (MuSE, section 3.2): the path condition's linear integer abstraction, solved exactly.

Every assignment before a pivot, rounded to integers in range, is a partial solution.  An assignment that
satisfies the real constraints, by evaluation, is a solution wherever it is met.  The abstraction is a
relaxation, so its infeasibility is a proof.
"""

from __future__ import annotations

from typing import ClassVar, Final

from cinquefoil.expr.table import ExpressionTable
from cinquefoil.solver.multiplex.atoms import Atoms
from cinquefoil.solver.multiplex.attempt import Attempt
from cinquefoil.solver.multiplex.branching import Search, Status
from cinquefoil.solver.multiplex.forms import Forms
from cinquefoil.solver.problem import Verdict

WORK: Final = 30_000
"""Row entries touched per attempt: some ten milliseconds."""
_PER_ENTRY: Final = 10
"""Units of work; measured, forms and branching included."""


class SimplexInstance:
    """Linear forms are kept for an epoch."""

    name: ClassVar[str] = "simplex"

    def __init__(self, work: int = WORK) -> None:
        self.work = work
        self.pivots = 0
        self._atoms: Atoms | None = None

    def reset(self) -> None:
        self._atoms = None

    def attempt(self, attempt: Attempt) -> Verdict:
        atoms = self._for(attempt.problem.slicer.table)
        formulas = [atoms.formula(constraint) for constraint in attempt.constraints]
        search = Search(atoms.forms, formulas, self.work, attempt.offer)
        status = search.run()
        self.pivots += search.pivots
        attempt.work += _PER_ENTRY * (self.work - search.simplex.work)
        if status is Status.INFEASIBLE:
            attempt.core = sorted(search.core)
            return Verdict.UNSAT
        return Verdict.SAT if status is Status.ACCEPTED else Verdict.UNKNOWN

    def _for(self, table: ExpressionTable) -> Atoms:
        if self._atoms is None or self._atoms.forms.table is not table:
            self._atoms = Atoms(Forms(table))
        return self._atoms
