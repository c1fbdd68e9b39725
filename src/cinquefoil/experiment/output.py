"""What a comparison leaves: text for the terminal, CSV for other tools, one page for people, as HTML and Markdown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from cinquefoil.experiment.comparison import Comparison
from cinquefoil.experiment.comparison_page import page
from cinquefoil.experiment.data_table import Table, as_csv, as_markdown, as_text, number
from cinquefoil.experiment.result import MEASURES
from cinquefoil.experiment.samples import compare, deviation, mean, median
from cinquefoil.experiment.series import average
from cinquefoil.experiment.store import ResultStore
from cinquefoil.exploration.output.result_folder import write_atomically

_FIGURES = ("paths.completed", "paths.error", "tests", "machine.runs", "solver.queries", "solver.seconds")


def as_texts(tables: Sequence[Table]) -> str:
    return "\n\n".join(as_text(table) for table in tables)


def write(
    store: ResultStore, title: str, comparison: Comparison, tables: Sequence[Table], notes: Sequence[str] = ()
) -> None:
    """cells.csv (one row per run), summary.csv (one per subject and configuration), one CSV per table, index.html and
    index.md."""
    files = {"cells.csv": as_csv(cells_table(comparison)), "summary.csv": as_csv(summary_table(comparison))}
    files |= {f"{name}.csv": as_csv(table) for name, table in zip(_names(tables), tables, strict=True)}
    files |= {"index.html": page(title, comparison, tables, notes)}
    files |= {"index.md": "\n\n".join([f"# {title}", *notes, *map(as_markdown, tables)]) + "\n"}
    for name, content in files.items():
        write_atomically(store.folder / name, content.encode())


def _names(tables: Sequence[Table]) -> list[str]:
    """Files' names; a second table of the same name (another budget) is numbered."""
    seen: Counter[str] = Counter()
    names: list[str] = []
    for name in (slug(table.title) for table in tables):
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return names


def slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", re.sub(r"\(.*\)", "", title).lower()).strip("-")


def cells_table(comparison: Comparison) -> Table:
    header = ["subject", "configuration", "seed", "budget", "status", "message", "seconds", "wall", *MEASURES]
    header += [*_FIGURES, "errors", "states_mean", "states_peak", "memory_engine", "memory_all", "key"]
    table = Table("cells", header)
    for budget in comparison.plan.budgets:
        for subject in comparison.subjects:
            for name in comparison.configurations:
                _add_cells(table, comparison, subject, name, budget)
    return table


def _add_cells(table: Table, comparison: Comparison, subject: str, name: str, budget: float) -> None:
    for seed in comparison.plan.seeds:
        row = comparison.result(subject, name, seed, budget)
        if row is not None:
            # Names are the plan's: a cell may be shared by two configurations.
            head = (subject, name, number(seed), number(budget), row.status, row.message)
            figures = (row.get("seconds"), row.wall, *(row.value(measure) for measure in MEASURES))
            more = (*(row.get(path) for path in _FIGURES), float(len(row.errors())), average(row, "states"))
            last = (row.get("states.peak"), row.get("memory.peak_bytes"), float(row.memory))
            table.add(*head, *map(number, (*figures, *more, *last)), row.key)


def summary_table(comparison: Comparison) -> Table:
    header = ["subject", "configuration", "budget", "measure", "runs", "mean", "deviation", "median", "least", "most"]
    table = Table("summary", [*header, "p", "a12"])
    for budget in comparison.plan.budgets:
        for subject in comparison.subjects:
            base = comparison.sample(subject, comparison.plan.reference, budget)
            for name in comparison.configurations:
                sample = comparison.sample(subject, name, budget)
                judged = compare(sample, base)
                middle = (mean(sample), deviation(sample), median(sample))
                ends = (min(sample, default=float("nan")), max(sample, default=float("nan")))
                head = (subject, name, number(budget), comparison.plan.measure, number(len(sample)))
                table.add(*head, *map(number, (*middle, *ends, judged.p, judged.effect)))
    return table
