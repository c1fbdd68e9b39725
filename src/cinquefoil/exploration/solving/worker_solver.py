"""Machine and solver together: what an exploration of a real program needs."""

from __future__ import annotations

from collections.abc import Sequence

from cinquefoil.expr.table import ExpressionTable
from cinquefoil.machine.worker import Worker
from cinquefoil.solver.chain import Chain, usual_layers


class WorkerSolver(Chain):
    """The usual solver chain over a worker's expression table, which stays at its address from epoch to epoch."""

    def __init__(
        self,
        worker: Worker,
        backend: str = "bitwuzla",
        time_limit: float = 10.0,
        seed: int = 0,
        multiplex: Sequence[str] = (),
        layers: Sequence[str] = (),
    ) -> None:
        expressions = worker.expressions
        table = ExpressionTable(expressions.nodes, expressions.tables, expressions.pool)
        super().__init__(table, usual_layers(backend, time_limit, seed, multiplex, layers))
