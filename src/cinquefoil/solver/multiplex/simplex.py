"""General simplex with bounds on all variables (Dutertre and de Moura 2006), in exact arithmetic.

Every row says that a slack variable equals a linear combination of the columns; all variables have bounds.
The assignment keeps the rows and the bounds of non-basic variables; `check` repairs basic ones, by Bland's
rule, until none is out of bounds or one cannot be repaired.  MuSE's Algorithm 2 is `check` with `visit`: the
assignment before each pivot is shown to it.

Rows are integers over a common positive denominator, so a pivot costs integer products only; values are
integers or fractions.  Bounds carry reasons (numbers of constraints), and a conflict tells the reasons of the
bounds that make it: its explanation.

Risk: Bland's rule always ends but may take many pivots; callers bound the work, which is counted in entries
of rows touched and does not depend on the clock.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import gcd
from typing import Final

Reasons = frozenset[int]
NO_REASON: Final[Reasons] = frozenset()
Row = dict[int, int]
Value = int | Fraction


class OutOfWork(Exception):
    """The work granted to a search is used up."""


class Bound:
    """One side of a variable's range."""

    __slots__ = ("limit", "reasons")

    def __init__(self, limit: int, reasons: Reasons) -> None:
        self.limit = limit
        self.reasons = reasons


