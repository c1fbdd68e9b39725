"""A subject explored and its tests replayed natively: what came of it, as plain data.

Coverage is gcov's, over the subject's own sources, from the tests run one by one on the `gcov` build.  It is held
against what the engine says it covered: lines that both compilers know and only one side calls covered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import cast

from cinquefoil.build.libc import Progress
from cinquefoil.build.program import load_program
from cinquefoil.experiment.subjects.construct import GCOV, TRACED, executable, tree
from cinquefoil.experiment.subjects.divergence import Compared, Lines, followed, quietly
from cinquefoil.experiment.subjects.recipe import Recipe, SubjectProgram
from cinquefoil.exploration import Options
from cinquefoil.exploration.loop.exploration import Exploration, Outcome
from cinquefoil.exploration.session.session import Session, Task
from cinquefoil.machine.image import build_image
from cinquefoil.replay import gcov
from cinquefoil.replay.native_run import run_binary
from cinquefoil.replay.replay_suite import read_suite
from cinquefoil.replay.time_allowance import TimeAllowance

SECONDS_PER_TEST = 3.5


@dataclass(frozen=True, slots=True)
class Agreement:
    """Lines of the subject's own sources that both sides know: how many, and which only one side covers."""

    lines: int
    both: int
    engine: tuple[str, ...]  # FILE:LINE, covered by the engine alone
    native: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """Pairs are covered and all, by gcov."""

    lines: tuple[int, int]
    branches: tuple[int, int]
    agreement: Agreement


def task_of(recipe: Recipe, program: SubjectProgram) -> Task:
    files = tuple(recipe.folder / name for name in program.files)
    traced = executable(recipe, program, TRACED)
    return Task(traced, program.arguments, files=files, variables=program.variables)


def explore(
    task: Task,
    options: Options,
    folder: Path,
    progress: Callable[[Exploration], None] = lambda exploration: None,
    step: Progress | None = None,
) -> tuple[Outcome, dict[str, object]]:
    """Explores a subject into a folder; what was found, and the summary."""
    linked = load_program(task.program, task.flags, step)
    image = build_image(linked, blocks=True, overshift=task.overshift, progress=step)
    session = Session(task, options, image, folder, progress)
    return session.run(), session.summary


def measure(
    folder: Path, task: Task, recipe: Recipe, program: SubjectProgram, engine: Lines, step: Progress = quietly
) -> Measured:
    """Replays the tests of a folder one by one on the gcov build; `engine` are the lines the engine ran for them."""
    native = executable(recipe, program, GCOV)
    environment, patience = task.environment(), TimeAllowance(SECONDS_PER_TEST)
    variables, tools = gcov.setting()
    counters: dict[str, bytes] = {}
    for _, test in followed(read_suite(folder).tests, "by gcov", step):
        with patience.limits() as limits:
            run_binary(native, test, environment, limits, variables, tools, counters)
    found = gcov.measure(counters, program.sources)
    agreement = agree(
        _relative({file.file: file.counts for file in found.files}, tree(recipe, GCOV)),
        _relative(engine, tree(recipe, TRACED)),
        program.sources,
    )
    return Measured(found.lines, found.branches, agreement)


def _relative(files: Lines, root: Path) -> dict[str, Mapping[int, int]]:
    """Files by their names below the tree they were built in."""
    return {_below(Path(name), root): lines for name, lines in files.items()}


def _below(path: Path, root: Path) -> str:
    resolved, base = path.resolve(), root.resolve()
    return str(resolved.relative_to(base)) if resolved.is_relative_to(base) else str(path)


def agree(native: Lines, engine: Lines, sources: Iterable[str]) -> Agreement:
    """Over the lines of files that count and that both compilers made code for."""
    patterns = list(sources)
    wanted = [name for name in native if name in engine and any(fnmatch(name, p) for p in patterns)]
    common = [(name, line) for name in wanted for line in native[name] if line in engine[name]]
    by_engine = {(name, line) for name, line in common if engine[name][line]}
    by_native = {(name, line) for name, line in common if native[name][line]}
    return Agreement(
        len(common),
        len(by_engine & by_native),
        _locations(by_engine - by_native),
        _locations(by_native - by_engine),
    )


def _locations(lines: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    return tuple(f"{name}:{line}" for name, line in sorted(lines))


def as_data(
    recipe: Recipe,
    program: SubjectProgram,
    summary: Mapping[str, object],
    measured: Measured | None = None,
    compared: Compared | None = None,
) -> dict[str, object]:
    """What is kept of a run: the summary's figures, gcov's, and where native runs differ."""
    names = ("seconds", "exhausted", "reason", "paths", "limited", "unsupported", "tests", "errors", "coverage")
    kept = {name: summary[name] for name in names}
    memory = cast("Mapping[str, int]", summary["memory"])["peak_bytes"]
    data: dict[str, object] = {"subject": f"{recipe.name}/{program.name}", **kept, "memory": memory}
    if compared is not None:
        data["native"] = asdict(compared)
    return data | {"gcov": asdict(measured)} if measured is not None else data
