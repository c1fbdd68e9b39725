"""KLEE's `.ktest` files, format version 3.

    "KTEST" version
    argument count, then each: size, bytes
    symbolic argument count, symbolic argument length        (since version 2)
    object count, then each: name size, name, size, bytes

All integers are 32 bits, big endian, unsigned.  Files come from anywhere, so every length is checked
against what is left of the file before it is believed, and trailing bytes are an error.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cinquefoil.errors import TestFileError
from cinquefoil.testcase.files import read_regular

_MAGIC: Final = b"KTEST"
_OLD_MAGIC: Final = b"BOUT\n"  # KLEE still accepts its predecessor's name
VERSION: Final = 3
# KLEE's POSIX run-time ends the objects of a symbolic environment with this one, a 32-bit number; it is no input.
MODEL_VERSION: Final = ("model_version", b"\1\0\0\0")
_LIMIT: Final = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class KTest:
    """One test: the program's arguments and its symbolic objects, in the order they were made."""

    args: tuple[str, ...] = ()
    objects: tuple[tuple[str, bytes], ...] = ()
    sym_argvs: int = 0
    sym_argv_len: int = 0

    def contents(self) -> dict[str, bytes]:
        """Bytes by the names under which a run knows its objects.

        KLEE writes objects of one name as often as the program made them; here the second `x` is `x_1`."""
        found: dict[str, bytes] = {}
        numbers: dict[str, int] = {}  # the last one tried, by name: a file may hold one name very often
        for name, content in self.objects:
            unique, number = name, numbers.get(name, 0)
            if number:
                unique = f"{name}_{number}"
            while unique in found:
                number += 1
                unique = f"{name}_{number}"
            found[unique], numbers[name] = content, number
        return found

    def encode(self) -> bytes:
        """The file's content."""
        parts = [_MAGIC, _word(VERSION, "version"), _word(len(self.args), "argument count")]
        parts += [_counted(_text_bytes(arg), "argument") for arg in self.args]
        parts += [_word(self.sym_argvs, "symArgvs"), _word(self.sym_argv_len, "symArgvLen")]
        parts.append(_word(len(self.objects), "object count"))
        for name, content in self.objects:
            parts += [_counted(_text_bytes(name), "object name"), _counted(content, f"object {name!r}")]
        return b"".join(parts)

    def write(self, path: Path) -> None:
        """Write the file; the folder must exist."""
        path.write_bytes(self.encode())

    @classmethod
    def decode(cls, data: bytes, source: str = "test file") -> KTest:
        """Read a file's content; `source` names it in error messages."""
        return _FileReader(data, source).test()

    @classmethod
    def read(cls, path: Path) -> KTest:
        """Read a file; everything wrong with it is a `TestFileError`."""
        try:
            data = read_regular(path)
        except OSError as error:
            raise TestFileError(f"cannot read test file {path}: {error.strerror}") from error
        return cls.decode(data, str(path))

    @classmethod
    def of(cls, objects: Iterable[tuple[str, bytes]], args: Iterable[str] = ()) -> KTest:
        """A test from any iterables."""
        return cls(tuple(args), tuple(objects))


def _text_bytes(text: str) -> bytes:
    # Names and arguments are C strings of any encoding; surrogateescape keeps every byte on a round trip.
    return text.encode("utf-8", "surrogateescape")


def _word(value: int, what: str) -> bytes:
    if not 0 <= value <= _LIMIT:
        raise TestFileError(f"{what} {value} does not fit in the 32 bits that a .ktest file has for it")
    return struct.pack(">I", value)


def _counted(content: bytes, what: str) -> bytes:
    return _word(len(content), f"size of {what}:") + content


class _FileReader:
    """A cursor that never leaves the file."""

    def __init__(self, data: bytes, source: str) -> None:
        self.data = data
        self.source = source
        self.at = 0

    def test(self) -> KTest:
        version = self._header()
        args = tuple(self._text(f"argument {i}") for i in range(self._count("argument count", 4)))
        argvs = self._word("symArgvs") if version >= 2 else 0
        length = self._word("symArgvLen") if version >= 2 else 0
        objects = tuple(self._object(i) for i in range(self._count("object count", 8)))
        if self.at != len(self.data):
            self._fail(f"{len(self.data) - self.at} bytes after the last object")
        return KTest(args, objects, argvs, length)

    def _header(self) -> int:
        magic = self._take(len(_MAGIC), "magic number")
        if magic not in (_MAGIC, _OLD_MAGIC):
            self.at = 0
            self._fail(f"starts with {magic!r}, not {_MAGIC!r}: not a .ktest file")
        version = self._word("version")
        if not 1 <= version <= VERSION:
            self._fail(f"has version {version}; versions 1 to {VERSION} are known")
        return version

    def _object(self, index: int) -> tuple[str, bytes]:
        name = self._text(f"name of object {index}")
        return name, self._take(self._word(f"size of object {index}"), f"bytes of object {index}")

    def _text(self, what: str) -> str:
        return self._take(self._word(f"size of {what}"), what).decode("utf-8", "surrogateescape")

    def _count(self, what: str, least: int) -> int:
        """A count of things that take at least `least` bytes each, so a huge one fails at once."""
        count = self._word(what)
        if count * least > len(self.data) - self.at:
            self._fail(f"{what} {count} is more than the rest of the file can hold")
        return count

    def _word(self, what: str) -> int:
        return int.from_bytes(self._take(4, what), "big")

    def _take(self, size: int, what: str) -> bytes:
        left = len(self.data) - self.at
        if size > left:
            self._fail(f"{what} needs {size} bytes, {left} are left: the file is truncated or damaged")
        self.at += size
        return self.data[self.at - size : self.at]

    def _fail(self, problem: str) -> None:
        raise TestFileError(f"{self.source}, byte {self.at}: {problem}")
