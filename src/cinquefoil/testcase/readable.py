"""Bytes and texts of tests and programs for people: as a C-like string, in hexadecimal, as integers; harmless."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_INTEGERS: Final = (1, 2, 4, 8)
_ROW: Final = 16
_UNUSUAL: Final = re.compile(r"[^\n\t -~]")
_NAMED: Final = {9: r"\t", 10: r"\n", 13: r"\r", 34: r"\"", 92: r"\\"}
_OCTAL: Final = frozenset(b"01234567")
_HEXADECIMAL: Final = frozenset(b"0123456789abcdefABCDEF")


def visible(text: str) -> str:
    """Text that cannot steer a terminal: control characters are escaped, line ends and tabs kept."""
    return _UNUSUAL.sub(lambda found: found[0] if found[0].isprintable() else _escaped(found[0]), text)


def _escaped(character: str) -> str:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a name that is not UTF-8
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def content_lines(content: bytes) -> Iterator[str]:
    """Bytes as text, in hexadecimal, and as integers where the size is an integer's."""
    if not content:
        return
    yield f"text  {quoted_text(content)}"
    for at in range(0, len(content), _ROW):
        yield f"{'hex ' if at == 0 else '    '}  {content[at : at + _ROW].hex(' ')}"
    if len(content) in _INTEGERS:
        unsigned, signed = (int.from_bytes(content, "little", signed=s) for s in (False, True))
        yield f"int   {unsigned}" + (f" or {signed}" if signed != unsigned else "")


def quoted_text(content: bytes) -> str:
    """A string as C and Python read it: printable ASCII as it is, the rest escaped."""
    following = (*content[1:], ord('"'))
    return '"' + "".join(map(_character, content, following)) + '"'


def _character(byte: int, following: int) -> str:
    """An escape takes in all digits behind it, so where one follows it is written in full: three octal digits."""
    if byte in _NAMED:
        return _NAMED[byte]
    if 0x20 <= byte < 0x7F:
        return chr(byte)
    if following in (_OCTAL if byte == 0 else _HEXADECIMAL):
        return f"\\{byte:03o}"
    return r"\0" if byte == 0 else f"\\x{byte:02x}"
