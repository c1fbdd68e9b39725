"""Kinds of queries: what the portfolio learns by."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntFlag
from typing import NamedTuple

from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import Op

_SIZES = ("up to 4", "up to 16", "up to 64", "over 64")


class NodeFeature(IntFlag):
    """What occurs below a node."""

    FLOAT = 1
    READ = 2  # of a table
    CHOICE = 4  # if-then-else of words: conditional writes, among others
    PRODUCT = 8  # of two symbolic factors, or a division by one
    DEEP = 16  # floating point: products, quotients or roots of one another, more than DEEPEST of them


class QueryClass(NamedTuple):
    features: NodeFeature
    size: int  # 0: up to 4 input bytes, 1: up to 16, 2: up to 64, 3: more

    def __str__(self) -> str:
        """As statistics name it, such as `float+choice, 16 bytes`."""
        names = "+".join(str(feature.name).lower() for feature in NodeFeature if feature in self.features) or "plain"
        return f"{names}, {_SIZES[self.size]} bytes"


DEEPEST = 3
_FLOAT, _READ, _CHOICE, _PRODUCT, _DEEP = map(int, NodeFeature)  # numbers are joined ten times as fast
_DEAR = frozenset({Op.FMUL, Op.FDIV, Op.FREM, Op.FSQRT, Op.FMA})
_PRODUCTS = frozenset({Op.MUL, Op.UDIV, Op.SDIV, Op.UREM, Op.SREM, Op.SHL, Op.LSHR, Op.ASHR})


class Classes:
    """Features by node, for one table."""

    def __init__(self, table: ExpressionTable) -> None:
        self.table = table
        self._known: dict[int, int] = {0: 0}
        self._depth: dict[int, int] = {}  # of expensive operations upon one another, where there are any
        self._looked_at = 0  # nodes searched for floating point
        self._floats = False

    def floats_up_to(self, node: int) -> bool:
        """Is there floating point among the nodes up to this one?  Operands come before those that use them, so this
        spares most programs the walk over their expressions, which may be millions of nodes long."""
        if node >= self._looked_at and not self._floats:
            self._floats = bool((self.table.nodes["op"][self._looked_at : node + 1] >= Op.FADD).any())
            self._looked_at = node + 1
        return self._floats

    def of(self, nodes: Iterable[int], inputs: int) -> QueryClass:
        found = 0
        for node in nodes:
            found |= self._features(node)
        return QueryClass(NodeFeature(found), (inputs > 4) + (inputs > 16) + (inputs > 64))

    def _features(self, node: int) -> int:
        known, stack = self._known, [node]
        while stack:
            top = stack[-1]
            missing = [x for x in self.table.operands(top) if x not in known] if top not in known else []
            if missing:
                stack += missing
                continue
            if top not in known:
                known[top] = self._own(top)
            stack.pop()
        return known[node]

    def _own(self, node: int) -> int:
        op, width, _, b, _, _ = self.table.fields(node)
        found = depth = 0
        for operand in self.table.operands(node):
            found |= self._known[operand]
        if self._depth:
            depth = max((self._depth.get(x, 0) for x in self.table.operands(node)), default=0)
        if op >= Op.FADD:
            found |= _FLOAT
            depth += op in _DEAR
        if depth:
            self._depth[node] = depth
            found |= _DEEP if depth > DEEPEST else 0
        if op is Op.TREAD:
            found |= _READ
        elif op is Op.ITE and width > 1:
            found |= _CHOICE
        elif op in _PRODUCTS and self.table.op(b) is not Op.CONST:
            found |= _PRODUCT
        return found
