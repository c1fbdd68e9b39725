"""States on their way from one process to another.

A state needs its witness's bytes, the event to branch off at and what the searchers want to know of it: all of that is
plain numbers, the same in every process that explores the same image.  States of one witness travel together, in one
`Parcel`, with that part of the witness's hashes and decisions that they lie on.  The receiver runs the witness when the
first of them is asked for, as after any witness was forgotten.

Untaken branches to "another value" (`OTHER`) are not given away: they are asked again and again with one value more,
and only who asked knows which were found.  What is below them may go.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cinquefoil.exploration.parallel.input_names import Contents, InputNames
from cinquefoil.states.batch import COLUMNS, Batch, Chunk
from cinquefoil.states.state import HISTORY, OTHER, State, Witness

_ROW = np.dtype([(name, getattr(Chunk(1), name).dtype) for name in COLUMNS])
Chosen = tuple[Batch, NDArray[np.bool_]]


@dataclass(frozen=True, slots=True)
class Parcel:
    """States of one witness, in path order."""

    contents: Contents
    start: int
    hashes: bytes
    decisions: bytes
    decided: int
    cost: int
    rows: bytes
    seen: tuple[int, ...] | None  # of states that are asked again

    def __len__(self) -> int:
        return len(self.rows) // _ROW.itemsize

    def columns(self) -> NDArray[np.void]:
        return np.frombuffer(self.rows, _ROW)

    def branches(self) -> list[tuple[int, int]]:
        """What identifies each state in any process: the path before it, and the direction."""
        hashes, rows = np.frombuffer(self.hashes, np.uint64), self.columns()
        before = hashes[rows["index"].astype(np.int64) - self.start]
        return list(zip(before.tolist(), rows["alternative"].tolist(), strict=True))

    def without(self, gone: Container[tuple[int, int]]) -> Parcel:
        """The states whose untaken branches are not among these."""
        stay = np.array([branch not in gone for branch in self.branches()], np.bool_)
        return replace(self, rows=self.columns()[stay].tobytes())

    def witness(self, names: InputNames) -> Witness | None:
        """As a new one here; None if there is no room for its inputs."""
        data = names.witness(self.contents)
        if data is None:
            return None
        hashes, decisions = np.frombuffer(self.hashes, np.uint64), np.frombuffer(self.decisions, np.uint64)
        witness = Witness(0, data, None, self.start, hashes, decisions, self.decided)
        witness.cost = self.cost
        return witness


def pack(batch: Batch, chosen: NDArray[np.bool_], names: InputNames) -> Parcel:
    """Some states of a batch; at least one."""
    at = np.flatnonzero(chosen)
    rows = np.empty(len(at), _ROW)
    for name in COLUMNS:
        rows[name] = batch.column(name)[at]
    return _parcel(batch.witness, rows, batch.seen, names)


def pack_state(state: State, names: InputNames) -> Parcel:
    """One state that need not be pending."""
    chunk = Chunk(1)
    chunk.put(state)
    rows = np.empty(1, _ROW)
    for name in COLUMNS:
        rows[name] = getattr(chunk, name)
    return _parcel(state.witness, rows, state.seen or None, names)


def _parcel(witness: Witness, rows: NDArray[np.void], seen: tuple[int, ...] | None, names: InputNames) -> Parcel:
    first, last = int(rows["index"][0]), int(rows["index"][-1])
    hashes = witness.hashes[first - witness.start : last - witness.start + 2]
    shallow, deep = int(rows["depth"].min()), int(rows["depth"].max())
    decided = max(witness.decided, shallow - 1 - HISTORY)
    decisions = witness.decisions[decided - witness.decided : max(0, deep - witness.decided)]
    contents = names.named(witness.data)
    return Parcel(
        contents, first, hashes.tobytes(), decisions.tobytes(), decided, witness.cost, rows.tobytes(), seen
    )  # fmt: skip


def giveable(batch: Batch) -> NDArray[np.bool_]:
    """Which states of a batch may go."""
    return batch.pending & (batch.alternatives != OTHER)


def choose(batches: Sequence[Batch], count: int) -> Iterator[Chosen]:
    """About every second state, oldest first, until there are `count`: what is old is shallow, and much may be below.
    Few states of a witness stay together, since who gets them must run it; of many, every second one goes."""
    given = kept = 0
    for batch in batches:
        chosen = giveable(batch)
        rows = np.flatnonzero(chosen)
        if given >= count:
            return
        if len(rows) > max(1, count // 4):
            chosen[rows[1::2]] = False
        elif given > kept:
            kept += len(rows)
            continue
        won = int(chosen.sum())
        if won:
            given, kept = given + won, kept + len(rows) - won
            yield batch, chosen


def all_states(batches: Iterable[Batch], open: Iterable[State], names: InputNames) -> list[Parcel]:
    """A copy of everything that is left to explore."""
    parcels = [pack(batch, batch.pending, names) for batch in batches]
    return parcels + [pack_state(state, names) for state in open]
