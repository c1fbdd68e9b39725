"""Answers already given: the same slice has the same answer, and what contains a known core has no solution.

Cores are kept natively (native/solver/cores.c): every refutation leaves one, the few constraints that contradict each
other; those of the SMT solver come with its answer, others are looked for with a bounded effort.  Untaken branches of
new runs are held against them as well (refute.c).  Satisfiable supersets are covered by the models layer, which tries
recent models by evaluation.

Risk: a cached model may lie farther from the witness than a fresh one; it satisfies the slice all the same.
Memory is bounded by dropping all answers when full, and by replacing the oldest cores.
"""

from __future__ import annotations

import numpy as np

from cinquefoil.native import core
from cinquefoil.solver.layer import Layer
from cinquefoil.solver.problem import Problem, Verdict


class CacheLayer(Layer):
    """Exact cache of canonical slices, and known cores."""

    name = "cache"

    def __init__(self, below: Layer | None = None, capacity: int = 200_000) -> None:
        super().__init__(below)
        self.capacity = capacity
        self.reset()

    def reset(self) -> None:
        self._exact: dict[bytes, bytes | None] = {}

    def decide(self, problem: Problem) -> Verdict:
        if problem.key not in self._exact:
            return problem.run("cinq_contains_core")
        model = self._exact[problem.key]
        if model is None:
            return Verdict.UNSAT
        problem.set_model(model)
        return Verdict.SAT

    def learn(self, problem: Problem, verdict: Verdict) -> None:
        if verdict is Verdict.UNKNOWN:
            return
        if len(self._exact) >= self.capacity:
            self.reset()
        self._exact[problem.key] = problem.model() if verdict is Verdict.SAT else None
        if verdict is Verdict.UNSAT:
            self._learn_core(problem)

    @staticmethod
    def _learn_core(problem: Problem) -> None:
        state = problem.slicer.state
        if problem.core:
            core.cinq_learn_core(state, np.array(problem.core, np.uint32), len(problem.core))
        else:
            core.cinq_find_core(state)
