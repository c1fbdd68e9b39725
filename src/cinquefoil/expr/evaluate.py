"""Evaluation of expressions in plain Python: the oracle.

Values are unsigned integers below 2**width.  Integer operations follow SMT-LIB (division by zero included),
floating point is exact rational arithmetic (softfloat.py).  Input indices beyond the given bytes read 0, as
in the worker.  `native.py` does the same, a thousand times faster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from cinquefoil.expr import softfloat
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import Op


def mask(width: int) -> int:
    return (1 << width) - 1


def signed(value: int, width: int) -> int:
    """Two's complement reading of an unsigned value."""
    return value - (1 << width) if value >> (width - 1) else value


def _udiv(a: int, b: int, width: int) -> int:
    return a // b if b else mask(width)


def _urem(a: int, b: int, width: int) -> int:
    return a % b if b else a


def _sdiv(a: int, b: int, width: int) -> int:
    x, y = signed(a, width), signed(b, width)
    if y == 0:
        return 1 if x < 0 else -1
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def _srem(a: int, b: int, width: int) -> int:
    x, y = signed(a, width), signed(b, width)
    if y == 0:
        return x
    return -(abs(x) % abs(y)) if x < 0 else abs(x) % abs(y)


def _shl(a: int, b: int, width: int) -> int:
    return a << b if b < width else 0


def _ashr(a: int, b: int, width: int) -> int:
    return signed(a, width) >> min(b, width - 1)


_INTEGER: Final[dict[Op, Callable[[int, int, int], int]]] = {
    Op.ADD: lambda a, b, w: a + b,
    Op.PTRADD: lambda a, b, w: a + b,
    Op.SUB: lambda a, b, w: a - b,
    Op.MUL: lambda a, b, w: a * b,
    Op.UDIV: _udiv,
    Op.SDIV: _sdiv,
    Op.UREM: _urem,
    Op.SREM: _srem,
    Op.SHL: _shl,
    Op.LSHR: lambda a, b, w: a >> b if b < w else 0,
    Op.ASHR: _ashr,
    Op.AND: lambda a, b, w: a & b,
    Op.OR: lambda a, b, w: a | b,
    Op.XOR: lambda a, b, w: a ^ b,
}
"""(a, b, width of both and of the result), reduced modulo 2**width afterwards."""

_COMPARE: Final[dict[Op, Callable[[int, int, int], bool]]] = {
    Op.EQ: lambda a, b, w: a == b,
    Op.ULT: lambda a, b, w: a < b,
    Op.ULE: lambda a, b, w: a <= b,
    Op.SLT: lambda a, b, w: signed(a, w) < signed(b, w),
    Op.SLE: lambda a, b, w: signed(a, w) <= signed(b, w),
}

_COUNT: Final[dict[Op, Callable[[int, int], int]]] = {
    Op.CTPOP: lambda a, w: a.bit_count(),
    Op.CTLZ: lambda a, w: w - a.bit_length(),
    Op.CTTZ: lambda a, w: (a & -a).bit_length() - 1 if a else w,
}

_FLOAT: Final = frozenset({Op.FADD, Op.FSUB, Op.FMUL, Op.FDIV, Op.FREM, Op.FMA, Op.FSQRT, Op.FRINT})
_FLOAT_COMPARE: Final = frozenset({Op.FOEQ, Op.FOLT, Op.FOLE, Op.FUNO})


class Evaluator:
    """The value of any node under one input; every node is computed once."""

    def __init__(self, table: ExpressionTable, data: bytes) -> None:
        self.table = table
        self.data = data
        self._values: dict[int, int] = {}

    def value(self, node: int) -> int:
        return self.values([node])[0]

    def values(self, nodes: Iterable[int]) -> list[int]:
        roots = list(nodes)
        missing = [root for root in roots if root not in self._values]
        if missing:
            for node in self.table.cone(missing):
                if node not in self._values:
                    self._values[node] = self._compute(node)
        return [self._values[root] for root in roots]

    def _compute(self, node: int) -> int:
        op, width, a, b, c, imm = self.table.fields(node)
        known = self._values
        if op in _INTEGER:
            return _INTEGER[op](known[a], known[b], width) & mask(width)
        if op in _COMPARE:
            return int(_COMPARE[op](known[a], known[b], self.table.width(a)))
        if op in _FLOAT:
            return softfloat.arithmetic(op, width, known[a], known.get(b, 0), known.get(c, 0), imm)
        if op in _FLOAT_COMPARE:
            return softfloat.compare(op, self.table.width(a), known[a], known[b])
        return self._other(op, width, a, b, c, imm)

    def _other(self, op: Op, width: int, a: int, b: int, c: int, imm: int) -> int:
        known = self._values
        match op:
            case Op.CONST:
                return imm & mask(width)
            case Op.INPUT:
                return self.data[imm] if imm < len(self.data) else 0
            case Op.ITE:
                return known[b] if known[a] else known[c]
            case Op.EXTRACT:
                return (known[a] >> imm) & mask(width)
            case Op.CONCAT:
                return known[a] << self.table.width(b) | known[b]
            case Op.TREAD:
                return self._read(imm, known[a])
            case _:
                return self._unary(op, width, known[a], self.table.width(a))

    def _unary(self, op: Op, width: int, value: int, source: int) -> int:
        match op:
            case Op.ZEXT:
                return value
            case Op.SEXT:
                return signed(value, source) & mask(width)
            case Op.FCVT:
                return softfloat.convert(value, source, width)
            case Op.F2SI | Op.F2UI:
                return softfloat.to_integer(value, source, width, op is Op.F2SI)
            case Op.SI2F | Op.UI2F:
                return softfloat.from_integer(signed(value, source) if op is Op.SI2F else value, width)
            case _:
                return _COUNT[op](value, source) & mask(width)

    def _read(self, table: int, index: int) -> int:
        count, _ = self.table.table_shape(table)
        if index >= count:
            return 0
        entries = self.table.table_entries(table)
        if entries and entries[index]:
            return self._values[entries[index]]
        return self.table.table_contents(table)[index]


def evaluate(table: ExpressionTable, node: int, data: bytes) -> int:
    """The value of one node under an input."""
    return Evaluator(table, data).value(node)
