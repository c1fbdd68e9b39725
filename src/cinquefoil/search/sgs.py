"""Subpath-guided search (Li, Su, Wang, Li: Steering symbolic execution to less traveled paths, Algorithms 1
and 2).

A state's subpath is its last n decisions with their directions, the turn included.  How often a subpath was
selected is its frequency; the next state is one of those whose subpath has the lowest, any of them with equal
chance (`sgs:4`), or the newest, as in the paper's worked example (`sgs:4:latest`).  `sgs` alone lets n = 1,
2, 4 and 8 take turns over the same states, a quarter of the selections each.

The scan of Algorithm 2 is replaced by levels: subpaths of equal frequency share a level, which is a Fenwick
tree over their numbers of states, so that a uniform choice among the level's states costs O(log n) and a
subpath's rise to the next level moves one number, not its states.

Risks: our states run to the end of their path where the paper's run to the next fork, so only the turns
that are selected are counted, not every fork a run passes.  Checks that pass are not decisions; a check's
error side is."""

from __future__ import annotations

import heapq
import random
from collections.abc import Sequence

from cinquefoil.search.api import Context, Searcher
from cinquefoil.search.groups import Fenwick
from cinquefoil.search.interleave import Interleave
from cinquefoil.search.state import HISTORY, State

_COMBINED = ("1", "2", "4", "8")


def subpath_guided(context: Context, n: str = "", ties: str = "random") -> Searcher:
    """`sgs:n`, `sgs:n:latest`, or `sgs` for the combination."""
    if not n:
        return Interleave([subpath_guided(context, each) for each in _COMBINED])
    if not 1 <= int(n) <= HISTORY:
        raise ValueError(f"the subpath's length must be 1 to {HISTORY}")
    if ties not in ("random", "latest"):
        raise ValueError("ties are broken 'random' or 'latest'")
    return SubpathGuided(context, int(n), latest=ties == "latest")


class _Subpath:
    """Its pending states (and dead ones not met yet), their number, and where in its level it is."""

    __slots__ = ("count", "frequency", "members", "slot")

    def __init__(self) -> None:
        self.frequency = 0
        self.count = 0
        self.members: list[State] = []
        self.slot = -1


class _Level:
    """Subpaths of one frequency."""

    def __init__(self) -> None:
        self.counts = Fenwick()
        self.subpaths: list[_Subpath] = []
        self.newest: list[tuple[int, int]] = []  # heap of (-state id, slot); stale entries are skipped

    def enter(self, subpath: _Subpath) -> None:
        subpath.slot = self.counts.append(subpath.count)
        self.subpaths.append(subpath)

    def random(self, rng: random.Random) -> _Subpath:
        return self.subpaths[self.counts.find(rng.randrange(self.counts.total))]


class SubpathGuided(Searcher):
    """sgs:n for one n."""

    def __init__(self, context: Context, n: int, latest: bool = False) -> None:
        self._rng = context.rng
        self._n = n
        self._latest = latest
        self._subpaths: dict[int, _Subpath] = {}
        self._levels: dict[int, _Level] = {}
        self._lowest: list[int] = []  # heap of levels that may hold states

    def add(self, states: Sequence[State]) -> None:
        for state in states:
            subpath = self._subpath(state)
            subpath.members.append(state)
            self._change(subpath, 1)
            if self._latest:
                heapq.heappush(self._levels[subpath.frequency].newest, (-state.id, subpath.slot))

    def select(self) -> State:
        level = self._levels[self._least()]
        if self._latest:
            subpath, state = self._pick_latest(level)
        else:
            subpath = level.random(self._rng)
            state = self._pick(subpath)
        self._change(subpath, -1)
        self._travel(subpath)
        return state

    def remove(self, state: State) -> None:
        subpath = self._subpath(state)
        self._change(subpath, -1)
        if len(subpath.members) > 16 and 2 * subpath.count < len(subpath.members):
            subpath.members = [held for held in subpath.members if held.pending]

    def frequency(self, state: State) -> int:
        """How often the state's subpath was selected so far."""
        return self._subpath(state).frequency

    def _subpath(self, state: State) -> _Subpath:
        key = hash(state.subpath(self._n))  # of integers: 64 bits, the same in every process
        subpath = self._subpaths.get(key)
        if subpath is None:
            subpath = self._subpaths[key] = _Subpath()
            self._level(0).enter(subpath)
        return subpath

    def _level(self, frequency: int) -> _Level:
        level = self._levels.get(frequency)
        if level is None:
            level = self._levels[frequency] = _Level()
        return level

    def _change(self, subpath: _Subpath, by: int) -> None:
        counts = self._levels[subpath.frequency].counts
        if counts.total == 0:
            heapq.heappush(self._lowest, subpath.frequency)
        counts.change(subpath.slot, by)
        subpath.count += by

    def _travel(self, subpath: _Subpath) -> None:
        """Algorithm 1, line 8: P[pi]++."""
        self._levels[subpath.frequency].counts.change(subpath.slot, -subpath.count)
        subpath.frequency += 1
        level = self._level(subpath.frequency)
        if level.counts.total == 0:
            heapq.heappush(self._lowest, subpath.frequency)
        level.enter(subpath)
        if self._latest:
            for state in subpath.members:
                heapq.heappush(level.newest, (-state.id, subpath.slot))

    def _least(self) -> int:
        while self._levels[self._lowest[0]].counts.total == 0:
            heapq.heappop(self._lowest)
        return self._lowest[0]

    def _pick(self, subpath: _Subpath) -> State:
        members = subpath.members
        while True:
            at = self._rng.randrange(len(members))
            members[at], members[-1] = members[-1], members[at]
            state = members.pop()
            if state.pending:
                return state

    def _pick_latest(self, level: _Level) -> tuple[_Subpath, State]:
        while True:
            number, slot = heapq.heappop(level.newest)
            subpath = level.subpaths[slot]
            held = subpath.members
            while held and not held[-1].pending:
                held.pop()
            if subpath.slot == slot and held and held[-1].id == -number:
                return subpath, held.pop()
