"""Chains of one multiplexing instance each, and queries made for them."""

from __future__ import annotations

import random
import struct

from cinquefoil.expr.builder import TableBuilder
from cinquefoil.expr.evaluate import Evaluator
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import Op
from cinquefoil.solver.api import Constraint, Prefix, Query
from cinquefoil.solver.chain import Chain
from cinquefoil.solver.multiplex.attempt import Instance
from cinquefoil.solver.multiplex.portfolio import MultiplexLayer

COMPARISONS = (Op.EQ, Op.ULT, Op.ULE, Op.SLT, Op.SLE, Op.SLT, Op.SLE)
FACTORS = (1, 1, 1, 2, 3, 5, 7, -1, -1, -2, -3)


def chain_of(table: ExpressionTable, *instances: Instance) -> Chain:
    return Chain(table, (lambda below: MultiplexLayer(instances, below),))


class LinearCases:
    """Systems of linear comparisons over words of one width."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.builder = TableBuilder()
        self.width = rng.choice((8, 16, 32, 32, 64))
        size = self.width // 8
        self.words = [self.builder.inputs(i * size, size) for i in range(rng.randrange(1, 5))]

    def sum(self) -> int:
        b, rng, total = self.builder, self.rng, 0
        for _ in range(rng.randrange(1, 4)):
            factor, word = rng.choice(FACTORS), rng.choice(self.words)
            term = word if factor == 1 else b.binary(Op.MUL, word, b.const(self.width, factor))
            total = b.binary(rng.choice((Op.ADD, Op.SUB)), total, term) if total else term
        return total

    def condition(self) -> int:
        b, rng, sides = self.builder, self.rng, [self.sum()]
        number = rng.choice((0, 1, 2, 3, 10, 100, rng.getrandbits(self.width), rng.getrandbits(8)))
        sides.append(b.const(self.width, number) if rng.random() < 0.7 else self.sum())
        rng.shuffle(sides)
        return b.binary(rng.choice(COMPARISONS), *sides)

    def case(self) -> tuple[ExpressionTable, Query]:
        nodes = [self.condition() for _ in range(self.rng.randrange(1, 6))]
        table = self.builder.table()
        witness = self.rng.randbytes(len(self.words) * self.width // 8)
        return table, flip_last(table, nodes, witness)


def flip_last(table: ExpressionTable, nodes: list[int], witness: bytes) -> Query:
    """The path of a witness, with its last condition the other way."""
    values = Evaluator(table, witness).values(nodes)
    path = Prefix.of(Constraint(n, v) for n, v in zip(nodes[:-1], values[:-1], strict=True))
    return Query(path, (Constraint(nodes[-1], 1 - values[-1]),), witness)


def double(value: float) -> int:
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def figure_two(real: bool) -> tuple[ExpressionTable, list[int]]:
    """The paper's motivating example: x + y >= 2, 2y - x >= 1, 2x - y >= 0, over ints or doubles."""
    b = TableBuilder()
    size = 8 if real else 4
    x, y = b.inputs(0, size), b.inputs(size, size)
    add, sub, mul, le = (Op.FADD, Op.FSUB, Op.FMUL, Op.FOLE) if real else (Op.ADD, Op.SUB, Op.MUL, Op.SLE)

    def number(value: int) -> int:
        return b.const(8 * size, double(value) if real else value)

    conditions = [
        b.binary(le, number(2), b.binary(add, x, y)),
        b.binary(le, number(1), b.binary(sub, b.binary(mul, number(2), y), x)),
        b.binary(le, number(0), b.binary(sub, b.binary(mul, number(2), x), y)),
    ]
    return b.table(), conditions
