"""What is compared on: a program, its arguments, and the options of `cinq run` that belong to it.

On the command line a subject is one quoted string, `"bc.bc --sym-stdin 20"`, or a name from a catalogue (a TOML
file, or what `locate` finds).  Files are meant before names.
"""

from __future__ import annotations

import hashlib
import re
import shlex
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, cast

from cinquefoil.errors import UserError

_PROGRAM_SUFFIXES: Final = (".bc", ".ll", ".c")


@dataclass(frozen=True, slots=True)
class Subject:
    """`problem` says why it cannot be run; its cells are then reported as failed."""

    name: str
    program: Path
    arguments: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    problem: str = ""
    native: Path | None = None  # a build by gcc --coverage, for measuring by gcov
    sources: tuple[str, ...] = ()  # patterns of the files that count there


Locate = Callable[[str], Subject | None]  # by name; None if there is none


def parse_subject(text: str, locate: Locate = lambda name: None) -> Subject:
    """A command line or a name; arguments after a name replace its own."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UserError(f"program '{text}': {error}") from error
    if not words:
        raise UserError("a program is empty")
    path, arguments = Path(words[0]), tuple(words[1:])
    known = None if path.is_file() else locate(words[0])
    if known is None and not path.is_file():
        raise UserError(f"{words[0]}: neither a file nor the name of a subject (cinq subjects list)")
    if known is None:
        return Subject(short_name(path), path, arguments)
    return replace(known, arguments=arguments) if arguments else known


def parse_subjects(texts: Iterable[str], locate: Locate = lambda name: None) -> tuple[Subject, ...]:
    """Subjects of one name are numbered."""
    return numbered([parse_subject(text, locate) for text in texts])


def numbered(subjects: Sequence[Subject]) -> tuple[Subject, ...]:
    seen: dict[str, int] = {}
    found: list[Subject] = []
    for subject in subjects:
        seen[subject.name] = count = seen.get(subject.name, 0) + 1
        found.append(subject if count == 1 else replace(subject, name=f"{subject.name}#{count}"))
    return tuple(found)


def short_name(path: Path) -> str:
    return path.stem if path.suffix in _PROGRAM_SUFFIXES else path.name


def read_catalogue(path: Path) -> Locate:
    """A TOML file of tables [NAME] with a `program` and the like, paths relative to the file (docs/compare.md)."""
    try:
        tables: Mapping[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path} is not TOML: {error}") from error
    found = {name: _from_table(name, table, path) for name, table in tables.items()}
    return found.get


def _from_table(name: str, table: object, path: Path) -> Subject:
    if not isinstance(table, dict):
        raise UserError(f"{path}: [{name}] names no program")
    table = cast("dict[str, Any]", table)
    if not isinstance(table.get("program"), str):
        raise UserError(f"{path}: [{name}] names no program")
    arguments, options = (tuple(shlex.split(str(table.get(key, "")))) for key in ("arguments", "options"))
    native = path.parent / str(table["native"]) if "native" in table else None
    sources = tuple(str(each) for each in table.get("sources", ()))
    return Subject(name, path.parent / str(table["program"]), arguments, options, native=native, sources=sources)


def chained(first: Locate, second: Locate) -> Locate:
    return lambda name: first(name) or second(name)


def content_of(subject: Subject) -> str:
    """A digest of the program itself: of its bitcode, so that a source's headers and flags count."""
    digest = hashlib.sha256(_bitcode(subject).read_bytes())
    for file in _given_files(subject.options):
        digest.update(file.read_bytes() if file.is_file() else str(file).encode())
    return digest.hexdigest()


def _bitcode(subject: Subject) -> Path:
    from cinquefoil.build.program import BITCODE_SUFFIX, load_program

    path = subject.program
    beside = path.with_name(path.name + BITCODE_SUFFIX)
    if path.is_file() and path.suffix in (".bc", ".ll"):
        return path
    if path.is_file() and beside.is_file():
        return beside
    return load_program(path, _clang_flags(subject.options)).module_bitcode


def _clang_flags(options: Sequence[str]) -> tuple[str, ...]:
    return tuple(flag for value in _values(options, "--cflags") for flag in shlex.split(value))


def _given_files(options: Sequence[str]) -> list[Path]:
    return [Path(value) for name in ("--file", "--seeds") for value in _values(options, name)]


def _values(options: Sequence[str], name: str) -> list[str]:
    joined = [option[len(name) + 1 :] for option in options if re.match(f"{name}=", option)]
    return joined + [options[n + 1] for n, option in enumerate(options[:-1]) if option == name]
