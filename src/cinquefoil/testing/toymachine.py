"""A machine in plain Python: programs are functions that name their decisions, the solver tries all inputs.

Small enough to be obviously right, so that trees, strategies and the loop can be held against brute force.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cinquefoil.ir.sites import Site, SiteKind
from cinquefoil.layout import EVENT, EventKind
from cinquefoil.machine.run import InputObject, Run, RunError
from cinquefoil.solver.api import Answer, Constraint, Query

Expression = Callable[[bytes], int]
Program = Callable[["Trace"], None]
FILE = "toy.c"


class RunEnded(Exception):
    """A run ends early."""


@dataclass
class Trace:
    """One run: the program asks it for every decision on the input, which it records."""

    machine: ToyMachine
    witness: bytes
    events: list[tuple[int, ...]] = field(default_factory=list[tuple[int, ...]])
    blocks: list[int] = field(default_factory=list[int])
    end: str = "exit"
    error: RunError | None = None
    muted: bool = False

    def byte(self, index: int) -> int:
        return self.witness[index]

    def branch(self, label: str, expression: Expression, key: object = "") -> bool:
        """`key` tells expressions at the same site apart."""
        taken = int(bool(expression(self.witness)))
        site = self.machine.site(label, SiteKind.BRANCH, 2)
        self._enter_block_of(site)
        self._event(EventKind.BRANCH, taken, site, self.machine.node(f"{label}{key}", expression), 0)
        self._enter_target(site, taken)
        return bool(taken)

    def switch(self, label: str, expression: Expression, groups: list[set[int]]) -> int:
        """Group 0 is the default; groups[i] are the values of group i + 1."""

        def chosen(witness: bytes) -> int:
            value = expression(witness)
            return next((i + 1 for i, values in enumerate(groups) if value in values), 0)

        taken = chosen(self.witness)
        site = self.machine.site(label, SiteKind.SWITCH, len(groups) + 1)
        conditions = [
            self.machine.node(f"{label}={i}", lambda w, i=i: int(chosen(w) == i)) for i in range(len(groups) + 1)
        ]
        self._enter_block_of(site)
        self._event(EventKind.SWITCH, taken, site, self.machine.node(label, expression), 0, conditions)
        self._enter_target(site, taken)
        return taken

    def pin(self, label: str, expression: Expression) -> int:
        value = expression(self.witness)
        site = self.machine.site(label, SiteKind.CHECK, 0)
        self._event(EventKind.PIN, 0, site, self.machine.node(label, expression), value)
        return value

    def check(self, label: str, expression: Expression) -> None:
        """Ends in an error when false."""
        good = int(bool(expression(self.witness)))
        site = self.machine.site(label, SiteKind.CHECK, 0)
        self._event(EventKind.CHECK, good, site, self.machine.node(label, expression), 1)
        if not good:
            self.fail(label)

    def fail(self, label: str, kind: str = "out-of-bounds") -> None:
        site = self.machine.site(label, SiteKind.CHECK, 0)
        self.error = RunError(kind, site, "boom", "read", "heap", 0, 1, 0, 0, 0, 0, ())
        raise RunEnded("error")

    def assume(self, label: str, expression: Expression) -> None:
        site = self.machine.site(label, SiteKind.CHECK, 0)
        holds = bool(expression(self.witness))
        self._event(EventKind.ASSUME, int(holds), site, self.machine.node(label, expression), 0)
        if not holds:
            raise RunEnded("assume")

    def _enter_block_of(self, site: int) -> None:
        if self.machine.sites[site].block:
            self.blocks.append(self.machine.sites[site].block)

    def _enter_target(self, site: int, direction: int) -> None:
        if self.machine.sites[site].targets:
            self.blocks.append(self.machine.sites[site].targets[direction])

    def _event(self, kind: int, taken: int, site: int, node: int, value: int, conditions: Iterable[int] = ()) -> None:
        alts = self.machine.put_alts(list(conditions)) if conditions else 0
        steps = len(self.events)
        self.events.append((kind, int(self.muted), taken, site, node, alts, value, len(self.blocks), steps))


class ToyMachine:
    """Runs a program over `length` bytes, each of `domain`.  `table` bounds the number of nodes per epoch."""

    def __init__(self, program: Program, length: int, domain: Iterable[int] = range(4), table: int = 10**9):
        self.program = program
        self.length = length
        self.domain = tuple(domain)
        self.table = table
        self.epoch = 1
        self.sites: list[Site] = [Site(SiteKind.FUNCTION, "", "", 0, 0)]
        self.nodes: list[Expression] = [lambda w: 0]
        self.dies_on: dict[bytes, int] = {}  # how many more times
        self.runs = 0
        self._labels: dict[str, int] = {}
        self._node_ids: dict[str, int] = {}
        self._alts: list[int] = [0]
        self.truth = self._enumerate()

    # ---- machine protocol ----

    @property
    def alts(self) -> NDArray[np.uint32]:
        return np.array(self._alts, np.uint32)

    def run(self, witness: bytes) -> Run:
        self.runs += 1
        data = witness[: self.length].ljust(self.length, bytes([self.domain[0]]))
        if self.dies_on.get(data, 0) > 0:
            self.dies_on[data] -= 1
            return self._result(Trace(self, data, end="died"))
        trace = self._follow(data)
        if len(self.nodes) > self.table:
            trace.end = "table"
        return self._result(trace)

    def new_epoch(self) -> None:
        self.epoch += 1
        self.nodes = [lambda w: 0]
        self._node_ids.clear()
        self._alts = [0]

    def close(self) -> None:
        pass

    # ---- for traces ----

    def node(self, label: str, expression: Expression) -> int:
        number = self._node_ids.get(label)
        if number is None:
            number = self._node_ids[label] = len(self.nodes)
            self.nodes.append(expression)
        return number

    def put_alts(self, conditions: list[int]) -> int:
        self._alts += [len(conditions), *conditions]
        return len(self._alts) - len(conditions) - 1

    def site(self, label: str, kind: SiteKind, directions: int) -> int:
        number = self._labels.get(label)
        if number is not None:
            return number
        line = len(self._labels) + 1
        if label.startswith("lib "):  # of the library nothing but the location is known
            number = self._labels[label] = self._append(Site(kind, "f", "lib.c", line, 0, library=True))
            return number
        block = self._append(Site(SiteKind.BLOCK, "main", FILE, line, 0))
        targets = tuple(self._append(Site(SiteKind.BLOCK, "main", FILE, 100 * line + i, 0)) for i in range(directions))
        number = self._append(Site(kind, "main", FILE, line, 0, block, targets, targets, label))
        for each in (block, *targets):
            self._append(Site(SiteKind.LINE, "main", FILE, self.sites[each].line, 0, each))
        self._labels[label] = number
        return number

    # ---- truth ----

    def inputs(self) -> Iterable[bytes]:
        return map(bytes, itertools.product(self.domain, repeat=self.length))

    def path(self, run: Run) -> tuple[tuple[int, ...], ...]:
        """A run's unmuted decisions."""
        names = ["site", "kind", "taken", "value"]
        return tuple(e for e in run.events[run.events["muted"] == 0][names].tolist())

    def _enumerate(self) -> set[tuple[tuple[int, ...], ...]]:
        """All paths there are, false assumptions aside; this also numbers all sites."""
        runs = [self.run(data) for data in self.inputs()]
        found = {self.path(run) for run in runs if run.end != "assume"}
        self.new_epoch()
        self.runs = 0
        return found

    def _follow(self, data: bytes) -> Trace:
        trace = Trace(self, data)
        try:
            self.program(trace)
        except RunEnded as ended:
            trace.end = str(ended)
        return trace

    def _result(self, trace: Trace) -> Run:
        return Run(
            witness=trace.witness,
            end=trace.end,
            code=0,
            events=np.array(trace.events, EVENT),
            covered=np.array(sorted(set(trace.blocks)), np.int64),
            trace=np.array(trace.blocks, np.uint32),
            objects=(InputObject("x", self.length, 0),),
            output=b"",
            output_total=0,
            error=trace.error,
            steps=len(trace.events),
            nanoseconds=1,
            epoch=self.epoch,
        )

    def _append(self, site: Site) -> int:
        self.sites.append(site)
        return len(self.sites) - 1


