"""The tables every comparison has: coverage, the test against the baseline, exclusive coverage, states and memory,
effort, errors, failures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from cinquefoil.experiment.comparison import Comparison
from cinquefoil.experiment.data_table import Table, TableEntry, bytes_entry, mean_entry, number, percent
from cinquefoil.experiment.result import Result
from cinquefoil.experiment.samples import compare, deviation, geometric_mean, mean
from cinquefoil.experiment.series import average

_TELLS = (
    "Marks (+ and -, or triangles): Mann-Whitney's test tells the sample from the baseline's (two-sided, p < 0.05)."
)


def standard(comparison: Comparison) -> Iterator[Table]:
    """All of them, budget by budget."""
    for budget in comparison.plan.budgets:
        yield coverage(comparison, budget)
        yield against_baseline(comparison, budget)
        yield exclusive(comparison, budget)
        yield resources(comparison, budget)
        yield effort(comparison, budget)
        if any(comparison.rows(s, c, budget) for s in comparison.subjects for c in comparison.configurations):
            yield errors(comparison, budget)
    if comparison.failures():
        yield failures(comparison)


def _at(comparison: Comparison, budget: float) -> str:
    plan = comparison.plan
    seeds = f"{len(plan.seeds)} seed{'s' if len(plan.seeds) > 1 else ''}"
    return f"{budget:g} s of {plan.clock} time, {seeds}"


def coverage(comparison: Comparison, budget: float) -> Table:
    """Mean and deviation by subject; totals over the subjects that all configurations have results on."""
    plan, names = comparison.plan, comparison.configurations
    table = Table(f"Covered {plan.measure} ({_at(comparison, budget)})", ["subject", "of", *names])
    for subject in comparison.subjects:
        samples = {name: comparison.sample(subject, name, budget) for name in names}
        table.add(subject, number(_total(comparison, subject, budget)), *_row(samples, plan.reference))
    whole = comparison.complete_subjects(budget)
    if len(whole) > 1:
        table.add(f"total of {len(whole)}", number(math.nan), *_row(totals(comparison, budget), plan.reference))
        table.add("best on", number(math.nan), *(number(count) for count in wins(comparison, budget).values()))
    table.notes = [f"The baseline is {plan.reference}.  {_TELLS}"]
    if len(whole) < len(comparison.subjects):
        table.notes.append("The total leaves out subjects on which a configuration has no result.")
    return table


def _row(samples: dict[str, list[float]], baseline: str) -> list[TableEntry]:
    means = {name: mean(sample) for name, sample in samples.items()}
    best = max((value for value in means.values() if value == value), default=math.nan)
    entries: list[TableEntry] = []
    for name, sample in samples.items():
        tone = "" if name == baseline else compare(sample, samples[baseline]).verdict
        entries.append(mean_entry(means[name], deviation(sample), means[name] == best, tone))
    return entries


def _total(comparison: Comparison, subject: str, budget: float) -> float:
    """How much there is to cover, which may depend on the configuration (melding): the most is told."""
    rows = [row for name in comparison.configurations for row in comparison.rows(subject, name, budget)]
    return max((row.total(comparison.plan.measure) for row in rows), default=math.nan)


def totals(comparison: Comparison, budget: float, names: Sequence[str] = ()) -> dict[str, list[float]]:
    """The sums over the subjects by configuration, seed by seed; seeds that miss a subject are left out."""
    chosen = list(names) or comparison.configurations
    subjects = comparison.complete_subjects(budget, chosen)
    return {name: list(_sums(comparison, subjects, name, budget)) for name in chosen}


def _sums(comparison: Comparison, subjects: Sequence[str], name: str, budget: float) -> Iterator[float]:
    for seed in comparison.plan.seeds:
        rows = [comparison.result(subject, name, seed, budget) for subject in subjects]
        values = [row.value(comparison.plan.measure) for row in rows if row is not None and row.ok]
        if subjects and len(values) == len(subjects):
            yield math.fsum(values)


def wins(comparison: Comparison, budget: float, names: Sequence[str] = ()) -> dict[str, int]:
    """On how many subjects each has the highest mean; all of equals count."""
    chosen = list(names) or comparison.configurations
    counts = dict.fromkeys(chosen, 0)
    chosen = comparison.active(budget, chosen)
    for subject in comparison.complete_subjects(budget, chosen):
        means = {name: mean(comparison.sample(subject, name, budget)) for name in chosen}
        for name, value in means.items():
            counts[name] += value == max(means.values())
    return counts


def against_baseline(comparison: Comparison, budget: float) -> Table:
    """Each configuration against the baseline: in total, and subject by subject."""
    plan = comparison.plan
    header = ["configuration", "total", "difference", "geometric mean", "p", "A12", "effect", "better", "worse", "even"]
    table = Table(f"{plan.measure} against {plan.reference} ({_at(comparison, budget)})", header)
    sums = totals(comparison, budget)
    for name in comparison.configurations:
        judged = compare(sums[name], sums[plan.reference])
        verdicts = Counter(_verdict(comparison, subject, name, budget) for subject in comparison.subjects)
        table.add(
            name,
            mean_entry(mean(sums[name]), deviation(sums[name])),
            percent(judged.ratio - 1),
            number(geometric_mean(list(_ratios(comparison, name, budget))), 3),
            number(judged.p, 3),
            number(judged.effect, 2),
            judged.size if sums[name] else "-",
            *(number(verdicts[verdict]) for verdict in ("better", "worse", "")),
        )
    table.notes = [
        "p and A12 are of the totals, one per seed; better, worse and even count subjects (p < 0.05).",
        "The geometric mean is of the subjects' ratios of means.",
    ]
    return table


def _verdict(comparison: Comparison, subject: str, name: str, budget: float) -> str:
    sample = comparison.sample(subject, name, budget)
    return compare(sample, comparison.sample(subject, comparison.plan.reference, budget)).verdict


def _ratios(comparison: Comparison, name: str, budget: float) -> Iterator[float]:
    for subject in comparison.complete_subjects(budget, [name, comparison.plan.reference]):
        base = mean(comparison.sample(subject, comparison.plan.reference, budget))
        if base:
            yield mean(comparison.sample(subject, name, budget)) / base


def exclusive(comparison: Comparison, budget: float, names: Sequence[str] = (), kind: str = "") -> Table:
    """What each covered and no other did in the same round (seed): the mean over the rounds."""
    chosen = list(names) or comparison.configurations
    kind = kind or ("lines" if "lines" in comparison.plan.measure else "branches")
    table = Table(f"Exclusively covered {kind} ({_at(comparison, budget)})", ["subject", *chosen])
    sums = dict.fromkeys(chosen, 0.0)
    for subject in comparison.subjects:
        means = exclusive_means(comparison, subject, chosen, budget, kind)
        best = max((value for value in means.values() if value == value), default=math.nan)
        table.add(subject, *(number(means[name], 1, strong=means[name] == best > 0) for name in chosen))
        for name in chosen:
            sums[name] += 0.0 if math.isnan(means[name]) else means[name]
    table.add("total", *(number(sums[name], 1, strong=sums[name] == max(sums.values()) > 0) for name in chosen))
    if kind != comparison.plan.measure:
        table.notes = [f"Counted in {kind}, which have the same names in all configurations."]
    return table


def exclusive_means(
    comparison: Comparison, subject: str, names: Sequence[str], budget: float, kind: str
) -> dict[str, float]:
    counts: dict[str, list[float]] = {name: [] for name in names}
    for seed in comparison.plan.seeds:
        rows = {name: comparison.result(subject, name, seed, budget) for name in names}
        known = {name: row.reached(kind) for name, row in rows.items() if row is not None and row.ok}
        times = Counter(point for points in known.values() for point in points)
        for name, points in known.items():
            counts[name].append(sum(times[point] == 1 for point in points))
    return {name: mean(values) for name, values in counts.items()}


def resources(comparison: Comparison, budget: float) -> Table:
    """States held and memory used, means over subjects and seeds."""
    header = ["configuration", "states held", "states peak", "states made", "pruned", "engine memory", "all memory"]
    table = Table(f"States and memory ({_at(comparison, budget)})", header)
    for name in comparison.configurations:
        rows = _all_rows(comparison, name, budget)
        table.add(
            name,
            _mean_of(rows, lambda row: average(row, "states")),
            _mean_of(rows, lambda row: row.get("states.peak")),
            _mean_of(rows, lambda row: row.get("states.created")),
            _mean_of(rows, lambda row: row.get("states.pruned")),
            bytes_entry(_mean(rows, lambda row: row.get("memory.peak_bytes"))),
            bytes_entry(_mean(rows, lambda row: float(row.memory))),
        )
    table.notes = [
        "States held is the mean over time.  Engine memory is the peak of the engine's process; all memory counts the "
        "program's process too."
    ]
    return table


def effort(comparison: Comparison, budget: float) -> Table:
    header = ["configuration", "runs", "paths", "tests", "queries", "SMT queries", "solver", "search", "exhausted"]
    table = Table(f"Effort per run ({_at(comparison, budget)})", header)
    for name in comparison.configurations:
        rows = _all_rows(comparison, name, budget)
        table.add(
            name,
            *(_mean_of(rows, _getter(path)) for path in ("machine.runs", "machine.paths", "tests", "solver.queries")),
            _mean_of(rows, smt_queries),
            percent(_mean(rows, lambda row: row.get("solver.seconds") / max(row.get("seconds"), 1e-9))),
            percent(_mean(rows, lambda row: row.get("phases.search") / max(row.get("seconds"), 1e-9))),
            f"{sum(bool(row.summary.get('exhausted')) for row in rows)} of {len(rows)}",
        )
    return table


def smt_queries(result: Result) -> float:
    """Queries that no cheaper layer answered."""
    return result.get("solver.layers.smt.queries")


def _getter(path: str) -> Callable[[Result], float]:
    if path == "machine.paths":
        return lambda row: row.get("paths.completed") + row.get("paths.error")
    return lambda row: row.get(path)


def _all_rows(comparison: Comparison, name: str, budget: float) -> list[Result]:
    return [row for subject in comparison.subjects for row in comparison.rows(subject, name, budget)]


def _mean(rows: Sequence[Result], get: Callable[[Result], float]) -> float:
    return mean([value for row in rows if not math.isnan(value := get(row))])


def _mean_of(rows: Sequence[Result], get: Callable[[Result], float]) -> TableEntry:
    return number(_mean(rows, get))


def errors(comparison: Comparison, budget: float) -> Table:
    """Distinct errors, all seeds together; in how many seeds each was found is in cells.csv."""
    names = comparison.configurations
    table = Table(f"Distinct errors found ({_at(comparison, budget)})", ["subject", *names, "all"])
    sums = [0] * (len(names) + 1)
    for subject in comparison.subjects:
        found = [_errors(comparison.rows(subject, name, budget)) for name in names]
        counts = [*map(len, found), len(frozenset[object]().union(*found))]
        if counts[-1]:
            table.add(subject, *(number(count) for count in counts))
        sums = [total + count for total, count in zip(sums, counts, strict=True)]
    table.add("total", *(number(count) for count in sums))
    table.notes = ["An error is told apart by its kind, file and line."]
    return table


def _errors(rows: Sequence[Result]) -> frozenset[tuple[str, str, int]]:
    return frozenset(error for row in rows for error in row.errors())


def failures(comparison: Comparison) -> Table:
    table = Table("Failed cells", ["subject", "configuration", "seeds", "why"])
    alike: dict[tuple[str, str, str], list[int]] = {}
    for each in comparison.failures():
        alike.setdefault((each.subject, each.configuration, each.message), []).append(each.seed)
    for (subject, configuration, message), seeds in alike.items():
        table.add(subject, configuration, ", ".join(map(str, seeds)), message)
    return table
