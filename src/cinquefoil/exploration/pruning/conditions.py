"""Path conditions as pruners see them: codes of core conditions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cinquefoil.exploration.runs.epochs import EpochWatch
from cinquefoil.exploration.runs.events import constraints
from cinquefoil.exploration.runs.remembered_runs import TracingMachine
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import EventKind
from cinquefoil.machine.run import Run
from cinquefoil.machine.worker import Worker
from cinquefoil.prune.api import Conditions
from cinquefoil.prune.features import CoreReader, Vocabulary
from cinquefoil.states.batch import Batch
from cinquefoil.states.state import OTHER

Said = tuple[NDArray[np.uint32], NDArray[np.uint64]]
"""Nodes and their values."""


class PathReader:
    """Reads runs of the machine's current epoch; of a machine that shows no expressions there is nothing to read."""

    def __init__(self, machine: TracingMachine) -> None:
        self.vocabulary = Vocabulary()
        self._machine = machine
        self._watch = EpochWatch(machine)
        self._reader = self._new_reader()

    def read(self, run: Run) -> ReadPath | None:
        reader = self._current()
        if reader is None or run.epoch != self._watch.epoch:
            return None
        return ReadPath(run, reader, self._machine.alts)

    def read_together(self, unread: Sequence[Unread]) -> list[tuple[Unread, Conditions, NDArray[np.int32]]]:
        """Those of the current epoch whose states still wait; of others nothing can or need be known."""
        reader = self._current()
        current = [each for each in unread if each.reader is reader and each.batch.next_pending(0) >= 0]
        if not current or reader is None:
            return []
        return [(each, *found) for each, found in zip(current, read_together(current, reader), strict=True)]

    def _current(self) -> CoreReader | None:
        if self._watch.passed():
            self._reader = self._new_reader()
        return self._reader

    def _new_reader(self) -> CoreReader | None:
        if not isinstance(self._machine, Worker):
            return None
        expressions = self._machine.expressions
        return CoreReader(ExpressionTable(expressions.nodes, expressions.tables, expressions.pool), self.vocabulary)


class ReadPath:
    """One run's path condition: what its events say is noted at once, what that means is found out when asked."""

    def __init__(self, run: Run, reader: CoreReader, alts: NDArray[np.uint32]) -> None:
        self._run = run
        self.reader = reader
        self._alts = alts
        self.said = constraints(run, alts)

    def conditions(self) -> Conditions:
        return self.reader.conditions(self.reader.codes(*self.said))

    def asked(self, batch: Batch) -> Said:
        """What the states that the run left ask for at their untaken branches; node 0 where any other value will do."""
        events, alternatives = self._run.events[batch.indices.astype(np.int64)], batch.alternatives.astype(np.int64)
        nodes, values = events["expr"].copy(), alternatives.astype(np.uint64)
        nodes[alternatives == OTHER] = 0
        switch = np.flatnonzero(batch.kinds == EventKind.SWITCH)
        if len(switch):
            nodes[switch] = self._alts[events["alts"][switch].astype(np.int64) + 1 + alternatives[switch]]
            values[switch] = 1
        return nodes, values


class Unread(NamedTuple):
    """What a run and the states it left say, of one epoch's expressions."""

    batch: Batch
    reader: CoreReader
    path: Said
    branches: Said


def read_together(unread: Sequence[Unread], reader: CoreReader) -> list[tuple[Conditions, NDArray[np.int32]]]:
    """Conditions of paths and codes of untaken branches.  All in one go: per run it would be twenty small steps."""
    paths, branches = [each.path for each in unread], [each.branches for each in unread]
    nodes = np.concatenate([said[0] for said in paths + branches])
    codes = reader.codes(nodes, np.concatenate([said[1] for said in paths + branches]))
    ends = np.cumsum([len(said[0]) for said in paths + branches])
    parts = np.split(codes, ends[:-1])
    split = int(ends[len(paths) - 1])
    return list(zip(first_met(codes[:split], ends[: len(paths)]), parts[len(paths) :], strict=True))


def first_met(codes: NDArray[np.int32], ends: NDArray[np.int64]) -> list[Conditions]:
    """Where each of several paths, one after the other, meets each condition first."""
    where = np.flatnonzero(codes)
    row = np.searchsorted(ends, where, side="right")
    _, first = np.unique(row << 32 | codes[where], return_index=True)
    first.sort()
    where, row = where[first], row[first]
    bounds = np.searchsorted(row, np.arange(1, len(ends)))
    starts = np.concatenate(([0], ends[:-1]))
    positions, met = np.split(where - starts[row], bounds), np.split(codes[where], bounds)
    return [Conditions(*each) for each in zip(positions, met, strict=True)]