@dataclass
class BruteForce:
    """Tries inputs in order.  `undecided` answers unknown while it returns True; `hints` adds partial
    solutions."""

    machine: ToyMachine
    undecided: Callable[[Query], bool] = lambda query: False
    hints: int = 0
    queries: int = 0

    def solve(self, query: Query) -> Answer:
        self.queries += 1
        constraints = [*query.constraints.constraints(), *query.goal]
        assert all(self._holds(c, query.witness) for c in query.constraints.constraints())
        assert not all(self._holds(c, query.witness) for c in query.goal)
        if self.undecided(query):
            return Answer("unknown")
        tried: list[bytes] = []
        for data in self.machine.inputs():
            if all(self._holds(c, data) for c in constraints):
                return Answer("sat", data, tuple(tried[: self.hints]), len(tried) + 1)
            tried.append(data)
        return Answer("unsat", None, tuple(tried[: self.hints]), len(tried))

    def _holds(self, constraint: Constraint, data: bytes) -> bool:
        return (self.machine.nodes[constraint.node](data) == constraint.value) == constraint.equal


def nested(t: Trace) -> None:
    """Comparisons over two bytes, some infeasible together."""
    if t.branch("a<b", lambda w: w[0] < w[1]):
        if t.branch("b==0", lambda w: w[1] == 0):
            t.fail("impossible")
        t.branch("a+b==4", lambda w: w[0] + w[1] == 4)
    elif t.branch("a==b", lambda w: w[0] == w[1]):
        t.check("a!=3", lambda w: w[0] != 3)
    t.branch("c odd", lambda w: w[2] & 1)


