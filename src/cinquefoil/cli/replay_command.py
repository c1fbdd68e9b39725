"""`cinq replay`: the tests of an output folder on plain native builds of the program."""

from __future__ import annotations

import dataclasses
import json
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import click

from cinquefoil.build.program import load_program
from cinquefoil.build.scratch import scratch_folder
from cinquefoil.cli.confined import settled, unconfined_option
from cinquefoil.cli.notes import note
from cinquefoil.cli.progress import Preparation
from cinquefoil.cli.replay_input import replay as trace_test
from cinquefoil.cli.say import say
from cinquefoil.cli.units import duration
from cinquefoil.errors import UserError
from cinquefoil.machine.environment import Environment, parse_arguments
from cinquefoil.machine.failure import count as count_of
from cinquefoil.machine.image import Image, build_image
from cinquefoil.machine.worker import Limits, Worker
from cinquefoil.replay import gcc, gcov, sanitize
from cinquefoil.replay.comparing import compare
from cinquefoil.replay.confinement import Confinement
from cinquefoil.replay.native_build import NativeProgram, build_native
from cinquefoil.replay.native_run import NativeRun, run_binary, run_natively
from cinquefoil.replay.process import ProcessLimits
from cinquefoil.replay.replay_suite import ReplaySuite, read_suite
from cinquefoil.testcase.ktest import KTest

_OK, _TROUBLE = 0, 1


@dataclass(frozen=True, slots=True)
class ReplayTask:
    """What is replayed, and on what."""

    suite: ReplaySuite
    program: Path
    native: Path | None
    flags: tuple[str, ...]
    arguments: tuple[str, ...]
    limits: ProcessLimits
    confinement: Confinement

    def environment(self, test: KTest) -> Environment:
        """As the test says it was made, unless the user says otherwise."""
        world, environment = self.suite.world, parse_arguments(self.arguments or test.args[1:], self.program.stem)
        return environment.with_files(world.files).with_variables(world.variables)


@dataclass(frozen=True, slots=True)
class TestLine:
    """What is told of one test."""

    test: str
    end: str
    status: int
    differences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unlike: tuple[str, ...] = ()  # what the process could not have as the test wants it: not compared


@click.command(context_settings={"allow_interspersed_args": True})
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option("--program", type=click.Path(path_type=Path), help="The program.  Default: what summary.json names.")
@click.option(
    "--native", type=click.Path(path_type=Path), help="Run this executable instead of building the program natively."
)
@click.option("--coverage", is_flag=True, help="Measure line and branch coverage by gcc and gcov.")
@click.option("--source", "sources", multiple=True, metavar="GLOB", help="Only these files count for --coverage.")
@click.option("--sanitize", "sanitizers", metavar="LIST", help="Look for violations with gcc's address,undefined.")
@click.option(
    "--cflags",
    multiple=True,
    metavar="FLAGS",
    help="Flags for the compiler of C source, beside the exploration's checks.  Repeatable.",
)
@click.option("--max-time", type=duration, metavar="TIME", default="10s", show_default=True, help="Per test.")
@unconfined_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def replay(
    folder: Path,
    arguments: tuple[str, ...],
    program: Path | None,
    native: Path | None,
    coverage: bool,
    sources: tuple[str, ...],
    sanitizers: str | None,
    cflags: tuple[str, ...],
    max_time: float,
    unconfined: bool,
    as_json: bool,
) -> int:
    """Run every test of the output folder FOLDER natively, in an enclosure of its own.

    A plain native build of the program must enter the blocks that the engine predicts, in the same order, and
    end and speak as predicted: what does not is a divergence.  With --coverage or --sanitize the program, one
    .c file, is built by gcc; a larger one is built by you with gcc --coverage or -fsanitize=..., and named by
    --native.  After -- ARGUMENTS replace those that the tests were made with.

    Exit status: 0, or 1 if there are divergences or violations.
    """
    if coverage and sanitizers is not None:
        raise UserError("--coverage and --sanitize need different builds; ask for one at a time")
    flags = tuple(flag for words in cflags for flag in shlex.split(words))
    task = _task(folder, program, native, flags, arguments, max_time, unconfined)
    if coverage:
        return _coverage(task, sources, as_json)
    if sanitizers is not None:
        return _sanitize(task, sanitizers.split(","), as_json)
    return _compare(task, as_json)


