"""What was found: bug reports by strategy, bugs one by one, mutants killed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from cinquefoil.experiment.comparison import Comparison
from cinquefoil.experiment.data_table import Table, TableEntry, number, percent
from cinquefoil.experiment.preset import Preset, View
from cinquefoil.experiment.result import Result
from cinquefoil.experiment.samples import mean
from cinquefoil.experiment.views.coverage_views import chosen

_NO_BUGS = ("unsupported",)


def bugs(comparison: Comparison, budget: float, view: View, preset: Preset) -> Iterator[Table]:
    """Kinds of errors and errors by strategy (SGS, Table 6), all seeds together; only subjects with any."""
    names = chosen(view, comparison)
    table = Table("Error kinds, errors", ["subject", *names])
    for subject in comparison.subjects:
        found = {name: _errors(comparison.rows(subject, name, budget)) for name in names}
        most = max(map(len, found.values()))
        if most:
            table.add(subject, *(_pair(found[name], most) for name in names))
    table.notes = ["Each entry is the number of kinds and the number of errors told apart by kind, file and line."]
    yield table


def _pair(errors: frozenset[tuple[str, str, int]], most: int) -> TableEntry:
    kinds = len({kind for kind, _, _ in errors})
    return TableEntry(f"{kinds}, {len(errors)}" if errors else "", len(errors), len(errors) == most)


def _errors(rows: Sequence[Result]) -> frozenset[tuple[str, str, int]]:
    return frozenset(error for row in rows for error in row.errors() if error[0] not in _NO_BUGS)


def matrix(comparison: Comparison, budget: float, view: View, preset: Preset) -> Iterator[Table]:
    """Every error, and in how many seeds each strategy found it (Homi, Table 4)."""
    names = chosen(view, comparison)
    table = Table("Errors, and the number of seeds that found them", ["error", "subject", *names])
    for subject in comparison.subjects:
        rows = {name: comparison.rows(subject, name, budget) for name in names}
        every = sorted(_errors([row for found in rows.values() for row in found]))
        for error in every:
            kind, file, line = error
            counts = (sum(error in row.errors() for row in rows[name]) for name in names)
            table.add(f"{kind} at {file}:{line}", subject, *(number(count) for count in counts))
    if not table.rows:
        table.notes = ["No errors were found."]
    yield table


def mutation(comparison: Comparison, budget: float, view: View, preset: Preset) -> Iterator[Table]:
    """Mutants killed (SGS, Table 7); a united suite kills what any of its parts kills."""
    names = chosen(view, comparison)
    united: Sequence[str] = view.settings.get("unite", ())
    columns = [*names, *(["united"] if united else [])]
    kills = {name: _kills(comparison, [name], budget) for name in names}
    if united:
        kills["united"] = _kills(comparison, united, budget)
    subjects = [s for s in comparison.subjects if all(s in kills[name] for name in columns)]
    theirs = view.settings.get("paper", {})
    header = ["strategy", "average kill rate", "killed", "mutants", "best on", "paper: rate", "paper: killed"]
    table = Table(f"Mutation testing, {len(subjects)} subjects", [*header, "paper: best on"])
    for name in columns:
        rates = [kills[name][subject][0] / max(kills[name][subject][1], 1) for subject in subjects]
        best = sum(kills[name][s][0] == max(kills[other][s][0] for other in columns) for s in subjects)
        sums = [math.fsum(kills[name][subject][part] for subject in subjects) for part in (0, 1)]
        paper = [float(value) for value in theirs.get(name, (math.nan,) * 3)]
        ours = (percent(mean(rates)), number(sums[0], 1), number(sums[1]), number(best))
        table.add(name, *ours, percent(paper[0]), number(paper[1]), number(paper[2]))
    table.notes = [
        "Killed is the mean over the seeds.  Ours are mutants of the IR, sampled; the paper's of the source."
    ]
    yield table


def _kills(comparison: Comparison, names: Sequence[str], budget: float) -> dict[str, tuple[float, int]]:
    """For each subject, the mutants killed by these configurations together, on average over the seeds, and all
    mutants."""
    found: dict[str, tuple[float, int]] = {}
    for subject in comparison.subjects:
        counts: list[float] = []
        size = 0
        for seed in comparison.plan.seeds:
            rows = [comparison.result(subject, name, seed, budget) for name in names]
            data = [row.measured.get("mutants", {}) for row in rows if row is not None and row.ok]
            if len(data) == len(names) and all("dead" in each for each in data):
                counts.append(len(frozenset(number for each in data for number in each["dead"])))
                size = max(size, *(int(each["killed"][1]) for each in data))
        if counts:
            found[subject] = (mean(counts), size)
    return found
