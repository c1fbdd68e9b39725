"""Linear forms of expressions: what the simplex instance can say about a node.

A node of width w has a form: an integer combination of variables that equals the node's value modulo 2^w.
Variables are input bytes, words (several bytes read as one number), quotients and free values, all with
ranges.  Nothing is lost by wrapping: whoever needs the value itself, as a signed or an unsigned number, asks
for its `reading`, which subtracts 2^w times a quotient variable whose defining row pins it; where ranges allow
only one quotient it is a constant and there is no variable.  Shifts, divisions, remainders and masks by
constants are exact in the same way.  Anything else is a *free* variable with the range of its node: the
abstraction is then a relaxation, infeasible only if the expressions are.

Forms depend on the table only and are kept for an epoch.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import Op

Terms = tuple[tuple[int, int], ...]
"""(variable, factor), variables ascending, no factor 0."""
_WORD: Final = 32
"""Words at least this wide are read as signed: that is what C does with them most."""
_SCAN: Final = 512
_MASK_RUNS: Final = 4
_COMPARISONS: Final = frozenset({Op.EQ, Op.ULT, Op.ULE, Op.SLT, Op.SLE})
_LINEAR: Final = frozenset(
    {Op.MUL, Op.AND, Op.OR, Op.XOR, Op.SHL, Op.LSHR, Op.ASHR, Op.UDIV, Op.UREM, Op.SDIV, Op.SREM}
)
"""Linear if an operand is a constant."""


class Form(NamedTuple):
    """terms + constant, known to lie in low .. high."""

    terms: Terms
    constant: int
    low: int
    high: int


class DefiningRow(NamedTuple):
    """low <= terms <= high, for all inputs."""

    terms: Terms
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Variable:
    """`inputs` are the bytes of an input variable, lowest first; `width` the bits of what it stands for."""

    kind: Literal["input", "quotient", "free"]
    low: int
    high: int
    inputs: tuple[int, ...] = ()


def constant(value: int) -> Form:
    return Form((), value, value, value)


def combined(a: Form, b: Form, factor: int = 1) -> Form:
    """a + factor * b."""
    terms = dict(a.terms)
    for variable, own in b.terms:
        terms[variable] = terms.get(variable, 0) + factor * own
    low, high = sorted((factor * b.low, factor * b.high))
    kept = tuple(sorted((v, f) for v, f in terms.items() if f))
    if not kept:
        return constant(a.constant + factor * b.constant)
    return Form(kept, a.constant + factor * b.constant, a.low + low, a.high + high)


class Forms:
    """Forms of one table's nodes."""

    def __init__(self, table: ExpressionTable) -> None:
        self.table = table
        self.variables: list[Variable] = []
        self.definitions: dict[int, DefiningRow] = {}
        """The row that pins a quotient."""
        self._forms: dict[int, Form] = {}
        self._ones: dict[int, int] = {}
        self._made: dict[object, int] = {}

    def form(self, node: int) -> Form:
        """The node modulo 2^width."""
        self._prepare(node)
        return self._forms[node]

    def unsigned(self, node: int) -> Form:
        """The node's value."""
        return self.reading(self.form(node), self.table.width(node), False)

    def signed(self, node: int) -> Form:
        """The node's value in two's complement."""
        return self.reading(self.form(node), self.table.width(node), True)

    def input_variable(self, inputs: tuple[int, ...]) -> int:
        width = 8 * len(inputs)
        low = -(1 << (width - 1)) if width >= _WORD else 0
        return self._variable(("input", inputs), Variable("input", low, low + (1 << width) - 1, inputs))

    def links(self, word: int) -> list[DefiningRow]:
        """What ties a word to its bytes."""
        variable = self.variables[word]
        total = constant(0)
        for position, index in enumerate(variable.inputs):
            total = combined(total, self._own(self.input_variable((index,))), 256**position)
        rest = combined(total, self._own(word), -1)
        width = 8 * len(variable.inputs)
        wraps = self._variable(("wraps", word), Variable("quotient", 0, int(variable.low < 0)))
        exact = combined(rest, self._own(wraps), -(1 << width))
        return [DefiningRow(exact.terms, -exact.constant, -exact.constant)]

    # ---- readings ----

    def reading(self, form: Form, width: int, signed: bool) -> Form:
        """The value in 0 .. 2^width-1, or in -2^(width-1) .. 2^(width-1)-1."""
        base, size = (-(1 << (width - 1)) if signed else 0), 1 << width
        first, last = (form.low - base) // size, (form.high - base) // size
        if first == last:
            shift = first * size
            return Form(form.terms, form.constant - shift, form.low - shift, form.high - shift)
        quotient = self._quotient(form, size, base, first, last)
        exact = combined(form, self._own(quotient), -size)
        return Form(exact.terms, exact.constant, base, base + size - 1)

    def _quotient(self, form: Form, size: int, base: int, first: int, last: int) -> int:
        """The number q with base <= form - size * q < base + size."""
        key = ("quotient", form.terms, form.constant, size, base)
        if key in self._made:
            return self._made[key]
        found = self._variable(key, Variable("quotient", first, last))
        row = combined(form, self._own(found), -size)
        low = base - row.constant
        self.definitions[found] = DefiningRow(row.terms, low, low + size - 1)
        return found

    def divided(self, form: Form, divisor: int) -> Form:
        """floor(form / divisor) of an exact form, divisor > 0."""
        whole = tuple((v, f // divisor) for v, f in form.terms if f % divisor == 0)
        rest = tuple((v, f) for v, f in form.terms if f % divisor)
        low, high = self._range(rest, form.constant % divisor)
        if low >= 0 and high < divisor:
            return self._ranged(whole, form.constant // divisor)
        first, last = form.low // divisor, form.high // divisor
        if first == last:
            return constant(first)
        return self._own(self._quotient(form, divisor, 0, first, last))

    def remainder(self, form: Form, divisor: int) -> Form:
        """form mod divisor of an exact form, divisor > 0."""
        exact = combined(form, self.divided(form, divisor), -divisor)
        return Form(exact.terms, exact.constant, max(exact.low, 0), min(exact.high, divisor - 1))

    # ---- making ----

    def _variable(self, key: object, variable: Variable) -> int:
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = len(self.variables)
            self.variables.append(variable)
        return found

    def _own(self, variable: int) -> Form:
        known = self.variables[variable]
        return Form(((variable, 1),), 0, known.low, known.high)

    def _range(self, terms: Terms, start: int) -> tuple[int, int]:
        low = high = start
        for variable, factor in terms:
            known = self.variables[variable]
            ends = sorted((factor * known.low, factor * known.high))
            low, high = low + ends[0], high + ends[1]
        return low, high

    def _ranged(self, terms: Terms, start: int) -> Form:
        return Form(terms, start, *self._range(terms, start))

    def _wrapped(self, form: Form, width: int) -> Form:
        """The same modulo 2^width, with small factors."""
        size, half = 1 << width, 1 << (width - 1)
        if all(-half <= factor < half for _, factor in form.terms) and -size < form.constant < size:
            return form
        terms = tuple((v, (f + half) % size - half) for v, f in form.terms if f % size)
        return self._ranged(terms, (form.constant + half) % size - half)

    def _prepare(self, root: int) -> None:
        if root in self._forms:
            return
        missing, stack = {root}, [root]
        while stack:
            for operand in self._needed(stack.pop()):
                if operand not in missing and operand not in self._forms:
                    missing.add(operand)
                    stack.append(operand)
        for node in sorted(missing):
            self._ones[node] = self._possible_ones(node)
            form = self._wrapped(self._make(node), self.table.width(node))
            self._forms[node] = form

    def _needed(self, node: int) -> Iterable[int]:
        """Operands that the form is made from: not those of operations that are free anyway."""
        op, _, a, b, c, _ = self.table.fields(node)
        if op >= Op.FADD or op in _COMPARISONS or op is Op.TREAD:
            return ()
        return [x for x in (a, b, c) if x]

    def _free(self, node: int) -> Form:
        most = self._ones[node]
        return self._own(self._variable(("free", node), Variable("free", 0, most)))

    def _make(self, node: int) -> Form:
        op, _, a, b, _, imm = self.table.fields(node)
        match op:
            case Op.CONST:
                return constant(imm)
            case Op.INPUT:
                return self._own(self.input_variable((imm,)))
            case Op.ADD | Op.PTRADD:
                return combined(self._forms[a], self._forms[b])
            case Op.SUB:
                return combined(self._forms[a], self._forms[b], -1)
            case Op.ZEXT:
                return self.unsigned(a)
            case Op.SEXT:
                return self.signed(a)
            case Op.CONCAT:
                return self._concatenated(node, a, b)
            case Op.EXTRACT:
                return self._forms[a] if imm == 0 else self.divided(self.unsigned(a), 1 << imm)
            case _:
                return self._by_constant(node)

    def _concatenated(self, node: int, a: int, b: int) -> Form:
        inputs = self._word(node)
        if inputs is not None:
            return self._own(self.input_variable(inputs))
        return combined(self.unsigned(b), self.unsigned(a), 1 << self.table.width(b))

    def _word(self, node: int) -> tuple[int, ...] | None:
        """The bytes of a concatenation of distinct inputs, lowest first."""
        found: list[int] = []
        stack = [node]
        while stack:
            op, _, a, b, _, imm = self.table.fields(stack.pop())
            if op is Op.CONCAT:
                stack += (a, b)  # the low part is popped first
            elif op is Op.INPUT:
                found.append(imm)
            else:
                return None
        return tuple(found) if len(set(found)) == len(found) else None

    def _by_constant(self, node: int) -> Form:
        """Operations that are linear if one operand is a constant."""
        op, width, a, b, _, _ = self.table.fields(node)
        if op not in _LINEAR:
            return self._free(node)
        left, right = self._value(a), self._value(b)
        if op is Op.MUL and (left is not None or right is not None):
            factor, other = (right, a) if right is not None else (left, b)
            assert factor is not None
            half = 1 << (width - 1)
            return combined(constant(0), self._forms[other], (factor + half) % (2 * half) - half)
        if op in (Op.AND, Op.OR, Op.XOR):
            return self._bitwise(node)
        if right is None:
            return self._free(node)
        if op is Op.SHL:
            return combined(constant(0), self._forms[a], 1 << right) if right < width else constant(0)
        if op is Op.LSHR:
            return self.divided(self.unsigned(a), 1 << right) if right < width else constant(0)
        if op is Op.ASHR:
            return self.divided(self.signed(a), 1 << min(right, width - 1))
        return self._quotient_or_rest(node, op, a, right)

    def _quotient_or_rest(self, node: int, op: Op, a: int, divisor: int) -> Form:
        width = self.table.width(node)
        if op is Op.MUL or divisor == 0:
            return self._free(node)
        value = self.unsigned(a)
        if op in (Op.SDIV, Op.SREM):
            value = self.signed(a)
            if value.low < 0 or divisor >> (width - 1):
                return self._free(node)
        return self.divided(value, divisor) if op in (Op.UDIV, Op.SDIV) else self.remainder(value, divisor)

    def _bitwise(self, node: int) -> Form:
        op, width, a, b, _, _ = self.table.fields(node)
        everything = (1 << width) - 1
        if self._value(a) is not None:
            a, b = b, a
        mask = self._value(b)
        if op is Op.AND:
            return self._free(node) if mask is None else self._masked(node, a, mask)
        if self._ones[a] & self._ones[b] == 0:  # no bit in common: nothing is carried
            return combined(self.unsigned(a), self.unsigned(b))
        if mask == everything:
            return combined(constant(everything), self._forms[a], -1) if op is Op.XOR else constant(everything)
        if mask is not None and op is Op.OR:  # set bits: clear them, then add them
            return combined(self._masked(node, a, everything ^ mask), constant(mask))
        return self._free(node)

    def _masked(self, node: int, a: int, mask: int) -> Form:
        """Bits that cannot be set need no clearing; each run of kept bits is a remainder of a quotient."""
        mask &= self._ones[a]
        value = self.unsigned(a)
        if mask == self._ones[a]:
            return value
        runs = list(_runs(mask))
        if len(runs) > _MASK_RUNS:
            return self._free(node)
        total = constant(0)
        for start, length in runs:
            high = self.divided(value, 1 << start) if start else value
            total = combined(total, self.remainder(high, 1 << length), 1 << start)
        return total

    def _value(self, node: int) -> int | None:
        form = self._forms[node]
        if form.terms:
            return None
        return form.constant % (1 << self.table.width(node))

    # ---- bits ----

    def _possible_ones(self, node: int) -> int:
        """A mask of the bits that may be set."""
        op, width, a, b, c, imm = self.table.fields(node)
        everything = (1 << width) - 1
        x, y = self._ones.get(a, everything), self._ones.get(b, everything)
        match op:
            case Op.CONST:
                return imm
            case Op.ZEXT:
                return x
            case Op.SEXT:
                return x if not x >> (self.table.width(a) - 1) else x | everything ^ ((1 << self.table.width(a)) - 1)
            case Op.AND:
                return x & y
            case Op.OR | Op.XOR:
                return x | y
            case Op.ITE:
                return y | self._ones.get(c, everything)
            case Op.CONCAT:
                return x << self.table.width(b) | y
            case Op.EXTRACT:
                return x >> imm & everything
            case Op.SHL | Op.LSHR if self.table.op(b) is Op.CONST:
                by = self.table.imm(b)
                return (x << by if op is Op.SHL else x >> by) & everything if by < width else 0
            case Op.ADD:
                low = (x | y) & -(x | y)
                return min(everything, (1 << (x + y).bit_length()) - 1) & -low if low else 0
            case Op.UDIV | Op.UREM:
                return (1 << x.bit_length()) - 1 if self.table.op(b) is Op.CONST and self.table.imm(b) else everything
            case Op.TREAD:
                return self._table_ones(imm, everything)
            case _:
                return everything

    def _table_ones(self, table: int, everything: int) -> int:
        if self.table.table_entries(table) or self.table.table_shape(table)[0] > _SCAN:
            return everything
        found = 0
        for value in self.table.table_contents(table):
            found |= value
        return found


def _runs(mask: int) -> Iterable[tuple[int, int]]:
    """(start, length) of every run of one bits."""
    start = 0
    while mask:
        zeros = (mask & -mask).bit_length() - 1
        start, mask = start + zeros, mask >> zeros
        length = (~mask & (mask + 1)).bit_length() - 1
        yield start, length
        start, mask = start + length, mask >> length
