"""Lines and branches that tests reach by gcov: a measure that owes nothing to the engine.

The program runs with `GCOV_PREFIX`, so that its counters go to a folder of ours and add up there over all tests; the
notes the compiler left beside its objects are linked to that place for gcov.  A program writes counters for all of its
objects, so those that never run count with 0.  A branch is covered if it was taken at least once (`gcov -b`); calls
are not branches.  Headers are left out.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import cast

from cinquefoil.errors import EngineError, UserError
from cinquefoil.replay import gcc

FLAGS = ("--coverage",)


@dataclass(frozen=True, slots=True)
class FileCoverage:
    """Of one source file: pairs of covered and all, and how often each line ran."""

    file: str
    lines: tuple[int, int]
    branches: tuple[int, int]
    counts: Mapping[int, int] = field(default_factory=dict[int, int])


@dataclass(frozen=True, slots=True)
class Coverage:
    files: tuple[FileCoverage, ...]

    @property
    def lines(self) -> tuple[int, int]:
        return sum(f.lines[0] for f in self.files), sum(f.lines[1] for f in self.files)

    @property
    def branches(self) -> tuple[int, int]:
        return sum(f.branches[0] for f in self.files), sum(f.branches[1] for f in self.files)


def variables(folder: Path) -> dict[str, str]:
    """Environment of a program whose counters are to go into a folder."""
    return {"GCOV_PREFIX": str(folder), "LD_PRELOAD": str(gcc.flush_library())}


def enclosed_variables() -> tuple[dict[str, str], dict[Path, str]]:
    """As `variables`, for `run_enclosed`: the counters' folder is there as `counters`; what else must be there."""
    return {"GCOV_PREFIX": "{counters}", "LD_PRELOAD": "{flush}"}, {gcc.flush_library(): "flush"}


def measure(folder: Path, sources: Iterable[str] = ()) -> Coverage:
    """Read the counters in a folder; `sources` are patterns of the files that count, all if there are none."""
    counters = sorted(folder.rglob("*.gcda"))
    if not counters:
        raise UserError("the program wrote no coverage counters; was it built with gcc --coverage?")
    lines: dict[str, dict[int, int]] = {}
    branches: dict[str, dict[tuple[int, int], int]] = {}
    for counter in counters:
        _link_notes(counter, folder)
        for file in _gcov(counter):
            _add(file, lines, branches)
    patterns = list(sources)
    return Coverage(tuple(_file(f, lines[f], branches[f]) for f in sorted(lines) if _wanted(f, patterns)))


def _link_notes(counter: Path, folder: Path) -> None:
    original = ("/" / counter.relative_to(folder)).with_suffix(".gcno")
    notes = counter.with_suffix(".gcno")
    if not notes.exists():
        if not original.is_file():
            raise UserError(f"{original} is missing; gcov needs the notes that gcc wrote when it compiled")
        notes.symlink_to(original)


def _gcov(counter: Path) -> list[dict[str, object]]:
    command = [gcc.require("gcov"), "-b", "--json-format", "--stdout", counter.name]
    done = subprocess.run(command, cwd=counter.parent, capture_output=True, text=True, errors="replace", check=False)
    try:
        documents = [json.loads(line) for line in done.stdout.splitlines() if line.strip()]
        return [file | {"folder": d["current_working_directory"]} for d in documents for file in d["files"]]
    except (ValueError, KeyError) as error:
        raise EngineError(f"gcov's answer about {counter.name} cannot be read: {done.stderr.strip()}") from error


def _add(
    file: Mapping[str, object],
    lines: dict[str, dict[int, int]],
    branches: dict[str, dict[tuple[int, int], int]],
) -> None:
    """Sum up: a file may be part of several objects, a line of several functions."""
    name = str(Path(str(file["folder"])) / str(file["file"]))
    into, ways = lines.setdefault(name, {}), branches.setdefault(name, {})
    seen: dict[int, int] = {}
    for row in cast("list[dict[str, object]]", file["lines"]):
        number = cast(int, row["line_number"])
        into[number] = into.get(number, 0) + cast(int, row["count"])
        for branch in cast("list[dict[str, int]]", row["branches"]):
            way = (number, seen.get(number, 0))
            seen[number] = way[1] + 1
            ways[way] = ways.get(way, 0) + branch["count"]


def _file(name: str, lines: Mapping[int, int], branches: Mapping[tuple[int, int], int]) -> FileCoverage:
    return FileCoverage(name, _pair(lines.values()), _pair(branches.values()), lines)


def _pair(counts: Iterable[int]) -> tuple[int, int]:
    known = list(counts)
    return sum(count > 0 for count in known), len(known)


def _wanted(file: str, patterns: list[str]) -> bool:
    if file.endswith(".h"):
        return False
    return not patterns or any(fnmatch(file, p) or fnmatch(file, f"*/{p}") for p in patterns)
