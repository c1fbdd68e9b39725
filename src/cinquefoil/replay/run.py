"""Run one test natively: a fresh folder with its files, arguments, standard input, and the replay library's test."""

from __future__ import annotations

import shutil
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from cinquefoil.machine.environment import Environment
from cinquefoil.replay import enclosure
from cinquefoil.replay.inputs import inodes_of, inputs_of, write_files
from cinquefoil.replay.native import NativeProgram
from cinquefoil.replay.process import Finished, ProcessLimits, run_process
from cinquefoil.replay.report import NOTHING, TRACE_ROOM, Report, prepare_report, read_report
from cinquefoil.replay.steps import Directly, Steps
from cinquefoil.testcase.ktest import KTest


@dataclass(frozen=True, slots=True)
class NativeRun:
    """`end` is "exit", "signal", "time", or why the replay library stopped: "assume", "silent", "user", …"""

    end: str
    status: int  # of the exit, or minus the signal
    output: bytes
    report: Report
    notes: tuple[str, ...]
    unlike: tuple[str, ...] = ()  # what was not as the test wants it


def run_natively(
    program: NativeProgram,
    test: KTest,
    environment: Environment,
    limits: ProcessLimits | None = None,
    traced: bool = True,
) -> NativeRun:
    """Run a test on the build that reports its blocks, in the engine's world if the system allows it.  Unless it is
    `traced`, only which blocks it enters becomes known, not in which order."""
    room = TRACE_ROOM if traced else 0
    task = _Task(program.executable, test, environment, limits or ProcessLimits(), len(program.places), room)
    return _run_enclosed(task) if enclosure.available() else _run_plainly(task)


def run_binary(
    executable: Path,
    test: KTest,
    environment: Environment,
    limits: ProcessLimits | None = None,
    variables: Mapping[str, str] | None = None,
) -> NativeRun:
    """Run a test on any executable, with further environment variables; blocks stay unknown."""
    return _run_plainly(_Task(executable, test, environment, limits or ProcessLimits(), 0, variables=variables or {}))


def run_enclosed(
    executable: Path,
    test: KTest,
    environment: Environment,
    limits: ProcessLimits,
    variables: Mapping[str, str],
    bound: Mapping[Path, str],
) -> NativeRun:
    """As `run_binary`, in the engine's world if the system allows it.  `bound` are files and folders of the host that
    the program or its libraries need; `variables` speak of them as `{KEY}`, KEY being the name given."""
    task = _Task(executable, test, environment, limits, 0)
    if not enclosure.available():
        places = {name: str(path) for path, name in bound.items()}
        return _run_plainly(replace(task, variables=_filled(variables, places)))
    places = {name: f"/{enclosure.OWN}/{name}" for name in bound.values()}
    own = tuple((path, f"{enclosure.OWN}/{name}") for path, name in bound.items())
    return _run_enclosed(replace(task, variables=_filled(variables, places)), (*enclosure.libraries(), *own))


def _filled(variables: Mapping[str, str], places: Mapping[str, str]) -> dict[str, str]:
    return {name: text.format_map(places) for name, text in variables.items()}


@dataclass(frozen=True, slots=True)
class _Task:
    executable: Path
    test: KTest
    environment: Environment
    limits: ProcessLimits
    blocks: int  # that the executable reports
    room: int = TRACE_ROOM  # for their order
    variables: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class _Stage:
    """Where a program runs: its working directory and the replay's own folder, from outside; the latter as the program
    sees it; the executable as it sees it; and how its process gets there."""

    place: Path
    folder: Path
    seen: str
    executable: Path
    enter: Steps | None = None


def _run_plainly(task: _Task) -> NativeRun:
    with tempfile.TemporaryDirectory(prefix="cinq-replay-", ignore_cleanup_errors=True) as name:
        place = Path(name) / "run"
        place.mkdir()
        return _run(task, _Stage(place, Path(name), name, task.executable))


def _run_enclosed(task: _Task, bound: tuple[tuple[Path, str], ...] = ()) -> NativeRun:
    with tempfile.TemporaryDirectory(prefix="cinq-replay-", ignore_cleanup_errors=True) as name:
        program = (task.executable.resolve(), f"{enclosure.OWN}/program")
        inputs = inputs_of(task.test, task.environment)
        world = enclosure.Enclosure(
            Path(name).resolve(),
            (*bound, program),
            lambda place, steps: write_files(inputs, place, reverse=True, by=steps),
        )
        world.prepare(inodes_of(task.environment), (inputs.stdin.mode, inputs.stdout, 0))
        seen = f"/{enclosure.OWN}"
        named = replace(task, variables={**task.variables, "CINQ_WORLD": f"{seen}/world"})
        return _run(named, _Stage(world.home, world.own, seen, Path(seen) / "program", world.enter()))


def _run(task: _Task, stage: _Stage) -> NativeRun:
    inputs = inputs_of(task.test, task.environment)
    if not inputs.possible:
        return NativeRun("assume", 0, b"", NOTHING, ())
    enclosed = stage.enter is not None
    problems = write_files(inputs, stage.place, by=Steps() if enclosed else Directly())  # there, `enter` makes them
    task.test.write(stage.folder / "test.ktest")
    prepare_report(stage.folder / "report", task.blocks, task.room)
    steering = {"KTEST_FILE": f"{stage.seen}/test.ktest", "KTEST_TAKEN": ":".join(inputs.taken)}
    done = run_process(
        [task.environment.program, *inputs.arguments],
        stage.executable,
        folder=stage.place,
        variables=_variables(task.environment)
        | steering
        | {"CINQ_REPORT": f"{stage.seen}/report"}
        | dict(task.variables),
        stdin=inputs.stdin.data,
        stdin_file=inputs.stdin.type == stat.S_IFREG,
        stdout_file=stat.S_ISREG(inputs.stdout),
        limits=task.limits,
        enter=stage.enter,
    )
    report = read_report(stage.folder / "report", task.blocks, task.room)
    if not enclosed:
        _make_removable(stage.place)
    notes = (*problems, *_notes(report))
    return NativeRun(_end_of(done, report), done.status, done.output, report, notes, inputs.unlike)


def _variables(environment: Environment) -> dict[str, str]:
    pairs = (variable.partition("=") for variable in environment.variables)
    return {name: value for name, _, value in pairs}


def _make_removable(folder: Path) -> None:
    """The program may have taken its own folders' rights away."""
    for path in (folder, *folder.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)


def _end_of(done: Finished, report: Report) -> str:
    if report.end:
        return report.end
    return "time" if done.timed_out else "exit" if done.status >= 0 else "signal"


def _notes(report: Report) -> list[str]:
    notes: list[str] = []
    if report.missing:
        notes.append(f"{report.missing} objects are not in the test: zero")
    if report.resized:
        notes.append(f"{report.resized} objects have another size in the test")
    return notes
