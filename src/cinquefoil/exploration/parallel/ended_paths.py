"""Paths that became tests, by the hash of the whole path.

A process that took over from another one finds some of its paths again, and may give them to the first process, which
makes a test of each only once."""

from __future__ import annotations

from cinquefoil.exploration.runs.events import Reader
from cinquefoil.machine.run import Run
from cinquefoil.machine.worker import Worker


class EndedPaths:
    """Called with a run, it says whether its path is new, and remembers it."""

    def __init__(self, worker: Worker) -> None:
        self._reader = Reader(worker.sites, lambda: worker.alts)
        self._known: set[int] = set()

    def __call__(self, run: Run) -> bool:
        last = self._reader.read(run).hashes.item(-1)
        known = last in self._known
        self._known.add(last)
        return not known
