"""Microseconds per query and layer on constraints as to-upper, strtol, strcmp and a lexer leave them.

python tests/solver/benchmark.py [--smt-only | --fresh] [--backend z3]
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from time import perf_counter

import numpy as np

from cinquefoil.expr.builder import TableBuilder
from cinquefoil.expr.evaluate import Evaluator
from cinquefoil.layout import Op
from cinquefoil.solver.api import Constraint, PathConstraints, Prefix, Query
from cinquefoil.solver.chain import Chain
from cinquefoil.solver.layer import Layer
from cinquefoil.solver.registry import LayerFactory, arranged
from cinquefoil.solver.smt_layer import LIFETIME, SmtLayer, session_factory

Subject = tuple[TableBuilder, list[int], int]
"""Builder, conditions in the order of the path, number of input bytes."""


def to_upper(length: int = 10) -> Subject:
    b = TableBuilder()
    letters = (b.node(Op.ZEXT, 32, b.input(i)) for i in range(length))
    offsets = (b.binary(Op.SUB, c, b.const(32, ord("a"))) for c in letters)
    return b, [b.binary(Op.ULT, x, b.const(32, 26)) for x in offsets], length


def strtol(digits: int = 8) -> Subject:
    """isdigit, the overflow check and the sum for every digit; then comparisons of the number."""
    b, conditions = TableBuilder(), list[int]()
    total = b.const(64, 0)
    for index in range(digits):
        digit = b.binary(Op.SUB, b.node(Op.SEXT, 32, b.input(index)), b.const(32, ord("0")))
        conditions.append(b.binary(Op.ULT, digit, b.const(32, 10)))
        total = b.binary(Op.ADD, b.binary(Op.MUL, total, b.const(64, 10)), b.node(Op.ZEXT, 64, digit))
        conditions.append(b.binary(Op.SLT, b.const(64, 2**31 - 1), total))
    conditions += [b.binary(Op.EQ, total, b.const(64, value)) for value in (12345678, 99, 4242)]
    conditions += [b.binary(Op.SLT, total, b.const(64, value)) for value in (1000, 50_000_000)]
    odd = b.binary(Op.UREM, total, b.const(64, 7919))
    return b, [*conditions, b.binary(Op.EQ, odd, b.const(64, 17))], digits


def strcmp() -> Subject:
    b, conditions = TableBuilder(), list[int]()
    for index, letter in enumerate(b"password"):
        conditions.append(b.binary(Op.EQ, b.input(index), b.const(8, letter)))
        conditions.append(b.binary(Op.EQ, b.input(index), b.const(8, 0)))
    conditions.append(b.binary(Op.EQ, b.inputs(8, 4), b.const(32, 0xDEADBEEF)))
    conditions += [b.binary(Op.ULT, b.input(i), b.input((i + 1) % 8)) for i in range(8)]
    return b, conditions, 12


def lexer(length: int = 8) -> Subject:
    """state = next[base[state] + class[c]]: a table-driven automaton without pinning, two bytes deep."""
    b, rng, conditions = TableBuilder(), random.Random(7), list[int]()
    classes = b.add_table(8, [rng.randrange(12) for _ in range(256)])
    follow = b.add_table(8, [rng.randrange(9) for _ in range(128)])
    for index in range(length - 1):
        state = b.node(Op.ZEXT, 32, b.read(classes, b.input(index)))
        letter = b.node(Op.ZEXT, 32, b.read(classes, b.input(index + 1)))
        entry = b.binary(Op.ADD, b.binary(Op.MUL, state, b.const(32, 10)), letter)
        conditions.append(b.binary(Op.EQ, b.read(follow, entry), b.const(8, rng.randrange(9))))
    return b, conditions, length


def checksum(length: int = 8) -> Subject:
    """A multiplicative hash: what only an SMT solver can invert."""
    b = TableBuilder()
    total = b.const(32, 5381)
    for index in range(length):
        byte = b.node(Op.ZEXT, 32, b.input(index))
        total = b.binary(Op.ADD, b.binary(Op.MUL, total, b.const(32, 33)), byte)
    low = b.extract(total, 0, 16)
    return b, [b.binary(Op.EQ, low, b.const(16, value)) for value in range(0x1000, 0x1010)], length


def long_path(length: int = 4000) -> Subject:
    b = TableBuilder()
    return b, [b.binary(Op.ULT, b.input(i), b.const(8, 128)) for i in range(length)], length


def queries(subject: Subject, witnesses: int) -> Iterator[Query]:
    """Every flip along the paths of some random digit strings."""
    builder, conditions, size = subject
    table, rng = builder.table(), random.Random(1)
    for number in range(witnesses):
        witness = bytes(rng.choice(b"0123456789") for _ in range(size))
        values = Evaluator(table, witness).values(conditions)
        path = PathConstraints(number, 0, np.array(conditions, np.uint32), np.array(values, np.uint64))
        for position, (node, value) in enumerate(zip(conditions, values, strict=True)):
            yield Query(Prefix(path, position), (Constraint(node, 1 - value),), witness)


def measure(name: str, subject: Subject, witnesses: int, layers: Sequence[LayerFactory]) -> None:
    chain = Chain(subject[0].table(), layers)
    asked = list(queries(subject, witnesses))
    start = perf_counter()
    statuses = [chain.solve(query).status for query in asked]
    seconds = perf_counter() - start
    counts = ", ".join(f"{statuses.count(kind)} {kind}" for kind in ("sat", "unsat", "unknown"))
    print(f"{name}: {len(asked)} queries ({counts}), {seconds / len(asked) * 1e6:.1f} us per query")
    for layer, row in chain.statistics().items():
        if row.queries:
            each = row.nanoseconds / row.queries / 1000
            decided = f"{row.sat:6} sat {row.unsat:6} unsat"
            print(f"    {layer:8} {row.queries:6} asked {decided} {each:9.1f} us each")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smt-only", action="store_true", help="no layer in front of the SMT solver")
    parser.add_argument("--fresh", action="store_true", help="SMT only, a new instance per query")
    parser.add_argument("--backend", default="bitwuzla")
    options = parser.parse_args()
    lifetime = 1 if options.fresh else LIFETIME
    bare = options.smt_only or options.fresh

    def smt(_: Layer | None) -> Layer:
        return SmtLayer(session_factory(options.backend), 10.0, 0, lifetime)

    layers = [smt] if bare else [*arranged(()), smt]
    for make in (to_upper, strtol, strcmp, lexer, checksum):
        measure(make.__name__, make(), 3 if bare else 20, layers)
    if not bare:
        measure("long_path", long_path(), 1, layers)


if __name__ == "__main__":
    main()
