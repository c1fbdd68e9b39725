"""What the program under test is started with: arguments, standard input, files, environment variables.

`parse_arguments` understands KLEE's symbolic environment (`--sym-arg`, `--sym-args`, `--sym-files`, `--sym-stdin`, …,
with one or two dashes) among the program's arguments; `Environment.encode` writes the argument block of
`runtime/env.h`.  Files of the user are read here, once, and handed over by value: the program never reaches the host.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from cinquefoil import layout
from cinquefoil.errors import UserError

_NAME_BYTES = 240
_END, _ARG, _ARG_SYMBOLIC, _ARGS_RANGE, _VARIABLE, _STDIN, _STDIN_SYMBOLIC, _FILE, _FILE_SYMBOLIC = range(9)
_DIRECTORY, _STDOUT_SYMBOLIC, _PROPERTIES, _FAULTS, _RANDOM = range(9, 14)
_WITH_STATUS, _WITH_SIZE = 1, 2
_IGNORED = ("save-all-writes",)  # all writes are kept anyway
_FLAGS = ("sym-stdout", "sym-stat", "sym-size", "sym-rand")
SYMBOLIC_OPTIONS = ("sym-arg", "sym-args", "sym-files", "sym-stdin", "max-fail", "fd-fail", *_FLAGS, *_IGNORED)
_MOST_STRINGS = 1000  # POINTERS in runtime/env.c, less the program's name and an end
_MOST_SYMBOLIC_ARGUMENTS = 100  # as in KLEE: arg00 to arg99
_MOST_SYMBOLIC_FILES = 26  # A to Z
_NEVER_NONE = ("arguments", "bytes", "files")  # of what can be symbolic
_MOST_FILES = 900  # INODE_LIMIT in runtime/files.h, less what is always there and folders on the way
FOLDER = "/home/user"  # the working directory
CLOCK_START = 1_700_000_000  # when a run begins, and every file's times (runtime/files.h)
DEFAULT_VARIABLES = ("PATH=/usr/bin:/bin", "LANG=C", f"HOME={FOLDER}", f"PWD={FOLDER}")


@dataclass(frozen=True, slots=True)
class SymbolicArguments:
    """Between `minimum` and `maximum` symbolic arguments of up to `size` characters."""

    minimum: int
    maximum: int
    size: int


@dataclass(frozen=True, slots=True)
class SymbolicFile:
    name: str
    size: int


@dataclass(frozen=True, slots=True)
class ConcreteFile:
    name: str  # a path, relative to the working directory
    content: bytes


@dataclass(frozen=True, slots=True)
class Folder:
    """An empty directory, or one that must be there before its files."""

    name: str


@dataclass(frozen=True, slots=True)
class Environment:
    arguments: tuple[bytes | SymbolicArguments, ...] = ()
    stdin: bytes | int = b""  # content, or the number of symbolic bytes
    files: tuple[SymbolicFile | ConcreteFile | Folder, ...] = ()
    variables: tuple[str, ...] = field(default=DEFAULT_VARIABLES)
    program: str = "program"  # argv[0]
    symbolic_status: bool = False  # type, permissions and time of symbolic files and standard input
    symbolic_size: bool = False  # they may be shorter than given
    symbolic_output: bool = False  # what fstat tells of standard output
    failures: int = 0  # system calls that may fail without a cause, per run
    failed_allocations: int = 0  # allocations that may, per run
    symbolic_random: bool = False  # what rand and its like give

    @property
    def symbolic(self) -> bool:
        """Does any of it depend on the test?"""
        parts = (*self.arguments, *self.files)
        chosen = any(isinstance(part, SymbolicArguments | SymbolicFile) for part in parts)
        settings = self.symbolic_output or self.failures or self.failed_allocations or self.symbolic_random
        return chosen or isinstance(self.stdin, int) or bool(settings)

    def encode(self) -> bytes:
        """As the run-time reads it; `UserError` if there is more than it has room for."""
        for what, found, most in self._amounts():
            if found > most:
                raise UserError(f"{what}: {found} are asked for, at most {most} are possible")
        block = b"".join([*self._records(), _record(_END)])
        if len(block) > layout.ARGS_CAPACITY:
            raise UserError(f"arguments and files take {len(block)} bytes, at most {layout.ARGS_CAPACITY} are possible")
        return block

    def _amounts(self) -> Iterator[tuple[str, int, int]]:
        ranges = [each for each in self.arguments if isinstance(each, SymbolicArguments)]
        fixed = len(self.arguments) - len(ranges)
        yield "arguments", fixed + sum(each.maximum for each in ranges), _MOST_STRINGS
        yield "environment variables", len(self.variables), _MOST_STRINGS
        yield "files and folders", len(self.files), _MOST_FILES
        read = sum(each.size for each in self.files if isinstance(each, SymbolicFile))
        given = sum(each.maximum * (each.size + 1) for each in ranges)
        yield "symbolic bytes", read + given + (self.stdin if isinstance(self.stdin, int) else 0), layout.INPUT_CAPACITY

    def _records(self) -> Iterator[bytes]:
        yield _record(_ARG, data=os.fsencode(self.program))
        for argument in self.arguments:
            if isinstance(argument, bytes):
                yield _record(_ARG, data=argument)
            elif argument.minimum == argument.maximum == 1:
                yield _record(_ARG_SYMBOLIC, size=argument.size)
            else:
                yield _record(_ARGS_RANGE, size=argument.size, bounds=(argument.minimum, argument.maximum))
        yield from self._settings()
        if isinstance(self.stdin, bytes):
            yield _record(_STDIN, data=self.stdin)
        else:
            yield _record(_STDIN_SYMBOLIC, size=self.stdin)
        for file in self.files:
            if isinstance(file, SymbolicFile):
                yield _record(_FILE_SYMBOLIC, size=file.size, name=file.name)
            elif isinstance(file, ConcreteFile):
                yield _record(_FILE, data=file.content, name=file.name)
            else:
                yield _record(_DIRECTORY, name=file.name)
        for variable in self.variables:
            yield _record(_VARIABLE, data=os.fsencode(variable))

    def _settings(self) -> Iterator[bytes]:
        yield _record(_FAULTS, size=self.failures, bounds=(self.failed_allocations, 0))
        if self.symbolic_random:
            yield _record(_RANDOM)
        yield _record(_PROPERTIES, size=_WITH_STATUS * self.symbolic_status + _WITH_SIZE * self.symbolic_size)
        if self.symbolic_output:
            yield _record(_STDOUT_SYMBOLIC)

    def with_files(self, paths: Sequence[Path]) -> Environment:
        """The same with copies of the user's files, each under its last name; a directory comes with all it holds."""
        found = [entry for path in paths for entry in _entries(path)]
        return replace(self, files=(*self.files, *found))

    def with_variables(self, settings: Sequence[str]) -> Environment:
        """The same with NAME=value added or replaced; NAME alone takes a variable away."""
        names = {setting.partition("=")[0] for setting in settings}
        if "" in names:
            raise UserError("an environment variable needs a name")
        present = {variable.partition("=")[0] for variable in self.variables}
        absent = [setting for setting in settings if "=" not in setting and setting not in present]
        if absent:
            raise UserError(f"there is no variable {absent[0]} to take away; {absent[0]}=VALUE sets it")
        kept = [variable for variable in self.variables if variable.partition("=")[0] not in names]
        return replace(self, variables=(*kept, *(setting for setting in settings if "=" in setting)))


