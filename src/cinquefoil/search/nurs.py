"""KLEE's non-uniform random search: states drawn in proportion to a weight, and random-state, where all
weigh 1.

Weights are KLEE's (lib/Core/Searcher.cpp), with the program position of a state being the block its branch
leads to:

    covnew  1/max(1, instructions since new coverage - 1000)^2 + 1/md2u^2     (first term 0: never covered
    new) md2u    1/md2u^2, md2u being 10,000 where nothing uncovered can be reached depth   depth
    rp      2^-depth icnt    1/executions^2  cpicnt  1/executions under the same call path qc      1 below
    0.1 s of solver time on the path, else 1/seconds

Risks: positions are blocks, not instructions, and instructions since new coverage come in units of 1,024.  qc
counts a unit of `Answer.cost` as a microsecond, so that the choice does not depend on the machine.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cinquefoil.search.api import Context, Searcher
from cinquefoil.search.weighted import Chances, WeightedGroups
from cinquefoil.states.batch import Batch
from cinquefoil.states.pending import column
from cinquefoil.states.state import State

_UNREACHABLE = 10_000.0  # KLEE's stand-in for "no uncovered instruction can be reached"
_UNIT = 1024  # instructions per unit of State.steps


class Grouped(Searcher):
    """Weighted random choice where the weight is a function of an integer key that never changes."""

    attribute = ""  # of a state: its key

    def __init__(self, context: Context) -> None:
        self._context = context
        self._groups = WeightedGroups(context.rng)
        self._weights: NDArray[np.float64] = np.zeros(0)
        self._stamp: tuple[int, int] = (-1, -1)

    def keys(self, states: Sequence[State]) -> NDArray[np.int64]:
        """The groups that states belong to; small non-negative numbers where `weigh` indexes by them."""
        return column(states, self.attribute)

    def key(self, state: State) -> int:
        """The same for one."""
        return getattr(state, self.attribute)

    @abstractmethod
    def weigh(self, keys: NDArray[np.int64]) -> NDArray[np.float64]:
        """The weights of the groups."""

    def version(self) -> int:
        """Weights are computed anew when this changes (or a group is added)."""
        return 0

    def add(self, states: Sequence[State]) -> None:
        self._groups.add(self.keys(states), states)

    def select(self) -> State:
        return self._groups.pick(self.weights())

    def remove(self, state: State) -> None:
        self._groups.remove(self.key(state))

    def discard(self, batch: Batch, rows: NDArray[np.intp]) -> None:
        self._groups.discard(self.keys(batch)[rows])

    def chances(self) -> Chances:
        """Chooses without taking out, for those who choose among several: `take` is to follow at once."""
        return self._groups.chances(self.weights())

    def take(self, chances: Chances) -> State:
        return self._groups.take(chances)

    def weights(self) -> NDArray[np.float64]:
        stamp = (self.version(), len(self._groups))
        if stamp != self._stamp:
            self._weights = self.weigh(self._groups.keys)
            self._stamp = stamp
        return self._weights


class RandomState(Grouped):
    """random-state: all pending states are equally likely.  Risk: fork-heavy loops own most states."""

    def keys(self, states: Sequence[State]) -> NDArray[np.int64]:
        return np.zeros(len(states), np.int64)

    def key(self, state: State) -> int:
        return 0

    def weigh(self, keys: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.ones(len(keys))


class Depth(Grouped):
    """nurs:depth: deep states are likelier."""

    attribute = "depth"

    def weigh(self, keys: NDArray[np.int64]) -> NDArray[np.float64]:
        return keys.astype(np.float64)


class RandomPathWeight(Grouped):
    """nurs:rp: 2^-depth.  Relative to the shallowest pending state, so that deep frontiers do not
    underflow."""

    attribute = "depth"

    def weigh(self, keys: NDArray[np.int64]) -> NDArray[np.float64]:
        held = keys[self._groups.counts > 0]
        least = int(held.min()) if len(held) else 0
        return np.ldexp(1.0, np.minimum(least - keys, 0))

    def select(self) -> State:
        return self._groups.pick(self.weigh(self._groups.keys))


class NearUncovered(Grouped):
    """nurs:md2u: near an uncovered block is likelier.  Risk: infeasible neighbours attract for ever."""

    attribute = "target"

    def weigh(self, keys: NDArray[np.int64]) -> NDArray[np.float64]:
        return near_uncovered(self._context.knowledge.distances(), keys)

    def version(self) -> int:
        return self._context.knowledge.version


class InstructionCount(Grouped):
    """nurs:icnt: seldom executed blocks are likelier."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        context.knowledge.executions()  # counting starts with the first question

    attribute = "target"

    def weigh(self, keys: NDArray[np.int64]) -> NDArray[np.float64]:
        return 1.0 / np.maximum(1, self._context.knowledge.executions()[keys]).astype(np.float64) ** 2

    def select(self) -> State:
        return self._groups.pick(self.weigh(self._groups.keys))  # counts change with every run


