"""The strategy: states on the paths of minimum path covers first (Yao and She: Empc, effective path
prioritization for symbolic execution with path cover, section 4).

A run is followed through the activations of the program's subgraphs (`walk.py`); the turns it left that lie on cover
paths not taken yet are wanted (`wanted.py`).  When there is none, `infeasible.py` looks for a state that can make a
missing block reachable.

`empc:paper` does as the paper does: wanted states, newest first; else dependence; else any state.  `empc:paper:nodep`
is the paper's ablation: the newest state instead of dependence.

`empc` differs, because here a run goes to its end by itself, infeasible turns cost a question each, and what covers
and dependence promise is often not to be had.  It asks only for paths on which a block is left to visit, and for every
turn onto a block never visited; keeps all covers; asks the solver to stay on the wanted path also after the turn; and
takes shallow states first.  Wanted and dependent states are two ways to choose beside three that know of neither: the
least travelled subpaths (`sgs.py`), the fewest decisions and random paths.  Wanted states come first until _VAIN of
them brought nothing; then each way gets time as it pays (`adaptive.py`), until something new is covered.
`empc:nodep` is that without dependence.

Risk: without a block trace nothing can be followed, and the last three ways are all there is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import log2

import numpy as np
from numpy.typing import NDArray

from cinquefoil.machine.run import Run
from cinquefoil.search.adaptive import EVENTS, Arms
from cinquefoil.search.api import Context, Searcher
from cinquefoil.search.batch import Batch, in_rows
from cinquefoil.search.book import Book
from cinquefoil.search.empc.covers import CoverGroups
from cinquefoil.search.empc.infeasible import Infeasible
from cinquefoil.search.empc.prepared import prepared
from cinquefoil.search.empc.waiting import Waiting
from cinquefoil.search.empc.walk import Walker
from cinquefoil.search.empc.wanted import Wanted
from cinquefoil.search.nurs import RandomState
from cinquefoil.search.order import BreadthFirst, DepthFirst
from cinquefoil.search.randompath import RandomPath
from cinquefoil.search.sgs import SubpathGuided
from cinquefoil.search.state import State

_REST_EVERY = 4  # in the paper's order: turns that are no forks there get one in so many
_VAIN = 4  # turns of wanted states that may bring nothing before they have to compete
_TIDY = 10_000


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
        self._book = Book()
        self.waiting = Waiting(context.rng, self._visited, self._book)
        walker = Walker(program.icfg, program.decomposition, self.groups)
        self.wanted = Wanted(self.groups, walker, newest=paper, waiting=self.waiting if dependence else None)
        self.infeasible = Infeasible(context, program, self.waiting, rotate=not paper) if dependence else None
        self._rest = _rest(context, self._book, paper, dependence)
        self._removing = [each for each in self._rest if type(each).remove is not Searcher.remove]
        self._updating = [each for each in self._rest if type(each).update is not Searcher.update]
        self._ways: list[Callable[[], State | None]] = [self.wanted.pop]
        if self.infeasible is not None:
            self._ways.append(self.infeasible.select)
        self._ways += [searcher.select for searcher in self._rest]
        self._arms = Arms(len(self._ways), context.rng)
        self._paper = paper
        self._turning: dict[int, int] = {}  # states selected, not settled: by which way
        self._version = context.knowledge.version
        self._knowledge = context.knowledge
        self._selections = 0
        self._vain = 0  # turns of wanted states since something new was covered
        self._live = 0
        self._peak = 0

    def add(self, states: Sequence[State]) -> None:
        self._book.add(states)
        for searcher in self._rest if self._paper else ():  # the others look into the book
            searcher.add(states)
        self._live += len(states)
        if self._live > self._peak:
            self._peak = self._live

    def remove(self, state: State) -> None:
        self._gone(1)
        for searcher in self._removing:
            searcher.remove(state)

    def discard(self, batch: Batch, rows: NDArray[np.intp]) -> None:
        self._gone(len(rows))
        for searcher in self._rest:
            searcher.discard(batch, rows)

    def select(self) -> State:
        for way in self._order():
            state = self._ways[way]()
            while state is not None and not state.pending:
                state = self._ways[way]()
            if state is not None:
                self._taken(way, state)
                return state
        raise AssertionError("the last way offers every pending state")

    def update(self, state: State | None, run: Run | None, new: Sequence[State]) -> None:
        version, self._version = self._version, self._knowledge.version
        fresh = self._first_entered(run) if run is not None and version != self._version else []
        self._credit(state, len(fresh) + (version != self._version), 0 if run is None else len(run.events))
        for searcher in self._updating:
            searcher.update(state, run, new)
        missed = None if state is None else self.wanted.settle(state, run is not None)
        if missed is not None and self.infeasible is not None:
            self.infeasible.miss(missed)
        if run is not None and len(run.trace):
            self._follow(run, fresh, new)

    def wishes(self, state: State) -> Sequence[State]:
        return () if self._paper else self.wanted.wishes(state)

    # ---- following runs ----

    def _first_entered(self, run: Run) -> list[int]:
        """The program's own blocks that no run entered before."""
        covered = run.covered[: np.searchsorted(run.covered, len(self._visited))]
        fresh = covered[~self._visited[covered]]
        self._visited[fresh] = True
        return fresh.tolist()

    def _credit(self, state: State | None, gain: int, events: int) -> None:
        """A way's turn is over: so many new blocks; new directions between known ones count as one."""
        way = None if state is None else self._turning.pop(state.id, None)
        if way is not None:
            self._arms.note(way, log2(1 + gain), 1 + events / EVENTS)
            self._vain = 0 if gain else self._vain + (way == 0)

    def _follow(self, run: Run, fresh: list[int], new: Sequence[State]) -> None:
        trace = np.ascontiguousarray(run.trace, np.uint32)
        if fresh:
            self.groups.visit(fresh)
            if self.infeasible is not None:
                self.infeasible.visit(fresh)
        if not new:
            self.wanted.follow(trace)
        elif isinstance(new, Batch):
            self.wanted.see(new, new, trace)
        else:
            for batch, states in in_rows(new):
                self.wanted.see(states, batch, trace)

    # ---- selecting ----

    def _order(self) -> Iterator[int]:
        if self._paper:
            self._selections += 1
            ways = range(len(self._ways))
            yield from ways if self._selections % _REST_EVERY else (0, *ways[:0:-1])
            return
        if self._vain < _VAIN:
            yield 0
        first = self._arms.draw()
        yield first
        yield from self._arms.others(first)

    def _taken(self, way: int, state: State) -> None:
        self._turning[state.id] = way
        self._gone(1)
        if not self._removing:
            return
        own = way - len(self._ways) + len(self._rest)  # the searcher that gave it out knows
        state.pending = False  # before the others are told: they may tidy up
        for searcher in self._removing:
            if own < 0 or searcher is not self._rest[own]:
                searcher.remove(state)
        state.pending = True  # the frontier's to clear

    def _gone(self, count: int) -> None:
        self._live -= count
        if 2 * self._live + _TIDY < self._peak:
            self._peak = self._live
            self.wanted.tidy()


def _other_sites(blocks: Mapping[int, int]) -> NDArray[np.bool_]:
    """By site, up to the last block of the program: True for all that are none of its blocks."""
    others = np.ones(max(blocks, default=0) + 1, np.bool_)
    others[list(blocks)] = False
    return others


def _rest(context: Context, book: Book, paper: bool, dependence: bool) -> list[Searcher]:
    """What chooses among all states: the last of them must always have one."""
    if paper:
        return [RandomState(context) if dependence else DepthFirst(context)]
    return [SubpathGuided(context, book=book), BreadthFirst(context, book=book), RandomPath(context, book=book)]
