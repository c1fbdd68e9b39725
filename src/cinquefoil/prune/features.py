"""Homi's language of core branch conditions (section 3.2.2) over the expressions of this engine.

    phi  ::=  cond  |  cond and cond ...  |  cond or cond ...        cond  ::=  input byte or word = constant

A constraint over a single input byte is in the language if few values of the byte satisfy it, whatever its expression
looks like: that takes in case distinctions, table look-ups and `tolower` alike.  Constraints over more bytes are
recognised by their form: equality of a word of the input with a constant, their conjunctions and disjunctions.

Conditions are numbered (`Vocabulary`) by what they say, so that codes outlive the expression table.  What a node says
is looked up in arrays by node id, and found out once per epoch (`CoreReader`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cinquefoil.expr.constraint import Constraint
from cinquefoil.expr.naming import Namer, byte_range, plain_names
from cinquefoil.expr.native_evaluator import NativeEvaluator
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import Op
from cinquefoil.prune.api import NO_CONDITIONS, Conditions

MOST_TERMS: Final = 8  # of a disjunction; a class of more characters does not determine a value
_DEEPEST = 2 * MOST_TERMS  # nesting of connectives worth following
_NOT_CORE = -1
_TOGETHER = 256  # nodes evaluated at once
Joiner = Literal["and", "or"]


class Equality(NamedTuple):
    """`size` input bytes from index `first` on, read as a little-endian word, are `value`."""

    first: int
    size: int
    value: int

    def text(self, names: Namer = plain_names) -> str:
        concerned = byte_range(names, self.first, self.size) or f"input[{self.first}:{self.first + self.size}]"
        shown = repr(chr(self.value)) if self.size == 1 and 32 <= self.value < 127 else str(self.value)
        return f"{concerned} == {shown}"


@dataclass(frozen=True, slots=True)
class Feature:
    """A core condition; a single equality is joined by "and"."""

    joiner: Joiner
    terms: tuple[Equality, ...]

    @classmethod
    def of(cls, joiner: Joiner, *terms: Equality) -> Feature:
        return cls("and" if len(set(terms)) == 1 else joiner, tuple(sorted(set(terms))))

    def text(self, names: Namer = plain_names) -> str:
        return f" {self.joiner} ".join(term.text(names) for term in self.terms)


class Vocabulary:
    """Features by number, from 1 on."""

    def __init__(self) -> None:
        self._codes: dict[Feature, int] = {}
        self._features: list[Feature] = []

    def __len__(self) -> int:
        return len(self._features)

    def __getitem__(self, code: int) -> Feature:
        return self._features[code - 1]

    def code(self, feature: Feature) -> int:
        code = self._codes.setdefault(feature, len(self._features) + 1)
        if code > len(self._features):
            self._features.append(feature)
        return code


class CoreReader:
    """Codes of constraints "node equals value" over one epoch's table."""

    def __init__(self, table: ExpressionTable, vocabulary: Vocabulary) -> None:
        self._table = table
        self._vocabulary = vocabulary
        self._evaluator = NativeEvaluator(table)
        self._program = self._evaluator.compile([])
        # By node, for conditions that do not hold and that do; pages nobody touches cost nothing.
        self._by_truth = (np.zeros(len(table.nodes), np.int32), np.zeros(len(table.nodes), np.int32))
        self._by_value: dict[tuple[int, int], int] = {}

    def codes(self, nodes: NDArray[np.uint32], values: NDArray[np.uint64]) -> NDArray[np.int32]:
        """0 for whatever is not in the language; node 0 says nothing."""
        found = np.zeros(len(nodes), np.int32)
        said = nodes != 0
        for truth in (0, 1):
            where = np.flatnonzero(said & (values == truth))
            found[where] = self._of_truth(nodes[where], truth)
        where = np.flatnonzero(said & (values > 1))
        if len(where):
            found[where] = self._of_values(nodes[where].tolist(), values[where].tolist())
        return np.maximum(found, 0)

    @staticmethod
    def conditions(codes: NDArray[np.int32]) -> Conditions:
        """The core conditions of a path, each where it is met first."""
        where = np.flatnonzero(codes)
        if not len(where):
            return NO_CONDITIONS
        _, first = np.unique(codes[where], return_index=True)
        where = where[np.sort(first)]
        return Conditions(where, codes[where])

    def _of_truth(self, nodes: NDArray[np.uint32], truth: int) -> NDArray[np.int32]:
        known = self._by_truth[truth]
        found = known[nodes]
        if not found.all():
            missing = np.unique(nodes[found == 0])
            known[missing] = self._learn(missing, np.full(len(missing), truth, np.uint64))
            found = known[nodes]
        return found

    def _of_values(self, nodes: list[int], values: list[int]) -> list[int]:
        pairs = list(zip(nodes, values, strict=True))
        missing = sorted({pair for pair in pairs if pair not in self._by_value})
        if missing:
            columns = np.array([node for node, _ in missing], np.uint32), np.array([v for _, v in missing], np.uint64)
            self._by_value.update(zip(missing, self._learn(*columns).tolist(), strict=True))
        return [self._by_value[pair] for pair in pairs]

    # ---- finding out ----

    def _learn(self, nodes: NDArray[np.uint32], values: NDArray[np.uint64]) -> NDArray[np.int32]:
        """Codes of constraints not met before, _NOT_CORE for those that have none."""
        found = np.full(len(nodes), _NOT_CORE, np.int32)
        low, high = self._table.nodes["lo"][nodes], self._table.nodes["hi"][nodes]
        for byte in np.unique(low[low == high]).tolist():
            where = np.flatnonzero((low == byte) & (high == byte))
            found[where] = self._of_byte(byte, nodes[where], values[where])
        for at in np.flatnonzero(low < high).tolist():
            feature = self.feature(int(nodes[at]), int(values[at]))
            found[at] = self._vocabulary.code(feature) if feature is not None else _NOT_CORE
        return found

    def _of_byte(self, byte: int, nodes: NDArray[np.uint32], values: NDArray[np.uint64]) -> NDArray[np.int32]:
        """The same where all depend on one byte, whose values are tried all at once."""
        found = np.full(len(nodes), _NOT_CORE, np.int32)
        for start in range(0, len(nodes), _TOGETHER):
            part = slice(start, start + _TOGETHER)
            low, high = self._program.compile(nodes[part].tolist()).truth_table(byte, b"")
            equal = (low == values[part, None]) & (high == 0)
            counts = equal.sum(axis=1)
            for at in np.flatnonzero((counts > 0) & (counts <= MOST_TERMS)).tolist():
                terms = [Equality(byte, 1, value) for value in np.flatnonzero(equal[at]).tolist()]
                found[start + at] = self._vocabulary.code(Feature.of("or", *terms))
        return found

    def feature(self, node: int, value: int, depth: int = 0) -> Feature | None:
        """What "node equals value" says, if it is in the language."""
        record = self._table.nodes[node]
        if record["lo"] == record["hi"]:
            byte = int(record["lo"])
            return _of_domain(byte, self._domain(node, value, byte))
        if record["lo"] > record["hi"] or depth > _DEEPEST:
            return None
        if self._table.width(node) == 1:
            return self._of_condition(node, bool(value), depth + 1)
        word = self._word(node, value)
        return Feature.of("and", word) if word is not None else None

    def _domain(self, node: int, value: int, byte: int) -> int:
        return self._evaluator.domain([Constraint(node, value)], byte, b"")

    def _of_condition(self, node: int, truth: bool, depth: int) -> Feature | None:
        op, _, a, b, c, _ = self._table.fields(node)
        if op is Op.EQ:
            return self._of_equality(a, b, truth, depth)
        if op is Op.XOR and self._constant(b) is not None:
            return self.feature(a, int(truth) ^ (self._constant(b) or 0), depth)
        if op in (Op.AND, Op.OR):
            return self._joined("and" if (op is Op.AND) == truth else "or", a, b, truth, depth)
        if op is Op.ITE and self._constant(c) == 0:  # a and b
            return self._joined("and" if truth else "or", a, b, truth, depth)
        if op is Op.ITE and self._constant(b) == 1:  # a or c
            return self._joined("or" if truth else "and", a, c, truth, depth)
        return None

    def _of_equality(self, a: int, b: int, truth: bool, depth: int) -> Feature | None:
        value, other = self._constant(b), a
        if value is None:
            value, other = self._constant(a), b
        if value is None:
            return None
        if self._table.width(other) == 1:
            return self.feature(other, int(truth == bool(value)), depth)
        word = self._word(other, value) if truth else None
        return Feature.of("and", word) if word is not None else None

    def _joined(self, joiner: Joiner, a: int, b: int, truth: bool, depth: int) -> Feature | None:
        one, other = self.feature(a, int(truth), depth), self.feature(b, int(truth), depth)
        if one is None or other is None:
            return None
        flat = all(len(part.terms) == 1 or part.joiner == joiner for part in (one, other))
        together = Feature.of(joiner, *one.terms, *other.terms)
        return together if flat and len(together.terms) <= MOST_TERMS else None

    def _word(self, node: int, value: int) -> Equality | None:
        """Equality of consecutive input bytes with a constant, behind widening and additions of constants."""
        while True:
            op, width, a, b, _, _ = self._table.fields(node)
            constant = self._constant(b) if b else None
            if op in (Op.ZEXT, Op.SEXT):
                value = self._narrowed(op, value, width, self._table.width(a))
            elif op is Op.ADD and constant is not None:
                value = (value - constant) % (1 << width)
            elif op is Op.XOR and constant is not None:
                value ^= constant
            else:
                break
            if value < 0:
                return None
            node = a
        found = self._consecutive(node)
        return Equality(*found, value) if found is not None else None

    @staticmethod
    def _narrowed(op: Op, value: int, wide: int, narrow: int) -> int:
        """The value before widening; -1 if no value was widened to this."""
        low = value % (1 << narrow)
        negative = op is Op.SEXT and low >> (narrow - 1)
        widened = low + (1 << wide) - (1 << narrow) if negative else low
        return low if widened == value else -1

    def _consecutive(self, node: int) -> tuple[int, int] | None:
        """(first, count) if a node is input bytes in little-endian order."""
        op, _, a, b, _, imm = self._table.fields(node)
        if op is Op.INPUT:
            return imm, 1
        if op is not Op.CONCAT:
            return None
        high, low = self._consecutive(a), self._consecutive(b)
        if high is None or low is None or high[0] != low[0] + low[1]:
            return None
        return low[0], low[1] + high[1]

    def _constant(self, node: int) -> int | None:
        op, _, _, _, _, imm = self._table.fields(node)
        return imm if op is Op.CONST else None


def _of_domain(byte: int, domain: int) -> Feature | None:
    """A set of values of a byte as a disjunction, if it is a small one."""
    if not 1 <= domain.bit_count() <= MOST_TERMS:
        return None
    return Feature.of("or", *(Equality(byte, 1, n) for n in range(256) if domain >> n & 1))
