"""The multiplexing layer: which instance gets a query, and what their partial solutions were worth.

Queries are told apart by class (what occurs in them, how many bytes they have).  Per class and instance the
portfolio keeps what was spent, in counted work, and what came of it: queries decided, and branches that runs of
partial solutions covered first.  Instances are tried in the order of gain per work; one that brought nothing
so far is left out of most queries of that class, and asked again now and then.  All of it is counted, none of it
timed, so the same queries get the same treatment on every machine.

Risk: what a partial solution won depends on what was covered before it; early queries look better.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter_ns
from typing import Final

from cinquefoil.errors import UserError
from cinquefoil.solver.layer import Layer, LayerStatistics
from cinquefoil.solver.multiplex.arrays import ArraysInstance
from cinquefoil.solver.multiplex.attempt import Attempt, Instance
from cinquefoil.solver.multiplex.classes import Classes, Feature, QueryClass
from cinquefoil.solver.multiplex.descent import DescentInstance
from cinquefoil.solver.multiplex.linear import SimplexInstance
from cinquefoil.solver.multiplex.names import AUTO
from cinquefoil.solver.multiplex.screening import screened
from cinquefoil.solver.multiplex.sweep import SweepLayer
from cinquefoil.solver.problem import Problem, Verdict

_TRIALS: Final = 6
"""Queries of a class that an instance gets before it is judged."""
_AGAIN: Final = 32
"""An instance that brought nothing is asked again every so many queries."""


@dataclass(slots=True)
class Record:
    """What an instance did for one class of queries."""

    queries: int = 0
    work: int = 0
    decided: int = 0
    won: int = 0

    @property
    def gain(self) -> float:
        """Per unit of work; optimistic at first."""
        return (self.decided + 2 * self.won + 1) / (self.work + 1000)


@dataclass(slots=True)
class Ledger:
    """One instance's records, and its statistics over all classes."""

    instance: Instance
    statistics: LayerStatistics = field(default_factory=LayerStatistics)
    classes: dict[QueryClass, Record] = field(default_factory=dict)

    def record(self, kind: QueryClass) -> Record:
        return self.classes.setdefault(kind, Record())

    def wanted(self, kind: QueryClass, number: int) -> bool:
        """Whether it is worth asking at all."""
        known = self.record(kind)
        return known.queries < _TRIALS or bool(known.decided or known.won) or number % _AGAIN == 0


class MultiplexLayer(Layer):
    """Instances of MuSE in front of the SMT solver."""

    name = "multiplex"

    def __init__(self, instances: Sequence[Instance], below: Layer | None = None, floats_only: bool = False) -> None:
        super().__init__(below)
        self.floats_only = floats_only
        self.ledgers = {instance.name: Ledger(instance) for instance in instances}
        self._classes: Classes | None = None
        self._counts: dict[QueryClass, int] = {}
        self._last: dict[str, QueryClass] = {}

    def reset(self) -> None:
        self._classes = None
        for ledger in self.ledgers.values():
            ledger.instance.reset()

    def all_statistics(self) -> dict[str, LayerStatistics]:
        parts = {f"multiplex:{name}": ledger.statistics for name, ledger in self.ledgers.items()}
        return {self.name: self.statistics, **parts}

    def decide(self, problem: Problem) -> Verdict:
        classes = self._classes_of(problem)
        if self.floats_only and not classes.floats_up_to(int(problem.rows["node"].max(initial=0))):
            return Verdict.UNKNOWN
        kind = classes.of((c.node for c in problem.constraints), len(problem.inputs))
        if self.floats_only and Feature.FLOAT not in kind.features:
            return Verdict.UNKNOWN
        number = self._counts[kind] = self._counts.get(kind, -1) + 1
        for ledger in self._order(kind, number):
            verdict = self._ask(ledger, problem, kind)
            if verdict is not Verdict.UNKNOWN:
                return verdict
        return Verdict.UNKNOWN

    def credit(self, origin: str, branches: int) -> None:
        """A partial solution of an instance was run and covered this many branches and blocks first."""
        ledger = self.ledgers.get(origin)
        if ledger is None:
            return
        ledger.statistics.partial_runs += 1
        ledger.statistics.partial_won += branches
        ledger.record(self._last[origin]).won += branches > 0

    def _classes_of(self, problem: Problem) -> Classes:
        table = problem.slicer.table
        if self._classes is None or self._classes.table is not table:
            self._classes = Classes(table)
        return self._classes

    def _order(self, kind: QueryClass, number: int) -> list[Ledger]:
        fit = [ledger for name, ledger in self.ledgers.items() if _suits(name, kind.features)]
        wanted = [ledger for ledger in fit if ledger.wanted(kind, number)]
        return sorted(wanted, key=lambda ledger: -ledger.record(kind).gain)

    def _ask(self, ledger: Ledger, problem: Problem, kind: QueryClass) -> Verdict:
        start = perf_counter_ns()
        attempt = Attempt(problem, floats=Feature.FLOAT in kind.features)
        verdict = ledger.instance.attempt(attempt)
        if attempt.solution is not None:
            verdict = attempt.settle()
        ledger.statistics.count(verdict, perf_counter_ns() - start)
        ledger.statistics.partial += len(attempt.partial)
        known = ledger.record(kind)
        known.queries += 1
        known.work += attempt.work
        known.decided += verdict is not Verdict.UNKNOWN
        self._last[ledger.instance.name] = kind
        problem.cost += attempt.work
        fresh = screened(problem, attempt.partial)
        ledger.statistics.partial_fresh += len(fresh)
        problem.add_partial(fresh, ledger.instance.name)
        problem.core = attempt.core if verdict is Verdict.UNSAT else None
        return verdict


def _suits(name: str, features: Feature) -> bool:
    """What an instance has no idea of, it is not asked about."""
    if name == "simplex":
        return Feature.FLOAT not in features
    if name == "arrays":
        return Feature.FLOAT not in features and bool(features & (Feature.READ | Feature.CHOICE))
    return True


_INSTANCES: Final[dict[str, Callable[[int], Instance]]] = {
    "simplex": lambda seed: SimplexInstance(),
    "arrays": ArraysInstance,
    "descent": DescentInstance,
}


Factories = tuple[Callable[[Layer | None], Layer], ...]


def multiplexing(wanted: Sequence[str], seed: int) -> tuple[Factories, Factories]:
    """Layers for the top of a chain, and for the place before its SMT solver."""
    chosen = [name for name in wanted if name not in (AUTO, "sweep")]
    floats_only = not chosen and AUTO in wanted
    instances = make_instances(["descent"] if floats_only else chosen, seed)
    last: Factories = (lambda below: MultiplexLayer(instances, below, floats_only),) if instances else ()
    return (SweepLayer,) if "sweep" in wanted else (), last


def make_instances(wanted: Sequence[str], seed: int) -> list[Instance]:
    """Instances by name, each once, in a fixed order."""
    unknown = [name for name in wanted if name not in _INSTANCES]
    if unknown:
        raise UserError(f"there is no multiplexing solver {unknown[0]!r}; choose from {', '.join(_INSTANCES)}")
    return [make(seed) for name, make in _INSTANCES.items() if name in wanted]