class CallPathCount(Grouped):
    """nurs:cpicnt: seldom executed call paths are likelier."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._loose: dict[int, int] = {}  # by state id
        self._rows: dict[int, NDArray[np.int64]] = {}  # by the first id of a batch
        self._sweep_at = 64
        context.knowledge.call_path_executions()  # counting starts with the first question

    def key(self, state: State) -> int:
        if state.id in self._loose:
            return self._loose[state.id]
        batch = self._groups.state_index.batch(state.id)
        return int(self._rows[batch.first][state.id - batch.first])

    def keys(self, states: Sequence[State]) -> NDArray[np.int64]:
        if isinstance(states, Batch):
            if states.first not in self._rows:
                self._sweep()
                self._rows[states.first] = self._context.knowledge.call_paths(states.traces)
            return self._rows[states.first]
        for state in states:
            self._loose[state.id] = self._context.knowledge.call_path(state)
        return np.array([self._loose[state.id] for state in states], np.int64)

    def weigh(self, keys: NDArray[np.int64]) -> NDArray[np.float64]:
        return 1.0 / np.maximum(1, self._context.knowledge.call_path_executions()[keys])

    def select(self) -> State:
        return self._groups.pick(self.weigh(self._groups.keys))

    def _sweep(self) -> None:
        if len(self._rows) >= self._sweep_at:
            held = [batch.first for batch in self._groups.state_index.batches()]
            self._rows = {first: self._rows[first] for first in held}
            self._sweep_at = 64 + 2 * len(held)


class QueryCost(Grouped):
    """nurs:qc: paths that were cheap to solve are likelier.  Costs are grouped in steps of a quarter power
    of 2."""

    def keys(self, states: Sequence[State]) -> NDArray[np.int64]:
        if isinstance(states, Batch):
            return np.full(len(states), _cost_class(states.witness.cost))
        return np.array([self.key(state) for state in states], np.int64)

    def key(self, state: State) -> int:
        return _cost_class(state.witness.cost)

    def weigh(self, keys: NDArray[np.int64]) -> NDArray[np.float64]:
        seconds = np.exp2(keys / 4.0) * 1e-6
        return np.where(seconds < 0.1, 1.0, 1.0 / seconds)


class CoveringNew(Searcher):
    """nurs:covnew: KLEE's weight is a sum of a part fixed at birth (how long ago the path covered something
    new) and one that follows coverage (distance to the uncovered).  Drawing in proportion to a sum is
    drawing a part, then a state in proportion to that part; each part has its own groups."""

    def __init__(self, context: Context) -> None:
        self._rng = context.rng
        self._near = NearUncovered(context)
        self._fresh = _Fresh(context)

    def add(self, states: Sequence[State]) -> None:
        self._near.add(states)
        self._fresh.add(states)

    def select(self) -> State:
        near, fresh = self._near.chances(), self._fresh.chances()
        if self._rng.random() * (near.total + fresh.total) < fresh.total:
            state = self._fresh.take(fresh)
            self._near.remove(state)
        else:
            state = self._near.take(near)
            self._fresh.remove(state)
        return state

    def remove(self, state: State) -> None:
        self._near.remove(state)
        self._fresh.remove(state)

    def discard(self, batch: Batch, rows: NDArray[np.intp]) -> None:
        self._near.discard(batch, rows)
        self._fresh.discard(batch, rows)


class _Fresh(Grouped):
    """covnew's first term."""

    attribute = "fresh"

    def weigh(self, keys: NDArray[np.int64]) -> NDArray[np.float64]:
        inverse = 1.0 / np.maximum(1, keys * _UNIT + 1 - 1000)
        return np.where(keys < 0, 0.0, inverse * inverse)


def _cost_class(cost: int) -> int:
    return int(4 * np.log2(max(1, cost)))


def near_uncovered(distances: NDArray[np.float64], blocks: NDArray[np.int64]) -> NDArray[np.float64]:
    """1/md2u^2 of each block."""
    reach = distances[blocks]
    return 1.0 / np.where(np.isfinite(reach), np.maximum(reach, 1.0), _UNREACHABLE) ** 2
