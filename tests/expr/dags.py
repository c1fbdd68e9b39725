"""Random expression tables over all operations, for differential tests."""

from __future__ import annotations

from random import Random

from cinquefoil.expr.builder import COMPARISONS, TableBuilder
from cinquefoil.expr.softfloat import FORMATS
from cinquefoil.layout import Op, Rounding

WIDTHS = (1, 3, 8, 8, 16, 31, 32, 32, 33, 64, 64, 65, 80, 127, 128)
INTEGER = (
    Op.ADD, Op.SUB, Op.MUL, Op.UDIV, Op.SDIV, Op.UREM, Op.SREM, Op.SHL, Op.LSHR, Op.ASHR,
    Op.AND, Op.OR, Op.XOR, Op.EQ, Op.ULT, Op.ULE, Op.SLT, Op.SLE, Op.PTRADD,
)  # fmt: skip
SHAPE = (Op.ITE, Op.EXTRACT, Op.CONCAT, Op.ZEXT, Op.SEXT, Op.CTPOP, Op.CTLZ, Op.CTTZ, Op.TREAD)
FLOAT = (Op.FADD, Op.FSUB, Op.FMUL, Op.FDIV, Op.FREM, Op.FMA, Op.FSQRT, Op.FRINT)
CONVERT = (Op.FCVT, Op.F2SI, Op.F2UI, Op.SI2F, Op.UI2F)
FLOAT_COMPARE = (Op.FOEQ, Op.FOLT, Op.FOLE, Op.FUNO)
ALL = INTEGER + SHAPE + FLOAT + CONVERT + FLOAT_COMPARE


def special_floats(width: int) -> list[int]:
    """Zeros, denormals, limits, infinities, NaNs, halves and powers around the integer limits."""
    form = FORMATS[width]
    one_bits = form.fraction_bits
    integer_bit = 1 << (form.precision - 1) if form.explicit else 0
    patterns = [0, 1, 2, form.nan, form.top << one_bits | integer_bit, form.top << one_bits | integer_bit | 1]
    patterns += [(1 << one_bits) | integer_bit, (1 << one_bits) - 1 - integer_bit]
    patterns.append(((form.top - 1) << one_bits) | ((1 << one_bits) - 1))
    for exponent in (-1, 0, 1, 7, 8, 15, 22, 23, 31, 32, 52, 63, 64, 127):
        scaled = (form.bias + exponent) << one_bits | integer_bit
        patterns += [scaled, scaled | 1, scaled | 1 << (one_bits - 2), scaled - 1 | integer_bit]
    if form.explicit:  # unnormal, pseudo-infinity, pseudo-denormal
        patterns += [form.bias << one_bits | 5, form.top << one_bits, integer_bit | 3]
    return patterns + [p | 1 << (width - 1) for p in patterns]


def random_constant(rng: Random, width: int) -> int:
    if width in FORMATS and rng.random() < 0.5:
        return rng.choice(special_floats(width))
    top = 1 << width
    return (
        rng.choice((0, 1, 2, top - 1, top >> 1, (top >> 1) - 1, rng.randrange(top), rng.randrange(min(top, 300)))) % top
    )


class RandomDag:
    """Grows a table by random nodes; `roots` are all nodes made."""

    def __init__(
        self,
        rng: Random,
        inputs: int = 6,
        ops: tuple[Op, ...] = ALL,
        floats: tuple[int, ...] = tuple(FORMATS),
    ) -> None:
        self.rng = rng
        self.floats = floats
        self.ops = ops
        self.inputs = inputs
        self.builder = TableBuilder()
        self.roots = [self.builder.input(i) for i in range(inputs)]

    def grow(self, count: int) -> RandomDag:
        for _ in range(count):
            self.roots.append(self._node(self.rng.choice(self.ops)))
        return self

    def operand(self, width: int) -> int:
        """A node of this width: one there is, a constant, or one resized."""
        same = [n for n in self.roots[-12:] if self.builder.width(n) == width]
        if same and self.rng.random() < 0.7:
            return self.rng.choice(same)
        if self.rng.random() < 0.3:
            return self.builder.const(width, random_constant(self.rng, width))
        return self._resize(self.rng.choice(self.roots), width)

    def _resize(self, node: int, width: int) -> int:
        have = self.builder.width(node)
        if have == width:
            return node
        if have > width:
            return self.builder.extract(node, self.rng.randrange(have - width + 1), width)
        if have + 8 <= width and self.rng.random() < 0.5:
            return self._resize(self.builder.binary(Op.CONCAT, node, self.builder.input(0)), width)
        return self.builder.node(self.rng.choice((Op.ZEXT, Op.SEXT)), width, node)

    def _node(self, op: Op) -> int:
        rng, builder = self.rng, self.builder
        if op in INTEGER:
            width = rng.choice(WIDTHS)
            return builder.binary(op, self.operand(width), self.operand(width))
        if op in SHAPE:
            return self._shape(op)
        if op in CONVERT:
            return self._convert(op)
        width = rng.choice(self.floats)
        a, b = self.operand(width), self.operand(width)
        if op in COMPARISONS:
            return builder.node(op, 1, a, b)
        if op is Op.FMA:
            return builder.node(op, width, a, b, self.operand(width))
        if op in (Op.FSQRT, Op.FRINT):
            return builder.node(op, width, a, imm=int(rng.choice(list(Rounding))) if op is Op.FRINT else 0)
        return builder.node(op, width, a, b)

    def _convert(self, op: Op) -> int:
        rng = self.rng
        floating, other = rng.sample(self.floats, 2)
        if op is Op.FCVT:
            return self.builder.node(op, other, self.operand(floating))
        integer = rng.choice(WIDTHS)
        if op in (Op.SI2F, Op.UI2F):
            return self.builder.node(op, floating, self.operand(integer))
        return self.builder.node(op, integer, self.operand(floating))

    def _shape(self, op: Op) -> int:
        rng, builder, width = self.rng, self.builder, self.rng.choice(WIDTHS)
        match op:
            case Op.ITE:
                return builder.ite(self.operand(1), self.operand(width), self.operand(width))
            case Op.EXTRACT:
                have = rng.randint(width, 128)
                return builder.extract(self.operand(have), rng.randint(0, have - width), width)
            case Op.CONCAT:
                low = rng.randint(1, 64)
                return builder.binary(op, self.operand(rng.randint(1, 64)), self.operand(low))
            case Op.ZEXT | Op.SEXT:
                return builder.node(op, rng.randint(width, 128), self.operand(width))
            case Op.TREAD:
                return self._read()
            case _:
                return builder.node(op, width, self.operand(width))

    def _read(self) -> int:
        rng, width = self.rng, self.rng.choice((8, 16, 32, 64, 80, 128))
        count = rng.choice((1, 5, 16, 200, 256))
        values = [rng.choice((0, 7, rng.randrange(1 << width))) for _ in range(count)]
        entries: list[int] = []
        if rng.random() < 0.4:
            entries = [self.operand(width) if rng.random() < 0.2 else 0 for _ in range(count)]
        table = self.builder.add_table(width, values, entries)
        return self.builder.read(table, self.operand(rng.choice((8, 16, 32, 64))))


def random_input(rng: Random, size: int = 6) -> bytes:
    return bytes(rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256))) for _ in range(size))