class Simplex:
    """Columns 0 .. columns-1 start non-basic at the value nearest to 0; rows are added before the first check."""

    def __init__(self, ranges: Sequence[tuple[int, int]], work: int) -> None:
        self.columns = len(ranges)
        self.lower: list[Bound | None] = [Bound(low, NO_REASON) for low, _ in ranges]
        self.upper: list[Bound | None] = [Bound(high, NO_REASON) for _, high in ranges]
        self.value: list[Value] = [min(max(0, low), high) for low, high in ranges]
        self.work = work  # entries that may still be touched
        self.pivots = 0
        self._row: dict[int, Row] = {}  # by basic variable: denominator * variable = sum of entries
        self._denominator: dict[int, int] = {}
        self._holders: list[set[int]] = [set() for _ in ranges]  # basic variables whose row has this column
        self._trail: list[tuple[bool, int, Bound | None]] = []
        self._suspects: set[int] = set()  # basic variables that may be out of bounds

    def add_row(self, coefficients: Sequence[tuple[int, int]]) -> int:
        """A new basic variable, equal to the combination of columns."""
        variable = len(self.value)
        self._row[variable] = dict(coefficients)
        self._denominator[variable] = 1
        for column, _ in coefficients:
            self._holders[column].add(variable)
        self._holders.append(set())
        self.lower.append(None)
        self.upper.append(None)
        self.value.append(sum((factor * self.value[column] for column, factor in coefficients), 0))
        return variable

    # ---- bounds ----

    def mark(self) -> int:
        """Where the bounds are now, for `undo`."""
        return len(self._trail)

    def undo(self, mark: int) -> None:
        """Loosen bounds to what they were; the assignment may stay."""
        while len(self._trail) > mark:
            is_lower, variable, old = self._trail.pop()
            (self.lower if is_lower else self.upper)[variable] = old

    def at_least(self, variable: int, limit: int, reasons: Reasons) -> Reasons | None:
        """Raise a lower bound; the reasons of a conflict if it passes the upper one."""
        old, other = self.lower[variable], self.upper[variable]
        if old is not None and old.limit >= limit:
            return None
        if other is not None and other.limit < limit:
            return reasons | other.reasons
        self._trail.append((True, variable, old))
        self.lower[variable] = Bound(limit, reasons)
        self._move_to(variable, limit, self.value[variable] < limit)
        return None

    def at_most(self, variable: int, limit: int, reasons: Reasons) -> Reasons | None:
        """Drop an upper bound; the reasons of a conflict if it passes the lower one."""
        old, other = self.upper[variable], self.lower[variable]
        if old is not None and old.limit <= limit:
            return None
        if other is not None and other.limit > limit:
            return reasons | other.reasons
        self._trail.append((False, variable, old))
        self.upper[variable] = Bound(limit, reasons)
        self._move_to(variable, limit, self.value[variable] > limit)
        return None

    def _move_to(self, variable: int, limit: int, outside: bool) -> None:
        if not outside:
            return
        if variable in self._row:
            self._suspects.add(variable)
        else:
            self._move(variable, limit - self.value[variable])

    def _move(self, column: int, step: Value) -> None:
        """Change a non-basic variable, and with it the rows that have it."""
        self.value[column] = _plain(self.value[column] + step)
        for basic in self._holders[column]:
            change = Fraction(self._row[basic][column], self._denominator[basic]) * step
            self.value[basic] = _plain(self.value[basic] + change)
            self._suspects.add(basic)

    # ---- checking ----

    def check(self, visit: Callable[[], None] = lambda: None) -> Reasons | None:
        """None if all bounds hold now, else the reasons why they cannot."""
        while (broken := self._first_broken()) is not None:
            visit()
            variable, limit, upwards = broken
            column = self._entering(variable, upwards)
            if column is None:
                return self._explain(variable, upwards)
            self._pivot(variable, column, limit)
        return None

    def _first_broken(self) -> tuple[int, int, bool] | None:
        for variable in sorted(self._suspects):
            if variable in self._row:
                value, low, high = self.value[variable], self.lower[variable], self.upper[variable]
                if low is not None and value < low.limit:
                    return variable, low.limit, True
                if high is not None and value > high.limit:
                    return variable, high.limit, False
            self._suspects.discard(variable)
        return None

    def _entering(self, basic: int, upwards: bool) -> int | None:
        """The first column that can move so that the basic variable moves the right way."""
        row = self._row[basic]
        self.work -= len(row)
        for column in sorted(row):
            if self._room(column, (row[column] > 0) == upwards):
                return column
        return None

    def _room(self, column: int, upwards: bool) -> bool:
        bound = (self.upper if upwards else self.lower)[column]
        return bound is None or self.value[column] != bound.limit

    def _explain(self, basic: int, upwards: bool) -> Reasons:
        own = (self.lower if upwards else self.upper)[basic]
        assert own is not None
        found = set(own.reasons)
        for column, factor in self._row[basic].items():
            bound = (self.upper if (factor > 0) == upwards else self.lower)[column]
            assert bound is not None
            found |= bound.reasons
        return frozenset(found)

    # ---- pivoting ----

    def _pivot(self, basic: int, column: int, target: int) -> None:
        """The column enters the basis, the basic variable leaves it at `target`."""
        if self.work < 0:
            raise OutOfWork
        self.pivots += 1
        row, denominator = self._row.pop(basic), self._denominator.pop(basic)
        step = Fraction((target - self.value[basic]) * denominator) / row[column]
        for other in row:
            self._holders[other].discard(basic)
        self._move(column, step)
        self.value[basic] = target
        self._suspects.add(column)
        self._enter(basic, column, row, denominator)

    def _enter(self, basic: int, column: int, row: Row, denominator: int) -> None:
        """Solve the row for the column and put the result in for it everywhere."""
        pivot = row.pop(column)
        sign = 1 if pivot > 0 else -1
        solved = {other: -sign * factor for other, factor in row.items()}
        solved[basic] = sign * denominator
        holders, self._holders[column] = self._holders[column], set()
        for holder in holders:
            self._substitute(holder, column, solved, abs(pivot))
        self._row[column], self._denominator[column] = solved, abs(pivot)
        self._reduce(column)
        for other in self._row[column]:
            self._holders[other].add(column)

    def _substitute(self, holder: int, column: int, solved: Row, scale: int) -> None:
        row = self._row[holder]
        factor = row.pop(column)
        if scale != 1:
            for other in row:
                row[other] *= scale
        for other, entry in solved.items():
            total = row.get(other, 0) + factor * entry
            if total:
                row[other] = total
                self._holders[other].add(holder)
            elif other in row:
                del row[other]
                self._holders[other].discard(holder)
        self._denominator[holder] *= scale
        self.work -= len(row) + len(solved)
        self._reduce(holder)

    def _reduce(self, holder: int) -> None:
        """Divide a row by what all of it has in common."""
        common, row = self._denominator[holder], self._row[holder]
        for entry in row.values():
            if common == 1:
                return
            common = gcd(common, entry)
        if common != 1:
            self._denominator[holder] //= common
            for other in row:
                row[other] //= common

    def consistent(self) -> bool:
        """Whether rows and values agree: an invariant for tests."""
        return all(
            self.value[basic] * self._denominator[basic] == sum(f * self.value[c] for c, f in row.items())
            for basic, row in self._row.items()
        )


def _plain(value: Value) -> Value:
    return value.numerator if value.denominator == 1 else value
