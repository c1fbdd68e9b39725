"""What programs tell by KLEE's functions: warnings, expressions, ranges, stacks.

A warning is told once per text, everything else once per location, and so many in all."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from cinquefoil.exploration.runs.events import constraints
from cinquefoil.exploration.runs.remembered_runs import TracingMachine
from cinquefoil.expr.constraint import Constraint
from cinquefoil.expr.evaluate import signed
from cinquefoil.expr.naming import object_names
from cinquefoil.expr.printing import Printer
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.ir.sites import Site
from cinquefoil.layout import RemarkKind
from cinquefoil.machine.failure import called_from, location_of
from cinquefoil.machine.run import Remark, Run
from cinquefoil.machine.worker import Worker
from cinquefoil.solver.ranges import feasible_range

MOST = 100
"""Remarks that an exploration tells of."""
_LONGEST = 400  # characters of an expression
_MOST_TERMS = 2000
Key = tuple[int, int, int, str]


@dataclass(frozen=True, slots=True)
class Told:
    """A remark in words: `text` is the program's, `detail` what the engine says of it."""

    kind: str  # "warning", "expression", "range", "stack", "preference"
    text: str
    detail: str
    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.text, self.detail) if part)


class Teller:
    """Puts the remarks of one run into words; `path` gives what its events before one say."""

    def __init__(
        self, run: Run, sites: Sequence[Site], table: ExpressionTable, path: Callable[[int], Sequence[Constraint]]
    ) -> None:
        self._sites = sites
        self._table = table
        self._path = path
        self._printer = Printer(table, object_names((o.name, o.first, o.size) for o in run.objects))

    def tell(self, remark: Remark) -> Told:
        site = self._sites[remark.site]
        kind = "expression" if remark.kind is RemarkKind.REAL else remark.kind.name.lower()
        return Told(kind, remark.text, self._detail(remark), site.file, site.line, site.function)

    def _detail(self, remark: Remark) -> str:
        if remark.kind is RemarkKind.WARNING:
            return ""
        if remark.kind is RemarkKind.STACK:
            return ", called from ".join(str(location_of(site)) for site in called_from(remark.backtrace, self._sites))
        if remark.kind is RemarkKind.PREFERENCE:
            return self._expression(remark.node)
        return self._value(remark)

    def _value(self, remark: Remark) -> str:
        value = _real(remark.value) if remark.kind is RemarkKind.REAL else str(self._number(remark))
        if not remark.node:
            return value
        detail = f"{self._expression(remark.node)}, here {value}"
        return f"{detail}, {self._range(remark)}" if remark.kind is RemarkKind.RANGE else detail

    def _number(self, remark: Remark) -> int:
        width = self._table.width(remark.node) if remark.node else 64
        return signed(remark.value & ((1 << width) - 1), width)

    def _expression(self, node: int) -> str:
        """Programs make expressions of millions of terms, of which nobody would see the last ones."""
        if self._table.has_more_than(_MOST_TERMS, node):
            return f"an expression of more than {_MOST_TERMS:,} terms"
        text = self._printer.expression(node).replace("\n", "; ")
        return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."

    def _range(self, remark: Remark) -> str:
        large = self._table.has_more_than(_MOST_TERMS, remark.node)
        found = None if large else feasible_range(self._table, self._path(remark.events), remark.node)
        return f"on this path from {found[0]} to {found[1]}" if found is not None else "its range is not known"


def _real(bits: int) -> str:
    return repr(struct.unpack("<d", struct.pack("<Q", bits & 0xFFFFFFFFFFFFFFFF))[0])


@dataclass(slots=True)
class RemarkLog:
    """Those of an exploration's runs."""

    machine: TracingMachine
    told: dict[Key, Told] = field(default_factory=dict[Key, Told])

    def note(self, run: Run) -> None:
        """A preference is no remark to the user."""
        for remark in run.remarks:
            key = _key(remark)
            if remark.kind is RemarkKind.PREFERENCE or key in self.told or len(self.told) >= MOST:
                continue
            if (teller := self._teller(run)) is not None:
                self.told[key] = teller.tell(remark)

    def take(self, others: dict[Key, Told]) -> None:
        """What another process was told."""
        for key, told in others.items():
            if len(self.told) < MOST:
                self.told.setdefault(key, told)

    def found(self) -> tuple[Told, ...]:
        """Sorts by location, so that the order in which processes end does not matter."""
        return tuple(told for _, told in sorted(self.told.items()))

    def _teller(self, run: Run) -> Teller | None:
        machine = self.machine
        if not isinstance(machine, Worker) or run.epoch != machine.epoch:
            return None
        shown = machine.expressions
        table = ExpressionTable(shown.nodes, shown.tables, shown.pool)

        def path(count: int) -> list[Constraint]:
            nodes, values = constraints(run, machine.alts)
            rows = zip(nodes[:count].tolist(), values[:count].tolist(), strict=True)
            return [Constraint(node, value) for node, value in rows if node]

        return Teller(run, machine.sites, table, path)


def _key(remark: Remark) -> Key:
    text = remark.text if remark.kind is RemarkKind.WARNING else ""
    return (int(remark.kind), 0 if text else remark.site, remark.argument, text)
