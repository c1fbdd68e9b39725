"""Read `ar` archives (GNU and BSD long names, and thin archives) member by member."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cinquefoil.errors import LinkError

MAGIC = b"!<arch>\n"
THIN_MAGIC = b"!<thin>\n"
_HEADER = 60


@dataclass(frozen=True, slots=True)
class Member:
    """One file in an archive."""

    archive: Path
    name: str
    data: bytes

    def __str__(self) -> str:
        return f"{self.archive}({self.name})"


def is_archive(data: bytes) -> bool:
    """Whether these bytes begin as an archive does."""
    return data[:8] in (MAGIC, THIN_MAGIC)


def read_archive(path: Path) -> list[Member]:
    """All members in order, symbol tables and name tables left out."""
    data = path.read_bytes()
    if not is_archive(data):
        raise LinkError(f"{path} is not an archive")
    try:
        return list(_members(path, data, thin=data.startswith(THIN_MAGIC)))
    except (ValueError, IndexError, OSError) as error:
        raise LinkError(f"{path} is a broken archive: {error}") from error


def _members(path: Path, data: bytes, thin: bool) -> Iterator[Member]:
    names = b""
    place = 8
    while place + _HEADER <= len(data):
        header = data[place : place + _HEADER]
        if header[58:60] != b"`\n":
            raise ValueError(f"no member header at offset {place}")
        raw, length = header[:16].decode().rstrip(), int(header[48:58])
        place += _HEADER
        special = raw in ("/", "//", "/SYM64/")
        stored = 0 if thin and not special else length
        body = data[place : place + stored]
        if len(body) < stored:
            raise ValueError("it is truncated")
        place += stored + (stored & 1)
        if raw == "//":
            names = body
        elif not special:
            yield from _member(path, raw, names, body, thin)


def _member(path: Path, raw: str, names: bytes, body: bytes, thin: bool) -> Iterator[Member]:
    if raw.startswith("#1/"):
        length = int(raw[3:])
        name, body = body[:length].rstrip(b"\0").decode(), body[length:]
    elif raw.startswith("/"):
        start = int(raw[1:])
        name = names[start : names.index(b"\n", start)].decode().removesuffix("/")
    else:
        name = raw.removesuffix("/")
    if name.startswith("__.SYMDEF"):
        return
    yield Member(path, name, (path.parent / name).read_bytes() if thin else body)
