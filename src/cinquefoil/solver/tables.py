"""The native layers that decide by looking at values: byte domains, ranges, complete search over few bytes.

Domains (native/solver/domains.c): every constraint over one input byte is a set of 256 bits; complete when all are.
Bounds (native/solver/bounds.c): intervals of everything above the bytes; decides some unsatisfiable slices.
Pairs (native/solver/pairs.c): a bit per pair of values for every constraint over two bytes, kept and joined.
Search (native/solver/search.c): all constraints, tested for all values of a byte in one sweep, within a budget; two
bytes always fit it.
"""

from __future__ import annotations

from cinquefoil.solver.layer import Layer
from cinquefoil.solver.problem import Problem, Verdict

BUDGET = 1_000_000
UNLIMITED = 1 << 62


class DomainLayer(Layer):
    """Complete for slices of constraints over single bytes; leaves the domains for the layers below."""

    name = "domains"

    def decide(self, problem: Problem) -> Verdict:
        return problem.run("cinq_domains")


class BoundsLayer(Layer):
    """Ranges of all expressions from the ranges of their bytes: quick proofs that there is no solution."""

    name = "bounds"

    def decide(self, problem: Problem) -> Verdict:
        return problem.run("cinq_bounds")


class PairLayer(Layer):
    """Tables of 65,536 bits for constraints over two bytes; complete for slices over two bytes.

    Needs the domains of the layers above it."""

    name = "pairs"

    def decide(self, problem: Problem) -> Verdict:
        return problem.run("cinq_pairs")


class SearchLayer(Layer):
    """Backjumping search over the slice's bytes; `budget` counts lane operations: five milliseconds where much is
    divided or read from tables, which the SMT solver decides in ten."""

    name = "search"

    def __init__(self, below: Layer | None = None, budget: int = BUDGET) -> None:
        super().__init__(below)
        self.budget = budget

    def decide(self, problem: Problem) -> Verdict:
        # Two bytes are at most 256 sweeps: always decided.
        return problem.run("cinq_search", UNLIMITED if len(problem.inputs) <= 2 else self.budget)
