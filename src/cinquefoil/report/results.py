"""An output folder, read: summary.json, stats.csv, report.json and the tests.

Only summary.json must be there; without report.json (an older folder, a run that was killed) there is less to show.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from cinquefoil.errors import TestFileError, UserError
from cinquefoil.exploration.output.result_folder import DETAILS
from cinquefoil.report.reading import Record, number, read_record
from cinquefoil.testcase.files import read_regular, remove_partial
from cinquefoil.testcase.ktest import KTest

Series = list[tuple[float, float]]
_FORMAT: Final = 1
_MOST_ROWS: Final = 100_000


@dataclass(frozen=True, slots=True)
class TestInfo:
    """What is known of a test; `name` is its file within the folder."""

    number: int
    name: str
    why: str
    end: str
    seconds: float
    gained: int
    status: int | None = None  # of its exit


class Results:
    def __init__(self, folder: Path, summary: Record, details: Record, stats: list[dict[str, float]]) -> None:
        self.folder = folder
        self.summary = summary
        self.details = details
        self.stats = stats

    @cached_property
    def tests(self) -> list[TestInfo]:
        """Those that report.json lists, or else those that are there."""
        listed = [_test(record) for record in self.details.records("tests")]
        return listed or [TestInfo(n, name, "", "", 0.0, 0) for n, name in self._found()]

    def _found(self) -> list[tuple[int, str]]:
        paths = sorted((self.folder / "tests").glob("*.ktest"))
        return [(int(path.stem), f"tests/{path.name}") for path in paths if path.stem.isdecimal()]

    def read_test(self, name: str) -> KTest | str:
        """The test, or what is wrong with its file."""
        try:
            return KTest.read(self.folder / name)
        except TestFileError as error:
            return str(error)

    def pair(self, kind: str) -> tuple[int, int]:
        """Covered and total."""
        found = [int(number(item, f"coverage.{kind}")) for item in self.summary.record("coverage").items(kind)]
        return (found[0], found[1]) if len(found) == 2 else (0, 0)


def read_results(folder: Path) -> Results:
    """`UserError` if the folder holds no results or damaged ones."""
    if not folder.is_dir():
        raise UserError(f"{folder}: {'is no directory' if folder.exists() else 'no such directory'}")
    if not (folder / "summary.json").is_file():
        raise UserError(f"{folder} holds no results (summary.json)")
    remove_partial(folder)
    summary = read_record(folder / "summary.json")
    details = read_record(folder / DETAILS) if (folder / DETAILS).exists() else Record({}, DETAILS)
    if details.whole("format", _FORMAT) > _FORMAT:
        raise UserError(f"{folder / DETAILS} is of a newer version than this one understands")
    return Results(folder, summary, details, _stats(folder / "stats.csv"))


def _stats(path: Path) -> list[dict[str, float]]:
    """Lines that are not whole, as a kill may leave one, are skipped."""
    try:
        text = io.StringIO(read_regular(path).decode("utf-8", "replace"), newline="")
        rows = [row for row, _ in zip(csv.DictReader(text), range(_MOST_ROWS), strict=False)]
    except OSError:
        return []
    except csv.Error as error:
        raise UserError(f"{path} is damaged: {error}") from error
    return [found for row in rows if (found := _numbers(row))]


def _numbers(row: dict[str, str]) -> dict[str, float]:
    try:
        return {name: number(float(value), name) for name, value in row.items()}
    except (TypeError, ValueError, AttributeError, UserError):
        return {}


def _test(record: Record) -> TestInfo:
    count = record.whole("number")
    return TestInfo(
        count,
        f"tests/{count:06d}.ktest",
        record.text("why"),
        record.text("end"),
        record.number("seconds"),
        record.whole("gained"),
        record.whole("status") if record.has("status") else None,
    )
