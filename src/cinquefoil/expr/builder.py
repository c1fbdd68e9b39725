"""Makes expression tables from Python: for tests, and for expressions the engine invents.

Nodes are interned (equal nodes, equal ids) and checked for well-formed widths, but never simplified, so a
test gets exactly the operation it asks for.  The arrays have the worker's layout.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cinquefoil.errors import EngineError
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import NODE, TABLE, Op

COMPARISONS = frozenset({Op.EQ, Op.ULT, Op.ULE, Op.SLT, Op.SLE, Op.FOEQ, Op.FOLT, Op.FOLE, Op.FUNO})
_Key = tuple[int, int, int, int, int, int]


class TableBuilder:
    """Appends nodes and tables; `table()` gives a view of what there is."""

    def __init__(self) -> None:
        self._rows: list[_Key] = [(0, 0, 0, 0, 0, 0)]
        self._bounds: list[tuple[int, int]] = [(0xFFFFFFFF, 0)]
        self._ids: dict[_Key, int] = {}
        self._tables: list[tuple[int, int, int, int, int]] = [(0, 0, 0, 0, 0)]
        self._entries: dict[int, Sequence[int]] = {}
        self._pool = bytearray(8)  # offset 0 means "none" for ids

    def width(self, node: int) -> int:
        return self._rows[node][1]

    def const(self, width: int, value: int) -> int:
        """A constant of any width: over 64 bits, a CONCAT of two."""
        value &= (1 << width) - 1
        if width <= 64:
            return self.node(Op.CONST, width, imm=value)
        return self.node(Op.CONCAT, width, self.const(width - 64, value >> 64), self.const(64, value))

    def input(self, index: int) -> int:
        return self.node(Op.INPUT, 8, imm=index)

    def inputs(self, first: int, count: int) -> int:
        """`count` bytes from `first` as one little-endian number."""
        node = self.input(first)
        for index in range(first + 1, first + count):
            node = self.node(Op.CONCAT, 8 + self.width(node), self.input(index), node)
        return node

    def binary(self, op: Op, a: int, b: int) -> int:
        """An operation whose width follows from its operands'."""
        if op is Op.CONCAT:
            width = self.width(a) + self.width(b)
        else:
            width = 1 if op in COMPARISONS else self.width(a)
        return self.node(op, width, a, b)

    def extract(self, a: int, low: int, width: int) -> int:
        return self.node(Op.EXTRACT, width, a, imm=low)

    def ite(self, condition: int, then: int, other: int) -> int:
        return self.node(Op.ITE, self.width(then), condition, then, other)

    def read(self, table: int, index: int) -> int:
        return self.node(Op.TREAD, self._tables[table][1], index, imm=table)

    def node(self, op: Op, width: int, a: int = 0, b: int = 0, c: int = 0, imm: int = 0) -> int:
        """The id of a node, made if it is new."""
        key = (int(op), width, a, b, c, imm)
        found = self._ids.get(key)
        if found is None:
            self._check(op, width, (a, b, c))
            found = self._ids[key] = len(self._rows)
            self._rows.append(key)
            self._bounds.append(self._input_bounds(op, (a, b, c), imm))
        return found

    def _check(self, op: Op, width: int, operands: Sequence[int]) -> None:
        if not 1 <= width <= 128:
            raise EngineError(f"{op.name}: width {width} is not between 1 and 128")
        if any(not 0 <= x < len(self._rows) for x in operands):
            raise EngineError(f"{op.name}: operand ids {operands} are not all known")

    def _input_bounds(self, op: Op, operands: Sequence[int], imm: int) -> tuple[int, int]:
        if op is Op.INPUT:
            return imm, imm
        entries = self._entries.get(imm, ()) if op is Op.TREAD else ()
        bounds = [self._bounds[x] for x in (*operands, *entries) if x]
        return min((b[0] for b in bounds), default=0xFFFFFFFF), max((b[1] for b in bounds), default=0)

    def add_table(self, width: int, values: Sequence[int], entries: Sequence[int] = ()) -> int:
        """A table of constants; `entries`, if given, has a node id or 0 for each."""
        if width % 8 or (entries and len(entries) != len(values)):
            raise EngineError("a table needs whole bytes per element, and an entry for each or none")
        start = len(self._pool)
        for value in values:
            self._pool += (value & ((1 << width) - 1)).to_bytes(width // 8, "little")
        ids = 0
        if entries:
            self._pool += bytes(-len(self._pool) % 4)
            ids = len(self._pool)
            self._pool += np.asarray(entries, dtype="<u4").tobytes()
        self._tables.append((len(values), width, start, ids, 0))
        self._entries[len(self._tables) - 1] = tuple(entries)
        return len(self._tables) - 1

    def table(self) -> ExpressionTable:
        """A view of everything made so far."""
        nodes = np.zeros(len(self._rows), dtype=NODE)
        rows = np.array(self._rows, dtype=np.uint64)
        for column, name in enumerate(("op", "width", "a", "b", "c", "imm")):
            nodes[name] = rows[:, column]
        bounds = np.array(self._bounds, dtype=np.uint32)
        nodes["lo"], nodes["hi"] = bounds[:, 0], bounds[:, 1]
        tables = np.array(self._tables, dtype=TABLE)
        return ExpressionTable(nodes, tables, np.frombuffer(bytes(self._pool), dtype=np.uint8))
