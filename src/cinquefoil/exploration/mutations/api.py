"""What a mutator is, and what it draws from.

A mutator changes one text of an input.  What it makes is run for its coverage alone, and kept if it covers something
new.  About 15 lines are enough:

    @register_mutator("reverse")
    class Reverse(Mutator):
        \"\"\"The text backwards, or half of it.\"\"\"

        def mutate(self, text: bytes, room: int, pool: Pool) -> bytes:
            half = len(text) // 2
            return text[::-1] if pool.rng.random() < 0.5 else text[:half] + text[half:][::-1]
"""

from __future__ import annotations

import random
import string
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field

_LETTERS = (string.digits + string.ascii_letters + string.punctuation + " \t\n").encode()


@dataclass(frozen=True, slots=True)
class Pool:
    """What changes draw from: chance, the program's words, texts that reached something new."""

    rng: random.Random
    words: Sequence[bytes] = ()
    texts: list[bytes] = field(default_factory=list[bytes])
    _known: set[bytes] = field(default_factory=set[bytes])

    def keep(self, text: bytes) -> None:
        """Another text, if it is one."""
        if text not in self._known:
            self._known.add(text)
            self.texts.append(text)

    def word(self) -> bytes:
        return self.rng.choice(self.words) if self.words else bytes([self.rng.choice(_LETTERS)])

    def text(self) -> bytes:
        return self.rng.choice(self.texts) if self.texts else b""

    def letter(self) -> bytes:
        return bytes([self.rng.choice(_LETTERS) if self.rng.random() < 0.9 else self.rng.randrange(256)])


class Mutator(ABC):
    """Made as `Class(*parameters)`, once per exploration."""

    @abstractmethod
    def mutate(self, text: bytes, room: int, pool: Pool) -> bytes:
        """Another text instead of this one, which may be empty; `room` (at least 1) is how many bytes it may have: what
        is longer is cut.  All chance comes from `pool.rng`, so that the same seed gives the same tests."""
