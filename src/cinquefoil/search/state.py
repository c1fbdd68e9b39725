"""States: "same path as this witness up to this event, then the other way".

A `Witness` is an input that ran; a `State` is one direction its run did not take.  Both are small and hold no
expressions, so they outlive the expression table: what a state's path condition is, is found by running its
witness again.  A run shares its prefix with the run it came from; a witness keeps only what its new part
added.

Risk: `subpath` remembers at most HISTORY decisions before a run's new part; a longer n sees a shorter path.
"""

from __future__ import annotations

from array import array

import numpy as np
from numpy.typing import NDArray

HISTORY = 64  # decisions kept from before a run's new part
OTHER = -1  # the alternative of a state that asks for any value not seen yet

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


def decision_key(site: int, kind: int, outcome: int) -> int:
    """What happened at one event, as one number (splitmix64); explore/native/path.c does it for runs."""
    value = (site << 8 | kind) * _GOLDEN + outcome & _MASK
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB & _MASK
    return value ^ (value >> 31)


class Witness:
    """An input that ran, and what its run added to the tree.

    `start` is the index of the run's first new event.  `hashes[i]` stands for the path up to and including
    event start - 1 + i.  `decisions` are the keys of the path's decisions from number `decided` on.
    `states[i]` is the state left at event `positions[i]`, None once it is settled."""

    __slots__ = (
        "cost",
        "data",
        "decided",
        "decisions",
        "hashes",
        "number",
        "origin",
        "positions",
        "start",
        "states",
    )

    def __init__(
        self,
        number: int,
        data: bytes,
        origin: State | None,
        start: int,
        hashes: NDArray[np.uint64],
        decisions: NDArray[np.uint64],
        decided: int,
    ) -> None:
        self.number = number
        self.data = data
        self.origin = origin
        self.start = start
        self.hashes = hashes
        self.decisions = decisions
        self.decided = decided
        self.cost = 0
        self.positions = array("I")
        self.states: list[State | None] = []

    def hash_before(self, index: int) -> int:
        """Identifies the path before event `index`, which must lie in the new part."""
        return int(self.hashes[index - self.start])


class State:
    """One direction not taken.

    Ids count up from 1; `parent` is the id of the state whose turn led to the run that left this one, 0 if
    none did.  `index` is the event of `witness`'s run to turn, `alternative` the direction to take there (a
    switch group, 1 or 0, or OTHER: a value that is not in `seen`).  `target` is the block the turn leads
    to, `depth` the number of decisions on the way, the turn included.  `steps` (units of 1,024
    instructions) and `trace` (length of the block trace) tell how far the run was.  `fresh` is how many
    steps ago the path last covered something new, -1 for never.  `pending` is False once selected, pruned
    or explored otherwise."""

    __slots__ = (
        "alternative",
        "depth",
        "fresh",
        "id",
        "index",
        "kind",
        "parent",
        "pending",
        "seen",
        "site",
        "steps",
        "target",
        "trace",
        "witness",
    )

    def __init__(
        self,
        id: int,
        parent: int,
        witness: Witness,
        index: int,
        kind: int,
        site: int,
        alternative: int,
        target: int,
        depth: int,
        steps: int,
        trace: int,
        fresh: int,
        seen: tuple[int, ...] = (),
    ) -> None:
        self.id = id
        self.parent = parent
        self.witness = witness
        self.index = index
        self.kind = kind
        self.site = site
        self.alternative = alternative
        self.target = target
        self.depth = depth
        self.steps = steps
        self.trace = trace
        self.fresh = fresh
        self.seen = seen
        self.pending = True

    def __repr__(self) -> str:
        turn = f"not in {self.seen}" if self.alternative == OTHER else str(self.alternative)
        return f"State({self.id}: event {self.index} of {self.witness.number}, site {self.site} -> {turn})"

    def again(self, id: int, seen: tuple[int, ...] | None = None) -> State:
        """The same question once more, as a new state: searchers see every state only once."""
        return State(
            id,
            self.id,
            self.witness,
            self.index,
            self.kind,
            self.site,
            self.alternative,
            self.target,
            self.depth,
            self.steps,
            self.trace,
            self.fresh,
            self.seen if seen is None else seen,
        )

    def subpath(self, n: int) -> tuple[int, ...]:
        """The keys of the last n decisions, the turn included (SGS's length-n subpath)."""
        end = self.depth - 1 - self.witness.decided
        before: list[int] = self.witness.decisions[max(0, end - n + 1) : end].tolist()
        return (*before, decision_key(self.site, self.kind, self.alternative & _MASK))
