"""What every layer of the solver chain has in common: it decides a problem, or asks the layer below; both are timed.

A layer of one's own needs a name and one method.  About 15 lines are enough:

    @register_layer("spaces")
    class Spaces(Layer):
        \"\"\"Tries an input of nothing but spaces.\"\"\"

        name = "spaces"
        before = "search"

        def decide(self, problem: Problem) -> Verdict:
            model = problem.model()
            problem.set_model(b" " * len(model))
            if problem.holds_under(problem.solution()):
                return Verdict.SAT
            problem.set_model(model)
            return Verdict.UNKNOWN
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from time import perf_counter_ns
from typing import ClassVar, Final

from cinquefoil.solver.problem import Problem, Verdict

SMT: Final = "smt"
"""The name of the last layer."""


@dataclass(slots=True)
class LayerStatistics:
    """Queries that reached a layer and what it decided itself; `nanoseconds` excludes the layers below."""

    queries: int = 0
    sat: int = 0
    unsat: int = 0
    unknown: int = 0
    nanoseconds: int = 0
    partial: int = 0  # partial solutions met
    partial_fresh: int = 0  # of them, those that leave the path where none did before
    partial_runs: int = 0  # of these, those that were run
    partial_won: int = 0  # blocks and branches that these runs covered first
    first: int = 0  # queries for which a portfolio chose this one before its others
    left_out: int = 0  # queries for which it did not choose it at all
    terms_nanoseconds: int = 0  # of `nanoseconds`: making terms for another solver

    def count(self, verdict: Verdict, nanoseconds: int) -> None:
        self.queries += 1
        self.nanoseconds += nanoseconds
        if verdict is Verdict.SAT:
            self.sat += 1
        elif verdict is Verdict.UNSAT:
            self.unsat += 1
        else:
            self.unknown += 1


class Layer(ABC):
    """One way to decide problems; what it leaves open goes to the `below` layer.  Made as `Class(below, *parameters)`.

    `decide` must be sound: SAT with the solution as the problem's model, UNSAT only if there is none, UNKNOWN
    with the model left as it was.  `learn` sees what the layers below decided."""

    name: ClassVar[str]
    before: ClassVar[str] = SMT  # the built-in layer in front of which it stands if it is added by name

    def __init__(self, below: Layer | None = None) -> None:
        self.below = below
        self.statistics = LayerStatistics()

    @abstractmethod
    def decide(self, problem: Problem) -> Verdict:
        """What this layer can say by itself."""

    def passes_on(self, problem: Problem) -> bool:
        """Whether what this layer left open goes to the layers below; it stays open otherwise."""
        del problem
        return True

    def learn(self, problem: Problem, verdict: Verdict) -> None:
        """Called after a layer below has decided; nothing by default."""
        del problem, verdict

    def credit(self, origin: str, branches: int) -> None:  # noqa: B027 (few layers have partial solutions)
        """A partial solution that this layer may have met was run; see solver.api.Learner."""

    def all_statistics(self) -> dict[str, LayerStatistics]:
        """Statistics by name; layers of several parts tell about each."""
        return {self.name: self.statistics}

    def reset(self) -> None:  # noqa: B027 (most layers remember nothing by id)
        """A new epoch: node ids start anew."""

    def solve(self, problem: Problem) -> Verdict:
        start = perf_counter_ns()
        verdict = self.decide(problem)
        self.statistics.count(verdict, perf_counter_ns() - start)
        if verdict is not Verdict.UNKNOWN or self.below is None or not self.passes_on(problem):
            return verdict
        verdict = self.below.solve(problem)
        self.learn(problem, verdict)
        return verdict
