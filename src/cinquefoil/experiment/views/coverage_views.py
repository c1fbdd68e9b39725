"""How much was covered: beside the paper's figures, in total, as a distribution, exclusively."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from cinquefoil.experiment.comparison import Comparison
from cinquefoil.experiment.data_table import Table, TableEntry, mean_entry, number, percent
from cinquefoil.experiment.preset import Preset, View
from cinquefoil.experiment.result import union
from cinquefoil.experiment.samples import compare, deviation, mean
from cinquefoil.experiment.standard_tables import exclusive, exclusive_means, totals, wins

_BINS = ((0.9, "90-100 %"), (0.8, "80-90 %"), (0.7, "70-80 %"), (0.6, "60-70 %"), (-math.inf, "below 60 %"))


def chosen(view: View, comparison: Comparison) -> list[str]:
    """The configurations a view shows: all, unless it names some."""
    named = view.settings.get("of", ())
    return list(named) if named and not isinstance(named, str) else comparison.configurations


def beside(comparison: Comparison, budget: float, view: View, preset: Preset) -> Iterator[Table]:
    """Our means next to what the paper reports."""
    names = chosen(view, comparison)
    columns = list(dict.fromkeys(column for row in preset.figures.values() for column in row))
    title = view.settings.get("title", f"Covered {comparison.plan.measure}, and the paper's figures")
    table = Table(title, ["subject", *names, *(f"paper: {column}" for column in columns)])
    for subject in comparison.subjects:
        samples = [comparison.sample(subject, name, budget) for name in names]
        best = max((mean(sample) for sample in samples if sample), default=math.nan)
        ours = [mean_entry(mean(each), deviation(each), mean(each) == best) for each in samples]
        theirs = preset.figures.get(subject, {})
        table.add(subject, *ours, *(number(float(theirs.get(column, math.nan))) for column in columns))
    yield table


def gain(comparison: Comparison, budget: float, view: View, preset: Preset) -> Iterator[Table]:
    """One configuration against the best other one, in total and on each subject."""
    name = str(view.settings["of"])
    others = [each for each in view.settings.get("against", comparison.configurations) if each != name]
    sums = totals(comparison, budget, [name, *others])
    if not sums[name]:
        return
    best = max(others, key=lambda each: mean(sums[each]) if sums[each] else -math.inf)
    judged = compare(sums[name], sums[best])
    table = Table(f"{name} against the best other strategy in total", ["", "ours", "paper"])
    paper = view.settings.get("paper", {})
    table.add(f"{name}, total", number(mean(sums[name]), 1), number(float(paper.get("total", math.nan))))
    table.add(f"best other ({best})", number(mean(sums[best]), 1), number(float(paper.get("other", math.nan))))
    table.add("difference", percent(judged.ratio - 1), percent(float(paper.get("gain", math.nan))))
    table.add("p", number(judged.p, 3), "-")
    count = wins(comparison, budget, [name, *others])[name]
    whole = len(comparison.complete_subjects(budget, [name, *others]))
    table.add("best on", f"{count} of {whole}", str(paper.get("best", "-")))
    yield table


def distribution(comparison: Comparison, budget: float, view: View, preset: Preset) -> Iterator[Table]:
    """How many subjects are covered how far (SGS, Tables 4 and 5), with a column for united tests if wanted."""
    names = chosen(view, comparison)
    united: Sequence[str] = view.settings.get("unite", ())
    columns = [*names, *(["united"] if united else [])]
    subjects = comparison.complete_subjects(budget, names)
    rates = {name: [_rate(comparison, subject, [name], budget) for subject in subjects] for name in names}
    if united:
        rates["united"] = [_rate(comparison, subject, united, budget) for subject in subjects]
    title = str(view.settings.get("title", "Subjects by line coverage"))
    table = Table(f"{title}, {len(subjects)} subjects", ["covered", *columns])
    for entries in _binned(rates, columns):
        table.add(*entries)
    table.add("average", *(percent(mean(rates[name])) for name in columns))
    table.add("best on", *(number(_best_count(rates, name)) for name in columns))
    table.notes = [str(note) for note in view.settings.get("notes", ())]
    yield table


def _binned(rates: dict[str, list[float]], columns: Sequence[str]) -> Iterator[list[TableEntry | str]]:
    above = math.inf
    for least, label in _BINS:
        yield [label, *(number(sum(least <= rate < above for rate in rates[name])) for name in columns)]
        above = least


def _best_count(rates: dict[str, list[float]], name: str) -> int:
    rounds = list(zip(*rates.values(), strict=True))
    return sum(rates[name][n] == max(round_) for n, round_ in enumerate(rounds))


def _rate(comparison: Comparison, subject: str, names: Sequence[str], budget: float) -> float:
    """The share of lines that these configurations cover together, seed by seed, on average."""
    shares: list[float] = []
    for seed in comparison.plan.seeds:
        found = [comparison.result(subject, name, seed, budget) for name in names]
        rows = [row for row in found if row is not None and row.ok]
        if len(rows) == len(names):
            covered = len(union(rows, "lines")) if len(rows) > 1 else rows[0].value("lines")
            shares.append(covered / max(rows[0].total("lines"), 1))
    return mean(shares)


def exclusive_table(comparison: Comparison, budget: float, view: View, preset: Preset) -> Iterator[Table]:
    """Branches that only one of the named configurations covers (Homi, Table 3)."""
    table = exclusive(comparison, budget, chosen(view, comparison), "branches")
    table.title = str(view.settings.get("title", table.title))
    yield table


_RANKS = ("best", "2nd", "3rd", "4th", "5th")


def ranked(comparison: Comparison, budget: float, view: View, preset: Preset) -> Iterator[Table]:
    """Branches covered exclusively by one configuration and by the others in the order of their coverage on each
    subject (Homi, Table 3)."""
    of, others = str(view.settings["of"]), [str(name) for name in view.settings["against"]]
    columns = list(dict.fromkeys(column for row in preset.figures.values() for column in row))
    header = ["subject", of, *_RANKS, "the best is", *(f"paper: {column}" for column in columns)]
    table = Table(f"Branches covered exclusively: {of} and the top {len(_RANKS)} of the others", header)
    sums = [0.0] * (len(_RANKS) + 1)
    for subject in comparison.subjects:
        order = sorted(others, key=lambda name: -_mean_or_less(comparison.sample(subject, name, budget)))
        names = [of, *order[: len(_RANKS)]]
        means = exclusive_means(comparison, subject, names, budget, "branches")
        ours = [means[name] for name in names] + [math.nan] * (len(_RANKS) + 1 - len(names))
        sums = [total + (0 if math.isnan(value) else value) for total, value in zip(sums, ours, strict=True)]
        paper = preset.figures.get(subject, {})
        theirs = (number(float(paper.get(column, math.nan))) for column in columns)
        table.add(subject, *(number(value, 1) for value in ours), order[0], *theirs)
    table.add("total", *(number(value, 1) for value in sums), "", *_summed(preset, comparison.subjects, columns))
    yield table


def _summed(preset: Preset, subjects: Sequence[str], columns: Sequence[str]) -> Iterator[TableEntry]:
    """The paper's totals over the subjects that we have."""
    known = [preset.figures[subject] for subject in subjects if subject in preset.figures]
    for column in columns:
        yield number(math.fsum(float(row.get(column, 0)) for row in known))


def _mean_or_less(sample: Sequence[float]) -> float:
    return mean(sample) if sample else -math.inf
