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

from cinquefoil.build.program import load_program
from cinquefoil.exploration.options import Options
from cinquefoil.exploration.outcome import Outcome
from cinquefoil.exploration.output.result_folder import check_unused
from cinquefoil.exploration.session.checking import checked
from cinquefoil.exploration.session.seeds import Seeds, read_seeds
from cinquefoil.exploration.session.session import Task, session_for
from cinquefoil.exploration.session.validating import validate

_DEFAULT, _TASK = Options(), Task(Path())
Words = str | Sequence[str]
"""One name, or several."""


def explore(
    program: str | os.PathLike[str],
    arguments: Sequence[str] = (),
    *,
    output: str | os.PathLike[str] | None = None,
    report: bool = True,
    flags: Sequence[str] = (),
    solver: str = "bitwuzla",
    run_seconds: float = 10.0,
    run_instructions: int = _TASK.run_instructions,
    run_events: int = _TASK.run_events,
    compile_first: bool = False,
    files: Sequence[str | os.PathLike[str]] = (),
    variables: Sequence[str] = (),
    seeds: Sequence[str | os.PathLike[str]] = (),
    search: Words = (),
    seed: int = 0,
    max_time: float | None = None,
    clock: str = "wall",
    max_paths: int | None = None,
    max_tests: int | None = None,
    max_errors: int | None = None,
    max_memory: int | None = None,
    every_path: bool = False,
    explore_output: bool = False,
    solver_seconds: float = _DEFAULT.solver_seconds,
    retries: int = _DEFAULT.retries,
    multiplex: Words = _DEFAULT.multiplex,
    partial: int = _DEFAULT.partial,
    mutations: bool | None = None,
    inputs: Sequence[bytes] = (),
    path_memory: int = _DEFAULT.path_memory,
    workers: int = 1,
    meld: str = "",
    interval: float = _DEFAULT.interval,
    prune: str = "none",
    check: Words = (),
    no_check: Words = (),
    until_covered: str = "",
    layers: Words = (),
    mutators: Words = (),
    plugins: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = (),
) -> Outcome:
    """Explore a program: what `cinq run` does, and what it found.

    `program` is a .c file, bitcode or an executable made by `cinq cc`, `arguments` its command line, KLEE's symbolic
    environment (`--sym-stdin 8` and the like) among it.  Of the rest,

    - `output` is a folder that gets tests, summary, coverage and, unless `report` is false, report.html; one that holds
      the tests of an earlier run is refused;
    - `flags` are for clang, if the program is C source; `solver` is the SMT back end, "bitwuzla" or "z3";
    - `run_seconds` (of processor time), `run_instructions` and `run_events` are limits of one path;
    - `compile_first`: wait for a large program's best code, instead of beginning with code that is quicker to make;
    - `files` are copied into the program's working directory, `variables` ("NAME=value") are added to its environment;
    - `seeds` are files and folders with inputs to start from.

    All other keywords are the fields of `Options`, which see.  Raises `UserError`, before anything is compiled, if an
    option makes no sense or names what there is not, and if the program cannot be built; `EngineError` if the engine
    fails."""
    options = Options(
        search=_names(search),
        seed=seed,
        max_time=max_time,
        clock=clock,
        max_paths=max_paths,
        max_tests=max_tests,
        max_errors=max_errors,
        max_memory=max_memory,
        every_path=every_path,
        explore_output=explore_output,
        solver_seconds=solver_seconds,
        retries=retries,
        multiplex=_names(multiplex),
        partial=partial,
        mutations=mutations,
        inputs=tuple(inputs),
        path_memory=path_memory,
        workers=workers,
        meld=meld,
        interval=interval,
        prune=prune,
        check=_names(check),
        no_check=_names(no_check),
        until_covered=until_covered,
        layers=_names(layers),
        mutators=_names(mutators),
        plugins=_files(plugins),
    )
    validate(options)
    task = Task(
        Path(program),
        tuple(arguments),
        tuple(flags),
        solver,
        run_seconds,
        tuple(Path(file) for file in files),
        tuple(variables),
        read_seeds([Path(each) for each in seeds]) if seeds else Seeds(),
        run_instructions=run_instructions,
        run_events=run_events,
        compile_first=compile_first,
    )
    return _explored(task, options, Path(output) if output is not None else None, report)


def _explored(task: Task, options: Options, folder: Path | None, report: bool) -> Outcome:
    task = checked(task, options.check, options.no_check)
    if folder is not None:
        check_unused(folder)
    linked = load_program(task.program, task.flags)
    session = session_for(task, options, linked, folder)
    try:
        return session.run()
    finally:
        if folder is not None and report and session.summary:
            _write_page(folder)


def _names(given: Words) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _files(given: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> tuple[str, ...]:
    """Absolute names: processes that explore in parallel may have another working directory."""
    several = (given,) if isinstance(given, (str, os.PathLike)) else given
    return tuple(str(Path(each).absolute()) for each in several)


def _write_page(folder: Path) -> None:
    from cinquefoil.report.page import try_report

    try_report(folder, lambda message: warnings.warn(message, stacklevel=6))
