"""One cell: `cinq run` as a process of its own with an output folder of its own, then the measurements asked for.

The process's own limits end an ordinary run; the watch around it ends what hangs or grows.  Whatever goes wrong
becomes a failed result with one sentence, never an exception."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cinquefoil.experiment.plan import Cell
from cinquefoil.experiment.result import Result, read_covered, read_series
from cinquefoil.experiment.watched_process import ChildEnd, ChildLimits, Start, run_watched, spawn

CINQ = (sys.executable, "-P", "-m", "cinquefoil.cli")
SETUP = 600.0  # seconds for compiling and analysing before the budget begins to run
_SLACK = 30.0  # seconds beyond twice the budget, for finishing
_CPU_FACTOR = 8  # wall seconds that a processor second may take on a busy machine
_MEASURING = 1800.0  # seconds
_ROOM = 1 << 30  # bytes beyond the cell's memory limit before it is killed
_ENDED_WELL = (0, 1)

STEPS: dict[str, tuple[str, ...]] = {
    "gcov": ("replay", "--coverage", "--json"),
    "mutants": ("mutants", "--json"),
}


def execute(cell: Cell, folder: Path, stopped: Callable[[], bool], start: Start = spawn) -> Result | None:
    """Runs a cell; None if it was stopped."""
    if cell.subject.problem:
        return failed(cell, cell.subject.problem)
    ended = run_watched(command(cell, folder), _limits(cell), stopped, start)
    if ended.why == "stopped":
        return None
    problem = _problem(ended)
    if problem:
        return failed(cell, problem, ended)
    try:
        result = _read(cell, folder, ended)
    except (OSError, ValueError, KeyError) as error:
        return failed(cell, f"unreadable results: {error}", ended)
    return _measure(cell, result, folder, stopped)


def command(cell: Cell, folder: Path) -> list[str]:
    """The command line, as a user could type it."""
    plugins = [word for file in cell.plugins for word in ("--plugin", file)]
    options = [*plugins, *cell.subject.options, *cell.configuration.options]
    limits = ["--max-time", f"{cell.budget:g}s", "--max-memory", str(cell.memory), "--seed", str(cell.seed)]
    limits += ["--interval", f"{min(1.0, max(0.05, cell.budget / 120)):g}s"]
    clock = ["--clock", cell.clock] if cell.clock != "wall" else []
    program = [str(cell.subject.program), *cell.subject.arguments]
    return [*CINQ, "run", "--no-report", *options, *limits, *clock, "-o", str(folder), *program]


def failed(cell: Cell, message: str, ended: ChildEnd | None = None) -> Result:
    wall, memory = (ended.seconds, ended.memory) if ended else (0.0, 0)
    name = cell.configuration.name
    return Result(cell.key, cell.subject.name, name, cell.seed, cell.budget, "failed", message, wall, memory)


def _limits(cell: Cell) -> ChildLimits:
    factor = _CPU_FACTOR if cell.clock == "cpu" else 2
    return ChildLimits(SETUP + factor * cell.budget + _SLACK, cell.memory + _ROOM)


def _problem(ended: ChildEnd) -> str:
    """Why the run is no result; "" if it is one."""
    last = ended.said.splitlines()[-1].removeprefix("cinq: error: ") if ended.said else "it said nothing"
    if ended.why == "time":
        return f"did not end within {ended.seconds:.0f} s"
    if ended.why == "memory":
        return f"used {ended.memory >> 20} MiB and was killed"
    if ended.status < 0:
        return f"killed by signal {-ended.status}: {last}"
    return "" if ended.status in _ENDED_WELL else f"exit status {ended.status}: {last}"


def _read(cell: Cell, folder: Path, ended: ChildEnd) -> Result:
    summary: dict[str, Any] = json.loads((folder / "summary.json").read_bytes())
    return Result(
        cell.key,
        cell.subject.name,
        cell.configuration.name,
        cell.seed,
        cell.budget,
        "ok",
        wall=ended.seconds,
        memory=ended.memory,
        summary=summary,
        series=read_series(folder / "stats.csv"),
        covered=read_covered(folder / "coverage.info"),
    )


def _measure(cell: Cell, result: Result, folder: Path, stopped: Callable[[], bool]) -> Result | None:
    """Adds the later measurements; one that fails is told, and leaves the rest."""
    measured: dict[str, Any] = {}
    for step in cell.steps:
        ended = run_watched(_step(step, cell, folder), ChildLimits(_MEASURING, cell.memory + _ROOM), stopped)
        if ended.why == "stopped":
            return None
        problem = _problem(ended)
        name = step.split()[0]
        try:
            measured[name] = {"problem": problem} if problem else json.loads(ended.output)
        except ValueError as error:
            measured[name] = {"problem": f"unreadable: {error}"}
    return replace(result, measured=measured)


def _step(step: str, cell: Cell, folder: Path) -> Sequence[str]:
    """A step may have options of its own: `mutants --limit 60`."""
    name, *options = step.split()
    words = [*CINQ, *STEPS[name], *options]
    words += ["--native", str(cell.subject.native)] if name == "gcov" and cell.subject.native else []
    words += [word for pattern in cell.subject.sources for word in ("--source", pattern)]
    return [*words, str(folder)]
