"""Known models and small edits of the witness, tried by native evaluation; only SAT answers come from here.

First the edits of native/solver/edits.c (the goal's constants written into the input; one byte changed), then models
of recent problems over the same input bytes.
"""

from __future__ import annotations

from collections import OrderedDict, deque

from cinquefoil.solver.layer import Layer
from cinquefoil.solver.problem import Problem, Verdict

_SHAPES = 4096
_RECENT = 8


class EditLayer(Layer):
    """The witness with the goal's constants written into it, or with one byte changed."""

    name = "edits"

    def decide(self, problem: Problem) -> Verdict:
        return problem.run("cinq_edits")


class RecentLayer(Layer):
    """The last models of problems over the same bytes."""

    name = "recent"

    def __init__(self, below: Layer | None = None) -> None:
        super().__init__(below)
        self._recent: OrderedDict[tuple[int, ...], deque[bytes]] = OrderedDict()

    def decide(self, problem: Problem) -> Verdict:
        before = problem.model()
        for model in self._recent.get(problem.inputs, ()):
            problem.set_model(model)
            if problem.run("cinq_try_model") is Verdict.SAT:
                return Verdict.SAT
        problem.set_model(before)
        return Verdict.UNKNOWN

    def learn(self, problem: Problem, verdict: Verdict) -> None:
        if verdict is not Verdict.SAT:
            return
        self._recent.setdefault(problem.inputs, deque(maxlen=_RECENT)).appendleft(problem.model())
        if len(self._recent) > _SHAPES:
            self._recent.popitem(last=False)