def _entries(path: Path) -> Iterator[ConcreteFile | Folder]:
    if not path.exists():
        raise UserError(f"{path} does not exist")
    root = path.resolve().parent
    for entry in sorted([path.resolve(), *path.resolve().rglob("*")]):
        name = entry.relative_to(root).as_posix()
        if entry.is_dir():
            yield Folder(name)
        elif entry.is_file():
            yield ConcreteFile(name, entry.read_bytes())


def _record(kind: int, *, size: int = 0, data: bytes = b"", bounds: tuple[int, int] = (0, 0), name: str = "") -> bytes:
    encoded = os.fsencode(name)
    if len(encoded) >= _NAME_BYTES:
        raise UserError(f"the file name {name} is too long")
    head = struct.pack(f"<IIII{_NAME_BYTES}s", kind, len(data) or size, *bounds, encoded)
    return head + data + bytes(-len(data) % 8)


def parse_arguments(words: Sequence[str], program: str = "program") -> Environment:
    """The program's own arguments, with KLEE's symbolic environment among them."""
    return _ArgumentReader(list(words), program).read()


class _ArgumentReader:
    def __init__(self, words: list[str], program: str) -> None:
        self._words = words
        self._program = program
        self._arguments: list[bytes | SymbolicArguments] = []
        self._files: list[SymbolicFile | ConcreteFile | Folder] = []
        self._stdin: bytes | int = b""
        self._flags: set[str] = set()
        self._failures = 0
        self._failed_allocations = 0
        self._once: set[str] = set()  # settings seen that can be given only once

    def read(self) -> Environment:
        while self._words:
            self._word(self._words.pop(0))
        return Environment(
            tuple(self._arguments),
            self._stdin,
            tuple(self._files),
            program=self._program,
            symbolic_status="sym-stat" in self._flags,
            symbolic_size="sym-size" in self._flags,
            symbolic_output="sym-stdout" in self._flags,
            failures=self._failures,
            failed_allocations=self._failed_allocations,
            symbolic_random="sym-rand" in self._flags,
        )

    def _word(self, word: str) -> None:
        option = word.lstrip("-") if word.startswith("-") else ""
        if option == "sym-arg":
            (size,) = self._numbers(word, "bytes")
            self._add_arguments(SymbolicArguments(1, 1, size))
        elif option == "sym-args":
            minimum, maximum, size = self._numbers(word, "least", "arguments", "bytes")
            if minimum > maximum:
                raise UserError(f"{word} {minimum} {maximum} {size}: the minimum is above the maximum")
            self._add_arguments(SymbolicArguments(minimum, maximum, size))
        elif option == "sym-files":
            self._take_once(word)
            count, size = self._numbers(word, "files", "bytes")
            if count > _MOST_SYMBOLIC_FILES:
                raise UserError(f"{word} {count} {size}: at most {_MOST_SYMBOLIC_FILES} files are possible, A to Z")
            self._files += [SymbolicFile(chr(ord("A") + n), size) for n in range(count)]
            self._stdin = max(size, self._stdin if isinstance(self._stdin, int) else 0)
        elif option == "sym-stdin":
            self._take_once(word)
            (self._stdin,) = self._numbers(word, "bytes")
        elif option == "max-fail":
            self._take_once(word)
            (self._failures,) = self._numbers(word, "failures")
        elif option == "max-fail-malloc":
            self._take_once(word)
            (self._failed_allocations,) = self._numbers(word, "failures")
        elif option == "fd-fail":
            self._take_once("--max-fail")
            self._failures = 1
        elif option in _FLAGS:
            self._flags.add(option)
        elif option not in _IGNORED:
            self._arguments.append(os.fsencode(word))

    def _add_arguments(self, arguments: SymbolicArguments) -> None:
        self._arguments.append(arguments)
        asked = sum(each.maximum for each in self._arguments if isinstance(each, SymbolicArguments))
        if asked > _MOST_SYMBOLIC_ARGUMENTS:
            raise UserError(f"{asked} symbolic arguments: at most {_MOST_SYMBOLIC_ARGUMENTS} are possible")

    def _take_once(self, word: str) -> None:
        option = word.lstrip("-")
        if option in self._once:
            raise UserError(f"--{option} is given twice")
        self._once.add(option)

    def _numbers(self, option: str, *counted: str) -> list[int]:
        """One number for each thing that is counted; none of what would be symbolic makes no sense."""
        taken, self._words = self._words[: len(counted)], self._words[len(counted) :]
        if len(taken) < len(counted) or not all(t.isascii() and t.isdecimal() for t in taken):
            raise UserError(f"{option} takes {len(counted)} number{'s' if len(counted) > 1 else ''}")
        for what, number in zip(counted, map(int, taken), strict=True):
            if number == 0 and what in _NEVER_NONE:
                raise UserError(f"{option} {' '.join(taken)}: 0 {what} cannot be symbolic")
        return [int(t) for t in taken]
