"""States that no cover wants now, by the blocks they stand at and lead to.

A state is in several lists at once and leaves by losing `pending`; lists are cleaned when they are looked at,
and all together when most of what they hold is gone."""

from __future__ import annotations

import random

from cinquefoil.search.empc.walk import Activation, Turn
from cinquefoil.search.state import State

_NO_TURN = Turn(())


class Held:
    """A state, the activation it turns in, and where that leads.  `left`: the run it is of left the
    wanted paths there.  `matched`: it was selected as wanted."""

    __slots__ = ("activation", "left", "matched", "source", "state", "turn")

    def __init__(self, state: State, activation: Activation | None, source: int, turn: Turn = _NO_TURN) -> None:
        self.state = state
        self.activation = activation
        self.source = source
        self.turn = turn
        self.left = False
        self.matched = False


class Waiting:
    """Newest last everywhere."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._all: list[Held] = []
        self._at: dict[int, list[Held]] = {}
        self._to: dict[int, list[Held]] = {}

    def add(self, held: Held) -> None:
        self._all.append(held)
        self._at.setdefault(held.source, []).append(held)
        if held.state.target != held.source:
            self._to.setdefault(held.state.target, []).append(held)

    def newest(self) -> Held | None:
        while self._all:
            held = self._all.pop()
            if held.state.pending:
                return held
        return None

    def any(self) -> Held | None:
        """A random one."""
        return self._draw(self._all)

    def leading_to(self, block: int) -> Held | None:
        return self._draw(self._to.get(block))

    def near(self, block: int) -> Held | None:
        """One that stands at the block, or leads there."""
        first = self._draw(self._at.get(block))
        return first if first is not None else self.leading_to(block)

    def tidy(self) -> None:
        self._all = [held for held in self._all if held.state.pending]
        for index in (self._at, self._to):
            for block in list(index):
                index[block] = [held for held in index[block] if held.state.pending]
                if not index[block]:
                    del index[block]

    def _draw(self, held: list[Held] | None) -> Held | None:
        while held:
            at = self._rng.randrange(len(held))
            held[at], held[-1] = held[-1], held[at]
            found = held.pop()
            if found.state.pending:
                return found
        return None
