"""What a program compares its input to, as far as its constants tell: words for the making of inputs.

Texts are the string constants of the program's own module that could be words of its input (option names, key words,
suffixes; not messages, which hold spaces).  Numbers are constants of comparisons and switches that need more than one
byte, in both byte orders.  Fuzzers call this an automatic dictionary (AFL++'s LTO mode makes one so).

Risk: a program may hold thousands of strings that no input is compared to; `most` bounds how many are taken, those of
few characters first.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from cinquefoil.build import bitcode, cache

_LONGEST = 24
_MOST = 1024
_VERSION = "1"  # of what is stored
_TEXT = re.compile(r'\bc"((?:[^"\\]|\\[0-9A-Fa-f]{2}|\\\\)*)"')
_HEX = re.compile(rb"\\([0-9A-Fa-f]{2})")
_WORD = re.compile(rb"[!-~]+")
_COMPARED = re.compile(r"icmp \w+ i(?:16|32|64) [^,]+, (-?\d+)\b")
_CASE = re.compile(r"^\s+i(?:16|32|64) (-?\d+), label", re.MULTILINE)


def words_of(module: Path) -> tuple[bytes, ...]:
    """The words of a bitcode file; looked for once, then from the cache."""
    kept = cache.get_or_make("words", [_VERSION, module], ".json", lambda output: _write(module, output))
    return tuple(bytes.fromhex(word) for word in json.loads(kept.read_text()))


def words_in(text: str, most: int = _MOST) -> tuple[bytes, ...]:
    """The words of a module as textual IR, shortest first, then as bytes sort."""
    found = {*_texts(text), *_numbers(text)}
    return tuple(sorted(found, key=lambda word: (len(word), word))[:most])


def _write(module: Path, output: Path) -> None:
    words = words_in(str(bitcode.read(module)))
    output.write_text(json.dumps([word.hex() for word in words]))


def _texts(text: str) -> set[bytes]:
    found: set[bytes] = set()
    for match in _TEXT.finditer(text):
        data = _HEX.sub(lambda digits: bytes([int(digits[1], 16)]), match[1].encode("latin-1", "replace"))
        parts = data.split(b"\0")
        found.update(part for part in parts if len(part) <= _LONGEST and _WORD.fullmatch(part))
    return {word for word in found if len(word) > 1 and b"%" not in word}


def _numbers(text: str) -> set[bytes]:
    found: set[bytes] = set()
    for value in {int(number) for pattern in (_COMPARED, _CASE) for number in pattern.findall(text)}:
        size = 2 if 255 < value < 1 << 16 else 4 if (1 << 16) <= value < 1 << 32 else 0
        if size:
            found.update(value.to_bytes(size, order) for order in ("little", "big"))
    return found
