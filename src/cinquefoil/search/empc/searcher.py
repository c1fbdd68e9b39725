"""The strategy: states on the paths of minimum path covers first (Yao and She: Empc, effective path
prioritization for symbolic execution with path cover, section 4).

A run is followed through the activations of the program's subgraphs (`walk.py`); the untaken branches that it left
and that lie on cover paths not taken yet are wanted (`wanted.py`).  When there is none, `goals.py` looks for a state
that can make a missing block reachable.

`empc:paper` does as the paper does: wanted states, newest first; else dependence; else any state.  `empc:paper:nodep`
is the paper's ablation: the newest state instead of dependence.

`empc` differs, because here a run goes to its end by itself, infeasible branches cost a query each, and what covers
and dependence promise is often not to be had.  It asks only for paths on which a block is left to visit, and for every
branch onto a block never visited; keeps all covers; asks the solver to stay on the wanted path after it too; and
takes shallow states first.  Wanted and dependent states are two arms beside three that know of neither: the
least travelled subpaths (`sgs.py`), the fewest decisions and random paths.  Wanted states come first until a few of
them brought nothing; then each arm gets time as it pays (`arms.py`), until something new is covered.
`empc:nodep` is that without dependence.

Risk: without a block trace nothing can be followed, and the last three arms are all there is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from cinquefoil.machine.run import Run
from cinquefoil.search.api import Context, Searcher
from cinquefoil.search.empc.arms import ArmScheduler
from cinquefoil.search.empc.by_block import StatesByBlock
from cinquefoil.search.empc.covers import CoverGroups
from cinquefoil.search.empc.goals import Goals
from cinquefoil.search.empc.prepared import prepared
from cinquefoil.search.empc.walk import Walker
from cinquefoil.search.empc.wanted import Wanted
from cinquefoil.search.nurs import RandomState
from cinquefoil.search.order import DepthFirst
from cinquefoil.states.batch import Batch
from cinquefoil.states.index import NOBODY, StateIndex
from cinquefoil.states.pending import in_rows
from cinquefoil.states.state import State

_REST_EVERY = 4  # in the paper's order: branches that are no forks there get one in so many
_NOTHING: list[int] = []


def empc(context: Context, *options: str) -> Searcher:
    """`empc`, `empc:paper`, `empc:nodep`, `empc:paper:nodep`."""
    unknown = set(options) - {"paper", "nodep"}
    if unknown:
        raise ValueError(f"there is no variant '{min(unknown)}', only 'paper' and 'nodep'")
    return Empc(context, paper="paper" in options, dependence="nodep" not in options)


class Empc(Searcher):
    """See the module's text."""

    def __init__(self, context: Context, paper: bool = False, dependence: bool = True) -> None:
        program = prepared(context.knowledge.graph)
        self.groups = CoverGroups(program.trees, spare=not paper, shrink=paper)
        self._visited = _other_sites(program.icfg.owner)
        self._state_index = StateIndex()
        self.waiting = StatesByBlock(self._visited, self._state_index)
        walker = Walker(program.icfg, program.decomposition, self.groups)
        by_block = self.waiting if dependence else None
        self.wanted = Wanted(self.groups, walker, newest=paper, state_index=self._state_index, waiting=by_block)
        self.infeasible = Goals(context, program, self.waiting, rotate=not paper) if dependence else None
        self._arms = None if paper else ArmScheduler(context, self._state_index, self.wanted, self.infeasible)
        self._rest = _any_state(context, dependence) if paper else None
        self._version = context.knowledge.version
        self._knowledge = context.knowledge
        self._selections = 0
        self._state_index.before_sweep.append(self.wanted.tidy)

    def add(self, states: Sequence[State]) -> None:
        self._state_index.add(states)
        if self._rest is not None:
            self._rest.add(states)

    def remove(self, state: State) -> None:
        if self._rest is not None:
            self._rest.remove(state)

    def discard(self, batch: Batch, rows: NDArray[np.intp]) -> None:
        holder = self._rest or self._arms
        if holder is not None:
            holder.discard(batch, rows)

    def select(self) -> State:
        return self._arms.select() if self._arms is not None else self._select_as_in_paper()

    def update(self, state: State | None, run: Run | None, new: Sequence[State]) -> None:
        version, fresh, gain = self._knowledge.version, _NOTHING, 0
        traced = run if run is not None and len(run.trace) else None
        if version == self._version and traced is not None and type(new) is Batch and self._arms is not None:
            self._arms.see(state, traced, new)  # most of the time
            return
        if version != self._version:
            self._version = version
            fresh = self._first_entered(run) if run is not None else []
            gain = 1 + len(fresh)  # new directions between known blocks count as one
        if self._arms is not None:
            self._arms.settle(state, run, gain)
        if state is not None and (run is None or self.wanted.watches(state)):
            missed = self.wanted.settle(state, run is not None)
            if missed is not None and self.infeasible is not None:
                self.infeasible.miss(missed)
        if traced is not None:
            self._follow(state, traced, fresh, new)

    def preferred_branches(self, state: State) -> Sequence[State]:
        return self.wanted.preferred_branches(state) if self._arms is not None else ()

    # ---- following runs ----

    def _first_entered(self, run: Run) -> list[int]:
        """The program's own blocks that no run entered before."""
        covered = run.covered[: np.searchsorted(run.covered, len(self._visited))]
        fresh = covered[~self._visited[covered]]
        self._visited[fresh] = True
        return fresh.tolist()

    def _follow(self, state: State | None, run: Run, fresh: list[int], new: Sequence[State]) -> None:
        trace = np.ascontiguousarray(run.trace, np.uint32)
        origin = NOBODY if state is None else state.id
        if fresh:
            self.groups.visit(fresh)
            if self.infeasible is not None:
                self.infeasible.visit(fresh)
        if type(new) is Batch:
            self.wanted.see(origin, new, new, trace)
        elif not new:
            self.wanted.follow(trace)
        else:
            for batch, states in in_rows(new):
                self.wanted.see(origin, states, batch, trace)
        if fresh and self.infeasible is not None:
            self.infeasible.wake()  # once it is known where the run's own states stand

    # ---- the paper's order ----

    def _select_as_in_paper(self) -> State:
        assert self._rest is not None
        choices: list[Callable[[], State | None]] = [self.wanted.pop, self._rest.select]
        if self.infeasible is not None:
            choices.insert(1, self.infeasible.select)
        self._selections += 1
        if self._selections % _REST_EVERY == 0:
            choices[1:] = choices[:0:-1]
        for choose in choices:
            state = choose()
            while state is not None and not state.pending:
                state = choose()
            if state is not None:
                if choose != self._rest.select:  # which gave the state out itself
                    state.pending = False  # before it is told: it may tidy up
                    self._rest.remove(state)
                    state.pending = True  # the frontier's to clear
                return state
        raise AssertionError("the last arm offers every pending state")


def _other_sites(blocks: Mapping[int, int]) -> NDArray[np.bool_]:
    """A mask of sites up to the last block of the program: True for all that are none of its blocks."""
    others = np.ones(max(blocks, default=0) + 1, np.bool_)
    others[list(blocks)] = False
    return others


def _any_state(context: Context, dependence: bool) -> Searcher:
    """What the paper's order ends with."""
    return RandomState(context) if dependence else DepthFirst(context)
