"""The tests of a subject on a plain native build of what the engine explored: block by block the same?

The build has the engine's own bitcode and musl, but nothing of the tracing; gcc's, by which coverage is measured, has
another compiler and another libc, so that only its lines can be compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cinquefoil.build.libc import Progress
from cinquefoil.build.program import LinkedProgram, load_program
from cinquefoil.exploration.runs.coverage import Coverage
from cinquefoil.exploration.session.session import Task
from cinquefoil.machine.image import Image, build_image
from cinquefoil.machine.witness import run_with
from cinquefoil.machine.worker import Limits, Worker
from cinquefoil.replay.comparing import replay_test
from cinquefoil.replay.native_build import build_native
from cinquefoil.replay.replay_suite import read_suite
from cinquefoil.replay.time_allowance import TimeAllowance
from cinquefoil.testcase.ktest import KTest

SECONDS_PER_TEST = 10.0


@dataclass(frozen=True, slots=True)
class Diverging:
    test: str
    differences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """How many tests were compared, and those that do natively what the engine did not say."""

    tests: int
    diverging: tuple[Diverging, ...]


Named = tuple[str, KTest]  # a test and its name
Lines = Mapping[str, Mapping[int, int]]  # by file: was each line run?


def quietly(name: str, done: int, total: int) -> None:
    """Progress that nobody follows."""


def compare_natively(folder: Path, task: Task, step: Progress = quietly) -> tuple[Compared, Lines]:
    """Runs every test of a folder natively, and once more by the engine; also the lines that the engine ran."""
    tests = read_suite(folder).tests
    linked = load_program(task.program, task.flags)
    image = build_image(linked, blocks=True)
    coverage = Coverage(image.sites)
    compared = Compared(len(tests), tuple(_diverging(followed(tests, "natively", step), task, linked, image, coverage)))
    return compared, lines_of(coverage)


def followed(tests: Sequence[Named], how: str, step: Progress) -> Iterator[Named]:
    """The tests, each told of before it runs."""
    for done, each in enumerate(tests):
        step(f"tests {how}", done, len(tests))
        yield each


def lines_of(coverage: Coverage) -> Lines:
    """The program's own lines with code, by file."""
    files: dict[str, dict[int, int]] = {}
    for (file, line), run in coverage.lines().items():
        files.setdefault(file, {})[line] = int(run)
    return files


def _diverging(
    tests: Iterable[Named], task: Task, linked: LinkedProgram, image: Image, coverage: Coverage
) -> Iterator[Diverging]:
    native, environment = build_native(linked), task.environment()
    patience = TimeAllowance(SECONDS_PER_TEST)
    with Worker(image, environment, Limits(seconds=task.run_seconds)) as worker:
        for name, test in tests:
            predicted = run_with(worker, test.contents())
            coverage.add(predicted)
            with patience.limits() as limits:
                found = replay_test(native, test, environment, predicted, image, limits)
            if found.differences:
                yield Diverging(name, found.differences)
