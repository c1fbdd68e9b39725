"""edges: directions that no run has taken yet, first.

Every state takes one direction at one site; all states with the same site and direction form a group.  Groups whose
direction is still uncovered are tried one after the other, a random state each time; one that was tried n times and
is still uncovered has to wait for n^2 selections (times a constant) before it comes again, so that directions which
cannot be taken cost little.  When no group is due, which is most of the time, the least travelled subpath is taken
(`sgs.py`).

Risk: of the states that could take a direction, those that cannot are often the more numerous; random choice among them
may take long.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cinquefoil.machine.run import Run
from cinquefoil.search.api import Context, Searcher
from cinquefoil.search.sgs import SubpathGuided
from cinquefoil.states.batch import Batch
from cinquefoil.states.pending import column
from cinquefoil.states.state import State

_WAIT = 4  # selections that a group waits, times its tries squared

_Edge = tuple[int, int]  # site, direction


class Edges(Searcher):
    """Uncovered directions one after the other, else the least travelled subpaths."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._rest = SubpathGuided(context)
        self._groups: dict[_Edge, list[State]] = {}
        self._tries: dict[_Edge, int] = {}
        self._due: list[tuple[int, int, _Edge]] = []  # heap: when, order of arrival, group
        self._clock = 0
        self._arrived = 0

    def add(self, states: Sequence[State]) -> None:
        self._rest.add(states)
        sites, directions = column(states, "site"), column(states, "alternative")
        for row in np.flatnonzero(self._context.knowledge.uncovered(sites, directions)).tolist():
            state = states[row]
            self._enter((state.site, state.alternative), state)

    def select(self) -> State:
        self._clock += 1
        while self._due and self._due[0][0] <= self._clock:
            _, _, edge = heapq.heappop(self._due)
            state = self._take(edge)
            if state is not None:
                state.pending = False  # before the other half is told: it may tidy up
                self._rest.remove(state)
                state.pending = True  # the frontier's to clear
                return state
        return self._rest.select()

    def remove(self, state: State) -> None:
        self._rest.remove(state)

    def discard(self, batch: Batch, rows: NDArray[np.intp]) -> None:
        self._rest.discard(batch, rows)

    def update(self, state: State | None, run: Run | None, new: Sequence[State]) -> None:
        self._rest.update(state, run, new)

    def _enter(self, edge: _Edge, state: State) -> None:
        group = self._groups.get(edge)
        if group is None:
            group = self._groups[edge] = []
            self._schedule(edge)
        group.append(state)

    def _schedule(self, edge: _Edge) -> None:
        self._arrived += 1
        when = self._clock + _WAIT * self._tries.get(edge, 0) ** 2
        heapq.heappush(self._due, (when, self._arrived, edge))

    def _take(self, edge: _Edge) -> State | None:
        """A pending state of a group; None if it has none, or its direction is covered by now."""
        group = self._groups[edge]
        site, direction = (np.array([number]) for number in edge)
        open_still = self._context.knowledge.uncovered(site, direction)[0]
        state = self._pending(group) if open_still else None
        if state is None:
            del self._groups[edge]
            return None
        self._tries[edge] = self._tries.get(edge, 0) + 1
        self._schedule(edge)
        return state

    def _pending(self, group: list[State]) -> State | None:
        while group:
            at = self._context.rng.randrange(len(group))
            group[at], group[-1] = group[-1], group[at]
            state = group.pop()
            if state.pending:
                return state
        return None
