"""Why engine and gcov may differ about a line, as far as its text tells.

Two compilers cut the same source into lines with code, and not alike.  Where a line is only a *part* of an expression
or call over several lines, or only moves a *constant* (an initialiser, a `return 0`, a jump), one of them has code for
it in another block than the other, or joins it with its neighbour.  What is left is *other*: there the programs did
something else, because the libraries, or the worlds around them, differ.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from enum import StrEnum


class LineReason(StrEnum):
    PART = "part"
    CONSTANT = "constant"
    OTHER = "other"


_BEGINS_INSIDE = re.compile(r"\s*(&&|\|\||[?:](?!:)|[-+*/%&|^<>=,)])")
_VALUE = r"""(?:-?[\w.]+|"[^"]*"|'[^']*'|\(\w+ ?\*?\) ?-?\w+|&\w+)"""
_CONSTANT = re.compile(
    rf"\s*(?:(?:[\w ]+[ *]+)?[\w.\[\]>-]+(?:\s*=\s*[\w.>-]+)*\s*=\s*{_VALUE}|return\s*\(?{_VALUE}?\)?|break|continue"
    r"|goto \w+|else|case .*:|default:|\w+:)\s*[;,{]?\s*(?:/\*.*)?$"
)
_NOTHING = re.compile(r"\s*(/\*.*\*/|//.*|\*.*|#.*)?\s*$")


def reason(lines: list[str], number: int) -> LineReason:
    """The reason for a line, counted from 1, of a file's text."""
    if not 0 < number <= len(lines):
        return LineReason.OTHER
    line = lines[number - 1]
    if _BEGINS_INSIDE.match(line) or _goes_on(lines, number):
        return LineReason.PART
    return LineReason.CONSTANT if _CONSTANT.match(line) else LineReason.OTHER


def _goes_on(lines: list[str], number: int) -> bool:
    """Does the statement begin on an earlier line, or end on a later one?"""
    before = next((line for line in reversed(lines[: number - 1]) if not _NOTHING.match(line)), "")
    return _is_open(before) or _is_open(lines[number - 1])


def _is_open(line: str) -> bool:
    return line.count("(") > line.count(")") or line.rstrip().endswith((",", "&&", "||", "?", "="))


def count(locations: Iterable[str], text_of: Callable[[str], list[str] | None]) -> Counter[LineReason]:
    """The reason for FILE:LINE; `text_of` gives a file's lines, nothing if they are not at hand."""
    found: Counter[LineReason] = Counter()
    for location in locations:
        file, _, number = location.rpartition(":")
        text = text_of(file)
        if text is not None:
            found[reason(text, int(number))] += 1
    return found
