"""What is to be run: subjects x configurations x seeds x budgets, and each cell's identity.

A cell's key is a digest of all that determines its result: the program's content, the options, plug-ins, seed, budget,
what is measured afterwards, and the engine's own version and sources.  Names do not count: two configurations with the
same options share their cells, and a renamed subject keeps them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import cinquefoil
from cinquefoil.errors import CinquefoilError, UserError
from cinquefoil.experiment.configuration import Configuration
from cinquefoil.experiment.subject import Subject, content_of

# Folders whose code cannot change what a run finds.
_NO_MATTER = ("experiment", "report", "cli")
_BUT = ("cli/run_command.py",)
_SOURCES = ("*.py", "*.c", "*.h")


@dataclass(frozen=True, slots=True)
class Plan:
    """`steps` are measurements after the run: "gcov", "mutants", with options if need be.  Budgets are seconds;
    memory is bytes."""

    subjects: tuple[Subject, ...]
    configurations: tuple[Configuration, ...]
    seeds: tuple[int, ...] = (1, 2, 3)
    budgets: tuple[float, ...] = (10.0,)
    measure: str = "blocks"
    baseline: str = ""
    clock: str = "wall"
    memory: int = 2 << 30
    steps: tuple[str, ...] = ()
    preset: str = ""
    plugins: tuple[str, ...] = ()  # files

    def __post_init__(self) -> None:
        if not self.subjects:
            raise UserError("there is no program to compare on")
        if not self.configurations:
            raise UserError(
                "there is no configuration to compare; give some by -c, such as -c default -c sgs, or a --preset"
            )
        if self.baseline and self.baseline not in {each.name for each in self.configurations}:
            known = ", ".join(each.name for each in self.configurations)
            raise UserError(f"the baseline '{self.baseline}' is none of the configurations: {known}")

    @property
    def reference(self) -> str:
        """The baseline's name: the first configuration unless another was chosen."""
        return self.baseline or self.configurations[0].name

    def subject(self, name: str) -> Subject:
        return next(subject for subject in self.subjects if subject.name == name)


@dataclass(frozen=True, slots=True)
class Cell:
    """One run to be made.  `configuration` is never one of those that wait for others' results."""

    subject: Subject
    configuration: Configuration
    seed: int
    budget: float  # seconds, share taken into account
    clock: str
    memory: int
    steps: tuple[str, ...]
    key: str
    plugins: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        return f"{self.subject.name} {self.configuration.name} seed {self.seed} {self.budget:g} s"


@dataclass(slots=True)
class ProgramDigests:
    """Digests of programs, each made once; a program that cannot be read has its problem instead."""

    _known: dict[Subject, str] = field(default_factory=dict[Subject, str])
    problems: dict[Subject, str] = field(default_factory=dict[Subject, str])

    def of(self, subject: Subject) -> str:
        if subject not in self._known:
            try:
                self._known[subject] = content_of(subject) if not subject.problem else f"problem: {subject.problem}"
            except (CinquefoilError, OSError) as error:
                self.problems[subject] = str(error)
                self._known[subject] = f"problem: {error}"
        return self._known[subject]


def cells(plan: Plan, contents: ProgramDigests) -> Iterator[Cell]:
    """All cells that wait for no others, seed by seed: whoever stops early has whole rounds."""
    ready = [each for each in plan.configurations if not each.best_of]
    for budget in plan.budgets:
        for seed in plan.seeds:
            for subject in plan.subjects:
                for configuration in ready:
                    yield make_cell(plan, contents, subject, configuration, seed, budget)


def make_cell(
    plan: Plan, contents: ProgramDigests, subject: Subject, configuration: Configuration, seed: int, budget: float
) -> Cell:
    seconds = budget * configuration.share
    identity: dict[str, object] = {
        "program": contents.of(subject),
        "arguments": subject.arguments,
        "options": (*subject.options, *configuration.options),
        "seed": seed,
        "budget": seconds,
        "clock": plan.clock,
        "memory": plan.memory,
        "steps": plan.steps,
        "engine": engine_version(),
    }
    if plan.plugins:
        identity["plugins"] = [hashlib.sha256(Path(file).read_bytes()).hexdigest() for file in plan.plugins]
    key = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:24]
    return Cell(subject, configuration, seed, seconds, plan.clock, plan.memory, plan.steps, key, plan.plugins)


@cache
def engine_version() -> str:
    """The version, and a digest of the sources that take part in a run."""
    package = Path(cinquefoil.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(path for pattern in _SOURCES for path in package.rglob(pattern)):
        relative = path.relative_to(package)
        if relative.parts[0] not in _NO_MATTER or str(relative) in _BUT:
            digest.update(str(relative).encode() + b"\0" + path.read_bytes())
    return f"{cinquefoil.__version__}+{digest.hexdigest()[:12]}"


# ---- on disk ------------------------------------------------------------------------------------------------------


def to_json(plan: Plan) -> str:
    return json.dumps(asdict(plan), indent=1, default=str) + "\n"


def from_json(text: str) -> Plan:
    """`ValueError`, `KeyError` or `TypeError` if it is no plan."""
    content: Mapping[str, Any] = json.loads(text)
    subjects = tuple(_subject(each) for each in content["subjects"])
    configurations = tuple(Configuration(**_tuples(each)) for each in content["configurations"])
    rest = {name: value for name, value in content.items() if name not in ("subjects", "configurations")}
    return Plan(subjects, configurations, **_tuples(rest))


def _subject(row: Mapping[str, Any]) -> Subject:
    found = Subject(**_tuples(row))
    return replace(found, program=Path(found.program), native=Path(found.native) if found.native else None)


def _tuples(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(cast("list[Any]", value)) if isinstance(value, list) else value for name, value in row.items()}
