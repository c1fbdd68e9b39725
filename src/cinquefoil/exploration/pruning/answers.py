"""Answers of earlier rounds.

After a restart the same states come up again.  What became of a state depends on its path and its branch alone, so it
is remembered by these: there is no input, or the input that took the branch, whose run is most often still at hand.  A
path known from before thus costs a look-up, not a question to the solver.

Risk: paths are told apart by 64-bit hashes, as in the tree."""

from __future__ import annotations

from typing import Final

from cinquefoil.states.state import State

LIMIT: Final = 1_000_000  # answers kept; the oldest go first

UNSAT: Final = b"unsat"
UNKNOWN: Final = b"unknown"
_SAT: Final = b"+"


def key_of(state: State) -> int:
    """A state's path and untaken branch as one number, the same in every round."""
    before = state.witness.hash_before(state.index)
    return hash((before, state.site, state.kind, state.alternative, state.seen))


class EarlierAnswers:
    """What became of states, by path and untaken branch."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._answers: dict[int, bytes] = {}

    def __len__(self) -> int:
        return len(self._answers)

    def learn(self, state: State, status: str, witness: bytes | None) -> None:
        """`witness` is the input whose run took the branch."""
        if status == "sat" and witness is not None:
            self._put(key_of(state), _SAT + witness)
        elif status in ("unsat", "unknown"):
            self._put(key_of(state), status.encode())

    def recall(self, state: State) -> tuple[str, bytes] | None:
        answer = self._answers.get(key_of(state))
        if answer is None:
            return None
        return ("sat", answer[1:]) if answer[:1] == _SAT else (answer.decode(), b"")

    def _put(self, key: int, answer: bytes) -> None:
        self._answers[key] = answer
        if len(self._answers) > self._limit:
            del self._answers[next(iter(self._answers))]
