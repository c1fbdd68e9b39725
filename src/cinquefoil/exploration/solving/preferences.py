"""klee_prefer_cex: of the inputs that take a test's path, one that the program prefers.

The preferences of a path are asked for in order, each together with those before it that could be had.  The input found
so replaces the test's own if a run shows that it takes the same path; no path is cut for it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cinquefoil.exploration.runs.remembered_runs import RememberedRuns, TracingMachine, constraints_of
from cinquefoil.exploration.runs.runner import Runner
from cinquefoil.layout import RemarkKind
from cinquefoil.machine.run import Run
from cinquefoil.solver.api import Answer, Constraint, Prefix, Query, Solver

MOST = 64
"""Preferences of a path that are asked for."""
_PATH = ("kind", "site", "taken", "value")


class PreferenceSolver:
    """`must_stop` tells whether it is too late to go on asking."""

    def __init__(
        self,
        machine: TracingMachine,
        solver: Solver,
        runner: Runner,
        paths: RememberedRuns,
        must_stop: Callable[[], bool],
        seconds: float,
    ) -> None:
        self._machine = machine
        self._solver = solver
        self._runner = runner
        self._paths = paths
        self._must_stop = must_stop
        self._seconds = seconds

    def preferred(self, run: Run) -> Run:
        """A run of the same path whose input satisfies as much as can be had; the run itself if that is no more."""
        wanted = [Constraint(r.node, 1) for r in run.remarks if r.kind is RemarkKind.PREFERENCE and r.node]
        if not wanted or run.epoch != self._machine.epoch:
            return run
        path = constraints_of(run, self._machine.alts, self._paths.next_number())
        witness = self._witness(Prefix(path, len(run.events)), wanted[:MOST], run.witness)
        if witness is None or witness == run.witness:
            return run
        again = self._runner.run(witness)
        return again if is_same_path(run, again) else run

    def _witness(self, path: Prefix, wanted: list[Constraint], witness: bytes) -> bytes | None:
        found: bytes | None = None
        kept: tuple[Constraint, ...] = ()
        together = self._ask(path, tuple(wanted), witness)
        if together.status == "sat":
            return together.witness
        for each in wanted if len(wanted) > 1 else ():
            if self._must_stop():
                break
            answer = self._ask(path, (*kept, each), found or witness)
            if answer.status == "sat":
                found, kept = answer.witness, (*kept, each)
        return found

    def _ask(self, path: Prefix, goal: tuple[Constraint, ...], witness: bytes) -> Answer:
        statistics = self._runner.statistics
        statistics.queries += 1
        with statistics.phases["solver"]:
            return self._solver.solve(Query(path, goal, witness, self._seconds, self._must_stop))


def is_same_path(run: Run, other: Run) -> bool:
    """Did both decide the same, go through the same blocks and end in the same way?"""
    if run.end != other.end or len(run.events) != len(other.events) or not np.array_equal(run.trace, other.trace):
        return False
    if run.error is not None and (other.error is None or run.error.backtrace != other.error.backtrace):
        return False
    return all(np.array_equal(run.events[name], other.events[name]) for name in _PATH)
