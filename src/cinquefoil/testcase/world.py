"""What a program was given beside its arguments: copies of files, settings of variables.

Tests hold symbolic input only.  So that an output folder can be replayed by itself, files given with `--file` are
copied to `world/files` in it, and settings given with `--env` are kept in `world/variables.json`.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cinquefoil.errors import UserError
from cinquefoil.testcase.files import read_regular

WORLD: Final = "world"


@dataclass(frozen=True, slots=True)
class World:
    """Copies of files, and settings of variables as NAME=value."""

    files: tuple[Path, ...] = ()
    variables: tuple[str, ...] = ()


def write_world(folder: Path, files: Sequence[Path], variables: Sequence[str]) -> None:
    """Keeps what was given, if anything was."""
    kept = folder / WORLD
    if files:
        (kept / "files").mkdir(parents=True, exist_ok=True)
    for path in files:
        copy = kept / "files" / path.resolve().name
        if path.is_dir():
            shutil.copytree(path, copy, dirs_exist_ok=True)
        elif path.is_file():
            shutil.copyfile(path, copy)
    if variables:
        kept.mkdir(parents=True, exist_ok=True)
        (kept / "variables.json").write_text(json.dumps(list(variables)), encoding="utf-8")


def read_world(folder: Path) -> World:
    """What was kept.  Copies hold no links: one that is there is a stranger's, and leads to files of the reader's."""
    files, settings = folder / WORLD / "files", folder / WORLD / "variables.json"
    for path in (folder / WORLD, *(folder / WORLD).rglob("*")):
        if path.is_symlink():
            raise UserError(f"{path} is a link: what a program was given is copied")
    try:
        variables: list[object] = json.loads(read_regular(settings)) if settings.is_file() else []
        found = tuple(sorted(files.iterdir())) if files.is_dir() else ()
        return World(found, tuple(map(str, variables)))
    except (OSError, ValueError, TypeError) as error:
        raise UserError(f"{folder / WORLD} is damaged: {error}") from error
