"""Bytes of tests for people: as a C-like string, in hexadecimal, as integers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

_INTEGERS: Final = (1, 2, 4, 8)
_ROW: Final = 16


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
    """A C-like string: printable ASCII as it is, the rest escaped."""
    return '"' + "".join(_character(byte) for byte in content) + '"'


def _character(byte: int) -> str:
    named = {0: r"\0", 9: r"\t", 10: r"\n", 13: r"\r", 34: r"\"", 92: r"\\"}
    return named.get(byte) or (chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02x}")
