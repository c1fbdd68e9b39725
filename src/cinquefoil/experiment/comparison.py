"""A plan with its results: who reached what, by subject, configuration, seed and budget.

Configurations that build on the best of others (Homi is applied to each program's best heuristic) are settled once
those others have run: a second round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from cinquefoil.experiment.configuration import Configuration
from cinquefoil.experiment.plan import Cell, Plan, ProgramDigests, cells, make_cell
from cinquefoil.experiment.result import Result
from cinquefoil.experiment.samples import mean
from cinquefoil.experiment.schedule import Scheduler
from cinquefoil.experiment.subject import Subject


@dataclass(slots=True)
class Comparison:
    plan: Plan
    contents: ProgramDigests = field(default_factory=ProgramDigests)
    results: dict[str, Result] = field(default_factory=dict[str, Result])
    _keys: dict[tuple[str, str, int, float], str] = field(default_factory=dict[tuple[str, str, int, float], str])

    # ---- looking up ------------------------------------------------------------------------------------------------

    @property
    def subjects(self) -> list[str]:
        return [subject.name for subject in self.plan.subjects]

    @property
    def configurations(self) -> list[str]:
        return [each.name for each in self.plan.configurations]

    def result(self, subject: str, configuration: str, seed: int, budget: float) -> Result | None:
        wanted = (subject, configuration, seed, budget)
        if wanted not in self._keys:
            settled = self.settled(subject, configuration, budget)
            if settled is None:
                return None
            cell = make_cell(self.plan, self.contents, self.plan.subject(subject), settled, seed, budget)
            self._keys[wanted] = cell.key
        return self.results.get(self._keys[wanted])

    def rows(self, subject: str, configuration: str, budget: float) -> list[Result]:
        """The successful results, by seed."""
        found = (self.result(subject, configuration, seed, budget) for seed in self.plan.seeds)
        return [each for each in found if each is not None and each.ok]

    def sample(self, subject: str, configuration: str, budget: float, measure: str = "") -> list[float]:
        values = (row.value(measure or self.plan.measure) for row in self.rows(subject, configuration, budget))
        return [value for value in values if value == value]

    def complete_subjects(self, budget: float, names: Sequence[str] = ()) -> list[str]:
        """Subjects on which each configuration that has any results has one: only these may be summed up."""
        wanted = self.active(budget, names)
        return [s for s in self.subjects if all(self.sample(s, name, budget) for name in wanted)]

    def active(self, budget: float, names: Sequence[str] = ()) -> list[str]:
        """Configurations that did not fail on every subject."""
        return [n for n in names or self.configurations if any(self.sample(s, n, budget) for s in self.subjects)]

    def settled(self, subject: str, configuration: str, budget: float) -> Configuration | None:
        """The configuration as it runs on a subject; None if it waits for results that are missing."""
        found = next(each for each in self.plan.configurations if each.name == configuration)
        if not found.best_of:
            return found
        best = self.best(subject, found.best_of, budget)
        if best is None:
            return None
        chosen = self.settled(subject, best, budget)
        return None if chosen is None else replace(found, options=(*chosen.options, *found.options), best_of=())

    def best(self, subject: str, names: Sequence[str], budget: float) -> str | None:
        """The one with the highest mean; the first of equals."""
        means = {name: mean(sample) for name in names if (sample := self.sample(subject, name, budget))}
        return max(means, key=lambda name: means[name]) if means else None

    def failures(self) -> list[Result]:
        return sorted(
            (each for each in self.results.values() if not each.ok),
            key=lambda each: (each.subject, each.configuration, each.seed),
        )

    # ---- running ---------------------------------------------------------------------------------------------------

    def cells(self) -> list[Cell]:
        """All cells that can be named now."""
        return [*cells(self.plan, self.contents), *self.later_cells()]

    def later_cells(self) -> Iterator[Cell]:
        """Cells of configurations that had to wait."""
        for configuration in (each for each in self.plan.configurations if each.best_of):
            for budget in self.plan.budgets:
                for seed in self.plan.seeds:
                    yield from self._later(configuration, seed, budget, self.plan.subjects)

    def _later(
        self, configuration: Configuration, seed: int, budget: float, subjects: Iterable[Subject]
    ) -> Iterator[Cell]:
        for subject in subjects:
            settled = self.settled(subject.name, configuration.name, budget)
            if settled is not None:
                yield make_cell(self.plan, self.contents, subject, settled, seed, budget)

    def run(self, scheduler: Scheduler) -> None:
        """Completes what is missing."""
        self._find_problems()
        first = list(cells(self.plan, self.contents))
        scheduler.prepare(first)
        self._take(scheduler.run(first))
        self._take(scheduler.run(list(self.later_cells())))

    def load(self, scheduler: Scheduler) -> None:
        """Takes what is done, runs nothing."""
        self._take(scheduler.finished(list(cells(self.plan, self.contents))))
        self._take(scheduler.finished(list(self.later_cells())))

    def _take(self, results: dict[str, Result]) -> None:
        self.results |= results
        self._keys.clear()  # which configuration is the best may have changed

    def _find_problems(self) -> None:
        """Programs that cannot be read will fail at once, cell by cell, with the reason."""
        for subject in self.plan.subjects:
            self.contents.of(subject)
        known = self.contents.problems
        subjects = tuple(replace(each, problem=each.problem or known.get(each, "")) for each in self.plan.subjects)
        self.plan = replace(self.plan, subjects=subjects)