def _task(
    folder: Path,
    program: Path | None,
    native: Path | None,
    flags: tuple[str, ...],
    arguments: tuple[str, ...],
    seconds: float,
    unconfined: bool,
) -> ReplayTask:
    suite = read_suite(folder, note)
    chosen = program or suite.program or native
    if chosen is None:
        raise UserError(f"{folder} has no summary.json that names the program; use --program")
    if native is None and not chosen.is_file():
        raise UserError(f"the program {chosen} is not here; use --program")
    if native is not None and not native.is_file():
        raise UserError(f"{native}: no such file")
    absolute = native.absolute() if native else None
    used = (*flags, *suite.checks)
    return ReplayTask(suite, chosen, absolute, used, arguments, ProcessLimits(seconds=seconds), settled(unconfined))


# ---- comparison with the engine ----------------------------------------------------------------------------------


def _compare(task: ReplayTask, as_json: bool) -> int:
    lines: list[TestLine] = []
    for line in _binary_lines(task) if task.native else _compared_lines(task):
        lines.append(line)
        if not as_json:
            say("\n".join(_as_text(line)))
    diverging = [line for line in lines if line.differences]
    if as_json:
        say(json.dumps(_said(task) | {"tests": [dataclasses.asdict(line) for line in lines]}, indent=2))
    else:
        compared = "not compared" if task.native else _compared(lines, diverging)
        replayed = f"{count_of(len(lines), 'test')} replayed{_spoken_confinement(task)}"
        say(f"{replayed}, {compared}: {_ends(lines)}")
    return _TROUBLE if diverging else _OK


def _said(task: ReplayTask) -> dict[str, object]:
    return {"confinement": task.confinement.value}


def _spoken_confinement(task: ReplayTask) -> str:
    return " unconfined" if task.confinement is Confinement.NONE else ""


def _compared(lines: Sequence[TestLine], diverging: Sequence[TestLine]) -> str:
    apart = sum(bool(line.unlike) for line in lines)
    return f"{len(diverging)} diverging" + (f", {apart} not compared" if apart else "")


def _compared_lines(task: ReplayTask) -> Iterator[TestLine]:
    native, image = _builds(task)
    done = count()
    for environment, tests in _by_environment(task):
        with Worker(image, environment, Limits(seconds=task.limits.seconds)) as worker, _replaying() as progress:
            for name, test in tests:
                progress.step("tests", next(done), len(task.suite.tests))
                predicted = trace_test(worker, test).run
                found = run_natively(native, test, environment, task.limits, confinement=task.confinement)
                result = compare(predicted, found, native, image)
                yield _line(name, found, result.differences)


def _builds(task: ReplayTask) -> tuple[NativeProgram, Image]:
    with Preparation() as preparation:
        linked = load_program(task.program, task.flags, preparation.step)
        overshift = task.suite.overshift
        return build_native(linked), build_image(linked, blocks=True, overshift=overshift, progress=preparation.step)


def _by_environment(task: ReplayTask) -> Iterator[tuple[Environment, list[tuple[str, KTest]]]]:
    """Tests that were made with the same arguments share a worker."""
    groups: dict[Environment, list[tuple[str, KTest]]] = {}
    for name, test in task.suite.tests:
        groups.setdefault(task.environment(test), []).append((name, test))
    yield from groups.items()


def _binary_lines(task: ReplayTask) -> Iterator[TestLine]:
    assert task.native is not None
    for name, run in _run_all(task, task.native):
        yield _line(name, run)


def _line(name: str, run: NativeRun, differences: tuple[str, ...] = ()) -> TestLine:
    return TestLine(name, run.end, run.status, differences, run.notes, run.unlike)


