"""The multiplexing layer: which instance gets a query, and what their partial solutions were worth.

Queries are told apart by class (what occurs in them, how many bytes they have).  Per class and instance the
portfolio keeps what was spent, in counted work, and what came of it: queries decided, and branches that runs of
partial solutions covered first.  Instances are tried in the order of gain per work.  One that brought less than the
SMT solver would have for the same work is left out of most queries of that class, and asked again now and then; with
floating point, which costs that solver a multiple, only one that brought nothing.  All of it is counted, none of it
timed, so the same queries get the same treatment on every machine.

The SMT solver comes last, and is part of the bargain: where it rarely decides a class within its time (long paths of
floating point, above all), most queries of that class stay open without it.  The explorer asks open questions
again with more time once nothing else is left, and then they do go to it.

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
from cinquefoil.solver.multiplex.classes import Classes, NodeFeature, QueryClass
from cinquefoil.solver.multiplex.descent import DescentInstance
from cinquefoil.solver.multiplex.linear import SimplexInstance
from cinquefoil.solver.multiplex.names import AUTO
from cinquefoil.solver.multiplex.screening import screened
from cinquefoil.solver.multiplex.sweep import SweepLayer
from cinquefoil.solver.problem import Problem, Verdict

_TRIALS: Final = 6
"""Queries of a class after which an instance must have brought something."""
_PRICE: Final = 60_000
"""Work that a query without floating point costs the SMT solver: about seven milliseconds (parsers of
benchmarks/multiplex.py).  An instance is worth its work as long as it costs less per gain."""
_AGAIN: Final = 32
"""An instance that brought nothing is asked again every so many queries."""
_SMT_TRIALS: Final = 3
"""Queries of a class that the SMT solver gets before it is judged; none of those with deep floating point, of which it
decides next to nothing in its time (benchmarks/multiplex.py)."""
_SMT_SUCCESS: Final = 6
"""It is asked if it decides one query of the class in so many."""
_SMT_AGAIN: Final = 8
"""If it does not: every so many queries."""


@dataclass(slots=True)
class InstanceRecord:
    """What an instance did for one class of queries."""

    work: int = 0
    useful: int = 0  # runs of its partial solutions that covered something first
    statistics: LayerStatistics = field(default_factory=LayerStatistics)

    @property
    def decided(self) -> int:
        return self.statistics.sat + self.statistics.unsat

    @property
    def gain(self) -> float:
        """Per unit of work; optimistic at first."""
        return (self.decided + 2 * self.useful + 1) / (self.work + 1000)

    def pays(self, floats: bool) -> bool:
        """Whether it brought anything, and more than the SMT solver would have."""
        gains = self.decided + 2 * self.useful
        if not gains and self.statistics.queries >= _TRIALS:
            return False
        return floats or (gains + 1) * _PRICE >= self.work


@dataclass(slots=True)
class InstanceLedger:
    """One instance's records, and its statistics over all classes."""

    instance: Instance
    statistics: LayerStatistics = field(default_factory=LayerStatistics)
    classes: dict[QueryClass, InstanceRecord] = field(default_factory=dict[QueryClass, InstanceRecord])

    def record(self, kind: QueryClass) -> InstanceRecord:
        return self.classes.setdefault(kind, InstanceRecord())

    def both(self, kind: QueryClass) -> tuple[LayerStatistics, LayerStatistics]:
        """What is counted over all classes, and for this one."""
        return self.statistics, self.record(kind).statistics

    def wanted(self, kind: QueryClass, number: int) -> bool:
        """Whether it is worth asking at all."""
        return self.record(kind).pays(NodeFeature.FLOAT in kind.features) or number % _AGAIN == 0


