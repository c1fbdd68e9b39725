"""Path conditions as pruners see them: codes of core conditions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cinquefoil.explore.events import constraints
from cinquefoil.explore.paths import TracingMachine
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import EventKind
from cinquefoil.machine.run import Run
from cinquefoil.machine.worker import Worker
from cinquefoil.prune.api import Conditions
from cinquefoil.prune.features import CoreReader, Vocabulary
from cinquefoil.search.batch import Batch
from cinquefoil.search.state import OTHER


class PathReader:
    """Reads runs of the machine's current epoch; of a machine that shows no expressions there is nothing to read."""

    def __init__(self, machine: TracingMachine) -> None:
        self.vocabulary = Vocabulary()
        self._machine = machine
        self._reader: CoreReader | None = None
        self._epoch = -1

    def read(self, run: Run) -> ReadPath | None:
        reader = self._current()
        if reader is None or run.epoch != self._epoch:
            return None
        return ReadPath(run, reader, self._machine.alts)

    def _current(self) -> CoreReader | None:
        if self._epoch != self._machine.epoch:
            self._epoch = self._machine.epoch
            self._reader = None
            if isinstance(self._machine, Worker):
                memory = self._machine.memory
                table = ExpressionTable(memory.nodes, memory.tables, memory.pool)
                self._reader = CoreReader(table, self.vocabulary)
        return self._reader


class ReadPath:
    """One run's path condition."""

    def __init__(self, run: Run, reader: CoreReader, alts: NDArray[np.uint32]) -> None:
        self._run = run
        self._reader = reader
        self._alts = alts
        self._codes = reader.codes(*constraints(run, alts))

    def conditions(self) -> Conditions:
        return self._reader.conditions(self._codes)

    def turns(self, batch: Batch) -> NDArray[np.int32]:
        """The codes of what the states that the run left ask for at their turns."""
        return self._reader.codes(*self._asked(batch, batch.indices.astype(np.int64)))

    def _asked(self, batch: Batch, indices: NDArray[np.int64]) -> tuple[NDArray[np.uint32], NDArray[np.uint64]]:
        """The nodes of the turns' conditions and the values they ask for; node 0 where any other value will do."""
        events, alternatives = self._run.events[indices], batch.alternatives.astype(np.int64)
        nodes, values = events["expr"].copy(), alternatives.astype(np.uint64)
        nodes[alternatives == OTHER] = 0
        switch = np.flatnonzero(batch.kinds == EventKind.SWITCH)
        if len(switch):
            nodes[switch] = self._alts[events["alts"][switch].astype(np.int64) + 1 + alternatives[switch]]
            values[switch] = 1
        return nodes, values
