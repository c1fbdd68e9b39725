"""The solver chain: slicing, then layers from cheap to thorough, then a check of every solution.

    slice -> cache -> domains -> bounds -> edits -> recent models -> pairs -> search -> [multiplexing] -> SMT

Further layers can be added by name (`solver/registry.py`).

Solutions change only the slice's bytes of the witness, and are checked by evaluating the slice's constraints
natively, with code that none of the layers uses; one that fails is counted and becomes
*unknown*.  Constraints outside the slice depend on none of the changed bytes.  Partial solutions are handed up
through `Problem.partial`.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter_ns

import numpy as np
from numpy.typing import NDArray

from cinquefoil.expr.table import ExpressionTable
from cinquefoil.solver.api import Answer, Query, UntakenBranches
from cinquefoil.solver.check import SolutionCheck
from cinquefoil.solver.layer import Layer, LayerStatistics
from cinquefoil.solver.problem import NativeSlicer, Problem, Verdict
from cinquefoil.solver.registry import LayerFactory, arranged
from cinquefoil.solver.smt_layer import SmtLayer, session_factory


class Chain:
    """A `Solver`: composes layers over one expression table."""

    def __init__(self, table: ExpressionTable, layers: Sequence[LayerFactory]) -> None:
        self._slicer = NativeSlicer(table)
        self._check = SolutionCheck()
        self._slicing = LayerStatistics()
        self._epoch: int | None = None
        self._layers: list[Layer] = []
        self._top: Layer | None = None
        for make in reversed(layers):
            self._top = make(self._top)
            self._layers.insert(0, self._top)

    @property
    def table(self) -> ExpressionTable:
        """The current epoch's."""
        return self._slicer.table

    def solve(self, query: Query) -> Answer:
        self._follow_epoch(query.constraints.path.epoch)
        start = perf_counter_ns()
        work = self._slicer.work()
        count = self._slicer.load(query)
        self._slicing.count(Verdict.UNSAT if count < 0 else Verdict.UNKNOWN, perf_counter_ns() - start)
        if count < 0:
            return Answer("unsat")
        problem = Problem(self._slicer, count, query)
        verdict = self._top.solve(problem) if self._top else Verdict.UNKNOWN
        cost = 1 + count + problem.cost + (self._slicer.work() - work) // 256
        return self._answer(problem, verdict, cost)

    def work(self) -> int:
        """Lane operations done by native layers in this epoch: effort that does not depend on the clock."""
        return self._slicer.work()

    def refuted(self, branches: UntakenBranches) -> NDArray[np.bool_]:
        """Which untaken branches of a path surely have no solution, by one cheap pass along the path (refute.c)."""
        self._follow_epoch(branches.epoch)
        return self._slicer.refuted(branches)

    def _follow_epoch(self, epoch: int) -> None:
        """Queries tell their epoch.  The table stays where it is, so a new view of it is enough."""
        if self._epoch is not None and epoch != self._epoch:
            self.reset(ExpressionTable(self.table.nodes, self.table.tables, self.table.pool))
        self._epoch = epoch

    def _answer(self, problem: Problem, verdict: Verdict, cost: int) -> Answer:
        partial, origins = tuple(problem.partial), tuple(problem.partial.values())
        if verdict is Verdict.UNSAT:
            return Answer("unsat", None, partial, cost, origins)
        if verdict is Verdict.UNKNOWN:
            return Answer("unknown", None, partial, cost, origins)
        solution = problem.solution()
        if not self._check.holds(problem, solution):
            return Answer("unknown", None, (*partial, solution), cost, (*origins, "refused"))
        return Answer("sat", solution, partial, cost, origins)

    def credit(self, origin: str, branches: int) -> None:
        """What a partial solution was worth, for the layers that learn from it."""
        for layer in self._layers:
            layer.credit(origin, branches)

    def reset(self, table: ExpressionTable) -> None:
        """Ids start anew, all that was learned by id is void; statistics go on."""
        self._epoch = None
        self._slicer.close()
        self._slicer = NativeSlicer(table)
        for layer in self._layers:
            layer.reset()

    def statistics(self) -> dict[str, LayerStatistics]:
        """Per layer, in order; `check` counts solutions and, as unknown, those refused."""
        named = {name: part for layer in self._layers for name, part in layer.all_statistics().items()}
        return {"slice": self._slicing, **named, "check": self._check.statistics}

    def close(self) -> None:
        self._slicer.close()
        for layer in self._layers:
            layer.reset()


def make_chain(
    table: ExpressionTable,
    *,
    backend: str = "bitwuzla",
    time_limit: float = 10.0,
    seed: int = 0,
    multiplex: Sequence[str] = (),
    added: Sequence[str] = (),
) -> Chain:
    """The usual chain over a table."""
    return Chain(table, usual_layers(backend, time_limit, seed, multiplex, added))


def usual_layers(
    backend: str, time_limit: float, seed: int, multiplex: Sequence[str] = (), added: Sequence[str] = ()
) -> list[LayerFactory]:
    """From cheap to thorough.  `backend` is "bitwuzla" or "z3", `time_limit` is in seconds per query, `multiplex` names
    instances of MuSE, `added` further layers by their registered names."""
    factory = session_factory(backend)
    first: tuple[LayerFactory, ...] = ()
    last: tuple[LayerFactory, ...] = ()
    if multiplex:
        from cinquefoil.solver.multiplex.portfolio import multiplexing

        first, last = multiplexing(multiplex, seed, time_limit)

    def smt(below: Layer | None) -> Layer:
        del below
        return SmtLayer(factory, time_limit, seed)

    return [*first, *arranged(added), *last, smt]
