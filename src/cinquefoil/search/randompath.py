"""KLEE's random-path: from the root of the execution tree, a fair coin at every fork.

A run's states are a caterpillar: at each event that leads to a pending state, half of the chance goes to the branch
and half to the rest of the path, so a walk is short however long the path.  The branches of one event (a switch) share
its half evenly.  What leads to no pending state is as if it were not there: a selected state's row is closed until
its run grows there.  (Walks that end in such rows and start over would take for ever when several workers have the
likeliest states in hand.)

The tree is native (`paths.c`).  A node is a run, not a state: one byte per state says whether it leads anywhere,
and the next event that does is found by a search for that byte.  Runs with one direction left that leads to one other
run are passed over for good.

Risk: states whose row is gone (retried ones) are put at the root, where they are likelier than before.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from cinquefoil.machine.run import Run
from cinquefoil.native import core
from cinquefoil.search.api import Context, Searcher
from cinquefoil.states.batch import Batch
from cinquefoil.states.index import StateIndex
from cinquefoil.states.state import State


class RandomPath(Searcher):
    """See the module's text.  A `state_index` that is given is filled by others."""

    def __init__(self, context: Context, *, state_index: StateIndex | None = None) -> None:
        self._rng = context.rng
        self._fills = state_index is None
        self._state_index = StateIndex() if state_index is None else state_index
        self.handle: int = core.cinq_paths_new(self._state_index.handle)
        weakref.finalize(self, core.cinq_paths_free, self.handle)
        self._state_index.before_sweep.append(partial(core.cinq_paths_catch_up, self.handle))

    def add(self, states: Sequence[State]) -> None:
        if self._fills:
            self._state_index.add(states)

    def select(self) -> State:
        id = core.cinq_paths_select(self.handle, self._rng.getrandbits(64))
        return self._state_index.state(self._state_index.read(id))

    def update(self, state: State | None, run: Run | None, new: Sequence[State]) -> None:
        if state is not None:
            core.cinq_paths_settle(self.handle, state.id)

    def discard(self, batch: Batch, rows: NDArray[np.intp]) -> None:
        for row in rows.tolist():
            core.cinq_paths_settle(self.handle, batch.first + row)
