"""`cinq run`: explore a program until nothing is left or a limit is met."""

from __future__ import annotations

import json
import shlex
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import click

from cinquefoil.build.program import load_program
from cinquefoil.cli.checks import check_option
from cinquefoil.cli.explore_view import ExploreView, outcome_lines
from cinquefoil.cli.notes import note, note_arguments, note_compilation, note_concrete, note_told, note_undefined
from cinquefoil.cli.plugin import plugin_option
from cinquefoil.cli.progress import Preparation
from cinquefoil.cli.say import say
from cinquefoil.cli.units import duration, size
from cinquefoil.errors import UserError
from cinquefoil.exploration import Options, Outcome
from cinquefoil.exploration.options import MAX_WORKERS
from cinquefoil.exploration.output.result_folder import check_unused
from cinquefoil.exploration.session.checking import checked
from cinquefoil.exploration.session.seeds import Seeds, read_seeds
from cinquefoil.exploration.session.session import Task, session_for
from cinquefoil.exploration.session.validating import validate
from cinquefoil.machine.failure import count
from cinquefoil.prune import registry as pruners
from cinquefoil.search.registry import DEFAULT, names
from cinquefoil.solver.multiplex.names import INSTANCES
from cinquefoil.transform.meld.meld_options import MODES

_OK, _ERRORS_FOUND, _FAULT, _UNSUPPORTED, _INTERRUPTED = 0, 1, 3, 4, 130
_COUNT = click.IntRange(min=1)
_EVENTS = click.IntRange(1, 1_000_000)
_NAMED = 5  # seeds that cannot be used, by name
_INSTANCES = (*INSTANCES, "auto", "all", "none")
_ALONE = {"--meld": (MODES, MODES[0]), "--multiplex": (_INSTANCES, "all")}  # values, and which of them if none is given
_EXISTING = click.Path(exists=True, path_type=Path)


