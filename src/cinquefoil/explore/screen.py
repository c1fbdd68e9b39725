"""Partial solutions screened by untraced runs before any is traced (MuSE, section 3.6: its future work).

An input that a solver met on its way may take a path that is known.  Running it as plain data costs a fraction of a
traced run, and the blocks it enters tell its path: one that entered the same blocks in the same order as a run
before it is dropped.  The solver screens first, by evaluating the query's path (solver/multiplex/screening.py);
that sees where an input leaves this one path, an untraced run also sees what comes after.

Risk: paths that differ in no block (two elements of a table, two sizes) count as one here.  Nothing is lost by that:
the turns between them stay pending.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from cinquefoil.explore.statistics import Statistics
from cinquefoil.machine.run import Probe, Run, path_key

Met = tuple[bytes, str]  # an input, and who met it


class Screen:
    """Knows the paths of all runs since the first partial solution; those before it are not worth remembering."""

    def __init__(self, probe: Callable[[bytes], Probe | None], statistics: Statistics) -> None:
        self.statistics = statistics
        self._probe = probe
        self._known: set[int] | None = None

    def note(self, run: Run) -> None:
        """A traced run."""
        if self._known is not None:
            self._known.add(path_key(run.trace.tobytes()))

    def fresh(self, met: Iterable[Met], most: int) -> Iterator[Met]:
        """The first inputs with paths of their own, each to be run (and noted) before the next one is asked for."""
        for witness, origin in met:
            if most <= 0:
                return
            if self._takes_new_path(witness):
                most -= 1
                yield witness, origin

    def _takes_new_path(self, witness: bytes) -> bool:
        if self._known is None:
            self._known = set()
        with self.statistics.phases["native"]:
            found = self._probe(witness)
        self.statistics.probed += 1
        new = found is None or not found.path or found.path not in self._known  # no blocks: nothing is told
        self.statistics.probed_known += not new
        return new
