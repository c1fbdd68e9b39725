"""Time series of several seeds as one: mean and band on a common grid.

A series is a step function: between two reports the last one holds.  After a run's end its last value holds, since
what was covered stays covered (a run that ends early because nothing is left loses nothing by that)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from cinquefoil.experiment.result import Result
from cinquefoil.experiment.samples import deviation, mean

POINTS = 61


@dataclass(frozen=True, slots=True)
class Band:
    """Values by time; `low` and `high` are one standard deviation away, within what was seen."""

    times: tuple[float, ...]
    middle: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


def at(result: Result, column: str, second: float) -> float:
    """A series' value at a time; before the first report, that one's."""
    times, values = result.series.get("seconds", []), result.series.get(column, [])
    if not values:
        return float("nan")
    return values[max(0, bisect_right(times, second) - 1)]


def band(results: Sequence[Result], column: str, budget: float, points: int = POINTS) -> Band | None:
    """None if there is nothing to draw."""
    known = [each for each in results if each.series.get(column)]
    if not known:
        return None
    times = tuple(budget * n / (points - 1) for n in range(points))
    values = [[at(each, column, second) for each in known] for second in times]
    middle = tuple(mean(row) for row in values)
    spread = [deviation(row) for row in values]
    low = tuple(max(min(row), m - d) for row, m, d in zip(values, middle, spread, strict=True))
    high = tuple(min(max(row), m + d) for row, m, d in zip(values, middle, spread, strict=True))
    return Band(times, middle, low, high)


def average(result: Result, column: str) -> float:
    """A series' mean over time, each value weighed by how long it held."""
    times, values = result.series.get("seconds", []), result.series.get(column, [])
    if len(values) < 2 or times[-1] <= times[0]:
        return values[-1] if values else float("nan")
    held = sum(value * (after - before) for value, before, after in zip(values, times, times[1:], strict=False))
    return held / (times[-1] - times[0])


def time_to(result: Result, column: str, goal: float) -> float:
    """The first second at which a series is at the goal or above; infinite if it never is."""
    times, values = result.series.get("seconds", []), result.series.get(column, [])
    return next((second for second, value in zip(times, values, strict=False) if value >= goal), float("inf"))
