"""Path conditions as pruners see them: codes of core conditions, and which states a single byte refutes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cinquefoil.explore.events import constraints
from cinquefoil.explore.paths import TracingMachine
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import EventKind
from cinquefoil.machine.run import Run
from cinquefoil.machine.worker import Worker
from cinquefoil.prune.api import Conditions
from cinquefoil.prune.feasible import Domains
from cinquefoil.prune.features import CoreReader, Vocabulary
from cinquefoil.search.batch import Batch
from cinquefoil.search.state import OTHER


@dataclass(frozen=True, slots=True)
class Turns:
    """Of each state of a batch: the code of the core condition that its turn asks for, and whether the turn is
    impossible."""

    codes: NDArray[np.int32]
    refuted: NDArray[np.bool_]


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
        self._meanings = reader.meanings(*constraints(run, alts))

    def conditions(self) -> Conditions:
        return self._reader.conditions(self._meanings)

    def turns(self, batch: Batch) -> Turns:
        """`batch` are the states that the run left."""
        reader, indices = self._reader, batch.indices.astype(np.int64)
        meanings = reader.meanings(*self._asked(batch, indices))
        bytes_, bits = reader.bytes_[meanings], reader.bits[meanings]
        other = np.flatnonzero(batch.alternatives == OTHER)
        if len(other):  # any value but the one it had
            had = self._meanings[indices[other]]
            bytes_[other], bits[other] = reader.bytes_[had], ~reader.bits[had]
        domains = Domains(reader.bytes_[self._meanings], reader.bits[self._meanings])
        return Turns(reader.codes[meanings], domains.refuted(indices, bytes_, bits))

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
