"""Several strategies over the same states, taking turns."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

import numpy as np
from numpy.typing import NDArray

from cinquefoil.machine.run import Run
from cinquefoil.search.adaptive import EVENTS, Arms
from cinquefoil.search.api import Context, Searcher
from cinquefoil.search.batch import Batch
from cinquefoil.search.state import State


class Interleave(Searcher):
    """Every strategy holds every state; each selection asks the next one, round robin, as KLEE does, or in the order
    of `turns`, numbers of strategies, in which one may come several times.

    Risk: a state costs memory in each strategy."""

    def __init__(self, searchers: Sequence[Searcher], turns: Sequence[int] = ()) -> None:
        self._searchers = list(searchers)
        self._turns = list(turns) or list(range(len(self._searchers)))
        self._turn = 0
        self._selected = self._searchers[0]

    def add(self, states: Sequence[State]) -> None:
        for searcher in self._searchers:
            searcher.add(states)

    def select(self) -> State:
        searcher = self._selected = self._searchers[self._next()]
        state = searcher.select()
        while not state.pending:
            state = searcher.select()
        state.pending = False  # before the others are told: they may tidy up
        self._tell(searcher, state)
        state.pending = True  # the frontier's to clear
        return state

    def remove(self, state: State) -> None:
        self._tell(None, state)

    def discard(self, batch: Batch, rows: NDArray[np.intp]) -> None:
        for searcher in self._searchers:
            searcher.discard(batch, rows)

    def update(self, state: State | None, run: Run | None, new: Sequence[State]) -> None:
        for searcher in self._searchers:
            searcher.update(state, run, new)

    def wishes(self, state: State) -> Sequence[State]:
        return self._selected.wishes(state)

    def _next(self) -> int:
        number = self._turns[self._turn]
        self._turn = (self._turn + 1) % len(self._turns)
        return number

    def _tell(self, but: Searcher | None, state: State) -> None:
        for searcher in self._searchers:
            if searcher is not but:
                searcher.remove(state)


class Adaptive(Interleave):
    """Strategies whose turns lately covered more for what they cost have more turns (`adaptive.py`).  A turn brings the
    blocks and directions that its run covered first, and costs the more the more events its run has: both are counted,
    so that equal seeds choose equally."""

    def __init__(self, searchers: Sequence[Searcher], context: Context) -> None:
        super().__init__(searchers)
        self._arms = Arms(len(searchers), context.rng)
        self._knowledge = context.knowledge
        self._version = context.knowledge.version
        self._seen = np.zeros(0, np.bool_)
        self._turning: dict[int, int] = {}  # states selected, not settled: by whom

    def select(self) -> State:
        state = super().select()
        self._turning[state.id] = self._turn
        return state

    def update(self, state: State | None, run: Run | None, new: Sequence[State]) -> None:
        version, self._version = self._version, self._knowledge.version
        gain = self._first_covered(run) if run is not None and version != self._version else 0
        way = None if state is None else self._turning.pop(state.id, None)
        if way is not None:
            self._arms.note(way, log2(1 + gain), 1 + (0 if run is None else len(run.events)) / EVENTS)
        super().update(state, run, new)

    def _next(self) -> int:
        self._turn = next(self._arms.order())
        return self._turn

    def _first_covered(self, run: Run) -> int:
        """How many sites no run covered before."""
        covered = run.covered
        most = int(covered.max(initial=0))
        if most >= len(self._seen):
            self._seen = np.concatenate([self._seen, np.zeros(most + 1, np.bool_)])
        fresh = len(covered) - int(np.count_nonzero(self._seen[covered]))
        self._seen[covered] = True
        return fresh
