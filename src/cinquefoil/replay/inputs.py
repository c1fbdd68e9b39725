"""What a test means for a real process: arguments, standard input and files.

Objects are found by the names that KLEE's POSIX run-time gives them: `n_args`, `n_args_1`, … for the number of
arguments of each range, `arg00`, `arg01`, … in the order of the command line, `stdin`, and `NAME-data` for file NAME.
Of a file's status (`NAME-data-stat`, `stdin-stat`, a `struct stat`) type, permissions and time of change matter; zero
means as usual.  `NAME-data-short` and `stdin-short` say by how many bytes the content is cut.  All other objects
stay for the replay library.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from cinquefoil.machine.environment import (
    CLOCK_START,
    ConcreteFile,
    Environment,
    Folder,
    SymbolicArguments,
    SymbolicFile,
)
from cinquefoil.replay.steps import Directly, Steps
from cinquefoil.testcase.ktest import MODEL_VERSION, KTest

_DIRECTLY = Directly()
_MODE = slice(24, 28)
_CHANGED = slice(88, 96)
_FAILURE = re.compile(r"[a-z0-9]+-fail(_\d+)?")  # machine/runtime/faults.c
_MOST_ERRORS = 2  # that one call has there


@dataclass(frozen=True, slots=True)
class Content:
    """A file's bytes, and its mode and time of change if the test chooses them."""

    data: bytes
    mode: int = 0
    changed: int = 0

    @property
    def type(self) -> int:
        return stat.S_IFMT(self.mode)

    @property
    def is_usual(self) -> bool:
        """A regular file or a directory: what a folder is filled with."""
        return self.type in (0, stat.S_IFREG, stat.S_IFDIR)


@dataclass(frozen=True, slots=True)
class Inputs:
    """`taken` are the names of the objects that are used up, in order.  No process is `possible` if a number of
    arguments is out of its range: the engine assumes that it is not.  `unlike` says what a process cannot have as the
    test wants it: system calls that fail without a cause, streams that are devices, files that are pipes."""

    arguments: tuple[bytes, ...]  # without the program's name
    stdin: Content
    files: Mapping[str, Content]
    taken: tuple[str, ...]
    possible: bool
    stdout: int = 0  # the mode of standard output, zero: a pipe
    unlike: tuple[str, ...] = ()


def inputs_of(test: KTest, environment: Environment) -> Inputs:
    """The process's inputs under a test; what the test does not say is zero."""
    return _InputReader(test.contents()).read(environment)


def write_files(inputs: Inputs, folder: Path, reverse: bool = False, by: Directly | Steps = _DIRECTLY) -> list[str]:
    """Put the files into a folder, the last one first if `reverse` says so; what could not be done is told."""
    files = list(inputs.files.items())
    wanted = reversed(files) if reverse else files
    return [problem for name, content in wanted if (problem := _write(by, folder, name, content))]


def inodes_of(environment: Environment) -> list[str]:
    """The files and folders of the working directory in the order in which the engine makes them."""
    found: dict[str, None] = {}
    for file in environment.files:
        found.setdefault(file.name)
        for folder in reversed(PurePosixPath(file.name).parents):  # which the engine makes after the file
            if folder.name:
                found.setdefault(str(folder))
    return list(found)


def _write(by: Directly | Steps, folder: Path, name: str, content: Content) -> str:
    parts = PurePosixPath(name).parts
    if not parts or PurePosixPath(name).is_absolute() or ".." in parts:
        return f"file {name} is outside the replay's folder and was not made"
    path = folder / name
    by.folder(path if content.type == stat.S_IFDIR else path.parent)
    if content.type != stat.S_IFDIR:
        by.file(path, content.data)
    by.changed(path, content.changed or CLOCK_START)
    if content.mode:
        by.mode(path, content.mode & 0o777)
    return "" if content.is_usual else f"file {name} should be a pipe or device and is a regular file"


def _mode(status: bytes) -> int:
    return int.from_bytes(status[_MODE], "little")


def _devices(modes: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(f"{name} is a device" for name, mode in modes.items() if stat.S_IFMT(mode) == stat.S_IFCHR)


def _odd_files(files: Mapping[str, Content]) -> tuple[str, ...]:
    return tuple(f"file {name} is a pipe or device" for name, content in files.items() if not content.is_usual)


class _InputReader:
    def __init__(self, contents: dict[str, bytes]) -> None:
        self._contents = contents
        self._taken: list[str] = []
        self._symbolic = 0
        self._ranges = 0
        self._possible = True

    def read(self, environment: Environment) -> Inputs:
        arguments: list[bytes] = []
        for argument in environment.arguments:
            arguments += [argument] if isinstance(argument, bytes) else self._symbolic_arguments(argument)
        given = environment.stdin
        stdin = Content(given) if isinstance(given, bytes) else self._content("stdin", given)
        files = {file.name: self._file(file) for file in environment.files}
        stdout = _mode(self._optional("stdout-stat")) if environment.symbolic_output else 0
        failing = self._failing() if environment.failures else ()
        if MODEL_VERSION[0] in self._contents:
            self._taken.append(MODEL_VERSION[0])
        devices = _devices({"standard output": stdout, "standard input": stdin.mode})
        taken = tuple(self._taken)
        unlike = (*failing, *devices, *_odd_files(files))
        return Inputs(tuple(arguments), stdin, files, taken, self._possible, stdout, unlike)

    def _failing(self) -> tuple[str, ...]:
        """Choices of failures; those that are none are not told."""
        choices = [name for name in self._contents if _FAILURE.fullmatch(name)]
        self._taken += choices
        chosen = (name for name in choices if 0 < self._contents[name][0] <= _MOST_ERRORS)
        return tuple(f"a system call fails ({name})" for name in chosen)

    def _symbolic_arguments(self, wanted: SymbolicArguments) -> list[bytes]:
        count = wanted.minimum
        if wanted.maximum > wanted.minimum:
            name = f"n_args_{self._ranges}" if self._ranges else "n_args"
            self._ranges += 1
            count = int.from_bytes(self._object(name, 4), "little")
        if not wanted.minimum <= count <= wanted.maximum:
            self._possible, count = False, 0
        found: list[bytes] = []
        for _ in range(count):
            name = f"arg{self._symbolic:02d}"
            self._symbolic += 1
            found.append(self._object(name, wanted.size).split(b"\0")[0])
        return found

    def _file(self, file: SymbolicFile | ConcreteFile | Folder) -> Content:
        if isinstance(file, SymbolicFile):
            return self._content(f"{file.name}-data", file.size)
        return Content(b"", stat.S_IFDIR | 0o755) if isinstance(file, Folder) else Content(file.content)

    def _content(self, name: str, size: int) -> Content:
        data = self._object(name, size)
        status, short = (self._optional(f"{name}-{what}") for what in ("stat", "short"))
        cut = int.from_bytes(short, "little")
        if cut > size:
            self._possible, cut = False, 0
        return Content(data[: size - cut], _mode(status), int.from_bytes(status[_CHANGED], "little"))

    def _optional(self, name: str) -> bytes:
        return self._object(name, len(self._contents[name])) if name in self._contents else b""

    def _object(self, name: str, size: int) -> bytes:
        self._taken.append(name)
        return self._contents.get(name, b"")[:size].ljust(size, b"\0")
