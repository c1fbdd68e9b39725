"""Random queries for the solver tests: a fast generator, since volume matters more here than shrinking."""

from __future__ import annotations

import random
from dataclasses import dataclass

from cinquefoil.expr.builder import TableBuilder
from cinquefoil.expr.evaluate import Evaluator
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import Op
from cinquefoil.solver.api import Constraint, Prefix, Query

ARITHMETIC = (Op.ADD, Op.SUB, Op.MUL, Op.AND, Op.OR, Op.XOR, Op.SHL, Op.LSHR, Op.ASHR)
DIVISION = (Op.UDIV, Op.SDIV, Op.UREM, Op.SREM)
COMPARISON = (Op.EQ, Op.ULT, Op.ULE, Op.SLT, Op.SLE)
FLOAT = (Op.FADD, Op.FSUB, Op.FMUL, Op.FDIV)
FLOAT_COMPARISON = (Op.FOEQ, Op.FOLT, Op.FOLE, Op.FUNO)
WIDTHS = (8, 16, 32, 64)


@dataclass(slots=True)
class Generator:
    """Expressions over the input bytes `first .. first+count-1`."""

    rng: random.Random
    builder: TableBuilder
    bytes: tuple[int, ...]
    floats: bool = False
    wide: bool = False

    def constant(self, width: int) -> int:
        special = (0, 1, 10, 48, 57, 65, (1 << width) - 1, 1 << (width - 1), self.rng.getrandbits(width))
        return self.builder.const(width, self.rng.choice(special))

    def word(self, width: int, depth: int) -> int:
        b, rng = self.builder, self.rng
        if depth <= 0 or rng.random() < 0.15:
            return self.leaf(width)
        kind = rng.randrange(10)
        if kind < 6:
            op = rng.choice(ARITHMETIC if kind < 5 else DIVISION)
            return b.binary(op, self.word(width, depth - 1), self.operand(width, depth - 1))
        if kind == 6:
            then, other = self.word(width, depth - 1), self.operand(width, depth - 1)
            return b.ite(self.condition(depth - 1), then, other)
        if kind == 7:
            return self.lookup(width, depth - 1)
        if kind == 8:
            return b.node(rng.choice((Op.CTPOP, Op.CTLZ, Op.CTTZ)), width, self.word(width, depth - 1))
        return self.resized(width, depth - 1)

    def operand(self, width: int, depth: int) -> int:
        return self.constant(width) if self.rng.random() < 0.6 else self.word(width, depth)

    def leaf(self, width: int) -> int:
        b = self.builder
        byte = b.input(self.rng.choice(self.bytes))
        if width == 8:
            return byte
        if width == 16 and len(self.bytes) > 1 and self.rng.random() < 0.5:
            return b.binary(Op.CONCAT, b.input(self.rng.choice(self.bytes)), byte)
        return b.node(self.rng.choice((Op.ZEXT, Op.SEXT)), width, byte)

    def resized(self, width: int, depth: int) -> int:
        b, other = self.builder, self.rng.choice((*WIDTHS, 128) if self.wide else WIDTHS)
        if other == width:
            return self.word(width, depth)
        source = self.word(other, depth) if other <= 64 else self.wide_word(depth)
        if other > width:
            return b.extract(source, self.rng.randrange(other - width + 1), width)
        return b.node(self.rng.choice((Op.ZEXT, Op.SEXT)), width, source)

    def wide_word(self, depth: int) -> int:
        b = self.builder
        x, y = (b.node(self.rng.choice((Op.ZEXT, Op.SEXT)), 128, self.word(64, depth - 1)) for _ in range(2))
        return b.binary(self.rng.choice((Op.ADD, Op.MUL, Op.SUB)), x, y)

    def lookup(self, width: int, depth: int) -> int:
        b, rng = self.builder, self.rng
        count = rng.choice((3, 16, 256))
        values = [rng.choice((0, 1, 2, rng.getrandbits(width))) for _ in range(count)]
        entries = [self.leaf(width) if rng.random() < 0.2 else 0 for _ in range(count)] if count == 3 else ()
        return b.read(b.add_table(width, values, entries), self.word(rng.choice((8, 32)), depth - 1))

    def real(self, width: int, depth: int) -> int:
        b, rng = self.builder, self.rng
        if depth <= 0 or rng.random() < 0.3:
            return b.node(rng.choice((Op.SI2F, Op.UI2F)), width, self.word(rng.choice((8, 16)), 1))
        if rng.random() < 0.2:
            return b.node(Op.FCVT, width, self.real(96 - width, depth - 1))
        return b.binary(rng.choice(FLOAT), self.real(width, depth - 1), self.real(width, depth - 1))

    def condition(self, depth: int) -> int:
        b, rng = self.builder, self.rng
        if depth > 1 and rng.random() < 0.2:
            return b.binary(rng.choice((Op.AND, Op.OR)), self.condition(depth - 1), self.condition(depth - 1))
        if self.floats and rng.random() < 0.6:
            width = rng.choice((32, 64))
            return b.binary(rng.choice(FLOAT_COMPARISON), self.real(width, 2), self.real(width, 2))
        width = rng.choice(WIDTHS)
        return b.binary(rng.choice(COMPARISON), self.word(width, depth - 1), self.operand(width, depth - 1))

    def switch(self) -> int:
        """A disjunction of equalities, as grouped switch cases make."""
        b = self.builder
        value = b.input(self.rng.choice(self.bytes))
        cases = [b.binary(Op.EQ, value, b.const(8, self.rng.getrandbits(8))) for _ in range(3)]
        return b.binary(Op.OR, b.binary(Op.OR, cases[0], cases[1]), cases[2])


def random_case(
    rng: random.Random, count: int, length: int, depth: int = 3, floats: bool = False, wide: bool = False
) -> tuple[ExpressionTable, Query]:
    """A table and a query whose witness satisfies the prefix and violates the goal, over `count` bytes."""
    builder = TableBuilder()
    # A gap in the indices, so that positions and indices are not the same thing.
    chosen = tuple(sorted(rng.sample(range(2 * count + 1), count)))
    make = Generator(rng, builder, chosen, floats, wide)
    nodes = [make.switch() if rng.random() < 0.2 else make.condition(depth) for _ in range(length)]
    if rng.random() < 0.3:
        nodes.append(make.word(rng.choice(WIDTHS), depth))  # a pinned value
    goal = make.word(8, depth) if rng.random() < 0.2 else make.condition(depth)
    table = builder.table()
    witness = rng.randbytes(2 * count)
    values = Evaluator(table, witness).values([*nodes, goal])
    prefix = Prefix.of(Constraint(n, v) for n, v in zip(nodes, values[:-1], strict=True))
    flip = Constraint(goal, values[-1], False)
    if table.width(goal) == 1:
        flip = Constraint(goal, 1 - values[-1])
    return table, Query(prefix, (flip,), witness)
