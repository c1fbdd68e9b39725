"""Programs explored to the end: time, queries, their size, paths (CFMSE, Tables 2 and 3)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from cinquefoil.experiment.comparison import Comparison
from cinquefoil.experiment.data_table import Table, TableEntry, number, plain
from cinquefoil.experiment.preset import Preset, View
from cinquefoil.experiment.result import Result
from cinquefoil.experiment.samples import median
from cinquefoil.experiment.standard_tables import smt_queries
from cinquefoil.experiment.views.coverage_views import chosen


def exhaust(comparison: Comparison, budget: float, view: View, preset: Preset) -> Iterator[Table]:
    """One table per quantity, ours and the paper's; what did not end in time is out of time (OOT)."""
    names = chosen(view, comparison)
    quantities: list[tuple[str, Callable[[Result], float]]] = [
        ("Time (s)", lambda row: row.get("seconds")),
        ("Queries that reached the SMT solver", smt_queries),
        ("Mean query size", lambda row: row.get("solver.mean_size")),
        ("Explored paths", lambda row: row.get("paths.completed") + row.get("paths.error")),
    ]
    for title, get in quantities:
        columns = _columns(preset, title)
        table = Table(f"{title}, median of {len(comparison.plan.seeds)} seeds", ["subject", *names, *_titled(columns)])
        for subject in comparison.subjects:
            rows = [comparison.rows(subject, name, budget) for name in names]
            paper = preset.figures.get(subject, {})
            ours = [_entry(found, get, timed=title.startswith("Time")) for found in rows]
            table.add(subject, *ours, *(_theirs(paper.get(column)) for column in columns))
        table.notes = [f"OOT: not exhausted within {budget:g} s; other quantities are then what was reached."]
        yield table


def _columns(preset: Preset, title: str) -> list[str]:
    """The paper's columns of a quantity: those that begin with its first word."""
    known = dict.fromkeys(column for row in preset.figures.values() for column in row)
    return [column for column in known if column.split()[0].lower() == title.split()[0].lower()]


def _titled(columns: Sequence[str]) -> list[str]:
    return [f"paper: {column.partition(' ')[2]}" for column in columns]


def _theirs(value: float | str | None) -> TableEntry:
    if value is None:
        return number(math.nan)
    return plain(value) if isinstance(value, str) else number(float(value), None)


def _entry(rows: Sequence[Result], get: Callable[[Result], float], timed: bool) -> TableEntry:
    if not rows:
        return number(math.nan)
    late = sum(not row.summary.get("exhausted") for row in rows) * 2 > len(rows)
    if timed and late:
        return TableEntry("OOT", "OOT")
    return number(median([get(row) for row in rows]), 2 if timed else None)