class MultiplexLayer(Layer):
    """Instances of MuSE in front of the SMT solver."""

    name = "multiplex"

    def __init__(
        self,
        instances: Sequence[Instance],
        below: Layer | None = None,
        floats_only: bool = False,
        time_limit: float = 0.0,
    ) -> None:
        super().__init__(below)
        self.floats_only = floats_only
        self.time_limit = time_limit  # queries that may take longer always go to the SMT solver
        self._smt = LayerStatistics()
        self._smt_by_class: dict[QueryClass, LayerStatistics] = {}
        self._kind: QueryClass | None = None  # of the query at hand; None if it is none of ours
        self.ledgers = {instance.name: InstanceLedger(instance) for instance in instances}
        self._classes: Classes | None = None
        self._counts: dict[QueryClass, int] = {}
        self._last: dict[str, QueryClass] = {}
        self._asked = 0  # when the SMT solver was

    def reset(self) -> None:
        self._classes = None
        for ledger in self.ledgers.values():
            ledger.instance.reset()

    def all_statistics(self) -> dict[str, LayerStatistics]:
        parts = {f"multiplex:{name}": ledger.statistics for name, ledger in self.ledgers.items()}
        classes = {
            f"multiplex:{name}/{kind}": record.statistics
            for name, ledger in self.ledgers.items()
            for kind, record in ledger.classes.items()
        }
        below = {f"multiplex:smt/{kind}": counts for kind, counts in self._smt_by_class.items()}
        return {self.name: self.statistics, **parts, "multiplex:smt": self._smt, **classes, **below}

    def decide(self, problem: Problem) -> Verdict:
        self._kind = None
        classes = self._classes_of(problem)
        if self.floats_only and not classes.floats_up_to(int(problem.rows["node"].max(initial=0))):
            return Verdict.UNKNOWN
        kind = classes.of((c.node for c in problem.constraints), len(problem.inputs))
        if self.floats_only and NodeFeature.FLOAT not in kind.features:
            return Verdict.UNKNOWN
        self._kind = kind
        number = self._counts[kind] = self._counts.get(kind, -1) + 1
        for ledger in self._order(kind, number):
            verdict = self._ask(ledger, problem, kind)
            if verdict is not Verdict.UNKNOWN:
                return verdict
        return Verdict.UNKNOWN

    def passes_on(self, problem: Problem) -> bool:
        if self._kind is None:
            return True
        known = self._smt_by_class.setdefault(self._kind, LayerStatistics())
        wanted = self._has_time(problem) or self._smt_is_worth_it(self._kind, known)
        for counts in (known, self._smt):
            counts.left_out += not wanted
        self._asked = perf_counter_ns()
        return wanted

    def _patient(self, problem: Problem, kind: QueryClass) -> bool:
        """Long attempts pay where the SMT solver does not: most of those that fail are about contradictions."""
        known = self._smt_by_class.get(kind, LayerStatistics())
        return self._has_time(problem) or not self._smt_is_worth_it(kind, known)

    def _has_time(self, problem: Problem) -> bool:
        """More than questions have at first."""
        seconds = problem.query.seconds
        return self.time_limit <= 0 or (seconds is not None and seconds > self.time_limit)

    def _smt_is_worth_it(self, kind: QueryClass, known: LayerStatistics) -> bool:
        trials = 0 if NodeFeature.DEEP in kind.features else _SMT_TRIALS
        decided = known.sat + known.unsat
        if known.queries < trials or (decided and _SMT_SUCCESS * decided >= known.queries):
            return True
        return self._counts[kind] % _SMT_AGAIN == _SMT_AGAIN - 1

    def learn(self, problem: Problem, verdict: Verdict) -> None:
        took = perf_counter_ns() - self._asked
        if self._kind is not None:
            for counts in (self._smt_by_class[self._kind], self._smt):
                counts.count(verdict, took)

    def credit(self, origin: str, branches: int) -> None:
        """A partial solution of an instance was run and covered this many branches and blocks first."""
        ledger = self.ledgers.get(origin)
        if ledger is None:
            return
        kind = self._last[origin]
        for statistics in ledger.both(kind):
            statistics.partial_runs += 1
            statistics.partial_won += branches
        ledger.record(kind).useful += branches > 0

    def _classes_of(self, problem: Problem) -> Classes:
        table = problem.slicer.table
        if self._classes is None or self._classes.table is not table:
            self._classes = Classes(table)
        return self._classes

    def _order(self, kind: QueryClass, number: int) -> list[InstanceLedger]:
        fit = [ledger for name, ledger in self.ledgers.items() if _suits(name, kind.features)]
        wanted = [ledger for ledger in fit if ledger.wanted(kind, number)]
        wanted.sort(key=lambda ledger: -ledger.record(kind).gain)
        for ledger in fit:
            for statistics in ledger.both(kind):
                statistics.first += ledger is wanted[0] if wanted else 0
                statistics.left_out += ledger not in wanted
        return wanted

    def _ask(self, ledger: InstanceLedger, problem: Problem, kind: QueryClass) -> Verdict:
        start = perf_counter_ns()
        attempt = Attempt(problem, floats=NodeFeature.FLOAT in kind.features, patient=self._patient(problem, kind))
        verdict = ledger.instance.attempt(attempt)
        if attempt.solution is not None:
            verdict = attempt.settle()
        ledger.record(kind).work += attempt.work
        self._last[ledger.instance.name] = kind
        problem.cost += attempt.work
        fresh = screened(problem, attempt.partial)
        took = perf_counter_ns() - start
        for statistics in ledger.both(kind):
            statistics.count(verdict, took)
            statistics.partial += len(attempt.partial)
            statistics.partial_fresh += len(fresh)
        problem.add_partial(fresh, ledger.instance.name)
        problem.core = attempt.core if verdict is Verdict.UNSAT else None
        return verdict


def _suits(name: str, features: NodeFeature) -> bool:
    """What an instance has no idea of, it is not asked about."""
    if name == "simplex":
        return NodeFeature.FLOAT not in features
    if name == "arrays":
        return NodeFeature.FLOAT not in features and bool(features & (NodeFeature.READ | NodeFeature.CHOICE))
    return True


_INSTANCES: Final[dict[str, Callable[[int], Instance]]] = {
    "simplex": lambda seed: SimplexInstance(),
    "arrays": ArraysInstance,
    "descent": DescentInstance,
}


Factories = tuple[Callable[[Layer | None], Layer], ...]


def multiplexing(wanted: Sequence[str], seed: int, time_limit: float) -> tuple[Factories, Factories]:
    """Layers for the top of a chain, and for the position before its SMT solver, which has so many seconds at first."""
    chosen = [name for name in wanted if name not in (AUTO, "sweep")]
    floats_only = not chosen and AUTO in wanted
    instances = make_instances(["descent"] if floats_only else chosen, seed)
    last: Factories = (lambda below: MultiplexLayer(instances, below, floats_only, time_limit),) if instances else ()
    return (SweepLayer,) if "sweep" in wanted else (), last


def make_instances(wanted: Sequence[str], seed: int) -> list[Instance]:
    """Instances by name, each once, in a fixed order."""
    unknown = [name for name in wanted if name not in _INSTANCES]
    if unknown:
        raise UserError(f"there is no multiplexing solver {unknown[0]!r}; choose from {', '.join(_INSTANCES)}")
    return [make(seed) for name, make in _INSTANCES.items() if name in wanted]
