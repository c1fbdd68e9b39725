"""Fast evaluation of expressions under many inputs, and truth tables over one or two bytes.

The cone of some roots is compiled to a linear program (native/expr/evaluator.c) that runs over lanes.  What is
used once goes through `satisfies`, `eval_many` or `domain`; what is used often is kept as a `CompiledCone`.
Semantics are those of evaluate.py, which is the oracle in the tests.

An evaluator has scratch memory of its own: use one per thread.  It reads node ids that come from its own
table only; ids that the table does not have yet are undefined behaviour, so they are checked here.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cinquefoil.errors import EngineError
from cinquefoil.expr.constraint import Constraint
from cinquefoil.expr.table import OPS, ExpressionTable
from cinquefoil.layout import Op
from cinquefoil.native import core
from cinquefoil.native.structures import structure

INSTRUCTION: Final = np.dtype(
    [
        ("op", "u1"), ("wide", "u1"), ("width", "u1"), ("wa", "u1"), ("a", "u4"), ("b", "u4"), ("c", "u4"),
        ("imm", "u8"), ("wb", "u1"), ("wc", "u1"), ("outer", "u1"), ("pad", "u1"), ("node", "u4"),
    ]
)  # fmt: skip
NONE: Final = 0xFFFFFFFF
BLOCK: Final = 64
"""Inputs evaluated at once: enough to vectorise, few enough to stay in the cache."""

Words = NDArray[np.uint64]
_STACK_FULL, _CODE_FULL, _AUX_FULL = -1, -2, -3


@dataclass(frozen=True, slots=True)
class ConeStatistics:
    """What the expressions below some roots consist of."""

    nodes: int
    inputs: int
    depth: int
    by_op: dict[Op, int]


class _Wanted:
    """Constraint values as C arrays (ctypes makes small ones much quicker than numpy)."""

    def __init__(self, constraints: Sequence[Constraint]) -> None:
        halves = [x for c in constraints for x in (c.value & 0xFFFFFFFFFFFFFFFF, c.value >> 64)]
        self.values = (ctypes.c_uint64 * len(halves))(*halves)
        self.equal = bytes(c.equal for c in constraints)
        self.count = len(constraints)


class _Buffer:
    """Scratch memory with its address at hand (asking numpy for it takes a microsecond)."""

    def __init__(self, dtype: np.dtype[np.void] | type[np.generic], size: int) -> None:
        # Zeroed pages cost nothing until they are touched.
        self.array = np.zeros(size, dtype=dtype)
        self.address = core.address(self.array)
        self.size = size

    def grow(self, size: int) -> None:
        """Room for at least `size`; the content is lost."""
        if size > self.size:
            self.__init__(self.array.dtype, 2 * size)


class CompiledCone:
    """The compiled cone of some roots; valid as long as its evaluator's table."""

    def __init__(self, owner: NativeEvaluator, roots: Sequence[int]) -> None:
        self._owner = owner
        self.roots: Sequence[int] = ()
        self._code = _Buffer(INSTRUCTION, 64)
        self._aux = _Buffer(np.uint32, 16)
        self._slots = _Buffer(np.uint32, 16)
        self._raw = self._buffers()
        self.compile(roots)

    def compile(self, roots: Sequence[int]) -> CompiledCone:
        """Use this program's memory for other roots."""
        owner, count = self._owner, len(roots)
        owner.check_ids(roots)
        ids = (ctypes.c_uint32 * count)(*roots)
        self.roots = roots
        if count > self._slots.size:
            self._slots.grow(count)
            self._raw = self._buffers()
        while (status := core.cinq_compile(owner.new_epoch(), self._raw, ids, count)) != 0:
            self._grow(status)
        return self

    def _buffers(self) -> Any:
        code, aux = self._code, self._aux
        return structure("code")(code.address, aux.address, self._slots.address, 0, code.size, 0, aux.size)

    def _grow(self, status: int) -> None:
        if status == _STACK_FULL:
            self._owner.grow_stack()
        elif status == _CODE_FULL:
            self._code.grow(2 * self._code.size)
        elif status == _AUX_FULL:
            self._aux.grow(2 * self._aux.size)
        else:
            raise EngineError(f"the native evaluator failed with status {status}")
        self._raw = self._buffers()

    @property
    def length(self) -> int:
        """Nodes in the cone."""
        return int(self._raw.length)

    @property
    def code(self) -> NDArray[np.void]:
        """The instructions, operands first."""
        return self._code.array[: self.length]

    def values(self, inputs: Sequence[bytes]) -> list[list[int]]:
        """The value of every root (outer list) under every input."""
        low, high = self.arrays(_matrix(inputs))
        if not high.any():
            return low.tolist()
        return [_joined(*rows) for rows in zip(low.tolist(), high.tolist(), strict=True)]

    def arrays(self, inputs: NDArray[np.uint8]) -> tuple[Words, Words]:
        """Low and high halves, [root, input]; one row of bytes per input."""
        total = len(inputs)
        low = np.zeros((len(self.roots), total), dtype=np.uint64)
        high = np.zeros_like(low)
        for start in range(0, total, BLOCK):
            block = np.ascontiguousarray(inputs[start : start + BLOCK])
            low[:, start : start + BLOCK], high[:, start : start + BLOCK] = self._block(block)
        return low, high

    def _block(self, block: NDArray[np.uint8]) -> tuple[Words, Words]:
        count, size = block.shape
        lanes = self._owner.lanes(self.length, count, core.address(block), size, stride=size)
        core.cinq_evaluate(self._owner.space, self._raw, lanes)
        return self._collect(lanes)

    def _collect(self, lanes: Any) -> tuple[Words, Words]:
        shape = (len(self.roots), int(lanes.count))
        low, high = np.empty(shape, dtype=np.uint64), np.empty(shape, dtype=np.uint64)
        core.cinq_collect(self._raw, lanes, shape[0], low, high)
        return low, high

    def truth_table(self, byte: int, data: bytes) -> tuple[Words, Words]:
        """Every root's value for each of the 256 values of one input byte, the others as in `data`."""
        lanes = self._byte_lanes(data, byte, NONE)
        core.cinq_evaluate(self._owner.space, self._raw, lanes)
        return self._collect(lanes)

    def first_violated(self, wanted: _Wanted, data: bytes) -> int:
        lanes = self._owner.lanes(self.length, 1, data, len(data))
        call = core.cinq_first_violated
        return call(self._owner.space, self._raw, lanes, wanted.values, wanted.equal, wanted.count)

    def pair_domain(self, wanted: _Wanted, data: bytes, outer: int, inner: int) -> Words:
        """[256, 4] words of 64 bits: bit `inner` of row `outer` tells whether all hold."""
        bits = np.zeros((256, 4), dtype=np.uint64)
        self._fill_domain(wanted, data, inner, outer, bits)
        return bits

    def byte_domain(self, wanted: _Wanted, data: bytes, byte: int) -> int:
        """The values of one byte under which all hold, as a 256-bit set."""
        bits = (ctypes.c_uint64 * 4)()
        self._fill_domain(wanted, data, byte, NONE, bits)
        return int.from_bytes(bits, "little")

    def _fill_domain(
        self, wanted: _Wanted, data: bytes, inner: int, outer: int, bits: Words | ctypes.Array[ctypes.c_uint64]
    ) -> None:
        lanes, call = self._byte_lanes(data, inner, outer), core.cinq_truth_table
        call(self._owner.space, self._raw, lanes, wanted.values, wanted.equal, wanted.count, bits)

    def _byte_lanes(self, data: bytes, inner: int, outer: int) -> Any:
        lanes = self._owner.lanes(self.length, 256, data, len(data))
        lanes.inner, lanes.outer = inner, outer
        return lanes

    def dependencies(self, inputs: int) -> Words:
        """[root, words]: bit sets of the input indices (all below `inputs`) that each root depends on."""
        words = max(1, (inputs + 63) // 64)
        sets = np.empty((max(self.length, 1), words), dtype=np.uint64)
        core.cinq_dependencies(self._owner.space, self._raw, sets, words)
        return sets[self._slots.array[: len(self.roots)]]

    def highest_input(self) -> int:
        """One more than the highest input index in the cone."""
        found = self.code["imm"][self.code["op"] == int(Op.INPUT)]
        return int(found.max()) + 1 if len(found) else 0

    def statistics(self) -> ConeStatistics:
        counts = np.bincount(self.code["op"], minlength=len(OPS) + 1).tolist()
        by_op = {op: counts[op] for op in OPS if op < len(counts) and counts[op]}
        return ConeStatistics(self.length, counts[Op.INPUT], self._depth(), by_op)

    def _depth(self) -> int:
        depth: list[int] = []
        rows: list[tuple[int, ...]] = self.code[["op", "wa", "wb", "wc", "a", "b", "c"]].tolist()
        for op, wa, wb, wc, a, b, c in rows:
            below = [depth[slot] for width, slot in ((wa, a), (wb, b), (wc, c)) if width]
            depth.append(1 + max(below, default=0) if op != Op.TREAD else 1 + depth[a])
        return max(depth, default=0)


class NativeEvaluator:
    """Evaluates nodes of one table."""

    def __init__(self, table: ExpressionTable) -> None:
        self.table = table
        size = len(table.nodes)
        self._stamp = _Buffer(np.uint32, size)
        self._slot = _Buffer(np.uint32, size)
        self._stack = _Buffer(np.uint32, 4096)
        self._low = _Buffer(np.uint64, 4096)
        self._high = _Buffer(np.uint64, 4096)
        self.space = self._space(0)
        self._scratch = CompiledCone(self, ())

    def _space(self, epoch: int) -> Any:
        table = [core.address(a) for a in (self.table.nodes, self.table.tables, self.table.pool)]
        stack = self._stack
        return structure("space")(*table, self._stamp.address, self._slot.address, epoch, stack.size, stack.address)

    def new_epoch(self) -> Any:
        """Forget which nodes have slots."""
        self.space.epoch += 1
        if self.space.epoch == 0:  # wrapped: old stamps could be mistaken for new ones
            self._stamp.array[:] = 0
            self.space.epoch = 1
        return self.space

    def grow_stack(self) -> None:
        self._stack.grow(2 * self._stack.size)
        self.space = self._space(self.space.epoch)

    def check_ids(self, roots: Sequence[int]) -> None:
        if roots and not 0 < min(roots) <= max(roots) < self._stamp.size:
            raise EngineError("expression id out of range")

    def lanes(self, slots: int, count: int, data: bytes | int, size: int, stride: int = 0) -> Any:
        """Scratch for a run; `data` is the input bytes or their address."""
        needed = max(slots, 1) * count
        self._low.grow(needed)
        self._high.grow(needed)
        address = data if isinstance(data, int) else ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value
        low, high = self._low.address, self._high.address
        return structure("lanes")(low, high, address, stride, size, count, NONE, NONE, 0, 0)

    def _of(self, constraints: Sequence[Constraint]) -> CompiledCone:
        return self._scratch.compile([c.node for c in constraints])

    def compile(self, roots: Sequence[int]) -> CompiledCone:
        """A program to be used more than once."""
        return CompiledCone(self, roots)

    def eval_many(self, roots: Sequence[int], inputs: Sequence[bytes]) -> list[list[int]]:
        """The value of every root (outer list) under every input."""
        return self._scratch.compile(roots).values(inputs)

    def value(self, node: int, data: bytes) -> int:
        return self.eval_many([node], [data])[0][0]

    def satisfies(self, constraints: Sequence[Constraint], data: bytes) -> int:
        """Index of the first constraint that the input violates, or -1."""
        return self._of(constraints).first_violated(_Wanted(constraints), data)

    def truth_table(self, node: int, byte: int, data: bytes) -> list[int]:
        """The node's value for each of the 256 values of one byte, the others as in `data`."""
        low, high = self._scratch.compile([node]).truth_table(byte, data)
        return _joined(low[0].tolist(), high[0].tolist())

    def domain(self, constraints: Sequence[Constraint], byte: int, data: bytes) -> int:
        """The values of one byte under which all constraints hold, as a 256-bit set."""
        return self._of(constraints).byte_domain(_Wanted(constraints), data, byte)

    def pair_domain(self, constraints: Sequence[Constraint], outer: int, inner: int, data: bytes) -> Words:
        """[256, 4] words: row = value of byte `outer`, bit = value of byte `inner`, 1 where all hold."""
        return self._of(constraints).pair_domain(_Wanted(constraints), data, outer, inner)

    def dependencies(self, roots: Sequence[int]) -> list[int]:
        """The exact set of input indices of each root, as a bit set."""
        program = self._scratch.compile(roots)
        sets = program.dependencies(program.highest_input())
        return [int.from_bytes(row.tobytes(), "little") for row in sets]

    def statistics(self, roots: Sequence[int]) -> ConeStatistics:
        return self._scratch.compile(roots).statistics()


def _joined(low: list[int], high: list[int]) -> list[int]:
    return [a | b << 64 for a, b in zip(low, high, strict=True)]


def _matrix(inputs: Sequence[bytes]) -> NDArray[np.uint8]:
    """One row per input, shorter ones padded with zeros, as the worker reads them."""
    size = max((len(data) for data in inputs), default=0)
    joined = b"".join(data.ljust(size, b"\0") for data in inputs)
    return np.frombuffer(joined, dtype=np.uint8).reshape(len(inputs), size)
