"""What one run of the program under one input gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from cinquefoil.ir.sites import Site
from cinquefoil.layout import RemarkKind


@dataclass(frozen=True, slots=True)
class InputObject:
    """A named symbolic object: `size` bytes of the witness from index `first`."""

    name: str
    size: int
    first: int


@dataclass(slots=True)  # not frozen, as `Run` is not
class RunError:
    """An error that ended a run; numbers are those of layout.h's struct cinq_error, sites are site ids."""

    kind: str  # "out-of-bounds", "null-pointer", ...
    site: int
    message: str
    access: str
    region: str
    address: int
    size: int
    object_base: int
    object_size: int
    object_site: int
    freed_site: int
    backtrace: tuple[int, ...]  # the failing site, then call sites, innermost first


@dataclass(frozen=True, slots=True)
class Remark:
    """What the program told by one of KLEE's functions (enum cinq_remark_kind); sites are site ids."""

    kind: RemarkKind
    site: int
    node: int  # 0: concrete
    value: int
    text: str
    events: int  # how many came before
    argument: int = 0  # tells the values of one call apart
    backtrace: tuple[int, ...] = ()  # call sites, innermost first


@dataclass(slots=True, eq=False)  # not frozen: that would triple the time it takes to make one
class Run:
    """`witness` holds the bytes of all input indices known when the run ended (later ones default to 0).

    `events` is a structured array of layout.EVENT (a copy), its `expr` ids valid during `epoch`.  `covered` are the
    sites whose coverage byte is set, sorted; `trace` the block sites entered in order (empty if the image does
    not trace blocks)."""

    witness: bytes
    end: str  # "exit", "error", "assume", "silent", "unsupported", "died", or what cut it (exploration/limits.py)
    code: int
    events: NDArray[np.void]
    covered: NDArray[np.int64]
    trace: NDArray[np.uint32]
    objects: tuple[InputObject, ...]  # made by this run, in order
    output: bytes
    output_total: int
    error: RunError | None
    steps: int
    nanoseconds: int
    epoch: int
    modelled: bool = False  # surely nothing among its events that is not modelled
    remarks: tuple[Remark, ...] = ()
    partial: bool = False  # cut off at once: what it covered is known, not which path it took

    @property
    def lost(self) -> bool:
        """Is its path unknown?"""
        return self.partial or self.end == "died"


def path_key(trace: bytes) -> int:
    """Tells sequences of blocks apart, within one process; 0 for none."""
    return hash(trace)


@dataclass(slots=True, eq=False)
class Probe:
    """What an untraced run tells: how it ended, the `path_key` of the blocks it entered, and a run's `covered`."""

    end: str
    path: int
    covered: NDArray[np.int64]


@runtime_checkable
class Prober(Protocol):
    """A machine that can run inputs untraced, which takes a fraction of the time."""

    def probe(self, witness: bytes) -> Probe | None: ...


@dataclass(slots=True, eq=False)
class CoverageRun:
    """What a coverage run showed: the sites it covered, sorted, its instructions, and the kind and site of an error
    that ended it."""

    covered: NDArray[np.int64]
    steps: int
    error: tuple[str, int] | None = None


class Machine(Protocol):
    """What exploration needs of a worker: run inputs, look at expressions of the current epoch."""

    @property
    def epoch(self) -> int: ...

    @property
    def sites(self) -> Sequence[Site]:
        """Indexed by site id; entry 0 is a placeholder."""
        ...

    def run(self, witness: bytes) -> Run: ...

    def new_epoch(self) -> None:
        """Forget all expressions; ids of earlier runs are void."""
        ...

    def close(self) -> None: ...
