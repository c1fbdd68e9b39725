"""What every mutator owes, whoever wrote it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Final

from cinquefoil.exploration.mutations.api import Mutator, Pool
from cinquefoil.exploration.mutations.registry import make

_CASES = 500


def makes_bytes_of_any_text(name: str) -> None:
    """It makes bytes also of empty texts, with room for a single byte, and without words and other texts."""
    mutator = make(name)
    assert isinstance(mutator, Mutator), f"{name} makes {type(mutator).__name__}, not a Mutator"
    for text, room, pool in _cases():
        made = mutator.mutate(text, room, pool)
        assert type(made) is bytes, f"{text!r} with room {room} became {made!r}"


def same_seed_same_text(name: str) -> None:
    for (text, room, pool), (_, _, again) in zip(_cases(), _cases(), strict=True):
        first, second = make(name).mutate(text, room, pool), make(name).mutate(text, room, again)
        assert first == second, f"{text!r} with room {room} became {first!r} and {second!r}"


def changes_something(name: str) -> None:
    mutator = make(name)
    changed = sum(mutator.mutate(text, room, pool)[:room] != text for text, room, pool in _cases())
    assert changed > 0, "no text was changed"


MUTATOR_RULES: Final[tuple[Callable[[str], None], ...]] = (
    makes_bytes_of_any_text,
    same_seed_same_text,
    changes_something,
)


def _cases() -> Iterator[tuple[bytes, int, Pool]]:
    """Texts, room for them, and what mutators draw from: a seed of its own for each."""
    rng = random.Random(23)
    for number in range(_CASES):
        room = rng.choice((1, 2, 3, 8, 40))
        text = bytes(rng.choice(b"ab1 \n(\0\xff") for _ in range(rng.randint(0, room)))
        pool = Pool(random.Random(number), rng.choice(((), (b"while", b"0x"))))
        for other in rng.choice(((), (b"let x = 1",))):
            pool.keep(other)
        yield text, room, pool
