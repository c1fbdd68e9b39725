"""The tests of an output folder, and the program they belong to."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from cinquefoil.errors import UserError
from cinquefoil.replay.world import World, read_world
from cinquefoil.testcase.ktest import KTest


@dataclass(frozen=True, slots=True)
class Suite:
    """`program` is what summary.json names, if it does."""

    folder: Path
    program: Path | None
    tests: tuple[tuple[str, KTest], ...]  # name within the folder, test
    world: World = field(default_factory=World)


def read_suite(folder: Path) -> Suite:
    """`UserError` if the folder holds no tests."""
    if not folder.is_dir():
        raise UserError(f"{folder}: {'is no directory' if folder.exists() else 'no such directory'}")
    paths = sorted((folder / "tests").glob("*.ktest")) or sorted(folder.glob("*.ktest"))
    if not paths:
        raise UserError(f"{folder} holds no tests (tests/*.ktest)")
    tests = tuple((str(path.relative_to(folder)), KTest.read(path)) for path in paths)
    return Suite(folder, _program_of(folder / "summary.json"), tests, read_world(folder))


def _program_of(summary: Path) -> Path | None:
    try:
        content = json.loads(summary.read_bytes())
        return Path(str(content["program"]))
    except OSError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"{summary} is damaged: {error}") from error
