"""A bandit over several arms that choose: wanted states, goals, and three arms that know of neither - the least
travelled subpaths (`sgs.py`), the fewest decisions (`order.py`) and random paths (`randompath.py`), over one index.

Which arm chooses is drawn by what the arms pay (`search/bandit.py`), after a few wanted states that come first until
they bring nothing.  Drawing, choosing and telling all of them that a state is settled is native (`selector.c`), since
it happens for every path; only the wanted states are Python's."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from math import log2

import numpy as np
from numpy.typing import NDArray

from cinquefoil.machine.run import Run
from cinquefoil.native import core
from cinquefoil.native.structures import structure
from cinquefoil.search.api import Context
from cinquefoil.search.bandit import Bandit, in_millionths
from cinquefoil.search.empc.goals import Goals
from cinquefoil.search.empc.wanted import Wanted
from cinquefoil.search.order import BreadthFirst
from cinquefoil.search.randompath import RandomPath
from cinquefoil.search.sgs import COMBINED, SubpathGuided
from cinquefoil.states.batch import Batch
from cinquefoil.states.index import NOBODY, StateIndex
from cinquefoil.states.state import State

_NUMBERS = 12  # of a row
_ALIKE = 64  # states of a subpath; the other arms know all


class ArmScheduler:
    """The index is the caller's to fill."""

    def __init__(self, context: Context, state_index: StateIndex, wanted: Wanted, goals: Goals | None) -> None:
        self._state_index, self._wanted, self._goals = state_index, wanted, goals
        self._subpaths = SubpathGuided(context, COMBINED, state_index=state_index, most=_ALIKE)
        self._fewest, self._paths = (
            BreadthFirst(context, state_index=state_index),
            RandomPath(context, state_index=state_index),
        )
        self._arms = Bandit(4 if goals is None else 5, context.rng.getrandbits(64))
        handles = (self._arms.handle, state_index.handle, 0 if goals is None else goals.handle)
        general = (self._subpaths.handle, len(COMBINED), self._fewest.handle, self._paths.handle)
        parts = structure("empc_arms")(*handles, *general, wanted.seeing, context.rng.getrandbits(64))
        self._handle: int = core.cinq_selector_new(parts)
        weakref.finalize(self, core.cinq_selector_free, self._handle)
        self._select: Callable[[bool], tuple[int, ...] | None] = core.bound(core.cinq_selector_select, self._handle)
        self._settle: Callable[..., None] = core.bound(core.cinq_selector_settle, self._handle)
        self._see: Callable[..., int] = core.bound(core.cinq_selector_see, self._handle)

    def select(self) -> State:
        """One that waits; there must be one."""
        numbers = self._select(self._wanted.any)
        if numbers is None:
            state = self._wanted.pop()
            if state is not None:
                core.cinq_selector_begin(self._handle, state.id)
                return state
            numbers = self._select(False)
            assert numbers is not None, "nothing is wanted"
        if len(numbers) > _NUMBERS and self._goals is not None:
            self._goals.tried()
            numbers = numbers[:_NUMBERS]
        return self._state_index.state(numbers)

    def settle(self, state: State | None, run: Run | None, gain: int) -> None:
        """A state has its answer, and its run covered so many blocks first."""
        id, first = (NOBODY, 0) if state is None else (state.id, state.index)
        paid = in_millionths(log2(1 + gain)) if gain else 0
        if run is None:
            self._settle(id, None, 0, first, paid)
        else:
            self._settle(id, run.events, len(run.events), first, paid)

    def see(self, state: State | None, run: Run, new: Batch) -> None:
        """All at once for a run that covered nothing first, as most do: it settles a state, and left others."""
        id, first = (NOBODY, 0) if state is None else (state.id, state.index)
        wanted, events, trace = self._wanted, run.events, np.ascontiguousarray(run.trace, np.uint32)
        size = new.size
        contexts, maybe = wanted.room_for(size)
        left = (new.chunk.columns_address, new.row, size, new.first)
        found = self._see(id, events, len(events), first, *left, trace, len(trace), contexts, maybe)
        if state is not None and wanted.watches(state):
            wanted.settle(state, feasible=True)
        if found:
            wanted.saw(found, id, new, trace)

    def discard(self, batch: Batch, rows: NDArray[np.intp]) -> None:
        """The others find out by themselves."""
        self._paths.discard(batch, rows)