def _instances(ctx: click.Context, _: click.Parameter, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """MuSE's instances by name."""
    if not wanted:
        return Options().multiplex
    for name in wanted:
        if name not in _INSTANCES:
            raise UserError(f"there is no multiplexing solver {name!r}; choose from {', '.join(_INSTANCES)}")
    if "none" in wanted:
        return ()
    return INSTANCES if "all" in wanted else wanted


class _RunCommand(click.Command):
    """Lets options stand alone that have a value of their own then: what follows is theirs only if it is a value."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        read: list[str] = []
        left = deque(args)
        while left:
            word = left.popleft()
            if word in _ALONE and not self._begins_program(ctx, read):
                values, default = _ALONE[word]
                word = f"{word}={left.popleft() if left and left[0] in values else default}"
            read.append(word)
        return super().parse_args(ctx, read)

    def _begins_program(self, ctx: click.Context, args: list[str]) -> bool:
        """Whether the program under test is among these: all that follows belongs to it."""
        try:
            return isinstance(self.make_parser(ctx).parse_args(list(args))[0].get("program"), str)
        except click.UsageError:
            return False


@click.command(cls=_RunCommand, context_settings={"allow_interspersed_args": False})
@click.argument("program", type=click.Path(path_type=Path))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option(
    "--search",
    multiple=True,
    metavar="NAME",
    help=f"Search strategy; several alternate.  Known: {', '.join(names())}.  Default: {', '.join(DEFAULT)}.",
)
@click.option(
    "--prune",
    default=pruners.DEFAULT,
    show_default=True,
    metavar="NAME",
    help=f"Forget states that promise little.  Known: {', '.join(pruners.names())}.",
)
@click.option("--max-time", type=duration, metavar="TIME", help="Stop after this time of exploring, such as 60s or 5m.")
@click.option(
    "--clock",
    type=click.Choice(["wall", "cpu"]),
    default="wall",
    show_default=True,
    help="What --max-time counts: cpu is the engine's and the program's processor time, fair on a busy machine.",
)
@click.option("--max-paths", type=_COUNT, help="Stop after this many paths.")
@click.option("--max-tests", type=_COUNT, help="Stop after this many tests.")
@click.option("--max-errors", type=_COUNT, help="Stop after this many distinct errors.")
@click.option("--max-memory", type=size, metavar="SIZE", help="Stop when engine and workers hold this much.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Same seed, same choices.")
@click.option(
    "--solver", type=click.Choice(["bitwuzla", "z3"]), default="bitwuzla", show_default=True, help="SMT back end."
)
@click.option(
    "--multiplex",
    multiple=True,
    metavar="[NAME]",
    callback=_instances,
    help=f"Run the inputs that solvers meet on their way: {', '.join(INSTANCES)}; all (if given alone); none; auto "
    "(the default): descent, for floating point only.  Repeatable.",
)
@click.option(
    "--solver-time",
    type=duration,
    metavar="TIME",
    default="0.5s",
    show_default=True,
    help="Per query (Bitwuzla: as many steps as that usually takes); those left open are asked again with more when "
    "nothing else is left.",
)
@click.option(
    "--mutations/--no-mutations",
    "--variants/--no-variants",
    "mutations",
    default=None,
    help="Also mutate inputs that covered something new: texts continued, changed, joined.  "
    "Default: unless --search is given.",
)
@click.option(
    "--run-time", type=duration, metavar="TIME", default="10s", show_default=True, help="Processor time per path."
)
@click.option("--run-instructions", type=_COUNT, default=10**9, show_default=True, help="Instructions per path.")
@click.option(
    "--run-events", type=_EVENTS, default=200_000, show_default=True, help="Decisions on symbolic data per path."
)
@click.option(
    "--compile-first",
    is_flag=True,
    help="Wait for the best code of a large program; else exploring begins with code that is quicker to make.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, MAX_WORKERS),
    default=1,
    show_default=True,
    help="Processes that solve and run in parallel.",
)
@click.option(
    "--meld",
    type=click.Choice(MODES),
    metavar="[auto|all|marked]",
    help="Make data flow of branches on input (CFMSE): where it should pay, wherever possible, or only between "
    "klee_open_merge and klee_close_merge.  Default if given alone: auto.",
)
@click.option(
    "--interval", type=duration, metavar="TIME", default="1s", show_default=True, help="Between rows of stats.csv."
)
@click.option(
    "--layer",
    "layers",
    multiple=True,
    metavar="NAME",
    help="Add a layer to the solver chain, of a plug-in or a package.  Repeatable.",
)
@click.option(
    "--mutator",
    "mutators",
    multiple=True,
    metavar="NAME",
    help="Change inputs by this mutator too, of a plug-in or a package.  Repeatable.",
)
@plugin_option
@check_option
@click.option("--every-path", is_flag=True, help="Write a test for every path, not only for what is new.")
@click.option("--explore-output", is_flag=True, help="Explore branches inside the formatting of output too.")
@click.option("--cflags", multiple=True, metavar="FLAGS", help="Flags for clang if PROGRAM is C source.  Repeatable.")
@click.option(
    "--file", "files", type=_EXISTING, multiple=True, help="Give the program a copy of a file or folder.  Repeatable."
)
@click.option(
    "--seeds",
    type=_EXISTING,
    multiple=True,
    help="Start from inputs: .ktest files, raw files (a fuzzer's corpus), or folders of them.  Repeatable.",
)
@click.option(
    "--env", "variables", multiple=True, metavar="NAME=VALUE", help="Set a variable; NAME takes it away.  Repeatable."
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Output folder.  Default: cinq-out-N.")
@click.option("--report/--no-report", default=True, show_default=True, help="Write report.html.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.pass_context
def run(
    ctx: click.Context,
    program: Path,
    arguments: tuple[str, ...],
    search: tuple[str, ...],
    prune: str,
    max_time: float | None,
    clock: str,
    max_paths: int | None,
    max_tests: int | None,
    max_errors: int | None,
    max_memory: int | None,
    seed: int,
    solver: str,
    multiplex: tuple[str, ...],
    solver_time: float,
    mutations: bool | None,
    run_time: float,
    run_instructions: int,
    run_events: int,
    compile_first: bool,
    workers: int,
    meld: str | None,
    interval: float,
    layers: tuple[str, ...],
    mutators: tuple[str, ...],
    plugins: tuple[Path, ...],
    checks: tuple[str, ...],
    unchecked: tuple[str, ...],
    every_path: bool,
    explore_output: bool,
    cflags: tuple[str, ...],
    files: tuple[Path, ...],
    seeds: tuple[Path, ...],
    variables: tuple[str, ...],
    output: Path | None,
    report: bool,
    as_json: bool,
) -> int:
    """Explore PROGRAM's paths; write tests, errors and coverage to the output folder.

    PROGRAM is a .c file, bitcode (.bc, .ll) or an executable made by cinq cc.  All that follows belongs to
    it and may hold a symbolic environment: --sym-arg N, --sym-args MIN MAX N, --sym-files NUM N,
    --sym-stdin N, --sym-stdout, --sym-stat, --sym-size, --sym-rand, --max-fail N, --max-fail-malloc N.

    Exit status: 0 no error found, 1 errors found, 3 the engine failed somewhere (results are kept, and say where),
    4 no error found, but something that is not supported was met, 130 interrupted (results are kept).
    """
    options = Options(
        search=search,
        prune=prune,
        seed=seed,
        max_time=max_time,
        clock=clock,
        max_paths=max_paths,
        max_tests=max_tests,
        max_errors=max_errors,
        max_memory=max_memory,
        every_path=every_path,
        explore_output=explore_output,
        solver_seconds=solver_time,
        multiplex=multiplex,
        mutations=mutations,
        workers=workers,
        meld=meld or "",
        interval=interval,
        check=checks,
        no_check=unchecked,
        layers=layers,
        mutators=mutators,
        plugins=tuple(str(file.absolute()) for file in plugins),
    )
    validate(options)
    clang_flags = tuple(f for flags in cflags for f in shlex.split(flags))
    task = Task(
        program,
        arguments,
        clang_flags,
        solver,
        run_time,
        files,
        variables,
        _seeds(seeds),
        run_instructions=run_instructions,
        run_events=run_events,
        compile_first=compile_first,
    )
    task = checked(task, checks, unchecked)
    folder = chosen_folder(output)
    note_arguments(ctx.command, arguments)
    environment = task.environment()
    environment.encode()  # what is wrong with it is said before anything is compiled
    outcome, summary = _explore(task, options, folder, report)
    note_told(outcome.warnings)
    if outcome.tests and not any(test.objects for test in outcome.tests):
        note_concrete(environment.symbolic)
    if as_json:
        say(json.dumps({"folder": str(folder), **summary}, indent=2))
    else:
        say("\n".join(outcome_lines(outcome, folder)))
    return _status(outcome)


def _seeds(given: tuple[Path, ...]) -> Seeds:
    """What cannot be used is named, the first few in full."""
    found = read_seeds(given) if given else Seeds()
    for problem in found.notes[:_NAMED]:
        note(f"seed left out: {problem}")
    if len(found.notes) > _NAMED:
        note(f"{count(len(found.notes) - _NAMED, 'more seed')} left out")
    return found


def _explore(task: Task, options: Options, folder: Path, report: bool) -> tuple[Outcome, dict[str, object]]:
    """Prepare and explore; everything found is in the folder when this returns or fails."""
    with ExploreView(options.max_time) as view:
        with Preparation() as preparation:
            linked = load_program(task.program, task.flags, preparation.step, note_compilation)
            session = session_for(task, options, linked, folder, view.show, preparation.step)
        note_undefined(session.image.undefined)
        try:
            outcome = session.run()
        finally:
            if report and session.summary:
                write_page(folder)
    return outcome, session.summary


def write_page(folder: Path) -> None:
    """Makes the folder's page, or says why there is none."""
    from cinquefoil.report.page import try_report

    try_report(folder, note)


def chosen_folder(chosen: Path | None) -> Path:
    """The output folder: as chosen, if it holds no results yet, else the first free number."""
    if chosen is None:
        return next(path for path in _numbered() if not path.exists())
    check_unused(chosen)
    return chosen


def _numbered() -> Iterator[Path]:
    number = 0
    while True:
        yield Path(f"cinq-out-{number}")
        number += 1


def _status(outcome: Outcome) -> int:
    if outcome.reason == "interrupted":
        return _INTERRUPTED
    if outcome.statistics.faults:
        return _FAULT
    if outcome.errors:
        return _ERRORS_FOUND
    return _UNSUPPORTED if outcome.met_unsupported else _OK
