"""Changes of texts: how an input that reached something new becomes others that may reach more.

A text is what an object holds before its trailing zeros; a change maps it to another that fits the object's room.
*Continuing* changes lengthen it in the manner of its end: a digit is followed by digits, a word or a line by its like.
Symbolic execution alone lengthens a text by one character per solved state, and every length anew; loops over long
numbers, lists or nested expressions are found late.  The others are the usual ones of fuzzers (AFL's havoc stage):
bytes and ranges changed, doubled or removed, words of the program put in, parts of other inputs spliced.
"""

from __future__ import annotations

import string
from collections.abc import Iterator

from cinquefoil.exploration.mutations.api import Mutator, Pool

_CLASSES = (string.digits, string.ascii_lowercase, string.ascii_uppercase, " \t\n")
_SEPARATORS = (b"\n", b" ", b",", b";", b"+")
_NUMBERS = (b"0", b"1", b"-1", b"2", b"7", b"10", b"16", b"64", b"100", b"255", b"256", b"65536", b"2147483647",
            b"4294967296", b"9223372036854775807", b"18446744073709551616")  # fmt: skip
_DIGITS = frozenset(string.digits.encode())


def continuations(text: bytes, room: int) -> Iterator[bytes]:
    """The text carried on to the end of its room in the manner of its end, in several manners; each also as a line."""
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


class CarryOn(Mutator):
    """The text is cut somewhere and carried on in the manner of its end, to some length."""

    def mutate(self, text: bytes, room: int, pool: Pool) -> bytes:
        longer = list(continuations(text[: pool.rng.randint(1, len(text))] if text else pool.letter(), room))
        return pool.rng.choice(longer)[: pool.rng.randint(1, room)] if longer else text


class Alter(Mutator):
    """One byte becomes another, or one is appended."""

    def mutate(self, text: bytes, room: int, pool: Pool) -> bytes:
        at = pool.rng.randrange(len(text) + (len(text) < room))
        return text[:at] + pool.letter() + text[at + 1 :]


class Nudge(Mutator):
    """A byte becomes a little more or less."""

    def mutate(self, text: bytes, room: int, pool: Pool) -> bytes:
        at = pool.rng.randrange(room)
        text = text.ljust(at + 1, b"\0")
        changed = (text[at] + pool.rng.choice((-16, -8, -2, -1, 1, 2, 8, 16, 128))) % 256
        return text[:at] + bytes([changed]) + text[at + 1 :]


class Insert(Mutator):
    """One byte more."""

    def mutate(self, text: bytes, room: int, pool: Pool) -> bytes:
        at = pool.rng.randint(0, len(text))
        return text[:at] + pool.letter() + text[at:]


class Remove(Mutator):
    """A few bytes less."""

    def mutate(self, text: bytes, room: int, pool: Pool) -> bytes:
        start, end = _range(text, pool)
        return text[:start] + text[end:]


class Double(Mutator):
    """A few bytes are repeated."""

    def mutate(self, text: bytes, room: int, pool: Pool) -> bytes:
        start, end = _range(text, pool)
        return text[:end] + text[start:end] * pool.rng.choice((1, 1, 2, 4)) + text[end:]


class InsertWord(Mutator):
    """One of the program's words is inserted."""

    def mutate(self, text: bytes, room: int, pool: Pool) -> bytes:
        at = pool.rng.randint(0, len(text))
        return text[:at] + pool.word() + text[at:]


class WriteWord(Mutator):
    """One of the program's words replaces bytes."""

    def mutate(self, text: bytes, room: int, pool: Pool) -> bytes:
        word = pool.word()
        at = pool.rng.randint(0, max(0, room - len(word)))
        return text[:at].ljust(at, b"\0") + word + text[at + len(word) :]


class OnlyWord(Mutator):
    """A word instead of the text, perhaps as the name of an option, perhaps with the text behind it."""

    def mutate(self, text: bytes, room: int, pool: Pool) -> bytes:
        lead = pool.rng.choice((b"", b"", b"-", b"--"))
        return lead + pool.word() + pool.rng.choice((b"", b"", b"\n", b" ", b"=", b"(")) + pool.rng.choice((b"", text))


class Number(Mutator):
    """Another number instead of one of the text."""

    def mutate(self, text: bytes, room: int, pool: Pool) -> bytes:
        digits = [at for at, byte in enumerate(text) if byte in _DIGITS]
        start = pool.rng.choice(digits) if digits else len(text)
        end = start
        while end < len(text) and text[end] in _DIGITS:
            end += 1
        return text[:start] + pool.rng.choice(_NUMBERS) + text[end:]


class Splice(Mutator):
    """The text's beginning with the end of another text."""

    def mutate(self, text: bytes, room: int, pool: Pool) -> bytes:
        other = pool.text()
        return text[: pool.rng.randint(0, len(text))] + other[pool.rng.randint(0, len(other)) :]


class Exchange(Mutator):
    """Another text."""

    def mutate(self, text: bytes, room: int, pool: Pool) -> bytes:
        return pool.text()


def _range(text: bytes, pool: Pool) -> tuple[int, int]:
    start = pool.rng.randint(0, max(0, len(text) - 1))
    return start, min(len(text), start + pool.rng.choice((1, 1, 2, 3, 4, 8)))
