"""What the instances of multiplexing have in common: a problem, and inputs offered as solutions of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final, Protocol

from cinquefoil.solver.api import Constraint
from cinquefoil.solver.problem import Problem, Verdict

MOST_PARTIAL: Final = 512
"""Partial solutions kept of one attempt; the explorer runs fewer."""


class Attempt:
    """One instance at work on one problem.

    `constraints` is what it solves: the problem's slice, or all of the path.  An input that satisfies the slice is
    a solution, any other is a partial solution."""

    def __init__(
        self,
        problem: Problem,
        constraints: list[Constraint] | None = None,
        whole: bool = False,
        floats: bool = True,
        patient: bool = True,
    ) -> None:
        self.problem = problem
        self.whole = whole
        self.floats = floats  # whether floating point occurs
        self.patient = patient  # whether long efforts are welcome
        self.constraints = problem.constraints if constraints is None else constraints
        self.partial: dict[bytes, None] = {}
        self.solution: bytes | None = None
        self.core: list[int] | None = None
        self.work = 0  # in units of 256 lane operations, about a tenth of a microsecond each

    def offer(self, values: Mapping[int, int]) -> bool:
        """Input bytes met by a solver; True if they are a solution and it may stop."""
        witness = bytearray(self.problem.query.witness)
        last = max(values, default=-1)
        if last >= len(witness):
            witness.extend(bytes(last + 1 - len(witness)))
        for index, value in values.items():
            witness[index] = value
        return self.offer_witness(bytes(witness))

    def offer_witness(self, witness: bytes) -> bool:
        if witness in self.partial:
            return False
        if not self.whole and self.problem.holds_under(witness):
            self.solution = witness
            return True
        if len(self.partial) < MOST_PARTIAL and witness != self.problem.query.witness:
            self.partial[witness] = None
        return False

    def settle(self) -> Verdict:
        """Hand the solution to the problem."""
        if self.solution is None:
            return Verdict.UNKNOWN
        found = self.solution
        self.problem.set_model(bytes(found[i] if i < len(found) else 0 for i in self.problem.inputs))
        return Verdict.SAT


class Instance(Protocol):
    """A solver that tells what it meets on the way."""

    name: ClassVar[str]

    def attempt(self, attempt: Attempt) -> Verdict:
        """UNSAT is a proof; after SAT the attempt has a solution."""
        ...

    def reset(self) -> None:
        """A new epoch."""
        ...
