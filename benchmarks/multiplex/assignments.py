"""Partial assignments of a SAT search (MuSE, section 3.5), as Z3's user propagator shows them: are they worth having?

    python benchmarks/multiplex/assignments.py [--queries 20]

The propagator is told when input bytes get values and when the search goes back; what is fixed before it goes back is
a partial assignment, filled up from the witness.  The table gives, for queries of the solver tests' kinds, how long Z3
takes without and with the propagator, how many distinct assignments it shows, and at how many different conditions of
the path these leave it, which is what would make them inputs worth running.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import z3

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "solver"))
from benchmark import checksum, lexer, queries, strtol

from cinquefoil.expr.backend_z3 import Z3Backend
from cinquefoil.expr.constraint import Constraint
from cinquefoil.expr.evaluate import Evaluator
from cinquefoil.expr.smt import Translator
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.solver.api import Query

SECONDS = 5


class Watcher(z3.UserPropagateBase):
    """Remembers the input bytes that are fixed whenever the search goes back."""

    def __init__(self, solver: Any, inputs: dict[int, Any]) -> None:
        super().__init__(solver)
        self.seen: set[tuple[tuple[int, int], ...]] = set()
        self._fixed: list[tuple[int, int]] = []
        self._marks: list[int] = []
        self._index = {term.get_id(): index for index, term in inputs.items()}
        self.add_fixed(self._take)
        for term in inputs.values():
            self.add(term)

    def _take(self, term: Any, value: Any) -> None:
        self._fixed.append((self._index[term.get_id()], value.as_long()))

    def push(self) -> None:
        self._marks.append(len(self._fixed))

    def pop(self, count: int) -> None:
        if self._fixed:
            self.seen.add(tuple(sorted(self._fixed)))
        for _ in range(count):
            del self._fixed[self._marks.pop() :]

    def fresh(self, context: Any) -> Any:
        return self


def solve(table: ExpressionTable, query: Query, watch: bool) -> tuple[float, set[bytes]]:
    translator: Translator[Any] = Translator(table, Z3Backend())
    constraints = [*query.constraints.constraints(), *query.goal]
    solver = z3.SimpleSolver()
    solver.set("timeout", SECONDS * 1000)
    terms = [translator.condition(Constraint(c.node, c.value, c.equal)) for c in constraints]
    watcher = Watcher(solver, translator.inputs) if watch else None
    start = perf_counter()
    solver.add(*terms)
    solver.check()
    seconds = perf_counter() - start
    return seconds, {filled(query.witness, each) for each in watcher.seen} if watcher else set()


def filled(witness: bytes, assignment: tuple[tuple[int, int], ...]) -> bytes:
    data = bytearray(witness)
    for index, value in assignment:
        data[index] = value
    return bytes(data)


def left_at(table: ExpressionTable, query: Query, data: bytes) -> int:
    """The first condition of the path that does not hold."""
    path = query.constraints.constraints()
    values = Evaluator(table, data).values([c.node for c in path])
    return next((i for i, (c, v) in enumerate(zip(path, values, strict=True)) if c.value != v), len(path))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--queries", type=int, default=20)
    count = parser.parse_args().queries
    for make in (strtol, lexer, checksum):
        subject = make()
        table = subject[0].table()
        plain = watched = assignments = turns = 0.0
        for query in list(queries(subject, 2))[-count:]:
            plain += solve(table, query, False)[0]
            seconds, found = solve(table, query, True)
            watched += seconds
            assignments += len(found)
            turns += len({left_at(table, query, data) for data in found})
        each = 1000 / count
        print(
            f"{make.__name__:10} {plain * each:8.1f} ms plain {watched * each:8.1f} ms watched"
            f" {assignments / count:8.1f} assignments {turns / count:5.1f} turns per query"
        )


if __name__ == "__main__":
    main()
