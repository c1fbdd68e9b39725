"""Run one test natively: a fresh folder with its files, arguments, standard input, and the replay library's test."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from cinquefoil.machine.environment import Environment
from cinquefoil.replay.inputs import Inputs, inputs_of, write_files
from cinquefoil.replay.native import NativeProgram
from cinquefoil.replay.process import Finished, ProcessLimits, run_process
from cinquefoil.replay.report import NOTHING, Report, prepare_report, read_report
from cinquefoil.testcase.ktest import KTest


@dataclass(frozen=True, slots=True)
class NativeRun:
    """`end` is "exit", "signal", "time", or why the replay library stopped: "assume", "silent", "user", …"""

    end: str
    status: int
    output: bytes
    report: Report
    notes: tuple[str, ...]


def run_natively(
    program: NativeProgram, test: KTest, environment: Environment, limits: ProcessLimits | None = None
) -> NativeRun:
    """Run a test in a fresh folder."""
    inputs = inputs_of(test, environment)
    if not inputs.possible:
        return NativeRun("assume", 0, b"", NOTHING, ())
    with tempfile.TemporaryDirectory(prefix="cinq-replay-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        place, report = folder / "run", folder / "report"
        place.mkdir()
        outside = write_files(inputs, place)
        test.write(folder / "test.ktest")
        prepare_report(report, len(program.places))
        variables = variables_of(environment, inputs, folder / "test.ktest") | {"CINQ_REPORT": str(report)}
        done = run_process(
            [environment.program, *inputs.arguments],
            program.executable,
            folder=place,
            variables=variables,
            stdin=inputs.stdin,
            limits=limits or ProcessLimits(),
        )
        found = read_report(report, len(program.places))
        _make_removable(place)
    return NativeRun(_end_of(done, found), done.status, done.output, found, tuple(_notes(found, outside)))


def variables_of(environment: Environment, inputs: Inputs, test: Path) -> dict[str, str]:
    """The environment's variables, and those that steer the replay library."""
    pairs = (variable.partition("=") for variable in environment.variables)
    taken = ":".join(inputs.taken)
    return {name: value for name, _, value in pairs} | {"KTEST_FILE": str(test), "KTEST_TAKEN": taken}


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


def _notes(report: Report, outside: list[str]) -> list[str]:
    notes = [f"file {name} is outside the replay's folder and was not made" for name in outside]
    if report.missing:
        notes.append(f"{report.missing} objects are not in the test: zero")
    if report.resized:
        notes.append(f"{report.resized} objects have another size in the test")
    return notes
