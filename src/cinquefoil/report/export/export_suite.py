"""What every export starts from: the results, all tests that can be read, and which of them end in errors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cinquefoil.errors import UserError
from cinquefoil.machine.environment import Environment, parse_arguments
from cinquefoil.report.failures import error_records, test_number
from cinquefoil.report.reading import Record
from cinquefoil.report.results import Results, TestInfo, read_results
from cinquefoil.testcase.ktest import KTest


@dataclass(frozen=True, slots=True)
class Exported:
    """`files` are what was written, `notes` what could not be or should be known."""

    files: tuple[Path, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Suite:
    """`errors` are the error records by the number of their test; `broken` says which tests cannot be read."""

    results: Results
    tests: tuple[tuple[TestInfo, KTest], ...]
    errors: dict[int, Record]
    broken: tuple[str, ...]

    @property
    def program(self) -> str:
        return self.results.details.record("command").text("program") or self.results.summary.text("program")

    def environment(self, test: KTest) -> Environment:
        """The environment that the test was made with, without the user's files."""
        variables = self.results.details.record("command").texts("variables")
        return parse_arguments(test.args[1:], Path(self.program).stem or "program").with_variables(variables)


def read_suite(folder: Path) -> Suite:
    results = read_results(folder)
    found, broken = list(_tests(results)), list(_broken(results))
    errors = {test_number(record): record for record in error_records(results)}
    return Suite(results, tuple(found), errors, tuple(broken))


def _tests(results: Results) -> Iterator[tuple[TestInfo, KTest]]:
    for info in results.tests:
        test = results.read_test(info.name)
        if isinstance(test, KTest):
            yield info, test


def _broken(results: Results) -> Iterator[str]:
    for info in results.tests:
        test = results.read_test(info.name)
        if isinstance(test, str):
            yield f"left out: {test}"


def fresh_folder(output: Path) -> Path:
    """The folder to write to: made if need be, and never one with something in it."""
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise UserError(f"{output} exists and is not an empty folder; choose another with -o")
    output.mkdir(parents=True, exist_ok=True)
    return output


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content)
    return path
