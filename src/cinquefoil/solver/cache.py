"""Answers already given: the same slice has the same answer.

Two indexes: the exact canonical slice, and, for unsatisfiable slices, subsets: a slice that contains every
constraint of a known unsatisfiable one is unsatisfiable.  The subset search looks only at small known slices
filed under one of their constraints, so it costs a dictionary look-up per constraint.  Satisfiable supersets
are covered by the models layer, which tries recent models by evaluation.

Risk: a cached model may lie farther from the witness than a fresh one; it satisfies the slice all the same.
Memory is bounded by dropping everything when full: the table of one epoch rarely gets there.
"""

from __future__ import annotations

from collections import defaultdict, deque

from cinquefoil.solver.layer import Layer
from cinquefoil.solver.problem import CONSTRAINT, Problem, Verdict

_ROW = CONSTRAINT.itemsize
_CORE_LIMIT = 12
"""Longer unsatisfiable slices are rarely contained in others."""
_CORES_PER_ROW = 16
_SLICE_LIMIT = 512
"""Longer slices are not searched for known subsets: that would cost more than it saves."""


class CacheLayer(Layer):
    """Exact and subset cache over canonical slices."""

    name = "cache"

    def __init__(self, below: Layer | None = None, capacity: int = 200_000) -> None:
        super().__init__(below)
        self.capacity = capacity
        self.reset()

    def reset(self) -> None:
        self._exact: dict[bytes, bytes | None] = {}
        self._cores: defaultdict[bytes, deque[frozenset[bytes]]] = defaultdict(lambda: deque(maxlen=_CORES_PER_ROW))

    def decide(self, problem: Problem) -> Verdict:
        if problem.key not in self._exact:
            return self._contains_core(problem)
        model = self._exact[problem.key]
        if model is None:
            return Verdict.UNSAT
        problem.set_model(model)
        return Verdict.SAT

    def _contains_core(self, problem: Problem) -> Verdict:
        if not self._cores or problem.count > _SLICE_LIMIT:
            return Verdict.UNKNOWN
        rows = _rows(problem.key)
        present = set(rows)
        for row in rows:
            if any(core <= present for core in self._cores.get(row, ())):
                return Verdict.UNSAT
        return Verdict.UNKNOWN

    def learn(self, problem: Problem, verdict: Verdict) -> None:
        if verdict is Verdict.UNKNOWN:
            return
        if len(self._exact) >= self.capacity:
            self.reset()
        self._exact[problem.key] = problem.model() if verdict is Verdict.SAT else None
        if verdict is Verdict.UNSAT:
            rows = _rows(problem.key)
            self._file_core([rows[i] for i in problem.core] if problem.core else rows)

    def _file_core(self, rows: list[bytes]) -> None:
        if len(rows) <= _CORE_LIMIT:
            self._cores[rows[-1]].append(frozenset(rows))


def _rows(key: bytes) -> list[bytes]:
    return [key[at : at + _ROW] for at in range(0, len(key), _ROW)]
