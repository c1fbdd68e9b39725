"""The descent instance (MuSE, section 3.4): a branch-distance objective, minimised natively (native/solver/descent.c).

Made for floating point, where SMT solvers take seconds or give up; it serves integers as well.  Local minima
and points that leave the path at different branches are partial solutions.  It never proves anything: without a
solution the answer is "unknown".

Risk: objectives with plateaus (a hash, a flag) give no direction; the budget, in instructions executed, bounds
what they cost.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterator
from typing import ClassVar, Final
from zlib import crc32

from cinquefoil.native import core
from cinquefoil.solver.multiplex.attempt import Attempt
from cinquefoil.solver.problem import Verdict

BUDGET: Final = 8_000_000
"""Instructions of the expressions executed per attempt if it has floating point: some hundred milliseconds, where
SMT solvers take seconds."""
INTEGER_BUDGET: Final = 1_000_000
HASTE: Final = 8
"""An attempt in a hurry, since the SMT solver is likely to decide the query, has this part of the budget."""
PER_WORK: Final = 40
"""Instructions that count for one unit of work."""
_pack = struct.Struct("=IIQ").pack


class DescentInstance:
    """Basin hopping; the same query and seed give the same points."""

    name: ClassVar[str] = "descent"

    def __init__(self, seed: int = 0, budget: int = BUDGET, integer_budget: int = INTEGER_BUDGET) -> None:
        self.seed = seed
        self.budget = budget
        self.integer_budget = integer_budget
        self.executed = 0
        self.minima = 0

    def reset(self) -> None:
        """Nothing is kept."""

    def attempt(self, attempt: Attempt) -> Verdict:
        slicer, witness = attempt.problem.slicer, attempt.problem.query.witness
        state = slicer.state
        rows = b"".join(_pack(c.node, c.equal, c.value) for c in attempt.constraints)
        seed = self.seed << 32 | crc32(rows)
        count = len(attempt.constraints)
        budget = (self.budget if attempt.floats else self.integer_budget) // (1 if attempt.patient else HASTE)
        sizes = (seed, budget, budget // 4)
        verdict = core.cinq_descend(state, rows, count, witness, len(witness), *sizes)
        executed = core.cinq_descent_work(state)
        self.executed += executed
        attempt.work += executed // PER_WORK
        self.minima += core.cinq_descent_minima(state)
        for values in points(state):  # a solution is the last one
            attempt.offer(values)
        found = attempt.solution is not None and verdict == Verdict.SAT
        return Verdict.SAT if found else Verdict.UNKNOWN


def points(state: int) -> Iterator[dict[int, int]]:
    """Input bytes of every point that the last descent or sweep kept."""
    size = core.cinq_descent_inputs(state, None)
    inputs = (ctypes.c_uint32 * size)()
    core.cinq_descent_inputs(state, inputs)
    data = core.text_at(core.cinq_descent_rows(state), size * core.cinq_descent_count(state))
    for start in range(0, len(data), size or 1):
        yield dict(zip(inputs, data[start : start + size], strict=True))
