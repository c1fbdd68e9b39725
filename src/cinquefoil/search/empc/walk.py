"""A run's block trace, as activations of subgraphs.

An entry block in the trace is a call, since nothing jumps to an entry; a step that is no edge of the graph is
a return, to the nearest frame of the block's function.  Within a function a step stays in its loop, enters a
loop inside it, goes round, or leaves one or several loops.  Every call and every iteration is an activation of
its own, which follows the cover paths of its subgraph from the entry on.

Where a run is within a function - the block, the subpath in each subgraph around it - is a *context*.  Contexts
are numbered, and the steps between them remembered when first made: following a trace is one look-up per
block.  Arriving at a node of a cover's tree has an effect only the first time (see covers.py), which is when a
step is made up.  Positions share the frames around them, so a state keeps its own and the run that turns there
goes on from it: only the new part of a trace is walked.

Risk: where control comes back to is found by function; after a long jump the wrong frame of a recursive one
may be taken for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cinquefoil.analysis.icfg import ICFG
from cinquefoil.analysis.subgraphs import Decomposition
from cinquefoil.search.empc.covers import NOWHERE, CoverGroups, edge

_NONE = -1  # no context: before the first block


class Position(NamedTuple):
    """A context, and the position in the caller."""

    caller: Position | None
    context: int


START = Position(None, _NONE)


class _Context(NamedTuple):
    """`node` is the subpath within the subgraph, NOWHERE if it is no cover's; `outer` the context of the loop
    or function around a loop."""

    outer: int
    subgraph: int
    node: int
    block: int


@dataclass(frozen=True, slots=True)
class Turn:
    """Where a turn leads: it is wanted if one of `nodes` is open, or, for a turn out of `loop`, once that is
    exhausted and one of `outer` is open."""

    nodes: tuple[int, ...]
    loop: int = 0
    outer: tuple[int, ...] = ()


LEADS_NOWHERE = Turn(())
BEFORE_ALL = Turn((), 0, (-1,))  # in the environment, before the program's first block


class Walker:
    """Follows traces through the groups' trees."""

    def __init__(self, icfg: ICFG, decomposition: Decomposition, groups: CoverGroups) -> None:
        self._groups = groups
        self._owner = icfg.owner
        self._inner = decomposition.innermost
        self._bodies = {entry: sub.body for entry, sub in decomposition.subgraphs.items()}
        self._parents = {entry: sub.parent for entry, sub in decomposition.subgraphs.items()}
        self._edges = {block: frozenset(targets) for g in icfg.functions.values() for block, targets in g.items()}
        self._functions = frozenset(icfg.functions)
        self._contexts: list[_Context] = []
        self._numbers: dict[_Context, int] = {}
        self._steps: dict[int, int] = {}
        self._calls: dict[int, int] = {}
        self._turns: list[dict[int, Turn]] = []

    def block(self, position: Position) -> int:
        """The last block entered, 0 before the first."""
        return 0 if position.context == _NONE else self._contexts[position.context].block

    def follow(self, position: Position, blocks: Sequence[int]) -> Position:
        """Goes on through these blocks, taking paths on the way."""
        steps, calls = self._steps, self._calls
        caller, context = position
        for block in blocks:
            following = steps.get(context << 32 | block)
            if following is not None:
                context = following
                continue
            called = calls.get(block)
            if called is not None:
                caller, context = Position(caller, context), called
            else:
                caller, context = self._leap(caller, context, block)
        return Position(caller, context)

    def turn(self, position: Position, target: int) -> Turn:
        """Where a step to `target` would lead."""
        if position.context == _NONE:
            return LEADS_NOWHERE
        turns = self._turns[position.context]
        found = turns.get(target)
        if found is None:
            found = turns[target] = self._turn(self._contexts[position.context], target)
        return found

    def here(self, position: Position) -> Turn:
        """What a turn in the library, or to another value, means: it may lead on along the present subpath."""
        if position.context == _NONE:
            return BEFORE_ALL
        node = self._contexts[position.context].node
        return LEADS_NOWHERE if node == NOWHERE else Turn((node,))

    # ---- turns ----

    def _turn(self, at: _Context, target: int) -> Turn:
        if target not in self._edges.get(at.block, ()):
            return LEADS_NOWHERE
        nodes = self._nodes(at, target)
        if target in self._bodies[at.subgraph]:
            return Turn(nodes) if nodes else LEADS_NOWHERE
        around: list[int] = []
        outer = at
        while target not in self._bodies[outer.subgraph]:
            outer = self._contexts[outer.outer]
            around += self._nodes(outer, target)
        return Turn(nodes, at.subgraph, tuple(around)) if nodes or around else LEADS_NOWHERE

    def _nodes(self, at: _Context, target: int) -> tuple[int, ...]:
        """The subpaths a step makes in one subgraph, and in the loop it enters or goes round."""
        if target == at.subgraph:
            return (self._groups.root(target),)
        node = self._below(at.node, target)
        places = () if node == NOWHERE else (node,)
        inside = self._inner.get(target) != at.subgraph and target in self._bodies[at.subgraph]
        return (*places, self._groups.root(target)) if inside else places

    def _below(self, node: int, block: int) -> int:
        return NOWHERE if node == NOWHERE else self._groups.steps.get(edge(node, block), NOWHERE)

    # ---- steps made for the first time ----

    def _leap(self, caller: Position | None, context: int, block: int) -> tuple[Position | None, int]:
        if block in self._functions:
            self._calls[block] = called = self._enter(_NONE, block)
            return Position(caller, context), called
        if block not in self._owner:
            return caller, context
        if context != _NONE and block in self._edges[self._contexts[context].block]:
            return caller, self._make_step(context, block)
        return self._return(caller, block)

    def _return(self, caller: Position | None, block: int) -> tuple[Position | None, int]:
        """To the nearest frame of the block's function, if the block can follow there."""
        function = self._owner[block]
        back = caller
        while back is not None and self._owner.get(self.block(back)) != function:
            back = back.caller
        if back is None or block not in self._edges[self._contexts[back.context].block]:
            return caller, self._resume(block)
        following = self._steps.get(back.context << 32 | block)
        return back.caller, self._make_step(back.context, block) if following is None else following

    def _resume(self, block: int) -> int:
        """In the middle of a function, who knows how: no subpath matches until the next call or iteration."""
        chain = [self._inner[block]]
        while (around := self._parents[chain[-1]]) is not None:
            chain.append(around)
        context = _NONE
        for subgraph in reversed(chain):
            context = self._number(_Context(context, subgraph, NOWHERE, block))
        return context

    def _make_step(self, context: int, block: int) -> int:
        following = self._steps[context << 32 | block] = self._step(self._contexts[context], block)
        return following

    def _step(self, at: _Context, block: int) -> int:
        """Along an edge of the graph."""
        while block not in self._bodies[at.subgraph]:
            self._arrive(self._below(at.node, block))  # the loop's virtual exit
            at = self._contexts[at.outer]
        if block == at.subgraph:
            return self._enter(at.outer, block)
        node = self._below(at.node, block)
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
            self._turns.append({})
        return found
