"""What it cost: memory and states at moments of a run, time for analysis and search, states held."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from cinquefoil.experiment.comparison import Comparison
from cinquefoil.experiment.data_table import Table, bytes_entry, number, percent
from cinquefoil.experiment.preset import Preset, View
from cinquefoil.experiment.result import Result
from cinquefoil.experiment.samples import geometric_mean, mean
from cinquefoil.experiment.series import at, average
from cinquefoil.experiment.views.coverage_views import chosen

_MOMENTS = (0.3, 0.7, 1.0)  # the papers' third, seventh and tenth hour


def moments(comparison: Comparison, budget: float, view: View, preset: Preset) -> Iterator[Table]:
    """A column of the time series at three moments (Empc, Tables 2 and 7), and by how much one configuration has less
    than the least of the others."""
    column, of = str(view.settings["column"]), str(view.settings["of"])
    names = chosen_others(view, comparison, of)
    apart = set(view.settings.get("apart", ()))
    theirs = view.settings.get("reduction", {})
    show = bytes_entry if column == "memory_bytes" else number
    header = ["subject", "at", "reduction", "paper", of, *names]
    table = Table(str(view.settings.get("title", f"{column} during the run")), header)
    for subject in comparison.subjects:
        for moment in _MOMENTS:
            values = {n: _value(comparison, subject, n, budget, column, moment) for n in (of, *names)}
            least = min((values[n] for n in names if n not in apart and values[n] > 0), default=math.nan)
            paper = float(theirs.get(subject, math.nan)) if moment == 1.0 else math.nan
            shown = (show(values[n]) for n in (of, *names))
            table.add(subject, f"{100 * moment:.0f} %", percent(1 - values[of] / least), percent(paper), *shown)
    table.notes = ["Reduction is against the least of the others" + (f", {', '.join(apart)} apart." if apart else ".")]
    table.notes.append(
        "Our states hold no program memory (a witness and an untaken branch), unlike the paper's engine's."
    )
    yield table


def chosen_others(view: View, comparison: Comparison, of: str) -> list[str]:
    return [name for name in view.settings.get("against", comparison.configurations) if name != of]


def _value(comparison: Comparison, subject: str, name: str, budget: float, column: str, moment: float) -> float:
    rows = comparison.rows(subject, name, budget)
    return mean([_at(row, column, moment * row.budget) for row in rows])


def _at(row: Result, column: str, second: float) -> float:
    if column == "states":  # open questions are states too
        return at(row, "states", second) + at(row, "open", second)
    return at(row, column, second)


def overhead(comparison: Comparison, budget: float, view: View, preset: Preset) -> Iterator[Table]:
    """Seconds before exploring and seconds spent choosing (Empc, Tables 3 and 4)."""
    names = chosen(view, comparison)
    theirs = list(dict.fromkeys(column for row in preset.figures.values() for column in row))
    header = ["subject", *(f"{name}: before" for name in names), *(f"{name}: search" for name in names)]
    header += [*(f"{name}: share" for name in names), *(f"paper: {column}" for column in theirs)]
    table = Table("Seconds before exploring, seconds choosing states, and their share of the run", header)
    for subject in comparison.subjects:
        rows = {name: comparison.rows(subject, name, budget) for name in names}
        paper = preset.figures.get(subject, {})
        table.add(
            subject,
            *(number(_mean(rows[name], before), 2) for name in names),
            *(number(_mean(rows[name], lambda row: row.get("phases.search")), 2) for name in names),
            *(percent(_mean(rows[name], _search_share)) for name in names),
            *(number(float(paper.get(column, math.nan)), 3) for column in theirs),
        )
    table.notes = [
        "Before: from the start of the process to the first run, the program compiled already; this holds "
        "the start of the interpreter, the program's loading and the strategy's analysis."
    ]
    yield table


def before(row: Result) -> float:
    """Seconds of the process outside its exploration."""
    return row.wall - row.get("seconds")


def _search_share(row: Result) -> float:
    return row.get("phases.search") / max(row.get("seconds"), 1e-9)


def _mean(rows: Sequence[Result], get: Callable[[Result], float]) -> float:
    return mean([get(row) for row in rows])


def states(comparison: Comparison, budget: float, view: View, preset: Preset) -> Iterator[Table]:
    """States held on average and at most (Homi, Figure 2)."""
    of, names = str(view.settings["of"]), chosen(view, comparison)
    against = [str(name) for name in view.settings["against"]]
    table = Table("States held: mean over time (peak)", ["subject", *names, "best without / with"])
    ratios: list[float] = []
    for subject in comparison.subjects:
        rows = {name: comparison.rows(subject, name, budget) for name in {*names, *against, of}}
        held = {name: _mean(found, lambda row: average(row, "states")) for name, found in rows.items()}
        best = comparison.best(subject, against, budget)
        ratio = held[best] / held[of] if best and held[of] > 0 else math.nan
        ratios += [ratio] if ratio == ratio else []
        peaks = {name: _mean(found, lambda row: row.get("states.peak")) for name, found in rows.items()}
        table.add(subject, *(f"{held[name]:.0f} ({peaks[name]:.0f})" for name in names), number(ratio, 2))
    table.add("geometric mean", *("" for _ in names), number(geometric_mean(ratios), 2))
    yield table
