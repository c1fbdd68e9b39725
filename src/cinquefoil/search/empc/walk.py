"""A run's block trace, as activations of subgraphs.

An entry block in the trace is a call, since nothing jumps to an entry; a step that is no edge of the graph is
a return, to the nearest frame of the block's function.  Within a function a step stays in its loop, enters a
loop inside it, goes round, or leaves one or several loops.  Every call and every iteration is an activation of
its own, which follows the cover paths of its subgraph from the entry on.

Where a run is within a function - the block, the subpath in each subgraph around it - is a *context*.  Contexts
are numbered, and the steps between them remembered when first made: following a trace is native (`walk.c`), and
a run is followed from the branch on that it was made for.  Arriving at a node of a cover's tree has an effect only
the first time (see covers.py), which is when a step is made up.

Risk: where control comes back to is found by function; after a long jump the wrong frame of a recursive one
may be taken for it.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cinquefoil.analysis.covertrees import NOWHERE
from cinquefoil.analysis.icfg import ICFG
from cinquefoil.analysis.subgraphs import Decomposition
from cinquefoil.native import core
from cinquefoil.search.empc.covers import CoverGroups

START = _NONE = -1  # no context: before the first block


class _Context(NamedTuple):
    """`node` is the subpath within the subgraph, NOWHERE if it is no cover's; `outer` the context of the loop
    or function around a loop."""

    outer: int
    subgraph: int
    node: int
    block: int


@dataclass(frozen=True, slots=True)
class Destination:
    """Where an untaken branch leads: it is wanted if one of `nodes` is open, or, for one out of `loop`, once that is
    exhausted and one of `outer` is open; or while `block` is not visited, if it is not 0."""

    nodes: tuple[int, ...]
    loop: int = 0
    outer: tuple[int, ...] = ()
    block: int = 0


LEADS_NOWHERE = Destination(())
BEFORE_ALL = Destination((), 0, (-1,))  # in the environment, before the program's first block


class Walker:
    """Follows traces through the groups' trees."""

    def __init__(self, icfg: ICFG, decomposition: Decomposition, groups: CoverGroups) -> None:
        self._groups = groups
        self._inner = decomposition.innermost
        self._bodies = {entry: sub.body for entry, sub in decomposition.subgraphs.items()}
        self._parents = {entry: sub.parent for entry, sub in decomposition.subgraphs.items()}
        self._edges = {block: frozenset(targets) for g in icfg.functions.values() for block, targets in g.items()}
        self._functions = frozenset(icfg.functions)
        self._contexts: list[_Context] = []
        self._numbers: dict[_Context, int] = {}
        self._destinations: list[dict[int, Destination]] = []
        owners = np.full(max(icfg.owner, default=0) + 1, _NONE, np.int32)
        owners[list(icfg.owner)] = list(icfg.owner.values())
        pairs = [(block, target) for block, targets in self._edges.items() for target in targets]
        ends = np.array(pairs, np.int32).reshape(-1, 2)  # a virtual return is -1
        sources, targets = ends[:, 0].copy(), ends[:, 1].copy()
        self.handle: int = core.cinq_walker_new(owners, len(owners), sources, targets, len(pairs))
        weakref.finalize(self, core.cinq_walker_free, self.handle)

    def block(self, context: int) -> int:
        """The last block entered, 0 before the first."""
        return 0 if context == _NONE else self._contexts[context].block

    def follow(self, trace: NDArray[np.uint32], stops: NDArray[np.uint32]) -> NDArray[np.int32]:
        """Goes through a run's blocks, taking paths meanwhile; the contexts after so many of them (ascending).  Both
        arrays are contiguous."""
        count, most = len(trace), len(stops)
        found = np.empty(most, np.int32)
        at = 0
        core.cinq_walker_go(self.handle, 0)
        while (at := core.cinq_walk(self.handle, trace, count, at, stops, most, found, None)) < count:
            self.learn(trace.item(at))
        return found

    def destination(self, context: int, target: int) -> Destination:
        """Where a step to `target` would lead."""
        if context == _NONE:
            return LEADS_NOWHERE
        destinations = self._destinations[context]
        found = destinations.get(target)
        if found is None:
            found = destinations[target] = self._destination(self._contexts[context], target)
        return found

    def here(self, context: int) -> Destination:
        """What a branch in the library, or to another value, means: it may lead on along the present subpath."""
        if context == _NONE:
            return BEFORE_ALL
        node = self._contexts[context].node
        return LEADS_NOWHERE if node == NOWHERE else Destination((node,))

    # ---- untaken branches ----

    def _destination(self, at: _Context, target: int) -> Destination:
        if target not in self._edges.get(at.block, ()):
            return LEADS_NOWHERE
        nodes = self._nodes(at, target)
        if target in self._bodies[at.subgraph]:
            return Destination(nodes) if nodes else LEADS_NOWHERE
        around: list[int] = []
        outer = at
        while target not in self._bodies[outer.subgraph]:
            outer = self._contexts[outer.outer]
            around += self._nodes(outer, target)
        return Destination(nodes, at.subgraph, tuple(around)) if nodes or around else LEADS_NOWHERE

    def _nodes(self, at: _Context, target: int) -> tuple[int, ...]:
        """The subpaths a step makes in one subgraph, and in the loop it enters or goes round."""
        if target == at.subgraph:
            return (self._groups.root(target),)
        node = self._groups.below(at.node, target)
        nodes = () if node == NOWHERE else (node,)
        inside = self._inner.get(target) != at.subgraph and target in self._bodies[at.subgraph]
        return (*nodes, self._groups.root(target)) if inside else nodes

    # ---- steps made for the first time ----

    def learn(self, block: int) -> None:
        """Makes known what the native walk did not know: a call, a step, or who knows how it got there."""
        handle = self.handle
        if block in self._functions:
            core.cinq_walker_call(handle, block, self._enter(_NONE, block))
            return
        for context in (core.cinq_walker_at(handle), core.cinq_walker_frame(handle)):
            if context != _NONE and block in self._edges[self._contexts[context].block]:
                core.cinq_walker_step(handle, context, block, self._step(self._contexts[context], block))
                return
        core.cinq_walker_step(handle, core.cinq_walker_at(handle), block, self._resume(block))

    def _resume(self, block: int) -> int:
        """The walk is in the middle of a function, by whatever path: no subpath matches until the next call or
        iteration."""
        chain = [self._inner[block]]
        while (around := self._parents[chain[-1]]) is not None:
            chain.append(around)
        context = _NONE
        for subgraph in reversed(chain):
            context = self._number(_Context(context, subgraph, NOWHERE, block))
        return context

    def _step(self, at: _Context, block: int) -> int:
        """Along an edge of the graph."""
        while block not in self._bodies[at.subgraph]:
            self._arrive(self._groups.below(at.node, block))  # the loop's virtual exit
            at = self._contexts[at.outer]
        if block == at.subgraph:
            return self._enter(at.outer, block)
        node = self._groups.below(at.node, block)
        self._arrive(node)
        context = self._number(_Context(at.outer, at.subgraph, node, block))
        return context if self._inner[block] == at.subgraph else self._enter(context, block)

    def _enter(self, outer: int, subgraph: int) -> int:
        root = self._groups.root(subgraph)
        self._arrive(root)
        return self._number(_Context(outer, subgraph, root, subgraph))

    def _arrive(self, node: int) -> None:
        if node != NOWHERE:
            self._groups.arrive(node)

    def _number(self, context: _Context) -> int:
        found = self._numbers.get(context)
        if found is None:
            found = self._numbers[context] = len(self._contexts)
            self._contexts.append(context)
            self._destinations.append({})
            core.cinq_walker_context(self.handle, context.block)
        return found
