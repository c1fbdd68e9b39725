"""What is drawn of a comparison: coverage, states and memory over time, subject by subject."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cinquefoil.experiment.comparison import Comparison
from cinquefoil.experiment.plot import ChartLine, line_chart
from cinquefoil.experiment.result import Result
from cinquefoil.experiment.series import Band, band

_DRAWN = ("blocks", "branches", "lines")


def column_of(measure: str) -> str:
    """The time series that stands for a measure: what is only counted afterwards has none of its own."""
    found = measure.removeprefix("gcov-")
    return found if found in _DRAWN else "blocks"


def over_time(comparison: Comparison, budget: float, column: str, names: Sequence[str] = ()) -> Iterator[str]:
    """One chart per subject."""
    for subject in comparison.subjects:
        lines = [
            _line(name, comparison.configurations.index(name), found)
            for name in names or comparison.configurations
            if (found := _band(comparison, subject, name, budget, column)) is not None
        ]
        chart = line_chart(subject, lines, "seconds", column.replace("memory_bytes", "bytes"))
        if chart:
            yield chart


def _band(comparison: Comparison, subject: str, name: str, budget: float, column: str) -> Band | None:
    """A smaller share of the budget is drawn to its own end."""
    rows: list[Result] = comparison.rows(subject, name, budget)
    return band(rows, column, rows[0].budget) if rows else None


def _line(name: str, style: int, found: Band) -> ChartLine:
    return ChartLine(name, style, found.times, found.middle, found.low, found.high)
