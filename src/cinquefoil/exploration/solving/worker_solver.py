"""Machine and solver together: what an exploration of a real program needs.

Expression ids are valid for one epoch of the worker, which ends when the table is dropped or the worker had
to be restarted; the solver chain, which learns by id, is then given the new table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cinquefoil.expr.table import ExpressionTable
from cinquefoil.machine.worker import Worker
from cinquefoil.solver.api import Answer, Query, UntakenBranches
from cinquefoil.solver.chain import Chain, make_chain
from cinquefoil.solver.layer import LayerStatistics


class WorkerSolver:
    """The solver chain over a worker's expression table."""

    def __init__(
        self,
        worker: Worker,
        backend: str = "bitwuzla",
        time_limit: float = 10.0,
        seed: int = 0,
        multiplex: Sequence[str] = (),
        layers: Sequence[str] = (),
    ) -> None:
        self._worker = worker
        self._epoch = worker.epoch
        self._chain: Chain = make_chain(
            self._table(), backend=backend, time_limit=time_limit, seed=seed, multiplex=multiplex, added=layers
        )

    def solve(self, query: Query) -> Answer:
        self._follow_epoch()
        return self._chain.solve(query)

    def refuted(self, branches: UntakenBranches) -> NDArray[np.bool_]:
        self._follow_epoch()
        return self._chain.refuted(branches)

    def credit(self, origin: str, branches: int) -> None:
        self._chain.credit(origin, branches)

    def statistics(self) -> dict[str, LayerStatistics]:
        return self._chain.statistics()

    def close(self) -> None:
        self._chain.close()

    def _follow_epoch(self) -> None:
        if self._epoch != self._worker.epoch:
            self._epoch = self._worker.epoch
            self._chain.reset(self._table())

    def _table(self) -> ExpressionTable:
        expressions = self._worker.expressions
        return ExpressionTable(expressions.nodes, expressions.tables, expressions.pool)
