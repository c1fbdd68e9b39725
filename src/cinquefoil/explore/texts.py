"""Changes of texts: how an input that reached something new becomes others that may reach more.

A text is what an object holds before its trailing zeros; a change maps it to another that fits the object's room.
*Continuing* changes lengthen it in the manner of its end: a digit is followed by digits, a word or a line by its like.
Symbolic execution alone lengthens a text by one character per solved state, and every length anew; loops over long
numbers, lists or nested expressions are found late.  The others are the usual ones of fuzzers (AFL's havoc stage):
bytes and ranges changed, doubled or removed, words of the program put in, parts of other inputs spliced.
"""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

_CLASSES = (string.digits, string.ascii_lowercase, string.ascii_uppercase, " \t\n")
_SEPARATORS = (b"\n", b" ", b",", b";", b"+")
_LETTERS = (string.digits + string.ascii_letters + string.punctuation + " \t\n").encode()
_NUMBERS = (b"0", b"1", b"-1", b"2", b"7", b"10", b"16", b"64", b"100", b"255", b"256", b"65536", b"2147483647",
            b"4294967296", b"9223372036854775807", b"18446744073709551616")  # fmt: skip
_DIGITS = frozenset(string.digits.encode())


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


Change = Callable[[bytes, int, Pool], bytes]


def continuations(text: bytes, room: int) -> Iterator[bytes]:
    """The text carried on to the end of its room in the manner of its end, in several ways; each also as a line."""
    if not text or len(text) >= room:
        return
    body = text.rstrip(b"\n")
    seen = {text}
    for part in _parts(body or text):
        for separator in (b"", *_SEPARATORS):
            longer = (body + separator + (part + separator) * room)[:room] if body else part * room
            for whole in (longer[:room], longer[: room - 1] + b"\n"):
                if whole not in seen:
                    seen.add(whole)
                    yield whole


def _parts(text: bytes) -> list[bytes]:
    """Ends of a text worth repeating: others of the last character's class, itself, the last word, all of it."""
    last = chr(text[-1])
    others = next((members for members in _CLASSES if last in members), last)
    start = others.index(last)
    alike = "".join(others[(start + 3 * step) % len(others)] for step in range(1, len(others) + 1)).encode()
    word = len(text)
    while word and chr(text[word - 1]).isalnum():
        word -= 1
    return list(dict.fromkeys([alike, text[-1:], text[max(0, word - 1) :], text]))


def carry_on(text: bytes, room: int, pool: Pool) -> bytes:
    """One of the continuations, from a place in the text, to some length."""
    ways = list(continuations(text[: pool.rng.randint(1, len(text))] if text else pool.letter(), room))
    return pool.rng.choice(ways)[: pool.rng.randint(1, room)] if ways else text


def alter(text: bytes, room: int, pool: Pool) -> bytes:
    at = pool.rng.randrange(len(text) + (len(text) < room))
    return text[:at] + pool.letter() + text[at + 1 :]


def nudge(text: bytes, room: int, pool: Pool) -> bytes:
    """A byte a little more or less."""
    at = pool.rng.randrange(room)
    text = text.ljust(at + 1, b"\0")
    return text[:at] + bytes([(text[at] + pool.rng.choice((-16, -8, -2, -1, 1, 2, 8, 16, 128))) % 256]) + text[at + 1 :]


def insert(text: bytes, room: int, pool: Pool) -> bytes:
    at = pool.rng.randint(0, len(text))
    return text[:at] + pool.letter() + text[at:]


def remove(text: bytes, room: int, pool: Pool) -> bytes:
    start, end = _range(text, pool)
    return text[:start] + text[end:]


def double(text: bytes, room: int, pool: Pool) -> bytes:
    start, end = _range(text, pool)
    return text[:end] + text[start:end] * pool.rng.choice((1, 1, 2, 4)) + text[end:]


def insert_word(text: bytes, room: int, pool: Pool) -> bytes:
    at = pool.rng.randint(0, len(text))
    return text[:at] + pool.word() + text[at:]


def write_word(text: bytes, room: int, pool: Pool) -> bytes:
    word = pool.word()
    at = pool.rng.randint(0, max(0, room - len(word)))
    return text[:at].ljust(at, b"\0") + word + text[at + len(word) :]


def only_word(text: bytes, room: int, pool: Pool) -> bytes:
    """A word instead of the text, perhaps as the name of an option, perhaps with what follows it kept."""
    lead = pool.rng.choice((b"", b"", b"-", b"--"))
    return lead + pool.word() + pool.rng.choice((b"", b"", b"\n", b" ", b"=", b"(")) + pool.rng.choice((b"", text))


def number(text: bytes, room: int, pool: Pool) -> bytes:
    """Another number for one of the text."""
    places = [at for at, byte in enumerate(text) if byte in _DIGITS]
    start = pool.rng.choice(places) if places else len(text)
    end = start
    while end < len(text) and text[end] in _DIGITS:
        end += 1
    return text[:start] + pool.rng.choice(_NUMBERS) + text[end:]


def splice(text: bytes, room: int, pool: Pool) -> bytes:
    other = pool.text()
    return text[: pool.rng.randint(0, len(text))] + other[pool.rng.randint(0, len(other)) :]


def exchange(text: bytes, room: int, pool: Pool) -> bytes:
    return pool.text()


def _range(text: bytes, pool: Pool) -> tuple[int, int]:
    start = pool.rng.randint(0, max(0, len(text) - 1))
    return start, min(len(text), start + pool.rng.choice((1, 1, 2, 3, 4, 8)))


CHANGES: tuple[Change, ...] = (
    carry_on, alter, nudge, insert, remove, double, insert_word, write_word, only_word, number, splice, exchange
)  # fmt: skip
