"""States in groups by an integer key: `native/search/groups.c`, seen from Python.

`GroupedStates` holds ids only; a `StateIndex` says which of them still wait and makes `State` objects of those that are
chosen.  Ids that were removed stay in their group until they are met, or until half of it is dead."""

from __future__ import annotations

import random
import weakref
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cinquefoil.native import core
from cinquefoil.states.batch import Batch
from cinquefoil.states.index import StateIndex
from cinquefoil.states.pending import column
from cinquefoil.states.state import State, subpath_key

NOTHING = 0xFFFFFFFF


class GroupedStates:
    """Pending states by key.  `levelled` groups have a frequency, and `newest` knows the newest of a level.  An
    index that is given is filled by others."""

    def __init__(self, levelled: bool = False, newest: bool = False, state_index: StateIndex | None = None) -> None:
        self.state_index = StateIndex() if state_index is None else state_index
        self.handle: int = core.cinq_groups_new(levelled, newest)
        weakref.finalize(self, core.cinq_groups_free, self.handle)

    def __len__(self) -> int:
        """The number of groups; they are never dropped, only emptied."""
        return core.cinq_groups_count(self.handle)

    def add(self, keys: NDArray[np.integer], states: Sequence[State]) -> None:
        self.state_index.add(states)
        self.put(keys, states)

    def put(self, keys: NDArray[np.integer], states: Sequence[State]) -> None:
        """The same for states that the index knows."""
        ids, keys = column(states, "id"), np.ascontiguousarray(keys.astype(np.uint64, copy=False))
        core.cinq_groups_add(self.handle, keys, ids, len(ids))

    def find(self, key: int) -> int:
        """The group of a key, or NOTHING."""
        return core.cinq_groups_find(self.handle, key & 0xFFFFFFFFFFFFFFFF)

    def remove(self, key: int) -> None:
        """One state of the group, whose `pending` is already False, is gone."""
        group = self.find(key)
        core.cinq_groups_gone(self.handle, group)
        self.tidy(key)

    def discard(self, keys: NDArray[np.integer]) -> None:
        """The same for many."""
        keys = np.ascontiguousarray(keys.astype(np.uint64, copy=False))
        core.cinq_groups_drop(self.handle, keys, len(keys))
        for key in np.unique(keys).tolist():
            self.tidy(key)

    def keys(self) -> NDArray[np.int64]:
        keys = np.empty(len(self), np.int64)
        core.cinq_groups_keys(self.handle, keys)
        return keys

    def counts(self) -> NDArray[np.int64]:
        """How many states each group still holds."""
        counts = np.empty(len(self), np.int64)
        core.cinq_groups_counts(self.handle, counts)
        return counts

    def take(self, group: int, rng: random.Random) -> State:
        """Any pending state of a group that has one, taken out."""
        while True:
            size = core.cinq_groups_size(self.handle, group)
            state = self._pop(group, rng.randrange(size))
            if state is not None:
                return state

    # ---- levels ----

    def lowest(self) -> int:
        """How many states the groups of the lowest frequency hold; to be asked before the next two."""
        return core.cinq_groups_lowest(self.handle)

    def of_rank(self, rank: int) -> int:
        """The group of one of these states."""
        return core.cinq_groups_at(self.handle, rank)

    def newest(self) -> int:
        """The group whose last state is the newest of them."""
        return core.cinq_groups_newest(self.handle)

    def travel(self, group: int) -> None:
        """Its frequency rises by one."""
        core.cinq_groups_travel(self.handle, group)

    def frequency(self, key: int) -> int:
        group = self.find(key)
        return 0 if group == NOTHING else core.cinq_groups_frequency(self.handle, group)

    # ---- inside ----

    def _pop(self, group: int, position: int) -> State | None:
        id = core.cinq_groups_take(self.handle, group, position)
        if not self.state_index.is_pending(id):
            return None
        core.cinq_groups_gone(self.handle, group)
        return self.state_index[id]

    def tidy(self, key: int) -> None:
        """Lets go of a group's dead ids if they are most of it."""
        group = self.find(key)
        if core.cinq_groups_untidy(self.handle, group):
            ids = np.empty(core.cinq_groups_size(self.handle, group), np.int64)
            core.cinq_groups_members(self.handle, group, ids)
            live = np.array([id for id in ids.tolist() if self.state_index.is_pending(id)], np.int64)
            core.cinq_groups_keep(self.handle, group, live, len(live))


def subpaths(states: Sequence[State], n: int) -> NDArray[np.uint64]:
    """A number for each state's last n decisions, the untaken branch included: `subpath_key` of `State.subpath`."""
    if not isinstance(states, Batch):
        return np.array([subpath_key(state.subpath(n)) for state in states], np.uint64)
    keys = np.empty(len(states), np.uint64)
    witness = states.witness
    depths, sites, kinds, alternatives = states.depths, states.sites, states.kinds, states.alternatives
    core.cinq_subpaths(witness.decisions, witness.decided, depths, sites, kinds, alternatives, len(keys), n, keys)
    return keys