def loops(t: Trace) -> None:
    """A loop on a symbolic bound, with a decision inside."""
    i = 0
    while t.branch("i<a", lambda w, i=i: i < w[0], i):
        t.branch("b==i", lambda w, i=i: w[1] == i, i)
        i += 1


def switches(t: Trace) -> None:
    """A switch with grouped cases, then a pin and a branch that depends on it."""
    group = t.switch("switch a", lambda w: w[0], [{1, 2}, {3}])
    value = t.pin("pin b%3", lambda w: w[1] % 3)
    if group == 2:
        t.branch(f"c=={value}", lambda w: w[2] == value)
    t.muted = True
    t.branch("muted", lambda w: w[2] == 1)
    t.muted = False
    t.branch("c<2", lambda w: w[2] < 2)


def assumes(t: Trace) -> None:
    """The first input violates the assumption."""
    t.assume("a>1", lambda w: w[0] > 1)
    t.branch("a==2", lambda w: w[0] == 2)
    t.assume("b!=a", lambda w: w[1] != w[0])
    t.branch("b<a", lambda w: w[1] < w[0])


def library(t: Trace) -> None:
    """Decisions in the library, whose sites know no blocks."""
    t.branch("own", lambda w: w[0] == 1)
    if t.switch("lib switch", lambda w: w[1], [{1}, {2, 3}]) == 2:
        t.branch("lib branch", lambda w: w[2] < w[0])
    t.pin("lib pin", lambda w: w[2] & 1)


def nothing(t: Trace) -> None:
    """No decision at all."""


PROGRAMS: dict[str, tuple[Program, int]] = {
    "nested": (nested, 3),
    "loops": (loops, 2),
    "switches": (switches, 3),
    "assumes": (assumes, 2),
    "library": (library, 3),
    "nothing": (nothing, 1),
}


def toy(name: str, table: int = 10**9) -> ToyMachine:
    program, length = PROGRAMS[name]
    return ToyMachine(program, length, table=table)
