"""Lines and branches that tests reach by gcov: a measure that owes nothing to the engine.

The program runs with `GCOV_PREFIX`, so that its counters go to a folder of the enclosure; the engine collects them and
gives them to the next run, so that they add up over all tests.  A program writes counters for all of its
objects, so those that never run count with 0.  A branch is covered if it was taken at least once (`gcov -b`); calls
are not branches.  Headers are left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import cast

from cinquefoil.errors import EngineError, UserError
from cinquefoil.machine.environment import ConcreteFile, Environment
from cinquefoil.replay import gcc
from cinquefoil.replay.confinement import Confinement
from cinquefoil.replay.native_run import run_binary
from cinquefoil.replay.process import ProcessLimits
from cinquefoil.testcase.ktest import KTest

FLAGS = ("--coverage",)
_LIMITS = ProcessLimits(seconds=120, output_bytes=1 << 30)


@dataclass(frozen=True, slots=True)
class FileCoverage:
    """The coverage of one source file: pairs of covered and all, and how often each line ran."""

    file: str
    lines: tuple[int, int]
    branches: tuple[int, int]
    counts: Mapping[int, int] = field(default_factory=dict[int, int])


@dataclass(frozen=True, slots=True)
class GcovCoverage:
    files: tuple[FileCoverage, ...]

    @property
    def lines(self) -> tuple[int, int]:
        return sum(f.lines[0] for f in self.files), sum(f.lines[1] for f in self.files)

    @property
    def branches(self) -> tuple[int, int]:
        return sum(f.branches[0] for f in self.files), sum(f.branches[1] for f in self.files)


def setting() -> tuple[dict[str, str], dict[str, Path]]:
    """Variables and tools for `run_binary`, so that a program's counters are collected however it ends."""
    return {"GCOV_PREFIX": "{counters}", "LD_PRELOAD": "{flush}"}, {"flush": gcc.flush_library()}


def measure(
    collected: Mapping[str, bytes], sources: Iterable[str] = (), confinement: Confinement | None = None
) -> GcovCoverage:
    """Read the counters that runs left; `sources` are patterns of the files that count, all if there are none."""
    if not collected:
        raise UserError(
            "the program left no coverage counters; was it built with gcc --coverage, and are its .gcno files here?"
        )
    lines: dict[str, dict[int, int]] = {}
    branches: dict[str, dict[tuple[int, int], int]] = {}
    for name in sorted(collected):
        for file in _gcov(name, collected[name], confinement):
            _add(file, lines, branches)
    patterns = list(sources)
    return GcovCoverage(tuple(_file(f, lines[f], branches[f]) for f in sorted(lines) if _wanted(f, patterns)))


def _gcov(name: str, counters: bytes, confinement: Confinement | None) -> list[dict[str, object]]:
    """gcov's answer; it runs as programs do, since a program may have written anything into its counters."""
    notes = Path("/", name).with_suffix(".gcno").read_bytes()
    files = (ConcreteFile("counted.gcda", counters), ConcreteFile("counted.gcno", notes))
    environment = Environment((b"-b", b"--json-format", b"--stdout", b"counted.gcda"), files=files, program="gcov")
    gcov = Path(gcc.require("gcov"))
    done = run_binary(gcov, KTest.of([]), environment, _LIMITS, confinement=confinement)
    said = done.output.decode("utf-8", "replace").splitlines()
    try:
        documents = [json.loads(line) for line in said if line.startswith("{")]  # others are warnings
        if not documents:
            raise ValueError("it says nothing")
        return [file | {"folder": d["current_working_directory"]} for d in documents for file in d["files"]]
    except (ValueError, KeyError, TypeError) as error:
        raise EngineError(f"gcov's answer about {name} cannot be read: {error}; {' '.join(said)[:200]}") from error


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
