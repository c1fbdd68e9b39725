"""The Python interface to exploring.

    outcome = cinquefoil.explore("prog.c", ["--sym-stdin", "8"], search="dfs", max_time=60, output="out")
    for error in outcome.errors:
        print(error.kind, error.file, error.line)

It stands above all layers, since an output folder gets its page (`report/`) here as it does from the command line."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cinquefoil.build.program import load_program
from cinquefoil.explore.checking import checked
from cinquefoil.explore.options import Options
from cinquefoil.explore.outcome import Outcome
from cinquefoil.explore.results import check_unused
from cinquefoil.explore.seeds import Seeds, read_seeds
from cinquefoil.explore.session import Task, session_for


def explore(
    program: str | os.PathLike[str],
    arguments: Sequence[str] = (),
    *,
    output: str | os.PathLike[str] | None = None,
    report: bool = True,
    search: str | Sequence[str] = (),
    flags: Sequence[str] = (),
    solver: str = "bitwuzla",
    run_seconds: float = 10.0,
    files: Sequence[str | os.PathLike[str]] = (),
    variables: Sequence[str] = (),
    seeds: Sequence[str | os.PathLike[str]] = (),
    **options: Any,
) -> Outcome:
    """Explore a program; further keywords are the fields of `Options` (seed, max_time, max_paths, workers, ...).

    `program` is a .c file, bitcode or an executable made by `cinq cc`; `search` names one strategy or several that take
    turns; `seeds` are files and folders to start from; with `output`, tests, summary, coverage and, unless `report` is
    false, report.html are written there as `cinq run` does; a folder that holds an earlier run's tests is refused."""
    strategies = (search,) if isinstance(search, str) else tuple(search)
    paths = tuple(Path(file) for file in files)
    first = read_seeds([Path(seed) for seed in seeds]) if seeds else Seeds()
    task = Task(Path(program), tuple(arguments), tuple(flags), solver, run_seconds, paths, tuple(variables), first)
    chosen = Options(search=strategies, **options)
    task = checked(task, _names(chosen.check), _names(chosen.no_check))
    folder = Path(output) if output is not None else None
    if folder is not None:
        check_unused(folder)
    linked = load_program(task.program, task.flags, in_memory=task.uninitialized)
    session = session_for(task, chosen, linked, folder)
    try:
        return session.run()
    finally:
        if folder is not None and report and session.summary:
            _write_page(folder)


def _names(given: str | tuple[str, ...]) -> tuple[str, ...]:
    """One text with names in it, or several."""
    return (given,) if isinstance(given, str) else given


def _write_page(folder: Path) -> None:
    from cinquefoil.report.page import try_report

    try_report(folder, lambda message: warnings.warn(message, stacklevel=5))
