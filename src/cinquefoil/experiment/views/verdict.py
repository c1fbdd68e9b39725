"""Does the default beat every single strategy in total over the subjects?"""

from __future__ import annotations

from collections.abc import Iterator

from cinquefoil.experiment.comparison import Comparison
from cinquefoil.experiment.data_table import Table, mean_entry, number, percent
from cinquefoil.experiment.preset import Preset, View
from cinquefoil.experiment.samples import compare, deviation, geometric_mean, mean
from cinquefoil.experiment.standard_tables import totals, wins


def verdict(comparison: Comparison, budget: float, view: View, preset: Preset) -> Iterator[Table]:
    of = str(view.settings["of"])
    others = [name for name in comparison.configurations if name != of]
    sums, best = totals(comparison, budget), wins(comparison, budget)
    subjects = comparison.complete_subjects(budget)
    table = Table(
        f"{of} against every single strategy, {comparison.plan.measure} in total over {len(subjects)} subjects",
        ["strategy", "total", f"{of} is ahead by", "geometric mean", "p", "A12", "best on", f"{of} beats it"],
    )
    if not sums[of]:
        table.notes = ["There are no subjects on which all have results."]
        yield table
        return
    table.add(of, mean_entry(mean(sums[of]), deviation(sums[of])), "", "", "", "", number(best[of]), "")
    for name in sorted(others, key=lambda each: -mean(sums[each])):
        judged = compare(sums[of], sums[name])
        ratios = [_ratio(comparison, subject, of, name, budget) for subject in subjects]
        middle = mean_entry(mean(sums[name]), deviation(sums[name]))
        judgement = "yes" if judged.ratio > 1 else "NO"
        surely = judgement + (", significantly" if judged.verdict else "")
        figures = (percent(judged.ratio - 1), number(geometric_mean(ratios), 3), number(judged.p, 3))
        table.add(name, middle, *figures, number(judged.effect, 2), number(best[name]), surely)
    beaten = sum(mean(sums[of]) > mean(sums[name]) for name in others)
    table.notes = [f"{of} beats {beaten} of {len(others)} in total."]
    yield table


def _ratio(comparison: Comparison, subject: str, of: str, name: str, budget: float) -> float:
    base = mean(comparison.sample(subject, name, budget))
    return mean(comparison.sample(subject, of, budget)) / base if base else 1.0
