"""The native descent against scipy's basin hopping, on the same queries with the same objective.

    python benchmarks/multiplex/descent.py [--seconds 2] [--limit 0.5] [NAME ...]

The routines of `algebra/` are explored with bfs for the given time each.  Every query that reaches the descent instance
is given to both; scipy (basin hopping with Powell's method for the local steps) gets `--limit` seconds and stops at the
first zero.  Told are the queries that each solved, the processor time that took, and evaluations per second: of whole
inputs from Python for scipy (loading the constraints included), of single instructions for the native loop,
which recomputes only what depends on the variable that it changes.
"""

from __future__ import annotations

import argparse
import contextlib
import struct
import time
import warnings
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import basinhopping

from cinquefoil.build.program import load_program
from cinquefoil.exploration import Exploration, Options
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.machine.image import build_image
from cinquefoil.machine.worker import Worker
from cinquefoil.native import core
from cinquefoil.solver.chain import Chain
from cinquefoil.solver.multiplex.attempt import Attempt
from cinquefoil.solver.multiplex.descent import DescentInstance
from cinquefoil.solver.multiplex.portfolio import MultiplexLayer
from cinquefoil.solver.problem import Verdict

ALGEBRA = Path(__file__).resolve().parent / "algebra"


class Over(Exception):
    """Solved, or out of time."""


class Both(DescentInstance):
    """Solves natively; scipy is asked aside and counted."""

    def __init__(self, limit: float) -> None:
        super().__init__(0)
        self.limit = limit
        self.queries = self.native_solved = self.scipy_solved = self.evaluations = 0
        self.native_seconds = self.scipy_seconds = 0.0

    def attempt(self, attempt: Attempt) -> Verdict:
        self.queries += 1
        start = time.process_time()
        verdict = super().attempt(attempt)
        self.native_seconds += time.process_time() - start
        self.native_solved += verdict is Verdict.SAT
        start = time.process_time()
        self.scipy_solved += self._by_scipy(attempt, start + self.limit)
        self.scipy_seconds += time.process_time() - start
        return verdict

    def _by_scipy(self, attempt: Attempt, until: float) -> bool:
        slicer, witness = attempt.problem.slicer, bytearray(attempt.problem.query.witness)
        rows = b"".join(struct.pack("=IIQ", c.node, c.equal, c.value) for c in attempt.constraints)
        words = sorted({index // 8 for index in attempt.problem.inputs})
        witness.extend(bytes(max(0, 8 * (words[-1] + 1) - len(witness))))
        found = False

        def objective(x: NDArray[np.float64]) -> float:
            nonlocal found
            for word, value in zip(words, x, strict=True):
                struct.pack_into("<d", witness, 8 * word, value)
            data = bytes(witness)
            self.evaluations += 1
            total = core.cinq_objective(slicer.state, rows, len(attempt.constraints), data, len(data))
            if total == 0 or time.process_time() > until:
                found = total == 0
                raise Over
            return total

        first = np.nan_to_num([struct.unpack_from("<d", witness, 8 * word)[0] for word in words])
        with contextlib.suppress(Over):
            basinhopping(objective, first, niter=10**6, minimizer_kwargs={"method": "Powell"}, rng=1)
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=2, help="of exploration, without scipy's")
    parser.add_argument("--limit", type=float, default=0.5, help="seconds per query for scipy")
    parser.add_argument("--most", type=int, default=12, help="queries per program")
    parser.add_argument("names", nargs="*")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    print(
        f"{'program':14} queries   native: solved  ms/query  M instructions/s   scipy: solved  ms/query  evaluations/s"
    )
    for path in sorted(ALGEBRA.glob("*.c")):
        if not chosen.names or path.stem in chosen.names:
            measure(path, chosen)


def measure(path: Path, chosen: argparse.Namespace) -> None:
    image, both = build_image(load_program(path), blocks=True), Both(chosen.limit)
    with Worker(image) as worker:
        table = ExpressionTable(worker.expressions.nodes, worker.expressions.tables, worker.expressions.pool)
        chain = Chain(table, (lambda below: MultiplexLayer([both], below),))
        exploration = Exploration(worker, chain, Options(search=("bfs",)), image.graph)
        exploration.start()
        while both.queries < chosen.most and exploration.pending and both.native_seconds < chosen.seconds:
            exploration.step()
        chain.close()
    count, native, scipy = max(both.queries, 1), max(both.native_seconds, 1e-9), max(both.scipy_seconds, 1e-9)
    print(
        f"{path.stem:14} {both.queries:7} {both.native_solved:16} {1000 * native / count:9.2f}"
        f" {both.executed / native / 1e6:17.0f} {both.scipy_solved:15} {1000 * scipy / count:9.1f}"
        f" {both.evaluations / scipy:14.0f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
