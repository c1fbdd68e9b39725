"""What exploring processes tell each other, through the first of them.

Messages are pickled: both ends are this program's own processes, and the program under test, which runs in processes of
its own, cannot write to their sockets."""

from __future__ import annotations

import pickle
import struct
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from cinquefoil.errors import EngineError
from cinquefoil.exploration.options import Options
from cinquefoil.exploration.parallel.input_names import Contents
from cinquefoil.exploration.parallel.parcels import Parcel
from cinquefoil.exploration.runs.doubts import Doubt
from cinquefoil.exploration.runs.journal import BranchDirection
from cinquefoil.exploration.runs.remarks import Key, Told
from cinquefoil.machine.environment import Environment
from cinquefoil.machine.image import Image
from cinquefoil.machine.worker import Limits
from cinquefoil.solver.layer import LayerStatistics

_LENGTH = struct.Struct("<Q")
_MOST = 1 << 34  # bytes of a message


@dataclass(frozen=True, slots=True)
class Orders:
    """What a process is to do until the next exchange."""

    length: float = 0.0  # effort of a round, in seconds
    allowance: float = float("inf")  # paths it may have found in all
    give: tuple[tuple[int, int], ...] = ()  # to whom, how many states
    again: bool = False  # ask the open questions again, with more time


@dataclass(frozen=True, slots=True)
class Setup:
    """All that a process needs to begin.  It takes over `parcels`, but not the untaken branches in `foreign`."""

    image: Image
    environment: Environment
    limits: Limits
    backend: str
    options: Options
    begun: float  # when the exploration began, by the monotonic clock
    number: int = 0
    round: int = 1  # of its first report
    joins: bool = False  # has it to wait for the round before, or is that one over?
    asked: int = 0  # rounds of asking again so far
    orders: Orders = field(default_factory=Orders)
    covered: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    inputs: tuple[Contents, ...] = ()  # to begin with, if it explores for itself
    parcels: tuple[Parcel, ...] = ()
    foreign: frozenset[tuple[int, int]] = frozenset()


@dataclass(slots=True)
class RoundReport:
    """What a process has done, at the end of a round."""

    round: int
    pending: int
    giveable: bool
    open: int
    paths: int
    finished: str  # why a process that explores for itself has ended, if it has
    processor: float  # seconds of it and its native worker so far
    waited: float  # seconds of the clock for others, so far
    created: int
    numbers: dict[str, float]
    layers: dict[str, LayerStatistics]
    tests: list[Contents]
    covered: NDArray[np.int64]
    gifts: list[tuple[int, list[Parcel]]]
    passed: NDArray[np.int64]  # covered only by runs that become no tests
    base: list[Parcel] | None = None  # all that it has left to explore, now and then
    last: Last | None = None


@dataclass(slots=True)
class Last:
    """What is told once, at the end."""

    infeasible: Counter[BranchDirection]
    undecided: Counter[BranchDirection]
    unsupported: Counter[tuple[int, int, int]]
    remarks: dict[Key, Told]
    doubts: list[Doubt]


@dataclass(slots=True)
class RoundBundle:
    """What the others did in a round, and what to do next."""

    round: int
    orders: Orders
    covered: NDArray[np.int64]
    tests: list[Contents]
    parcels: list[Parcel]
    passed: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    foreign: frozenset[tuple[int, int]] = (
        frozenset()
    )  # untaken branches that are somebody's, whoever else may meet them
    stop: bool = False


@dataclass(frozen=True, slots=True)
class Beat:
    """A sign of life."""


@dataclass(frozen=True, slots=True)
class ProcessFailure:
    """What a process says before it ends by mistake; `blame` says why if that is the user's to mend."""

    text: str
    blame: str = ""


Message = RoundReport | Beat | ProcessFailure | RoundBundle | Setup


def frame(message: Message) -> bytes:
    data = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(data)) + data


class Frames:
    """Bytes as they come, messages when they are whole."""

    def __init__(self) -> None:
        self._data = bytearray()

    def feed(self, data: bytes) -> None:
        self._data += data

    def __iter__(self) -> Iterator[Message]:
        while len(self._data) >= _LENGTH.size:
            (size,) = _LENGTH.unpack_from(self._data)
            if size > _MOST:
                raise EngineError("a message between exploring processes is damaged")
            end = _LENGTH.size + size
            if len(self._data) < end:
                return
            message = pickle.loads(memoryview(self._data)[_LENGTH.size : end])
            del self._data[:end]
            yield message
