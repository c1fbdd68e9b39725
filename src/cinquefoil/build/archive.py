"""Read `ar` archives (GNU and BSD long names, and thin archives) member by member, and their symbol index."""

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
    offset: int  # of its header; the symbol index refers to members by it

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


def read_index(path: Path) -> dict[str, int] | None:
    """symbol -> offset of the first member that defines it; None for an archive without an index."""
    with path.open("rb") as handle:
        header = handle.read(8 + _HEADER)[8:]
        kind = header[:16].decode(errors="replace").rstrip()
        if kind not in ("/", "/SYM64/"):
            return None
        body = handle.read(int(header[48:58]))
    width = 4 if kind == "/" else 8
    count = int.from_bytes(body[:width], "big")
    starts = range(width, width * (count + 1), width)
    offsets = [int.from_bytes(body[start : start + width], "big") for start in starts]
    names = body[width * (count + 1) :].split(b"\0")
    index: dict[str, int] = {}
    for name, offset in zip(names, offsets, strict=False):
        index.setdefault(name.decode(), offset)
    return index


def _members(path: Path, data: bytes, thin: bool) -> Iterator[Member]:
    names = b""
    offset = 8
    while offset + _HEADER <= len(data):
        header = data[offset : offset + _HEADER]
        if header[58:60] != b"`\n":
            raise ValueError(f"no member header at offset {offset}")
        raw, length = header[:16].decode().rstrip(), int(header[48:58])
        start, offset = offset, offset + _HEADER
        special = raw in ("/", "//", "/SYM64/")
        stored = 0 if thin and not special else length
        body = data[offset : offset + stored]
        if len(body) < stored:
            raise ValueError("it is truncated")
        offset += stored + (stored & 1)
        if raw == "//":
            names = body
        elif not special:
            yield from _member(path, raw, names, body, thin, start)


def _member(path: Path, raw: str, names: bytes, body: bytes, thin: bool, offset: int) -> Iterator[Member]:
    if raw.startswith("#1/"):
        length = int(raw[3:])
        name, body = body[:length].rstrip(b"\0").decode(), body[length:]
    elif raw.startswith("/"):
        first = int(raw[1:])
        name = names[first : names.index(b"\n", first)].decode().removesuffix("/")
    else:
        name = raw.removesuffix("/")
    if name.startswith("__.SYMDEF"):
        return
    yield Member(path, name, (path.parent / name).read_bytes() if thin else body, offset)
