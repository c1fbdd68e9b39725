"""The contract between exploration and the solver chain.

A query asks for an input that follows a known path up to some event and then takes another direction there.
Paths have thousands of events and a run leaves a state at nearly each of them, so a prefix is not a list
built per query: all states of one run share one `PathConstraints` (two arrays, aligned with the run's
events), and a `Prefix` is that object and a length.  A solver that wants to slice by input bytes indexes a
path once, keeps the index in `PathConstraints.memo` (for instance: per input byte, the sorted positions of
the constraints over it), and then follows it from the goal's bytes, taking only positions below the
prefix's length: its work is in proportion to the slice, not to the path.  Native code can take `nodes` and
`values` as they are.

Node ids mean something only while the table's epoch lasts; a `PathConstraints` is never used after its epoch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, overload, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from cinquefoil.expr.constraint import Constraint

__all__ = ["Answer", "Constraint", "PathConstraints", "Prefix", "Query", "Solver"]


def never() -> bool:
    """Nothing stops the solver but its time limit."""
    return False


def unlimited() -> float:
    """Seconds that are left if nobody counts them."""
    return float("inf")


@dataclass(slots=True, eq=False)
class PathConstraints:
    """What one run's events say: nodes[i] equals values[i].  Node 0 marks an event that constrains
    nothing."""

    number: int  # unique in the process: a key for caches
    epoch: int
    nodes: NDArray[np.uint32]
    values: NDArray[np.uint64]
    memo: object | None = field(default=None, repr=False)  # the solver's own index of this path


@dataclass(slots=True, eq=False)
class Prefix(Sequence[Constraint]):
    """The first `length` entries of a path; as a sequence it yields those that constrain something.

    Indexing is by position on the path and costs a Python object each: for tests and slow layers."""

    path: PathConstraints
    length: int

    @classmethod
    def of(cls, constraints: Iterable[Constraint], epoch: int = 0) -> Prefix:
        """A path of its own from equalities, for tests and tools."""
        items = list(constraints)
        if not all(item.equal for item in items):
            raise ValueError("a path's constraints are equalities")
        nodes = np.array([item.node for item in items], np.uint32)
        values = np.array([item.value for item in items], np.uint64)
        return cls(PathConstraints(-1, epoch, nodes, values), len(items))

    @property
    def nodes(self) -> NDArray[np.uint32]:
        return self.path.nodes[: self.length]

    @property
    def values(self) -> NDArray[np.uint64]:
        return self.path.values[: self.length]

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, index: int) -> Constraint: ...
    @overload
    def __getitem__(self, index: slice) -> list[Constraint]: ...
    def __getitem__(self, index: int | slice) -> Constraint | list[Constraint]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self.length))]
        return Constraint(int(self.nodes[index]), int(self.values[index]))

    def constraints(self) -> list[Constraint]:
        """Those that say something, in order."""
        pairs = zip(self.nodes.tolist(), self.values.tolist(), strict=True)
        return [Constraint(node, value) for node, value in pairs if node]


@dataclass(slots=True)  # like Answer made thousands of times a second, which freezing would slow down
class Query:
    """Find an input under which all of `constraints` and all of `goal` hold.

    `witness` satisfies `constraints` and violates `goal`.  `seconds` bounds the effort; None means as
    much as the solver finds worth it, 0 that the SMT solver is not to be asked.  Long efforts ask `stop` many times a
    second whether to give up at once; `left` tells how many seconds of the clock there are, for those that cannot ask.
    Seconds of effort may be counted in steps, so that equal queries get equal answers; `left` may not.  `site` is
    that in the program which asks, for solvers that learn where answers come from."""

    constraints: Prefix
    goal: tuple[Constraint, ...]
    witness: bytes
    seconds: float | None = None
    stop: Callable[[], bool] = never
    left: Callable[[], float] = unlimited
    site: int = -1


@dataclass(slots=True)
class Answer:
    """`witness` is set exactly when `status` is "sat"; bytes it does not mention are 0.

    `partial` are inputs met on the way that satisfy part of the query: worth running, promising nothing;
    `origins` says for each which solver met it.
    `cost` is the effort in units that do not depend on the clock (say, nodes looked at), so that strategies
    which weigh by it choose the same states on every machine."""

    status: Literal["sat", "unsat", "unknown"]
    witness: bytes | None = None
    partial: tuple[bytes, ...] = ()
    cost: int = 1
    origins: tuple[str, ...] = ()

    def met(self) -> list[tuple[bytes, str]]:
        """Partial solutions with their origins."""
        return list(zip(self.partial, self.origins or ("",) * len(self.partial), strict=True))


@dataclass(slots=True, eq=False)
class UntakenBranches:
    """Directions that a run did not take: branch i leaves it at event at[i] (ascending), in direction directions[i] (a
    switch's group, 1 or 0; negative: to any other value).  `failed` is the index of an assumption that ended the run,
    or beyond all indices."""

    epoch: int
    events: NDArray[np.void]
    alts: NDArray[np.uint32]  # the conditions of switches' groups
    failed: int
    at: NDArray[np.uint32]
    directions: NDArray[np.int32]


@runtime_checkable
class Refuter(Protocol):
    """A solver that can tell of many untaken branches at once that they have no solution."""

    def refuted(self, branches: UntakenBranches) -> NDArray[np.bool_]: ...


class Solver(Protocol):
    """One layer or a whole chain."""

    def solve(self, query: Query) -> Answer: ...


@runtime_checkable
class Learner(Protocol):
    """A solver that wants to know what its partial solutions were worth."""

    def credit(self, origin: str, branches: int) -> None:
        """A partial solution of the last answer was run and was the first to cover this many blocks and branches."""
        ...
