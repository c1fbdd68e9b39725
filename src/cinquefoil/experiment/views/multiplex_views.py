"""MuSE's tables: what is covered beyond the first path, coverage in per cent, time to equal coverage, partial
solutions per call."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from cinquefoil.experiment.comparison import Comparison
from cinquefoil.experiment.comparison_charts import column_of
from cinquefoil.experiment.data_table import Table, TableEntry, number, percent
from cinquefoil.experiment.preset import Preset, View
from cinquefoil.experiment.result import Result
from cinquefoil.experiment.samples import geometric_mean, mean, median
from cinquefoil.experiment.series import time_to
from cinquefoil.experiment.views.coverage_views import chosen


def new_coverage(comparison: Comparison, budget: float, view: View, preset: Preset) -> Iterator[Table]:
    """Tests, and blocks covered after the first path (Tables 5 and 7, where instructions are counted)."""
    names = chosen(view, comparison)
    columns = list(dict.fromkeys(column for row in preset.figures.values() for column in row))
    header = ["subject", *(f"{name} {what}" for name in names for what in ("paths", "new"))]
    table = Table("Paths, and new blocks after the first path", [*header, *(f"paper: {c}" for c in columns)])
    sums: dict[str, list[float]] = {name: [] for name in names}
    for subject in comparison.subjects:
        entries: list[TableEntry] = []
        for name in names:
            rows = comparison.rows(subject, name, budget)
            gained = mean([_gained(row) for row in rows])
            sums[name] += [gained] if gained == gained else []
            entries += [number(mean([_paths(row) for row in rows]), 0), number(gained, 1)]
        paper = preset.figures.get(subject, {})
        table.add(subject, *entries, *(number(float(paper.get(column, math.nan))) for column in columns))
    table.add("average", *(e for name in names for e in (number(math.nan), number(mean(sums[name]), 1))))
    table.rows[-1] += [number(math.nan)] * len(columns)
    table.notes = [
        "The paper counts new LLVM or bytecode instructions, and the tests its engine ran; we count new "
        "basic blocks, and paths."
    ]
    yield table


def _paths(row: Result) -> float:
    return row.get("paths.completed") + row.get("paths.error")


def _gained(row: Result) -> float:
    first = row.series.get("blocks", [])
    return row.value("blocks") - first[0] if first else math.nan


def percentages(comparison: Comparison, budget: float, view: View, preset: Preset) -> Iterator[Table]:
    """Coverage in per cent (Table 6)."""
    names, measure = chosen(view, comparison), comparison.plan.measure
    columns = list(dict.fromkeys(column for row in preset.figures.values() for column in row))
    table = Table(f"Coverage in {measure}", ["subject", *names, *(f"paper: {column}" for column in columns)])
    sums: dict[str, list[float]] = {name: [] for name in names}
    for subject in comparison.subjects:
        shares = {n: mean([_share(row, measure) for row in comparison.rows(subject, n, budget)]) for n in names}
        best = max((value for value in shares.values() if value == value), default=math.nan)
        for name in names:
            sums[name] += [shares[name]] if shares[name] == shares[name] else []
        paper = preset.figures.get(subject, {})
        theirs = (percent(float(paper.get(column, math.nan)) / 100) for column in columns)
        table.add(subject, *(percent(shares[name], shares[name] == best) for name in names), *theirs)
    table.add("average", *(percent(mean(sums[name])) for name in names), *(number(math.nan) for _ in columns))
    table.notes = ["The paper counts LLVM instructions."]
    yield table


def _share(row: Result, measure: str) -> float:
    return row.value(measure) / max(row.total(measure), 1)


def speed_up(comparison: Comparison, budget: float, view: View, preset: Preset) -> Iterator[Table]:
    """How much sooner one configuration has covered what another covers in the end (Figures 5 to 7)."""
    column = column_of(comparison.plan.measure)
    pairs: Sequence[Sequence[str]] = view.settings["pairs"]
    header = ["subject", *(f"{a} / {b}" for a, b in pairs)]
    table = Table(f"Time to equal coverage ({column}): how many times sooner", header)
    ratios: dict[int, list[float]] = {n: [] for n in range(len(pairs))}
    for subject in comparison.subjects:
        entries: list[TableEntry] = []
        for n, (name, other) in enumerate(pairs):
            found = _sooner(comparison.rows(subject, name, budget), comparison.rows(subject, other, budget), column)
            ratios[n] += [found] if math.isfinite(found) and found > 0 else []
            entries.append(TableEntry("never", 0.0) if found == 0 else number(found, 2))
        table.add(subject, *entries)
    table.add("geometric mean", *(number(geometric_mean(ratios[n]), 2) for n in ratios))
    never = [sum(row[n + 1].text == "never" for row in table.rows[:-1]) for n in ratios]
    table.add("never", *(number(count) for count in never))
    table.notes = [
        "The goal is the mean of what the second covers in the end; times are medians over the seeds.  never: the "
        "first did not get there; such subjects are not in the mean.  Times below a tenth of a second count as that."
    ]
    table.notes += [str(note) for note in view.settings.get("notes", ())]
    yield table


def _sooner(rows: Sequence[Result], others: Sequence[Result], column: str) -> float:
    if not rows or not others:
        return math.nan
    goal = math.floor(mean([row.value(column) for row in others]))
    first, second = (median([time_to(row, column, goal) for row in each]) for each in (rows, others))
    if math.isinf(first):
        return 0.0
    return math.nan if math.isinf(second) else max(second, 0.1) / max(first, 0.1)


def partial_solutions(comparison: Comparison, budget: float, view: View, preset: Preset) -> Iterator[Table]:
    """Partial solutions that were run, per solver call (Figure 8)."""
    names = chosen(view, comparison)
    table = Table("Partial solutions: per solver call (in all)", ["subject", *names])
    for subject in comparison.subjects:
        rows = [comparison.rows(subject, name, budget) for name in names]
        table.add(subject, *(_per_call(found) for found in rows))
    yield table


def _per_call(rows: Sequence[Result]) -> TableEntry:
    found = mean([row.get("multiplex.runs") for row in rows])
    calls = mean([row.get("solver.queries") for row in rows])
    if math.isnan(found) or not calls:
        return number(math.nan)
    return TableEntry(f"{found / calls:.3f} ({found:.0f})", found / calls)
