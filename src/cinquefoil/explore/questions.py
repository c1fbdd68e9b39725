"""Questions that the solver left open, and how long it may take for one.

Where questions were left open, the next ones get less time at first; those left open are asked again with more once
nothing else is left to ask."""

from __future__ import annotations

from dataclasses import dataclass, field

from cinquefoil.search.state import State

_PATIENCE = 4.0  # a question asked again gets this many times the time
_MOST_HALVINGS = 4  # of the first time for a question


@dataclass(slots=True)
class Waiting:
    """Open questions by state, and the seconds granted to states that are asked again."""

    open: dict[int, State] = field(default_factory=dict[int, State])
    granted: dict[int, float] = field(default_factory=dict[int, float])


class Questions:
    """`seconds` are those for a question at first."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._waiting = Waiting()
        self._left_open: dict[int, int] = {}  # by site
        self.round = 0  # of asking again

    def __len__(self) -> int:
        """How many are open."""
        return len(self._waiting.open)

    def exchange(self, other: Waiting) -> Waiting:
        """Goes on with others."""
        before, self._waiting = self._waiting, other
        return before

    def seconds_for(self, state: State) -> float:
        """How long the solver may take for the state; asked once."""
        granted = self._waiting.granted
        if granted:
            found = granted.pop(state.id, None)
            if found is not None:
                return found
        if self.round:
            return self._now()
        if not self._left_open:
            return self._seconds
        return self._seconds / 2 ** min(_MOST_HALVINGS, self._left_open.get(state.site, 0))

    def is_again(self, state: State) -> bool:
        """Was it left open before, and is it to be asked with more time?"""
        return state.id in self._waiting.granted

    def leave(self, state: State) -> None:
        self._left_open[state.site] = self._left_open.get(state.site, 0) + 1
        self._waiting.open[state.id] = state

    def close(self, state: State) -> None:
        """It is answered, or nobody asks any more."""
        if self._waiting.open:
            self._waiting.open.pop(state.id, None)

    def begin_again(self) -> list[State]:
        """All that are open, to be asked with more time; each is then granted it under its new id."""
        self.round += 1
        waiting = list(self._waiting.open.values())
        self._waiting.open.clear()
        return waiting

    def waiting(self) -> list[State]:
        """All that are open."""
        return list(self._waiting.open.values())

    def grant(self, id: int) -> None:
        self._waiting.granted[id] = self._now()

    def _now(self) -> float:
        return self._seconds * _PATIENCE**self.round
