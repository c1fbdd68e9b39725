"""Keeps the journal: writes down what every run was, and where the exploration stood when something new was covered."""

from __future__ import annotations

from cinquefoil.exploration.runs.coverage import Gain
from cinquefoil.exploration.runs.explored import Explored
from cinquefoil.exploration.runs.journal import Moment
from cinquefoil.exploration.runs.observer import Observer
from cinquefoil.exploration.runs.tree import Growth
from cinquefoil.machine.run import Run


class JournalKeeper(Observer):
    """Writes to the journal of `explored`."""

    def __init__(self, explored: Explored) -> None:
        self._explored = explored
        self._journal = explored.journal
        self._shapes = explored.journal.shapes

    def after_run(self, run: Run, gain: Gain, growth: Growth, tests: tuple[int, ...]) -> None:
        self._shapes.add(run, growth, tests[0] if tests else 0)
        if tests:
            self._journal.noted(run, tests, self._explored.stopwatch.seconds)
        if gain:
            with self._explored.statistics.phases["output"]:
                note_gain(self._explored, gain, tests)


def note_gain(explored: Explored, gain: Gain, tests: tuple[int, ...]) -> None:
    """A run covered this first; `tests` are those it became."""
    waiting, test = len(explored.frontier) + len(explored.undecided), tests[0] if tests else 0
    moment = Moment(explored.stopwatch.seconds, *explored.coverage.counts(), waiting, explored.memory.lately(), test)
    explored.journal.gained(gain.sites, moment)
