"""How much of its time a query gets from the SMT solver, learned per kind of query.

The first queries of a kind get a quarter; while none is answered, further ones get one, two, four, ... sixteenths in
the order that Luby, Sinclair and Zuckerman (1993) found best for efforts of which nothing is known.  Where one was
answered, the next get twice the effort that the answer took.  A kind is the site in the program that asks; for sites
that are new it is the shape of the query: its goal's operation, how many bytes and constraints.

What stays undecided is asked again with all of the time, and more, once nothing else is left
(`exploration/runs/undecided.py`).  All of it is counted in effort, so the same queries get
the same treatment on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cinquefoil.solver.problem import Problem

_PARTS: Final = 16
_ROOM: Final = 2.0
"""Times the effort of an answer that the next queries of its kind get."""
_NEW: Final = 4
"""Queries of a site after which only its own record counts."""
_TRIAL: Final = 0.25
_FEW: Final = 4
"""Queries of a shape that may stay open for each that is answered, before new sites no longer get a trial."""


@dataclass(slots=True)
class QueryRecord:
    """What became of a kind of query; efforts are shares of the time."""

    failed: int = 0
    answered: int = 0
    effort: float = 0.0  # of the most expensive recent answer

    def share(self) -> float:
        return max(luby(self.failed + 1) / _PARTS, _ROOM * self.effort)

    def learn(self, answered: bool, effort: float) -> None:
        if answered:
            self.answered += 1
            self.effort = max(effort, self.effort / 2)
        else:
            self.failed += 1


class Patience:
    """Outlives epochs: sites and shapes stay what they are."""

    def __init__(self) -> None:
        self._sites: dict[int, QueryRecord] = {}
        self._shapes: dict[tuple[int, int, int], QueryRecord] = {}

    def share(self, problem: Problem) -> float:
        """Between a sixteenth and all of it."""
        site, shape = self._records(problem)
        share = site.share()
        if site.failed + site.answered < _NEW:
            trial = _TRIAL if shape.failed <= _FEW * (shape.answered + 1) else 0
            share = max(share, trial, _ROOM * shape.effort)
        return min(1.0, share)

    def learn(self, problem: Problem, answered: bool, effort: float) -> None:
        for record in self._records(problem):
            record.learn(answered, effort)

    def _records(self, problem: Problem) -> tuple[QueryRecord, QueryRecord]:
        goal = problem.query.goal[0].node if problem.query.goal else 0
        operation = int(problem.slicer.table.nodes["op"][goal])
        shape = (operation, len(problem.inputs).bit_length(), problem.count.bit_length())
        site = self._sites.setdefault(problem.query.site, QueryRecord())
        return site, self._shapes.setdefault(shape, QueryRecord())


def luby(number: int) -> int:
    """1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ..., from 1 on."""
    while True:
        power = number.bit_length()
        if number == (1 << power) - 1:
            return 1 << (power - 1)
        number -= (1 << (power - 1)) - 1
