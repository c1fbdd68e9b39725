"""Where a branch's two arms begin and end: regions with one entry and one exit.

A branch is a candidate if both of its directions meet again in one block, its *join*, and what lies between can be
entered through the branch alone and left to the join alone.  An arm is the list of its blocks, the entry first; it is
empty where the branch leads straight to the join (if-then)."""

from __future__ import annotations

from dataclasses import dataclass

import rustworkx

from cinquefoil.ir.model import Block, Branch, Function
from cinquefoil.ir.traversal import blocks_by_label, predecessors, reverse_post_order, successors

_EXIT = ""  # virtual: behind every block without successors


@dataclass(frozen=True, slots=True)
class Diamond:
    """A branch whose two arms (labels in reverse post-order) meet again at `join`."""

    head: str
    then: tuple[str, ...]
    other: tuple[str, ...]
    join: str

    @property
    def blocks(self) -> tuple[str, ...]:
        return (*self.then, *self.other)


class Shape:
    """The control-flow graph of one function, as it is now."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.blocks = blocks_by_label(function)
        self.order = reverse_post_order(function)
        self.sources = predecessors(function)
        self.targets = successors(function)
        self._number = {label: n for n, label in enumerate(self.order)}
        self._joins = _post_dominators(self.targets, self.order)

    def heads(self) -> list[str]:
        """Blocks that end in a conditional branch, inner ones before those around them."""
        return [label for label in reversed(self.order) if is_conditional(self.blocks[label])]

    def diamond(self, head: str) -> Diamond | str:
        """The candidate at a branch, or why there is none."""
        then, other = self.blocks[head].successors()
        join = self._joins.get(head, _EXIT)
        if join == _EXIT:
            return "its directions do not meet again in the function"
        arms = self._arm(head, then, join), self._arm(head, other, join)
        if arms[0] is None or arms[1] is None:
            return "its directions are entered or left elsewhere too"
        if set(arms[0]) & set(arms[1]):
            return "its directions share code before they meet"
        return Diamond(head, arms[0], arms[1], join)

    def _arm(self, head: str, entry: str, join: str) -> tuple[str, ...] | None:
        """The blocks from `entry` up to the join; None if other edges lead in or out."""
        if entry == join:
            return ()
        found, work = {entry}, [entry]
        while work:
            for target in self.targets[work.pop()]:
                if target == head:
                    return None  # around a loop
                if target != join and target not in found:
                    found.add(target)
                    work.append(target)
        for label in found:
            allowed = found | {head} if label == entry else found
            if any(source not in allowed for source in self.sources[label] if source in self._number):
                return None
        return tuple(sorted(found, key=self._number.__getitem__))

    def has_cycle(self, arm: tuple[str, ...]) -> bool:
        inside = set(arm)
        return any(
            target in inside and self._number[target] <= self._number[label]
            for label in arm
            for target in self.targets[label]
        )


def is_conditional(block: Block) -> bool:
    last = block.terminator
    return isinstance(last, Branch) and len(last.labels) == 2 and last.labels[0] != last.labels[1]


def _post_dominators(targets: dict[str, list[str]], order: list[str]) -> dict[str, str]:
    """The nearest block that every path from a block to the function's end passes."""
    graph: rustworkx.PyDiGraph[str, None] = rustworkx.PyDiGraph()
    names = [_EXIT, *order]
    number = {name: graph.add_node(name) for name in names}
    for label in order:
        for target in targets[label] or [_EXIT]:
            graph.add_edge(number[target], number[label], None)
    found = rustworkx.immediate_dominators(graph, number[_EXIT])
    return {names[at]: names[above] for at, above in found.items() if at != above}
