"""States: "the same path as this witness up to this event, then another direction".

A `Witness` is an input that ran; a `State` is one direction its run did not take.  Both are small and hold no
expressions, so they outlive the expression table: what a state's path condition is, is found by running its
witness again.  A run shares its prefix with the run it came from; a witness keeps only what its new part
added.  `batch.py` holds the states themselves, as rows; a `State` is one of them that somebody looks at, and two that
have the same id are equal.

Risk: `subpath` remembers at most HISTORY decisions before a run's new part; a longer n sees a shorter path.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Set
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from cinquefoil.states.batch import Batch

HISTORY = 64  # decisions kept from before a run's new part
OTHER = -1  # the alternative of a state that asks for any value not seen yet

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
_blank = object.__new__


def decision_key(site: int, kind: int, outcome: int) -> int:
    """What happened at one event, as one number (splitmix64); native/exploration/path.c does it for runs."""
    value = (site << 8 | kind) * _GOLDEN + outcome & _MASK
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB & _MASK
    return value ^ (value >> 31)


def subpath_key(decisions: Iterable[int]) -> int:
    """Decisions in order, as one number; native/search/groups.c does it for batches."""
    value = 0
    for decision in decisions:
        value = ((value ^ decision) * _GOLDEN + 1) & _MASK
        value ^= value >> 29
    return value


class Witness:
    """An input that ran, and what its run added to the tree.

    `start` is the index of the run's first new event.  `hashes[i]` stands for the path up to and including event start
    - 1 + i.  `decisions` are the keys of the path's decisions from number `decided` on.  `batch` are the states that
    its run left, None once all of them are settled; `asked` those of its untaken branches that are asked again, by
    id."""

    __slots__ = (
        "asked",
        "batch",
        "cost",
        "data",
        "decided",
        "decisions",
        "hashes",
        "number",
        "origin",
        "start",
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
        self.batch: Batch | None = None
        self.asked: dict[int, State] = {}

    def hash_before(self, index: int) -> int:
        """Identifies the path before event `index`, which must lie in the new part."""
        return self.hashes.item(index - self.start)

    def unsettled_at(self, index: int) -> list[State]:
        """The states at an event that are neither explored nor refuted, pending or not."""
        again = [state for state in self.asked.values() if state.index == index]
        if self.batch is None:
            return again
        column = self.batch.indices
        return self.batch.unsettled(bisect_left(column, index), bisect_right(column, index)) + again

    def unsettled_after(self, index: int, targets: Set[int]) -> list[State]:
        """The states at later events, in path order, that are neither explored nor refuted and lead to such blocks."""
        again = [state for state in self.asked.values() if state.index > index and state.target in targets]
        rows = self.batch
        later = [] if rows is None else rows.unsettled_to(bisect_right(rows.indices, index), targets)
        return sorted(later + again, key=lambda state: state.index) if again else later


class State:
    """One direction not taken.

    Ids count up from 1; `parent` is the id of the state whose branch led to the run that left this one, 0 if
    none did.  `index` is the event of `witness`'s run at which to leave it, `alternative` the direction to take there
    (a switch group, 1 or 0, or OTHER: a value that is not in `seen`).  `target` is the block the branch leads to,
    `depth` the number of decisions of the path, the untaken branch included.  `steps` (units of 1,024 instructions)
    and `trace` (length of the block trace) tell how far the run was.  `fresh` is how many steps ago the path last
    covered something new, -1 for never.  `pending` is False once selected, pruned or explored otherwise."""

    __slots__ = (
        "_row",
        "_waiting",
        "alternative",
        "depth",
        "fresh",
        "id",
        "index",
        "kind",
        "parent",
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
        waiting: bytearray | None = None,
        row: int = 0,
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
        self._waiting = bytearray(b"\1") if waiting is None else waiting  # a chunk's, if it is a row of one
        self._row = row

    @staticmethod
    def of_row(
        id: int,
        parent: int,
        witness: Witness,
        numbers: tuple[int, ...],
        seen: tuple[int, ...] | None,
        waiting: bytearray,
    ) -> State:
        """The same from a row's `numbers` (rows.c), in less than half of the time: one is made for each path.
        Without `seen`, a state that asks for another value has seen the row's."""
        state = _blank(State)
        state.id = id
        state.parent = parent
        state.witness = witness
        (
            _,
            state._row,
            state.index,
            state.kind,
            state.site,
            state.alternative,
            state.target,
            state.depth,
            state.steps,
            state.trace,
            state.fresh,
            value,
        ) = numbers
        state.seen = () if state.alternative != OTHER else seen or (value & _MASK,)
        state._waiting = waiting
        return state

    @property
    def pending(self) -> bool:
        return self._waiting[self._row] == 1

    @pending.setter
    def pending(self, value: bool) -> None:
        self._waiting[self._row] = value

    def take(self) -> bool:
        """Is it pending?  Not any more."""
        waiting, row = self._waiting, self._row
        taken = waiting[row] == 1
        waiting[row] = 0
        return taken

    def waiting_address(self, of: Callable[[bytearray], int]) -> int:
        """Where the byte is that says whether it is pending; `of` tells where an array of bytes is."""
        return of(self._waiting) + self._row

    def move(self, waiting: bytearray, row: int) -> None:
        """Keeps there from now on whether it is pending, if it kept that by itself."""
        if len(self._waiting) == 1:
            waiting[row] = self._waiting[0]
            self._waiting, self._row = waiting, row

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and other.id == self.id

    def __hash__(self) -> int:
        return self.id

    def __repr__(self) -> str:
        direction = f"not in {self.seen}" if self.alternative == OTHER else str(self.alternative)
        return f"State({self.id}: event {self.index} of {self.witness.number}, site {self.site} -> {direction})"

    def subpath(self, n: int) -> tuple[int, ...]:
        """The keys of the last n decisions, the untaken branch included (SGS's length-n subpath)."""
        end = self.depth - 1 - self.witness.decided
        before: list[int] = self.witness.decisions[max(0, end - n + 1) : end].tolist()
        return (*before, decision_key(self.site, self.kind, self.alternative & _MASK))
