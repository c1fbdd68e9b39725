"""Constraints of a path as linear inequalities: conjunctions and disjunctions of rows with bounds.

Comparisons of linear forms become atoms; `and`, `or`, negation and if-then-else of conditions become their
combinations, of any depth.  What has no linear form (a comparison of floats, an exclusive or) is None: it
says nothing, and the abstraction is a relaxation.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from typing import NamedTuple

from cinquefoil.layout import Op
from cinquefoil.solver.api import Constraint
from cinquefoil.solver.multiplex.forms import Form, Forms, Terms, combined, constant


class Atom(NamedTuple):
    """low <= terms <= high; None: no bound.  Without terms it is plainly true or false."""

    terms: Terms
    low: int | None
    high: int | None

    @property
    def decided(self) -> bool | None:
        if self.terms:
            return None
        return (self.low is None or self.low <= 0) and (self.high is None or self.high >= 0)


@dataclass(frozen=True, slots=True)
class All:
    """Every part holds."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Any:
    """Some part holds."""

    parts: tuple[Formula, ...]


Formula = Atom | All | Any | None
_FALSE = Any(())


def bounded(form: Form, low: int | None, high: int | None) -> Atom:
    """low <= form <= high with the smallest integers: factors without a common divisor, the first positive."""
    low = None if low is None else low - form.constant
    high = None if high is None else high - form.constant
    if not form.terms:
        return Atom((), low, high)
    common = 0
    for _, factor in form.terms:
        common = gcd(common, factor)
    if form.terms[0][1] < 0:
        common, low, high = -common, None if high is None else -high, None if low is None else -low
    size = abs(common)
    terms = tuple((variable, factor // common) for variable, factor in form.terms)
    return Atom(terms, None if low is None else -(-low // size), None if high is None else high // size)


class Atoms:
    """Formulas of constraints, over the forms of one table."""

    def __init__(self, forms: Forms) -> None:
        self.forms = forms
        self._table = forms.table
        self._known: dict[tuple[int, int, bool], Formula] = {}

    def formula(self, constraint: Constraint) -> Formula:
        key = (constraint.node, constraint.value, constraint.equal)
        if key not in self._known:
            self._known[key] = self._make(*key)
        return self._known[key]

    def _make(self, node: int, value: int, equal: bool) -> Formula:
        if self._table.width(node) == 1:
            return self._condition(node, (value == 1) == equal, 24)
        return self._equality(self.forms.form(node), constant(value), self._table.width(node), equal)

    def _condition(self, node: int, wanted: bool, depth: int) -> Formula:
        """A node of width 1 that must be 1, or 0."""
        op, _, a, b, c, imm = self._table.fields(node)
        if depth == 0:
            return None
        if op in (Op.AND, Op.OR):
            parts = tuple(self._condition(x, wanted, depth - 1) for x in (a, b))
            return All(parts) if (op is Op.AND) == wanted else any_of(*parts)
        if op is Op.ITE:
            return self._choice(a, b, c, wanted, depth)
        if op is Op.CONST:
            return All(()) if bool(imm) == wanted else _FALSE
        if op in (Op.XOR, Op.EQ) and self._table.width(a) == 1:
            return self._parity(op, a, b, wanted, depth)
        return self._comparison(op, a, b, node, wanted)

    def _choice(self, a: int, b: int, c: int, wanted: bool, depth: int) -> Formula:
        chosen = All((self._condition(a, True, depth - 1), self._condition(b, wanted, depth - 1)))
        other = All((self._condition(a, False, depth - 1), self._condition(c, wanted, depth - 1)))
        return any_of(chosen, other)

    def _parity(self, op: Op, a: int, b: int, wanted: bool, depth: int) -> Formula:
        """Exclusive or, or equality, of conditions; negation is the usual case."""
        same = (op is Op.EQ) == wanted
        if self._table.op(a) is Op.CONST:
            a, b = b, a
        if self._table.op(b) is Op.CONST:
            return self._condition(a, bool(self._table.imm(b)) == same, depth - 1)
        ways = (
            All((self._condition(a, value, depth - 1), self._condition(b, value == same, depth - 1)))
            for value in (True, False)
        )
        return any_of(*ways)

    def _comparison(self, op: Op, a: int, b: int, node: int, wanted: bool) -> Formula:
        forms = self.forms
        if op is Op.EQ:
            return self._equality(forms.form(a), forms.form(b), self._table.width(a), wanted)
        if op in (Op.ULT, Op.ULE, Op.SLT, Op.SLE):
            read = forms.signed if op in (Op.SLT, Op.SLE) else forms.unsigned
            strict = op in (Op.ULT, Op.SLT)
            difference = combined(read(a), read(b), -1)
            return bounded(difference, None, -int(strict)) if wanted else bounded(difference, 1 - int(strict), None)
        if op >= Op.FADD:
            return None
        return self._equality(forms.form(node), constant(int(wanted)), 1, True)

    def _equality(self, a: Form, b: Form, width: int, wanted: bool) -> Formula:
        exact, size = combined(a, b, -1), 1 << width
        if exact.low <= -size or exact.high >= size:  # else equal modulo 2^width only if equal
            exact = self.forms.reading(exact, width, not wanted)
        if wanted:
            return bounded(exact, 0, 0)
        return any_of(bounded(exact, None, -1), bounded(exact, 1, None))


def any_of(*parts: Formula) -> Formula:
    """A disjunction; nothing is known if nothing is known of some part."""
    return None if any(part is None for part in parts) else Any(tuple(parts))
