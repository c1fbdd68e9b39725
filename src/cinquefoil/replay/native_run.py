"""Run one test natively: a fresh folder with its files, arguments, standard input, and the replay library's test."""

from __future__ import annotations

import os
import stat
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from cinquefoil.build.scratch import scratch_folder
from cinquefoil.errors import UserError
from cinquefoil.machine.environment import Environment
from cinquefoil.replay.block_report import NOTHING, TRACE_ROOM, BlockReport, make_report, read_report
from cinquefoil.replay.confinement import Confinement, best_confinement
from cinquefoil.replay.enclosure import (
    COUNTERS,
    OWN,
    REPORT,
    Descriptors,
    EnclosureContents,
    enter_folder,
    enter_namespaces,
    world_of,
)
from cinquefoil.replay.inputs import Inputs, inputs_of, write_files
from cinquefoil.replay.native_build import NativeProgram
from cinquefoil.replay.process import Finished, ProcessLimits, run_process
from cinquefoil.replay.steps import Directly, Steps
from cinquefoil.replay.written_files import gcov_counters
from cinquefoil.testcase.ktest import KTest


@dataclass(frozen=True, slots=True)
class NativeRun:
    """`end` is "exit", "signal", "time", or why the replay library stopped: "assume", "silent", "user", …"""

    end: str
    status: int  # of the exit, or minus the signal
    output: bytes
    report: BlockReport
    notes: tuple[str, ...]
    unlike: tuple[str, ...] = ()  # what was not as the test wants it


def run_natively(
    program: NativeProgram,
    test: KTest,
    environment: Environment,
    limits: ProcessLimits | None = None,
    traced: bool = True,
    confinement: Confinement | None = None,
) -> NativeRun:
    """Run a test on the build that reports its blocks, in the engine's world if the system allows it.  Unless it is
    `traced`, only which blocks it enters becomes known, not in which order."""
    room = TRACE_ROOM if traced else 0
    task = _Task(program.executable, test, environment, limits or ProcessLimits(), len(program.positions), room)
    return _run(task, confinement)


def run_binary(
    executable: Path,
    test: KTest,
    environment: Environment,
    limits: ProcessLimits | None = None,
    variables: Mapping[str, str] | None = None,
    tools: Mapping[str, Path] | None = None,
    counters: dict[str, bytes] | None = None,
    confinement: Confinement | None = None,
) -> NativeRun:
    """Run a test on any executable, with further environment variables; blocks stay unknown.  `tools` are files of
    the host that the program or its libraries need; variables speak of them as `{NAME}`, and of the folder for
    counters as `{counters}`.  What is there at the end is put into `counters`, and is there for the next run."""
    task = _Task(executable, test, environment, limits or ProcessLimits(), 0, 0, True, variables or {}, tools or {})
    return _run(replace(task, counters=counters), confinement)


@dataclass(frozen=True, slots=True)
class _Task:
    executable: Path
    test: KTest
    environment: Environment
    limits: ProcessLimits
    blocks: int  # that the executable reports
    room: int = TRACE_ROOM  # for their order
    hosted: bool = False  # built for the host's C library
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    tools: Mapping[str, Path] = field(default_factory=dict[str, Path])
    counters: dict[str, bytes] | None = None


@dataclass(frozen=True, slots=True)
class _Stage:
    """How a program runs: where from outside, what the replay's own folder and its files are called for it, and how
    its process gets there."""

    folder: Path
    own: str
    executable: Path
    tools: Mapping[str, str]
    enter: Steps
    passed: Sequence[int] = ()
    enclosed: bool = False


