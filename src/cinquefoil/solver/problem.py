"""A query as the layers below slicing see it.

The slice lives in native memory (`NativeSlicer`), where the native layers work on it; Python layers read it
through a `Problem`, which copies out lazily what they ask for.  Only one problem is loaded at a time.  A
model is one byte per entry of `inputs`.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterable
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cinquefoil.expr.table import ExpressionTable
from cinquefoil.native import core
from cinquefoil.native.structures import structure
from cinquefoil.solver.api import Constraint, PathConstraints, Query, UntakenBranches

CONSTRAINT = np.dtype([("node", "u4"), ("equal", "u4"), ("value", "u8")])


class Verdict(IntEnum):
    """enum verdict of native/solver/solver.h."""

    UNSAT = 0
    SAT = 1
    UNKNOWN = 2


VERDICTS = (Verdict.UNSAT, Verdict.SAT, Verdict.UNKNOWN)


_pack = struct.Struct("=IIQ").pack


class _Addresses(NamedTuple):
    """Where a path's arrays are: asking numpy costs more than slicing a short path."""

    nodes: int
    values: int

    @classmethod
    def of(cls, path: PathConstraints) -> _Addresses:
        # Native code reads plain 32- and 64-bit arrays.
        path.nodes = np.ascontiguousarray(path.nodes, np.uint32)
        path.values = np.ascontiguousarray(path.values, np.uint64)
        return cls(core.address(path.nodes), core.address(path.values))


class NativeSlicer:
    """Owner of the native state of one epoch: loads queries, runs the native layers on the loaded slice."""

    def __init__(self, table: ExpressionTable) -> None:
        self.table = table
        self._slice, self._free = core.cinq_slice, core.cinq_solver_free
        # The arrays must outlive the native state, which keeps their addresses.
        self._arrays = (table.nodes, table.tables, table.pool)
        nodes, tables, pool = self._arrays
        self._state: int | None = core.cinq_solver_new(nodes, tables, pool, len(nodes))

    @property
    def state(self) -> int:
        assert self._state is not None, "used after close"
        return self._state

    def close(self) -> None:
        if self._state is not None:
            self._free(self._state)
            self._state = None

    def __del__(self) -> None:
        self.close()

    def load(self, query: Query) -> int:
        """Slice the query; the number of constraints in its slice, -1 if two contradict each other."""
        goal = b"".join([_pack(item.node, item.equal, item.value) for item in query.goal])
        path, witness = query.constraints.path, query.witness
        if not isinstance(path.memo, _Addresses):
            path.memo = _Addresses.of(path)
        return self._slice(
            self.state, *path.memo, query.constraints.length, goal, len(query.goal), witness, len(witness)
        )

    def refuted(self, branches: UntakenBranches) -> NDArray[np.bool_]:
        """Which untaken branches of a run's path can surely not be taken."""
        found = np.empty(len(branches.at), np.bool_)
        events, alts = core.address(branches.events), core.address(branches.alts)
        path = structure("event_path")(events, alts, len(branches.alts), len(branches.events), branches.failed)
        core.cinq_refute(self.state, path, branches.at, branches.directions, len(found), found)
        return found

    def work(self) -> int:
        """Lane operations done so far: effort that does not depend on the clock."""
        return core.cinq_work(self.state)


class Problem:
    """The loaded slice of one query."""

    def __init__(self, slicer: NativeSlicer, count: int, query: Query) -> None:
        self.slicer = slicer
        self.count = count
        self.query = query
        self.partial: dict[bytes, str] = {}  # inputs met while solving that are worth running, and who met them
        self.core: list[int] | None = None  # after UNSAT: constraints that suffice for it
        self.cost = 0  # effort of layers outside native code, in units of 256 lane operations

    def add_partial(self, inputs: Iterable[bytes], origin: str) -> None:
        for each in inputs:
            self.partial.setdefault(each, origin)

    @cached_property
    def key(self) -> bytes:
        """The slice's canonical form: equal slices have equal keys."""
        address = core.cinq_slice_constraints(self.slicer.state)
        return core.text_at(address, self.count * CONSTRAINT.itemsize)

    @cached_property
    def rows(self) -> NDArray[np.void]:
        return np.frombuffer(self.key, CONSTRAINT)

    @cached_property
    def constraints(self) -> list[Constraint]:
        return [Constraint(node, value, bool(equal)) for node, equal, value in self.rows.tolist()]

    @cached_property
    def inputs(self) -> tuple[int, ...]:
        """Input indices of the slice, ascending."""
        state = self.slicer.state
        count = core.cinq_slice_byte_count(state)
        raw = core.text_at(core.cinq_slice_bytes(state), 4 * count)
        return tuple(memoryview(raw).cast("I"))

    def model(self) -> bytes:
        """The current values of `inputs`: the witness's, or a native layer's solution."""
        return core.text_at(core.cinq_slice_model(self.slicer.state), len(self.inputs))

    def set_model(self, model: bytes) -> None:
        ctypes.memmove(core.cinq_slice_model(self.slicer.state), model, len(model))

    def run(self, function: str, *arguments: int) -> Verdict:
        """Call a native layer on this slice."""
        verdict: int = getattr(core, function)(self.slicer.state, *arguments)
        return VERDICTS[verdict]

    def holds_under(self, solution: bytes) -> bool:
        """Whether the slice's constraints hold, by an evaluation that no layer uses."""
        check = core.cinq_check_solution
        return check(self.slicer.state, solution, len(solution)) == Verdict.SAT

    def violated(self) -> list[int]:
        """Constraints of the slice that the model does not satisfy, by the same evaluation."""
        found, solution = np.empty(self.count, np.uint32), self.solution()
        count = core.cinq_violated(self.slicer.state, solution, len(solution), found)
        return found[:count].tolist()

    def goal_rows(self) -> list[int]:
        """Which of the constraints are the goal's."""
        nodes = {constraint.node for constraint in self.query.goal}
        return [row for row, node in enumerate(self.rows["node"].tolist()) if node in nodes]

    def solution(self) -> bytes:
        """The witness with the model written into it."""
        inputs, witness = self.inputs, bytearray(self.query.witness)
        if inputs and inputs[-1] >= len(witness):
            witness.extend(bytes(inputs[-1] + 1 - len(witness)))
        for index, value in zip(inputs, self.model(), strict=True):
            witness[index] = value
        return bytes(witness)
