"""Which symbols an object file defines, read from its ELF symbol table (64-bit, little-endian)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_SYMBOL_TABLE: Final = 2  # SHT_SYMTAB
_LOCAL, _UNDEFINED = 0, 0  # STB_LOCAL, SHN_UNDEF
_SECTION: Final = struct.Struct("<IIQQQQIIQQ")
_SYMBOL: Final = struct.Struct("<IBBHQQ")


def defined_symbols(path: Path) -> frozenset[str]:
    """Names that other objects can be linked with."""
    data = path.read_bytes()
    sections = list(_sections(data))
    return frozenset(
        name
        for kind, offset, size, link in sections
        if kind == _SYMBOL_TABLE
        for name in _names(data[offset : offset + size], data[sections[link][1] :])
    )


def _sections(data: bytes) -> Iterator[tuple[int, int, int, int]]:
    """Kind, offset, size and linked section of each."""
    (start,) = struct.unpack_from("<Q", data, 0x28)
    size, count = struct.unpack_from("<HH", data, 0x3A)
    for number in range(count):
        _, kind, _, _, offset, length, link, *_ = _SECTION.unpack_from(data, start + number * size)
        yield kind, offset, length, link


def _names(table: bytes, texts: bytes) -> Iterator[str]:
    for name, info, _, section, _, _ in _SYMBOL.iter_unpack(table):
        if name and info >> 4 != _LOCAL and section != _UNDEFINED:
            yield texts[name : texts.index(b"\0", name)].decode("utf-8", "replace")