def _run(task: _Task, confinement: Confinement | None) -> NativeRun:
    chosen = confinement or best_confinement()
    inputs = inputs_of(task.test, task.environment)
    if not inputs.possible:
        return NativeRun("assume", 0, b"", NOTHING, ())
    own = {"test.ktest": task.test.encode(), "world": world_of(task.environment, inputs)}
    contents = EnclosureContents(task.executable, inputs, own, task.hosted, task.tools, task.counters)
    with _descriptors(task) as files:
        if chosen is Confinement.NAMESPACES:
            problems = write_files(inputs, Path(), by=Steps())  # only what cannot be made: `enter` makes the rest
            done = _perform(task, inputs, _enclosed(task, contents, files), files)
        else:
            done, problems = _run_in_folder(task, contents, files, chosen is Confinement.LANDLOCK)
        report = read_report(files.report, task.blocks, task.room)
        if task.counters is not None and files.archive is not None:
            task.counters.update(gcov_counters(files.archive))
    notes = (*problems, *_notes(report, done))
    return NativeRun(_end_of(done, report), done.status, done.output, report, notes, inputs.unlike)


@contextmanager
def _descriptors(task: _Task) -> Generator[Descriptors]:
    files = Descriptors(
        make_report(task.blocks, task.room), None if task.counters is None else os.memfd_create("counters")
    )
    try:
        yield files
    finally:
        for file in files.all():
            os.close(file)


def _enclosed(task: _Task, contents: EnclosureContents, files: Descriptors) -> _Stage:
    enter, namespaces = enter_namespaces(contents, files, task.limits.watched)
    own = f"/{OWN}"
    tools = {name: f"{own}/{name}" for name in (COUNTERS, *contents.tools)}
    return _Stage(Path("/"), own, Path(own) / "program", tools, enter, namespaces, True)


def _run_in_folder(
    task: _Task, contents: EnclosureContents, files: Descriptors, confined: bool
) -> tuple[Finished, Sequence[str]]:
    with scratch_folder("replay") as room:
        inner, own = room / "run", room / "own"
        for folder in (inner, own / COUNTERS):
            folder.mkdir(parents=True)
        problems = write_files(contents.inputs, inner, by=Directly())
        for each, content in contents.own.items():
            (own / each).write_bytes(content)
        for each, content in (contents.counters or {}).items():
            (own / COUNTERS / each).parent.mkdir(parents=True, exist_ok=True)
            (own / COUNTERS / each).write_bytes(content)
        enter = enter_folder(contents, files, task.limits.watched, own, confined)
        tools = {COUNTERS: str(own / COUNTERS), **{each: str(path) for each, path in contents.tools.items()}}
        stage = _Stage(inner, str(own), task.executable, tools, enter)
        return _perform(task, contents.inputs, stage, files), problems


def _perform(task: _Task, inputs: Inputs, stage: _Stage, files: Descriptors) -> Finished:
    steering = {
        "KTEST_FILE": f"{stage.own}/test.ktest",
        "KTEST_TAKEN": ":".join(inputs.taken),
        "CINQ_REPORT": str(REPORT),
    }
    if stage.enclosed:
        steering["CINQ_WORLD"] = f"{stage.own}/world"
    asked = {name: text.format_map(stage.tools) for name, text in task.variables.items()}
    try:
        return run_process(
            [task.environment.program, *inputs.arguments],
            stage.executable,
            folder=stage.folder,
            variables=_variables(task.environment) | steering | asked,
            stdin=inputs.stdin.data,
            stdin_file=inputs.stdin.type == stat.S_IFREG,
            stdout_file=stat.S_ISREG(inputs.stdout),
            limits=task.limits,
            enter=stage.enter,
            passed=[*files.all(), *stage.passed],
        )
    except OSError as error:
        if error.filename != str(stage.executable):
            raise
        hint = "a script, or a program for libraries that are not in the enclosure, needs --unconfined"
        raise UserError(f"{task.executable} cannot be started: {error.strerror}; {hint}") from error


def _variables(environment: Environment) -> dict[str, str]:
    pairs = (variable.partition("=") for variable in environment.variables)
    return {name: value for name, _, value in pairs}


def _end_of(done: Finished, report: BlockReport) -> str:
    if report.end:
        return report.end
    return "time" if done.timed_out else "exit" if done.status >= 0 else "signal"


def _notes(report: BlockReport, done: Finished) -> list[str]:
    notes = ["it was ended, since it used too much memory"] if done.over_memory else []
    if report.missing:
        notes.append(f"{report.missing} objects are not in the test: zero")
    if report.resized:
        notes.append(f"{report.resized} objects have another size in the test")
    return notes
