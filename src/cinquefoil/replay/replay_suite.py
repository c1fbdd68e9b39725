"""The tests of an output folder, and the program they belong to."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cinquefoil.errors import TestFileError, UserError
from cinquefoil.testcase.files import read_regular, remove_partial
from cinquefoil.testcase.ktest import KTest
from cinquefoil.testcase.world import World, read_world


@dataclass(frozen=True, slots=True)
class ReplaySuite:
    """`program` is what summary.json names, if it does."""

    folder: Path
    program: Path | None
    tests: tuple[tuple[str, KTest], ...]  # name within the folder, test
    world: World = field(default_factory=World)
    checks: tuple[str, ...] = ()  # -fsanitize= flags that the program was explored with
    overshift: bool = True  # were shifts by the width or more looked for?


def read_suite(folder: Path, note: Callable[[str], None] = warnings.warn) -> ReplaySuite:
    """`note` is told which tests cannot be read: they are left out.  `UserError` if there is none that can."""
    if not folder.is_dir():
        raise UserError(f"{folder}: {'is no directory' if folder.exists() else 'no such directory'}")
    remove_partial(folder)
    paths = sorted((folder / "tests").glob("*.ktest")) or sorted(folder.glob("*.ktest"))
    if not paths:
        raise UserError(f"{folder} holds no tests (tests/*.ktest)")
    tests = tuple(_readable(folder, paths, note))
    if not tests:
        raise UserError(f"{folder} holds no test that can be read")
    program = _program_of(folder / "summary.json")
    checks = tuple(flag for flag in _command_of(folder, "flags") if flag.startswith("-fsanitize="))
    overshift = "overshift" not in _command_of(folder, "no_check")
    return ReplaySuite(folder, program, tests, read_world(folder), checks, overshift)


def _command_of(folder: Path, part: str) -> tuple[str, ...]:
    """What the report says of how the program was explored.  Of flags only those that ask for checks are used: others
    of an unknown folder could run its code."""
    try:
        return tuple(map(str, json.loads(read_regular(folder / "report.json"))["command"][part]))
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def _readable(folder: Path, paths: Iterable[Path], note: Callable[[str], None]) -> Iterator[tuple[str, KTest]]:
    for path in paths:
        try:
            yield str(path.relative_to(folder)), KTest.read(path)
        except TestFileError as error:
            note(f"left out: {error}")


def _program_of(summary: Path) -> Path | None:
    try:
        content = json.loads(read_regular(summary))
        return Path(str(content["program"]))
    except OSError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"{summary} is damaged: {error}") from error
