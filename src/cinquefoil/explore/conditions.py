"""Path conditions as pruners see them: codes of the core conditions on each run's path, and of states' turns."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cinquefoil.explore.events import constraints
from cinquefoil.explore.paths import TracingMachine
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import EventKind
from cinquefoil.machine.run import Run
from cinquefoil.machine.worker import Worker
from cinquefoil.prune.api import NO_CONDITIONS, Conditions
from cinquefoil.prune.features import CoreReader, Vocabulary
from cinquefoil.search.batch import Batch
from cinquefoil.search.state import OTHER


class PathConditions:
    """Reads runs of the machine's current epoch; a machine that shows no expressions has no conditions."""

    def __init__(self, machine: TracingMachine) -> None:
        self.vocabulary = Vocabulary()
        self._machine = machine
        self._reader: CoreReader | None = None
        self._epoch = -1

    def of(self, run: Run) -> Conditions:
        reader = self._current()
        if reader is None or run.epoch != self._epoch:
            return NO_CONDITIONS
        return reader.conditions(*constraints(run, self._machine.alts))

    def turns(self, batch: Batch, run: Run) -> NDArray[np.int32]:
        """The codes of what the states ask for at their turns."""
        reader = self._current()
        if reader is None or run.epoch != self._epoch or int(batch.index.max(initial=0)) >= len(run.events):
            return np.zeros(len(batch), np.int32)
        events = run.events[batch.index]
        alternative = batch.alternative.astype(np.int64)
        nodes, values = events["expr"].copy(), alternative.astype(np.uint64)
        nodes[alternative == OTHER] = 0
        switch = np.flatnonzero(batch.kind == EventKind.SWITCH)
        if len(switch):
            alts = self._machine.alts
            nodes[switch] = alts[events["alts"][switch].astype(np.int64) + 1 + alternative[switch]]
            values[switch] = 1
        return reader.codes(nodes, values)

    def _current(self) -> CoreReader | None:
        if self._epoch != self._machine.epoch:
            self._epoch = self._machine.epoch
            self._reader = None
            if isinstance(self._machine, Worker):
                memory = self._machine.memory
                table = ExpressionTable(memory.nodes, memory.tables, memory.pool)
                self._reader = CoreReader(table, self.vocabulary)
        return self._reader
