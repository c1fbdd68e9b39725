"""Partial solutions screened by untraced runs before any is traced (MuSE, section 3.6: its future work).

An input that a solver met on its way may take a path that is known.  Running it as plain data costs a fraction of a
traced run, and the blocks it enters tell its path and what it covers.  One that entered the same blocks in the same
order as a run before it is dropped.  Of the others, those that cover something new are traced at once; of those
that do not, the first few of an answer: they save the search a question each, but it did not ask for them.

The solver screens first, by evaluating the query's path (solver/multiplex/screening.py); that sees where an input
leaves this one path, an untraced run also sees what comes after.

Risk: paths that differ in no block (two elements of a table, two sizes) count as one here.  Nothing is lost by that:
the untaken branches between them stay pending.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cinquefoil.exploration.accounting.statistics import Statistics
from cinquefoil.exploration.runs.coverage import Gain
from cinquefoil.exploration.runs.observer import Observer
from cinquefoil.exploration.runs.tree import Growth
from cinquefoil.machine.run import Probe, Run, path_key

Met = tuple[bytes, str]  # an input, and who met it
OTHERS: Final = 8
"""Inputs of an answer that are traced although they cover nothing new."""


class Screen(Observer):
    """Knows the paths of all runs since the first partial solution; those before it are not worth remembering.
    `covers` tells whether any of these sites is new."""

    def __init__(
        self,
        probe: Callable[[bytes], Probe | None],
        covers: Callable[[NDArray[np.int64]], bool],
        statistics: Statistics,
    ) -> None:
        self.statistics = statistics
        self._probe = probe
        self._covers = covers
        self._known: set[int] = set()
        self.noting = False  # has there been a partial solution?

    def after_run(self, run: Run, gain: Gain, growth: Growth, tests: tuple[int, ...]) -> None:
        """Notes the path of a traced run."""
        self.note(run)

    def note(self, run: Run) -> None:
        """A traced run."""
        if self.noting:
            self._known.add(path_key(run.trace.tobytes()))

    def fresh(self, met: Iterable[Met], most: int) -> Iterator[Met]:
        """Lets through at most so many inputs, each to be run (and noted) before the next one is asked for."""
        others = list[tuple[Probe, Met]]()
        for each in met:
            probe = self._look(each[0])
            if probe is not None and self._is_known(probe):
                self.statistics.probed_known += 1
            elif probe is None or not probe.path or self._covers(probe.covered):  # without a path, nothing is told
                most -= 1
                yield each
            else:
                others.append((probe, each))
            if most <= 0:
                return
        for probe, each in others[: min(most, OTHERS)]:
            if self._is_known(probe):
                self.statistics.probed_known += 1
            else:
                yield each

    def _is_known(self, probe: Probe) -> bool:
        return bool(probe.path and probe.path in self._known)

    def _look(self, witness: bytes) -> Probe | None:
        self.noting = True
        self.statistics.probed += 1
        with self.statistics.phases["native"]:
            return self._probe(witness)
