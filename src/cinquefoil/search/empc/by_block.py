"""Pending states by the blocks they stand at and lead to: what dependence asks for.

Only ids are kept, in two groupings, filled by `sift.c` and asked by `goals.c`; what is gone leaves when it
is met.  Risks: of the states that lead to a block not visited yet only _LEADING are remembered; ids of states that are
gone take 8 bytes each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cinquefoil.native import core
from cinquefoil.states.groups import GroupedStates
from cinquefoil.states.index import StateIndex

_LEADING = 64


class StatesByBlock:
    """`visited` has True by site, for all that is no block of the program's too; it is the caller's to keep, and so is
    the `state_index`."""

    def __init__(self, visited: NDArray[np.bool_], state_index: StateIndex) -> None:
        self.visited = visited
        self.state_index = state_index
        self._at = GroupedStates(state_index=state_index)
        self._to = GroupedStates(state_index=state_index)  # to blocks not visited when the state came
        self.groupings = (self._at.handle, self._to.handle)
        self.touched = np.zeros(len(visited), np.uint32)  # when a state came to each block
        self.kept_at = (*self.groupings, core.address(visited), core.address(self.touched), len(visited), _LEADING)
