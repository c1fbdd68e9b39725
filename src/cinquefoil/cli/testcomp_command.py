"""`cinq testcomp`: Test-Comp's contract, a property file and a program in, a test suite out."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import click

from cinquefoil.build.scratch import scratch_folder
from cinquefoil.cli.checks import check_option
from cinquefoil.cli.explore_view import ExploreView
from cinquefoil.cli.prepare import prepare, preparing_within
from cinquefoil.cli.say import say
from cinquefoil.cli.units import duration, size
from cinquefoil.errors import UserError
from cinquefoil.exploration import Exploration, Options
from cinquefoil.exploration.output.result_folder import check_unused
from cinquefoil.exploration.session.checking import checked
from cinquefoil.exploration.session.session import Session, Task
from cinquefoil.exploration.session.validating import validate
from cinquefoil.machine.failure import count
from cinquefoil.report.export import testcomp_format as suites
from cinquefoil.report.export.export_suite import read_suite

_ERROR_FUNCTIONS: Final = ("reach_error", "__VERIFIER_error")
_GOAL: Final = re.compile(
    r"COVER\s*\(\s*init\s*\(\s*main\s*\(\s*\)\s*\)\s*,\s*FQL\s*\(\s*COVER\s+EDGES\s*\(\s*@(?P<goal>\w+)"
    r"(?:\s*\(\s*(?P<function>\w+)\s*\))?\s*\)\s*\)\s*\)"
)
_LONGEST: Final = 1 << 16
_LOOK: Final = 0.1  # seconds between looks whether the error was found
_COVERED: Final = {"DECISIONEDGE": "branches", "CONDITIONEDGE": "branches", "BASICBLOCKENTRY": "blocks", "CALL": ""}


@dataclass(frozen=True, slots=True)
class Property:
    """`text` is the specification as written; `covered` is what it wants covered, "branches" or "blocks"; empty if it
    wants a call of the error function."""

    text: str
    covered: str


def read_property(path: Path) -> Property:
    """A .prp file of Test-Comp: coverage-branches, coverage-conditions, coverage-statements, coverage-error-call."""
    try:
        content = path.read_bytes()[:_LONGEST].decode("utf-8", "replace")
    except OSError as error:
        raise UserError(f"cannot read the property {path}: {error.strerror}") from error
    found = _GOAL.search(content)
    if found is None or found["goal"] not in _COVERED:
        raise UserError(f"{path} holds no property of Test-Comp that can be covered, such as {suites.BRANCHES}")
    calls = found["goal"] == "CALL"
    if calls and found["function"] not in _ERROR_FUNCTIONS:
        raise UserError(f"{path}: only calls of {' and '.join(_ERROR_FUNCTIONS)} can be asked for")
    return Property(" ".join(found[0].split()), _COVERED[found["goal"]])


@click.command()
@click.argument("program", type=click.Path(path_type=Path))
@click.option("--property", "goal", type=click.Path(path_type=Path), required=True, help="The property file (.prp).")
@click.option(
    "--max-time", type=duration, metavar="TIME", default="15m", show_default=True, help="Stop after this time."
)
@click.option(
    "--clock",
    type=click.Choice(["wall", "cpu"]),
    default="wall",
    show_default=True,
    help="What --max-time counts, preparations included: cpu is processor time, fair on a busy machine.",
)
@click.option(
    "--run-time", type=duration, metavar="TIME", default="10s", show_default=True, help="Processor time per path."
)
@click.option("--max-memory", type=size, metavar="SIZE", help="Stop when the engine uses this much, such as 2G.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Same seed, same choices.")
@click.option("--search", multiple=True, metavar="NAME", help="Search strategy, as for cinq run.")
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True, help="Processes in parallel.")
@click.option("--data-model", type=click.Choice(["LP64", "ILP32"]), default="LP64", help="As the task says.")
@check_option
@click.option("--results", type=click.Path(path_type=Path), help="Keep all results, report.html too, in this folder.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    default=Path("test-suite"),
    show_default=True,
    help="The suite: a folder, or a file that ends in .zip.",
)
def testcomp(
    program: Path,
    goal: Path,
    max_time: float,
    clock: str,
    run_time: float,
    max_memory: int | None,
    seed: int,
    search: tuple[str, ...],
    workers: int,
    data_model: str,
    checks: tuple[str, ...],
    unchecked: tuple[str, ...],
    results: Path | None,
    output: Path,
) -> int:
    """Generate a Test-Comp test suite for PROGRAM (.c or .i).

    With a property that asks for a call of reach_error, the search stops at the first one, with one that asks for
    coverage when nothing is left to cover.  Prints DONE when the suite is written; errors of the program are no
    failure here: exit status 0.
    """
    wanted = read_property(goal)
    if data_model == "ILP32":
        say("note: the program is explored with 64-bit types all the same", err=True)
    options = Options(
        search,
        seed,
        max_time,
        clock,
        max_memory=max_memory,
        workers=workers,
        interval=_LOOK,
        check=checks,
        no_check=unchecked,
        until_covered=wanted.covered,
    )
    validate(options)
    with scratch_folder("testcomp") as scratch:
        folder = results or scratch / "results"
        _explore(checked(Task(program, run_seconds=run_time), checks, unchecked), options, folder, wanted)
        architecture = "64bit" if data_model == "LP64" else "32bit"
        done = suites.TestCompFormat(wanted.text, architecture).write(read_suite(folder), output)
    for note in done.notes:
        say(f"note: {note}", err=True)
    say(f"DONE: {count(len(done.files), 'file')} in {output}" if output.is_dir() else f"DONE: {output}")
    return 0


def _explore(task: Task, options: Options, folder: Path, wanted: Property) -> None:
    from cinquefoil.cli.run_command import write_page

    check_unused(folder)
    assert options.max_time is not None
    with preparing_within(options.max_time, options.clock) as preparation:
        image = prepare(task.program, task.flags, blocks=True, overshift=task.overshift)
    left = replace(options, max_time=max(options.max_time - preparation.seconds, 0.0))
    with ExploreView(left.max_time) as view:

        def look(exploration: Exploration) -> None:
            view.show(exploration)
            if not wanted.covered and _called(exploration):
                exploration.findings.stop = "max-errors"

        Session(task, left, image, folder, look).run()
    write_page(folder)


def _called(exploration: Exploration) -> bool:
    errors = exploration.findings.errors.values()
    return any(error.kind == "reach-error" or error.function in _ERROR_FUNCTIONS for error in errors)
