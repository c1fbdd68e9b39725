"""A read-only view of the worker's expression table.

Nodes, tables and their pool are numpy arrays that somebody else maps or makes.  The table is append-only
while an epoch lasts, so everything derived from a node (its operands, the input bytes it depends on) is
memoised by id and stays right when nodes are added.  All walks are iterative: expressions get deep.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from cinquefoil.layout import Op

Records = NDArray[np.void]
OPS: Final = tuple(Op)
"""Members in code order: `OPS[code - 1]` is much quicker than `Op(code)`."""


class ExpressionTable:
    """Nodes by id, with memoised operands and dependencies.

    `nodes` may be longer than the part in use: only ids that came from events or other nodes are read.
    """

    def __init__(self, nodes: Records, tables: Records, pool: NDArray[np.uint8]) -> None:
        self.nodes = nodes
        self.tables = tables
        self.pool = pool
        self._fields: dict[int, tuple[Op, int, int, int, int, int]] = {}
        self._operands: dict[int, tuple[int, ...]] = {}
        self._deps: dict[int, int] = {0: 0}
        self._entries: dict[int, tuple[int, ...]] = {}
        self._contents: dict[int, tuple[int, ...]] = {}
        self._runs: dict[int, int] = {}

    def fields(self, node: int) -> tuple[Op, int, int, int, int, int]:
        """(op, width, a, b, c, imm)."""
        found = self._fields.get(node)
        if found is None:
            op, _, width, a, b, c, imm, *_ = cast("tuple[int, ...]", self.nodes[node].item())
            found = (OPS[op - 1], width, a, b, c, imm)
            self._fields[node] = found
        return found

    def op(self, node: int) -> Op:
        return self.fields(node)[0]

    def width(self, node: int) -> int:
        return self.fields(node)[1]

    def imm(self, node: int) -> int:
        return self.fields(node)[5]

    def operands(self, node: int) -> tuple[int, ...]:
        """Ids of all nodes this one is computed from, the entries of its table included."""
        found = self._operands.get(node)
        if found is None:
            op, _, a, b, c, imm = self.fields(node)
            found = tuple(x for x in (a, b, c) if x)
            if op is Op.TREAD:
                found += tuple(sorted({x for x in self.table_entries(imm) if x}))
            self._operands[node] = found
        return found

    def table_shape(self, table: int) -> tuple[int, int]:
        """(count, width) of a table."""
        record = self.tables[table]
        return int(record["count"]), int(record["width"])

    def table_contents(self, table: int) -> tuple[int, ...]:
        """The concrete values of a table's elements (of an element with an entry: at snapshot time)."""
        found = self._contents.get(table)
        if found is None:
            count, width = self.table_shape(table)
            size, start = width // 8, int(self.tables[table]["bytes"])
            raw = self.pool[start : start + count * size].tobytes()
            found = tuple(int.from_bytes(raw[i : i + size], "little") for i in range(0, count * size, size))
            self._contents[table] = found
        return found

    def table_entries(self, table: int) -> tuple[int, ...]:
        """Expression ids of a table's elements, 0 for concrete; empty if all are concrete."""
        found = self._entries.get(table)
        if found is None:
            start, count = int(self.tables[table]["ids"]), int(self.tables[table]["count"])
            raw = self.pool[start : start + 4 * count].tobytes() if start else b""
            found = tuple(np.frombuffer(raw, dtype="<u4").tolist())
            self._entries[table] = found
        return found

    def table_runs(self, table: int) -> int:
        """How many runs of equal elements there are, without an object for each element."""
        found = self._runs.get(table)
        if found is None:
            record, (count, width) = self.tables[table], self.table_shape(table)
            changes = _changes(self.pool, int(record["bytes"]), count, width // 8)
            if start := int(record["ids"]):
                changes |= _changes(self.pool, start, count, 4)
            found = self._runs[table] = 1 + int(np.count_nonzero(changes))
        return found

    def cone(self, roots: Iterable[int]) -> list[int]:
        """All nodes the roots depend on, themselves included, operands first (ascending ids)."""
        seen = {root for root in roots if root}
        stack = list(seen)
        while stack:
            for operand in self.operands(stack.pop()):
                if operand not in seen:
                    seen.add(operand)
                    stack.append(operand)
        return sorted(seen)

    def has_more_than(self, most: int, root: int) -> bool:
        """Whether so many nodes and one more are at and below this one; no others are looked at."""
        seen, stack = {root}, [root]
        while stack and len(seen) <= most:
            new = [operand for operand in self.operands(stack.pop()) if operand not in seen]
            seen.update(new)
            stack += new
        return len(seen) > most

    def node_count(self, roots: Iterable[int]) -> int:
        return len(self.cone(roots))

    def deps_mask(self, node: int) -> int:
        """The exact set of input indices a node depends on, as a bit set."""
        known = self._deps
        stack = [node]
        while stack:
            top = stack[-1]
            if top in known:
                stack.pop()
                continue
            missing = [x for x in self.operands(top) if x not in known]
            if missing:
                stack.extend(missing)
                continue
            known[top] = self._own_mask(top)
            stack.pop()
        return known[node]

    def _own_mask(self, node: int) -> int:
        op, _, _, _, _, imm = self.fields(node)
        mask = 1 << imm if op is Op.INPUT else 0
        for operand in self.operands(node):
            mask |= self._deps[operand]
        return mask

    def deps(self, node: int) -> tuple[int, ...]:
        """The input indices a node depends on, ascending."""
        return mask_indices(self.deps_mask(node))


def mask_indices(mask: int) -> tuple[int, ...]:
    """The positions of the one bits, ascending."""
    found: list[int] = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)


def _changes(pool: NDArray[np.uint8], start: int, count: int, size: int) -> NDArray[np.bool_]:
    """Whether each element but the first differs from the one before it."""
    elements = pool[start : start + count * size].reshape(count, size)
    return (elements[1:] != elements[:-1]).any(axis=1)
