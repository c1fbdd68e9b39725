"""Which constraints are core branch conditions, and what they say."""

from __future__ import annotations

import numpy as np
import pytest

from cinquefoil.expr.builder import TableBuilder
from cinquefoil.expr.naming import object_names
from cinquefoil.layout import Op
from cinquefoil.prune.features import CoreReader, Equality, Feature, Vocabulary


class Paper:
    """A word `alpha` of four bytes (inputs 0 to 3) and an array `beta` (inputs 4 on)."""

    def __init__(self) -> None:
        self.build = TableBuilder()
        self.alpha = self.build.inputs(0, 4)
        self.beta = [self.build.input(4 + i) for i in range(4)]
        self.vocabulary = Vocabulary()

    def is_(self, node: int, value: int) -> int:
        return self.build.binary(Op.EQ, node, self.build.const(self.build.width(node), value))

    def reader(self) -> CoreReader:
        return CoreReader(self.build.table(), self.vocabulary)

    def texts(self, path: list[tuple[int, int]]) -> list[str]:
        """The core conditions of a path of (node, value), in order."""
        nodes, values = np.array([n for n, _ in path], np.uint32), np.array([v for _, v in path], np.uint64)
        reader = self.reader()
        names = object_names([("alpha", 0, 4), ("beta", 4, 4)])
        codes = reader.conditions(reader.codes(nodes, values)).codes
        return [self.vocabulary[code].text(names) for code in codes.tolist()]


def test_the_papers_example() -> None:
    """Section 3.2.2: of alpha == 3, alpha > 1; beta[2] != 3, beta[2] == 8 the equalities are features."""
    paper = Paper()
    greater = paper.build.binary(Op.SLT, paper.build.const(32, 1), paper.alpha)
    assert paper.texts([(paper.is_(paper.alpha, 3), 1), (greater, 1)]) == ["alpha == 3"]
    eighth = [(paper.is_(paper.beta[2], 3), 0), (paper.is_(paper.beta[2], 8), 1)]
    assert paper.texts(eighth) == ["beta[2] == 8"]


def test_the_same_condition_has_one_code_however_it_is_written() -> None:
    paper = Paper()
    byte = paper.beta[0]
    wide = paper.build.node(Op.ZEXT, 32, byte)
    shifted = paper.build.binary(Op.SUB, wide, paper.build.const(32, 48))
    table = paper.build.add_table(8, [7 if i == 57 else 1 for i in range(256)])
    forms = [
        (paper.is_(byte, 57), 1),
        (paper.is_(wide, 57), 1),
        (paper.is_(shifted, 9), 1),
        (paper.build.read(table, byte), 7),  # a pin
    ]
    reader = paper.reader()
    nodes, values = np.array([n for n, _ in forms], np.uint32), np.array([v for _, v in forms], np.uint64)
    codes = reader.codes(nodes, values)
    assert codes[0] > 0
    assert len(set(codes.tolist())) == 1
    assert paper.vocabulary[int(codes[0])] == Feature("and", (Equality(4, 1, 57),))


def test_codes_outlive_the_table() -> None:
    paper = Paper()
    first = paper.texts([(paper.is_(paper.beta[1], 65), 1)])
    later = Paper()
    later.vocabulary = paper.vocabulary
    later.build.const(8, 99)  # other ids
    assert later.texts([(later.is_(later.beta[1], 65), 1)]) == first == ["beta[1] == 'A'"]
    assert len(paper.vocabulary) == 1


def test_few_values_of_a_byte_are_a_disjunction() -> None:
    paper = Paper()
    lower = paper.build.binary(Op.OR, paper.beta[0], paper.build.const(8, 32))
    assert paper.texts([(paper.is_(lower, ord("a")), 1)]) == ["beta[0] == 'A' or beta[0] == 'a'"]
    digit = paper.build.binary(Op.ULT, paper.beta[0], paper.build.const(8, 10))
    assert paper.texts([(digit, 1), (digit, 0)]) == []


@pytest.mark.parametrize(
    ("op", "truth", "expected"),
    [
        (Op.AND, 1, ["alpha == 3 and beta[0] == 8"]),
        (Op.OR, 1, ["alpha == 3 or beta[0] == 8"]),
        (Op.AND, 0, []),
        (Op.OR, 0, []),
    ],
)
def test_connectives(op: Op, truth: int, expected: list[str]) -> None:
    paper = Paper()
    both = paper.build.binary(op, paper.is_(paper.alpha, 3), paper.is_(paper.beta[0], 8))
    assert paper.texts([(both, truth)]) == expected


def test_negations_are_undone() -> None:
    paper = Paper()
    unequal = paper.build.binary(Op.XOR, paper.is_(paper.alpha, 3), paper.build.const(1, 1))
    assert paper.texts([(unequal, 0)]) == ["alpha == 3"]
    assert paper.texts([(unequal, 1)]) == []
    assert paper.texts([(paper.is_(paper.is_(paper.alpha, 3), 0), 0)]) == ["alpha == 3"]


def test_mixed_connectives_are_not_in_the_language() -> None:
    paper = Paper()
    either = paper.build.binary(Op.OR, paper.is_(paper.alpha, 3), paper.is_(paper.beta[0], 8))
    mixed = paper.build.binary(Op.AND, either, paper.is_(paper.beta[1], 9))
    assert paper.texts([(mixed, 1)]) == []


def test_widening_keeps_or_refutes() -> None:
    paper = Paper()
    half = paper.build.inputs(4, 2)
    signed = paper.build.node(Op.SEXT, 32, half)
    assert paper.texts([(paper.is_(signed, 0xFFFFFFFE), 1)]) == [f"beta[0:2] == {0xFFFE}"]
    assert paper.texts([(paper.is_(signed, 0x12340000), 1)]) == []  # no such value


def test_a_condition_counts_where_it_is_met_first() -> None:
    paper = Paper()
    one, two = paper.is_(paper.beta[0], 1), paper.is_(paper.beta[1], 2)
    reader = paper.reader()
    nodes = np.array([two, one, two, 0, one], np.uint32)
    found = reader.conditions(reader.codes(nodes, np.ones(5, np.uint64)))
    assert found.positions.tolist() == [0, 1]


def test_deep_connectives_are_given_up() -> None:
    paper = Paper()
    node = paper.is_(paper.alpha, 0)
    for value in range(1, 3000):
        node = paper.build.binary(Op.OR, paper.is_(paper.alpha, value), node)
    assert paper.texts([(node, 1)]) == []
