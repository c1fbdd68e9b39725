"""What a test means for a real process: arguments, standard input and files.

Objects are found by the names that KLEE's POSIX run-time gives them: `n_args`, `n_args_1`, … for the number of
arguments of each range, `arg00`, `arg01`, … in the order of the command line, `stdin`, and `NAME-data` for file NAME.
All other objects stay for the replay library.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from cinquefoil.machine.environment import Environment, Folder, SymbolicArguments, SymbolicFile
from cinquefoil.testcase.ktest import KTest


@dataclass(frozen=True, slots=True)
class Inputs:
    """`taken` are the names of the objects that are used up, in order.  No process is `possible` if a number of
    arguments is out of its range: the engine assumes that it is not."""

    arguments: tuple[bytes, ...]  # without the program's name
    stdin: bytes
    files: Mapping[str, bytes]
    taken: tuple[str, ...]
    possible: bool


def inputs_of(test: KTest, environment: Environment) -> Inputs:
    """The process's inputs under a test; what the test does not say is zero."""
    return _Reader(dict(test.objects)).read(environment)


def write_files(inputs: Inputs, folder: Path) -> list[str]:
    """Put the files into a folder; the names of those that would be elsewhere, and are left out."""
    outside: list[str] = []
    for name, content in inputs.files.items():
        parts = PurePosixPath(name).parts
        if not parts or PurePosixPath(name).is_absolute() or ".." in parts:
            outside.append(name)
            continue
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return outside


class _Reader:
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
        stdin = given if isinstance(given, bytes) else self._content("stdin", given)
        files = {
            file.name: self._content(f"{file.name}-data", file.size) if isinstance(file, SymbolicFile) else file.content
            for file in environment.files
            if not isinstance(file, Folder)
        }
        return Inputs(tuple(arguments), stdin, files, tuple(self._taken), self._possible)

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
            name = f"arg{self._symbolic % 100:02d}"
            self._symbolic += 1
            found.append(self._object(name, wanted.size).split(b"\0")[0])
        return found

    def _content(self, name: str, size: int) -> bytes:
        """A file's content, shorter by what its object `-short` says."""
        content, short = self._object(name, size), f"{name}-short"
        if short not in self._contents:
            return content
        return content[: max(0, size - int.from_bytes(self._object(short, 4), "little"))]

    def _object(self, name: str, size: int) -> bytes:
        self._taken.append(name)
        return self._contents.get(name, b"")[:size].ljust(size, b"\0")
