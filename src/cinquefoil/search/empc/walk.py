"""A run's block trace, as activations of subgraphs.

An entry block in the trace is a call, since nothing jumps to an entry; a step that is no edge of the graph is
a return, to the nearest frame of the block's function.  Within a function a step stays in its loop, enters a
loop inside it, goes round, or leaves one or several loops.  Every call and every iteration is an activation of
its own, which follows the cover paths of its subgraph from the entry on.

Activations are immutable and share what is around them, so a state keeps the one it is in and the run that
turns there goes on from it: only the new part of a trace is walked.

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


class Activation(NamedTuple):
    """`node` is the subpath within the subgraph, NOWHERE once it is no cover's; `block` the last one."""

    outer: Activation | None
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


class Walker:
    """Follows traces through the groups' trees."""

    def __init__(self, icfg: ICFG, decomposition: Decomposition, groups: CoverGroups) -> None:
        self._groups = groups
        self._entries = frozenset(icfg.functions)
        self._owner = icfg.owner
        self._inner = decomposition.innermost
        self._bodies = {entry: sub.body for entry, sub in decomposition.subgraphs.items()}
        self._parents = {entry: sub.parent for entry, sub in decomposition.subgraphs.items()}
        self._edges = {block: frozenset(targets) for g in icfg.functions.values() for block, targets in g.items()}

    def follow(self, activation: Activation | None, blocks: Sequence[int]) -> Activation | None:
        """Goes on through these blocks, taking paths on the way."""
        groups, inner, edges = self._groups, self._inner, self._edges
        steps, members, alive, wanted = groups.steps, groups.members, groups.alive, groups.wanted
        at = 0
        while at < len(blocks):
            if activation is None or blocks[at] in self._entries or blocks[at] not in edges[activation.block]:
                activation = self._leap(activation, blocks[at])
                at += 1
                continue
            outer, subgraph, node, block = activation
            while at < len(blocks):  # the usual steps, within one subgraph
                target = blocks[at]
                if target == subgraph or inner.get(target) != subgraph or target not in edges[block]:
                    break
                if node != NOWHERE:
                    node = steps.get(edge(node, target), NOWHERE)
                    if node != NOWHERE and (wanted[node] or members[node] & alive[subgraph] != alive[subgraph]):
                        groups.arrive(node)
                block = target
                at += 1
            activation = Activation(outer, subgraph, node, block)
            if at < len(blocks) and blocks[at] in edges[block]:
                activation = self._cross(activation, blocks[at])
                at += 1
        return activation

    def turn(self, activation: Activation, target: int) -> Turn:
        """Where a step to `target` would lead."""
        subgraph = activation.subgraph
        if target not in self._edges.get(activation.block, ()):
            return Turn(())
        if target == subgraph:
            return Turn((self._groups.root(subgraph),))
        node = self._step(activation.node, target)
        if self._inner.get(target) == subgraph:
            return Turn(_places(node))
        if target in self._bodies[subgraph]:
            return Turn((*_places(node), self._groups.root(target)))
        assert activation.outer is not None
        around = self.turn(activation.outer._replace(block=activation.block), target)
        return Turn(_places(node), subgraph, (*around.nodes, *around.outer))

    def _step(self, node: int, block: int) -> int:
        return NOWHERE if node == NOWHERE else self._groups.steps.get(edge(node, block), NOWHERE)

    def _leap(self, activation: Activation | None, block: int) -> Activation | None:
        """A call or a return."""
        if block in self._entries:
            return self._enter(activation, block)
        if block not in self._owner:
            return activation
        back = None if activation is None else self._back(activation, self._owner[block])
        if back is None or block not in self._edges[back.block]:
            return self._resume(block)
        return self.follow(back, [block])

    def _resume(self, block: int) -> Activation:
        """In the middle of a function, who knows how: no subpath matches until the next call or iteration."""
        chain = [self._inner[block]]
        while (around := self._parents[chain[-1]]) is not None:
            chain.append(around)
        found: Activation | None = None
        for subgraph in reversed(chain):
            found = Activation(found, subgraph, NOWHERE, block)
        assert found is not None
        return found

    def _back(self, activation: Activation, function: int) -> Activation | None:
        """The frame of a function around this one's."""
        found: Activation | None = activation
        own = self._owner[activation.block]
        while found is not None and self._owner[found.block] == own and found.subgraph != own:
            found = found.outer
        found = found.outer if found is not None else None
        while found is not None and self._owner[found.block] != function:
            found = found.outer
        return found

    def _cross(self, activation: Activation, block: int) -> Activation | None:
        """A step within the function that begins or ends activations of loops."""
        at: Activation = activation
        while block not in self._bodies[at.subgraph]:
            self._arrive(self._step(at.node, block))  # the loop's virtual exit
            assert at.outer is not None
            at = at.outer
        if block == at.subgraph:
            return self._enter(at.outer, block)
        node = self._step(at.node, block)
        self._arrive(node)
        at = at._replace(node=node, block=block)
        return at if self._inner[block] == at.subgraph else self._enter(at, block)

    def _enter(self, outer: Activation | None, subgraph: int) -> Activation:
        root = self._groups.root(subgraph)
        self._arrive(root)
        return Activation(outer, subgraph, root, subgraph)

    def _arrive(self, node: int) -> None:
        if node != NOWHERE:
            self._groups.arrive(node)


def _places(node: int) -> tuple[int, ...]:
    return () if node == NOWHERE else (node,)
