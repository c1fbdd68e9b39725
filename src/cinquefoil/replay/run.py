"""Run one test natively: a fresh folder with its files, arguments, standard input, and the replay library's test."""

from __future__ import annotations

import shutil
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cinquefoil.machine.environment import Environment
from cinquefoil.replay.inputs import inputs_of, write_files
from cinquefoil.replay.native import NativeProgram
from cinquefoil.replay.process import Finished, ProcessLimits, run_process
from cinquefoil.replay.report import NOTHING, Report, prepare_report, read_report
from cinquefoil.testcase.ktest import KTest


@dataclass(frozen=True, slots=True)
class NativeRun:
    """`end` is "exit", "signal", "time", or why the replay library stopped: "assume", "silent", "user", …"""

    end: str
    status: int  # of the exit, or minus the signal
    output: bytes
    report: Report
    notes: tuple[str, ...]
    failing: tuple[str, ...] = ()  # system calls that the test lets fail, and that did not fail here


def run_natively(
    program: NativeProgram, test: KTest, environment: Environment, limits: ProcessLimits | None = None
) -> NativeRun:
    """Run a test on the build that reports its blocks."""
    return _run(program.executable, len(program.places), test, environment, limits or ProcessLimits(), {})


def run_binary(
    executable: Path,
    test: KTest,
    environment: Environment,
    limits: ProcessLimits | None = None,
    variables: Mapping[str, str] | None = None,
) -> NativeRun:
    """Run a test on any executable, with further environment variables; blocks stay unknown."""
    return _run(executable, 0, test, environment, limits or ProcessLimits(), variables or {})


def _run(
    executable: Path,
    blocks: int,
    test: KTest,
    environment: Environment,
    limits: ProcessLimits,
    more: Mapping[str, str],
) -> NativeRun:
    inputs = inputs_of(test, environment)
    if not inputs.possible:
        return NativeRun("assume", 0, b"", NOTHING, ())
    with tempfile.TemporaryDirectory(prefix="cinq-replay-", ignore_cleanup_errors=True) as name:
        folder, place = Path(name), Path(name) / "run"
        place.mkdir()
        problems = write_files(inputs, place)
        test.write(folder / "test.ktest")
        prepare_report(folder / "report", blocks)
        steering = {"KTEST_FILE": f"{folder}/test.ktest", "KTEST_TAKEN": ":".join(inputs.taken)}
        done = run_process(
            [environment.program, *inputs.arguments],
            executable,
            folder=place,
            variables=_variables(environment) | steering | {"CINQ_REPORT": f"{folder}/report"} | dict(more),
            stdin=inputs.stdin.data,
            stdin_file=inputs.stdin.type == stat.S_IFREG,
            limits=limits,
        )
        report = read_report(folder / "report", blocks)
        _make_removable(place)
    notes = (*problems, *_notes(report))
    return NativeRun(_end_of(done, report), done.status, done.output, report, notes, inputs.failing)


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