def _run_all(
    task: ReplayTask,
    executable: Path,
    variables: Mapping[str, str] | None = None,
    tools: Mapping[str, Path] | None = None,
    counters: dict[str, bytes] | None = None,
) -> Iterator[tuple[str, NativeRun]]:
    with _replaying() as progress:
        for done, (name, test) in enumerate(task.suite.tests):
            progress.step("tests", done, len(task.suite.tests))
            environment = task.environment(test)
            yield (
                name,
                run_binary(executable, test, environment, task.limits, variables, tools, counters, task.confinement),
            )


def _replaying() -> Preparation:
    return Preparation(terminal=False, doing="replaying")  # a bar would be drawn over what is told of each test


def _as_text(line: TestLine) -> Iterator[str]:
    yield f"{line.test}: {_spoken(line)}"
    yield from (f"  differs: {text}" for text in line.differences)
    yield from (f"  note: {text}" for text in line.notes)
    if line.unlike:
        yield f"  not compared, as in the test, not in a plain process: {', '.join(line.unlike)}"


def _spoken(line: TestLine) -> str:
    if line.end == "signal":
        return f"signal {-line.status}"
    return f"exit {line.status}" if line.end == "exit" else line.end


def _ends(lines: Sequence[TestLine]) -> str:
    return ", ".join(f"{count} {end}" for end, count in Counter(_spoken(line) for line in lines).most_common())


# ---- gcc's builds --------------------------------------------------------------------------------------------------


def _with_gcc(task: ReplayTask, instrument: Sequence[str], work: Callable[[Path], int]) -> int:
    """Give `work` an executable built by gcc, or the user's own."""
    with scratch_folder("gcc") as folder:
        executable = task.native or gcc.build(task.program, folder, task.flags, instrument)
        return work(executable)


def _coverage(task: ReplayTask, sources: Sequence[str], as_json: bool) -> int:
    def work(executable: Path) -> int:
        counters: dict[str, bytes] = {}
        for _ in _run_all(task, executable, *gcov.setting(), counters):
            pass
        _show_coverage(task, gcov.measure(counters, sources, task.confinement), as_json)
        return _OK

    return _with_gcc(task, gcov.FLAGS, work)


def _show_coverage(task: ReplayTask, found: gcov.GcovCoverage, as_json: bool) -> None:
    if as_json:
        files = [{"file": file.file, "lines": file.lines, "branches": file.branches} for file in found.files]
        total = {"lines": found.lines, "branches": found.branches, "files": files}
        say(json.dumps(_said(task) | total, indent=2))
        return
    for file in found.files:
        say(f"{file.file}: lines {_share(file.lines)}, branches {_share(file.branches)}")
    say(f"total{_spoken_confinement(task)}: lines {_share(found.lines)}, branches {_share(found.branches)}")


def _share(pair: tuple[int, int]) -> str:
    percent = 100 * pair[0] / pair[1] if pair[1] else 100.0
    return f"{pair[0]} of {pair[1]} ({percent:.1f} %)"


def _sanitize(task: ReplayTask, names: Sequence[str], as_json: bool) -> int:
    limits = dataclasses.replace(task.limits, memory=None)  # shadow memory takes terabytes of addresses
    unlimited = dataclasses.replace(task, limits=limits)

    def work(executable: Path) -> int:
        found: dict[sanitize.Violation, list[str]] = {}
        for name, run in _run_all(unlimited, executable, sanitize.VARIABLES):
            for violation in sanitize.violations(run.output.decode("utf-8", "replace")):
                found.setdefault(violation, []).append(name)
        _show_violations(task, found, as_json)
        return _TROUBLE if found else _OK

    return _with_gcc(task, sanitize.flags(names), work)


def _show_violations(task: ReplayTask, found: dict[sanitize.Violation, list[str]], as_json: bool) -> None:
    if as_json:
        rows = [dataclasses.asdict(violation) | {"tests": tests} for violation, tests in found.items()]
        say(json.dumps(_said(task) | {"violations": rows}, indent=2))
        return
    for violation, tests in found.items():
        more = f" and {len(tests) - 3} more" if len(tests) > 3 else ""
        say(f"{violation.place}: {violation.kind}\n  {', '.join(tests[:3])}{more}")
    say(count_of(len(found), "distinct violation") + _spoken_confinement(task))
