"""Questions that the solver left open, and how long it may take for one.

The first time the solver decides for itself how much a question is worth.  Those left open are asked again, with more
time, once nothing else is left to ask."""

from __future__ import annotations

from dataclasses import dataclass, field

from cinquefoil.states.state import State

_PATIENCE = 4.0  # a question asked again gets this many times the time


@dataclass(slots=True)
class UndecidedStates:
    """Open questions by state, and the seconds granted to states that are asked again."""

    open: dict[int, State] = field(default_factory=dict[int, State])
    granted: dict[int, float] = field(default_factory=dict[int, float])


class UndecidedQueries:
    """`seconds` are those for a question at first."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._waiting = UndecidedStates()
        self.round = 0  # of asking again

    def __len__(self) -> int:
        """How many are open."""
        return len(self._waiting.open)

    def exchange(self, other: UndecidedStates) -> UndecidedStates:
        """Goes on with others."""
        before, self._waiting = self._waiting, other
        return before

    def seconds_for(self, state: State) -> float | None:
        """How long the solver may take for the state, None if that is its own choice; asked once."""
        granted = self._waiting.granted
        if granted:
            found = granted.pop(state.id, None)
            if found is not None:
                return found
        return self._now() if self.round else None

    def is_again(self, state: State) -> bool:
        """Was it left open before, and is it to be asked with more time?"""
        return state.id in self._waiting.granted

    def leave(self, state: State) -> None:
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
