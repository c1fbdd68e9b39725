"""States that no cover wants now, by the blocks they stand at and lead to.

States that stand at the same event of a run are kept together: a switch leaves dozens of them, and few are
ever looked at.  A state leaves by losing `pending`; what is gone is dropped when it is met, and all together
when it is most of what is held."""

from __future__ import annotations

import heapq
import random

from cinquefoil.search.empc.walk import LEADS_NOWHERE, Position, Turn
from cinquefoil.search.state import State

PATIENCE = 8  # failures in a row
_LEADING = 64  # states kept per block not visited, beside those that wait where they stand


class Held:
    """A state, where it turns, and where that leads.  `left`: the run it is of left the wanted paths there.
    `matched`: it was selected as wanted."""

    __slots__ = ("left", "matched", "position", "state", "turn")

    def __init__(self, state: State, position: Position, turn: Turn = LEADS_NOWHERE) -> None:
        self.state = state
        self.position = position
        self.turn = turn
        self.left = False
        self.matched = False


class _Event:
    """The states of one event; the block they stand at."""

    __slots__ = ("position", "source", "states")

    def __init__(self, position: Position, source: int, states: list[State]) -> None:
        self.position = position
        self.source = source
        self.states = states


_Ranked = tuple[int, float, int, _Event]


class Luck:
    """How often each direction of each branch was infeasible since it last was not."""

    def __init__(self) -> None:
        self._failures: dict[tuple[int, int], int] = {}

    def note(self, state: State, feasible: bool) -> None:
        key = (state.site, state.alternative)
        self._failures[key] = 0 if feasible else self._failures.get(key, 0) + 1

    def hopeless(self, state: State) -> bool:
        return self._failures.get((state.site, state.alternative), 0) >= PATIENCE

    def failures(self, state: State) -> int:
        return self._failures.get((state.site, state.alternative), 0)


class Waiting:
    """`shallow`: of the states at a block, those with the fewest decisions come first; otherwise any."""

    def __init__(self, rng: random.Random, shallow: bool) -> None:
        self._rng = rng
        self._shallow = shallow
        self._all: list[_Event] = []  # newest last, until `any` is asked
        self._at: dict[int, list[_Ranked]] = {}  # heaps
        self._to: dict[int, list[Held]] = {}  # to blocks not visited when the state came

    def add(self, position: Position, source: int, states: list[State]) -> None:
        """States of one event; the list becomes ours."""
        event = _Event(position, source, states)
        self._all.append(event)
        depth = states[0].depth if self._shallow else 0
        heap = self._at.setdefault(source, [])
        heapq.heappush(heap, (depth, self._rng.random(), states[0].id, event))

    def add_leading(self, state: State, position: Position) -> None:
        """One of the states added leads to a block not visited yet."""
        leading = self._to.setdefault(state.target, [])
        if len(leading) < _LEADING:
            leading.append(Held(state, position))

    def newest(self) -> Held | None:
        while self._all:
            held = self._take(self._all[-1])
            if held is not None:
                return held
            self._all.pop()
        return None

    def any(self) -> Held | None:
        """One at a random event."""
        events = self._all
        while events:
            at = self._rng.randrange(len(events))
            events[at], events[-1] = events[-1], events[at]
            held = self._take(events[-1])
            if held is not None:
                return held
            events.pop()
        return None

    def leading_to(self, block: int) -> Held | None:
        """Any of those known to lead there."""
        leading = self._to.get(block)
        while leading:
            at = self._rng.randrange(len(leading))
            leading[at], leading[-1] = leading[-1], leading[at]
            held = leading.pop()
            if held.state.pending:
                return held
        return None

    def near(self, block: int) -> Held | None:
        """One that stands at the block, or leads there."""
        heap = self._at.get(block)
        while heap:
            held = self._take(heap[0][3])
            if held is not None:
                return held
            heapq.heappop(heap)
        return self.leading_to(block)

    def tidy(self) -> None:
        for event in self._all:
            event.states = [state for state in event.states if state.pending]
        self._all = [event for event in self._all if event.states]
        for block, heap in list(self._at.items()):
            self._at[block] = sorted(rank for rank in heap if rank[3].states)
        for block, leading in list(self._to.items()):
            self._to[block] = [held for held in leading if held.state.pending]

    def _take(self, event: _Event) -> Held | None:
        """A random state of an event."""
        states = event.states
        while states:
            at = self._rng.randrange(len(states))
            states[at], states[-1] = states[-1], states[at]
            state = states.pop()
            if state.pending:
                return Held(state, event.position)
        return None
