"""What crosses between the exploring process and the answering ones: jobs one way, replies the other.

A frame is its length, a JSON header and byte strings whose sizes the header tells.  Only what means the same in every
process crosses: bytes of inputs, positions on paths, sites, values.  Expression ids do not, and the indices of switch
conditions are replaced by their numbers of groups.  Replies describe runs of the program under test, so arrays are
taken only in the types and the ranges they must have; anything else is an EngineError.
"""

from __future__ import annotations

import json
import struct
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, field, fields, replace
from itertools import accumulate, pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cinquefoil import layout
from cinquefoil.errors import EngineError
from cinquefoil.machine.run import InputObject, Run, RunError
from cinquefoil.search.state import State, Witness
from cinquefoil.solver.layer import LayerStatistics

_FRAME: Final = struct.Struct("<QI")  # bytes that follow it, bytes of the header
_ENDS: Final = frozenset({*(end.name.lower() for end in layout.End), "died"})
_JSON: Final = json.JSONEncoder(separators=(",", ":"), check_circular=False)
_NO_HASHES: NDArray[np.uint64] = np.zeros(0, np.uint64)
_PHASES: Final = ("native", "query", "solver")
_COUNTS: Final = len(fields(LayerStatistics))


@dataclass(frozen=True, slots=True)
class Job:
    """A state to be answered.  `before` identifies its path up to the turn, `wishes` are further turns to take if that
    is possible; `rows` are the named inputs (layout.OBJECT) that the receiver does not know yet, which is told
    when the job is sent."""

    number: int
    state: State
    wishes: Sequence[State]
    before: int
    seconds: float
    rows: bytes = b""

    def encode(self, rows: bytes = b"") -> bytes:
        turns = [(s.index, s.kind, s.site, s.alternative, s.seen) for s in (self.state, *self.wishes)]
        return frame({"job": (self.number, self.before, self.seconds), "turns": turns}, (self.state.witness.data, rows))

    @classmethod
    def decode(cls, header: dict[str, Any], blobs: Sequence[bytes]) -> Job:
        """With as much of the states as their questions need."""
        number, before, seconds = header["job"]
        data, rows = blobs
        witness = bare_witness(data)
        state, *wishes = (
            State(0, 0, witness, index, kind, site, alternative, 0, 0, 0, 0, -1, tuple(seen))
            for index, kind, site, alternative, seen in header["turns"]
        )
        return cls(number, state, wishes, before, seconds, rows)


def bare_witness(data: bytes) -> Witness:
    """An input, where nothing else about it matters."""
    return Witness(0, data, None, 0, _NO_HASHES, _NO_HASHES, 0)


@dataclass(frozen=True, slots=True)
class Ran:
    """A run as it crosses: `alts` says how many groups its switches have, `rows` are the named inputs it met
    first, which follow on those it was started with."""

    run: Run
    alts: NDArray[np.uint32]
    rows: bytes


@dataclass(frozen=True, slots=True)
class Effort:
    """What a job took."""

    queries: int = 0
    runs: int = 0
    instructions: int = 0
    reruns: int = 0
    epochs: int = 0
    probed: int = 0
    probed_known: int = 0
    native_seconds: float = 0.0
    phases: tuple[float, ...] = (0.0,) * len(_PHASES)

    def by_phase(self) -> Iterator[tuple[str, float]]:
        return zip(_PHASES, self.phases, strict=True)


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a job: "sat", "unsat", "unknown", or why there is none: "died", "diverged".

    The first of `runs` is the solution's if there is one; the others are those of partial solutions.  `layers` is the
    sender's solver statistics so far, as LayerStatistics' numbers in a row."""

    number: int
    status: str
    cost: int = 1
    runs: tuple[Ran, ...] = ()
    effort: Effort = field(default_factory=Effort)
    layers: bytes = b""

    def encode(self) -> bytes:
        headers: list[object] = []
        blobs: list[bytes] = [self.layers]
        for ran in self.runs:
            headers.append(_run_header(ran.run))
            run = ran.run
            arrays = (run.events, run.covered.astype(np.uint32), run.trace, ran.alts)
            blobs += [run.witness, *(array.tobytes() for array in arrays), ran.rows]
        effort = self.effort
        counts = (effort.queries, effort.runs, effort.instructions, effort.reruns, effort.epochs)
        spent = (*counts, effort.probed, effort.probed_known, effort.native_seconds, effort.phases)
        header = {"reply": (self.number, self.status, self.cost), "effort": spent, "runs": headers}
        return frame(header, blobs)

    @classmethod
    def decode(cls, header: dict[str, Any], blobs: Sequence[bytes], sites: int) -> Reply:
        number, status, cost = header["reply"]
        *counts, native, phases = header["effort"]
        queries, count, instructions, reruns, epochs, probed, dropped = counts
        effort = Effort(queries, count, instructions, reruns, epochs, probed, dropped, native, tuple(phases))
        layers, *rest = blobs
        if len(rest) != 6 * len(header["runs"]):
            raise EngineError("a reply has the wrong number of parts")
        runs = tuple(_ran(head, rest[6 * i : 6 * i + 6], sites) for i, head in enumerate(header["runs"]))
        if (status == "sat") > len(runs):
            raise EngineError("a reply lacks its solution's run")
        return cls(number, status, cost, runs, effort, layers)


# ---- runs ----


def _run_header(run: Run) -> tuple[object, ...]:
    objects = [(o.name, o.size, o.first) for o in run.objects]
    error = asdict(run.error) if run.error is not None else None
    return run.end, run.code, objects, run.output_total, error, run.steps, run.nanoseconds


def _ran(header: Sequence[Any], blobs: Sequence[bytes], sites: int) -> Ran:
    end, code, objects, output_total, error, steps, nanoseconds = header
    witness, events, covered, trace, alts, rows = blobs
    if end not in _ENDS:
        raise EngineError(f"a run cannot end by {end!r}")
    named = tuple(InputObject(str(name), int(size), int(first)) for name, size, first in objects)
    found = _error(error, sites) if error is not None else None
    run = Run(
        witness,
        end,
        int(code),
        _events(events, sites),
        _sites(covered, sites).astype(np.int64),
        _sites(trace, sites),
        named,
        b"",  # what was printed stays where it was run
        int(output_total),
        found,
        int(steps),
        int(nanoseconds),
        0,
    )
    return Ran(run, _array(alts, np.dtype(np.uint32)), rows)


def _error(values: dict[str, Any], sites: int) -> RunError:
    found = RunError(**values)
    found = replace(found, backtrace=tuple(found.backtrace))
    if not all(0 <= site < sites for site in (found.site, *found.backtrace)):
        raise EngineError("an error is at a place that does not exist")
    return found


def _events(data: bytes, sites: int) -> NDArray[np.void]:
    found = _array(data, layout.EVENT)
    if len(found) and int(found["site"].max()) >= sites:
        raise EngineError("an event is at a place that does not exist")
    return found


def _sites(data: bytes, count: int) -> NDArray[np.uint32]:
    found = _array(data, np.dtype(np.uint32))
    if len(found) and int(found.max()) >= count:
        raise EngineError("a run went to a place that does not exist")
    return found


def _array(data: bytes, dtype: np.dtype[Any]) -> NDArray[Any]:
    if len(data) % dtype.itemsize:
        raise EngineError("a reply holds part of an array's element")
    return np.frombuffer(data, dtype)


# ---- solver statistics ----


def layer_names(layers: Iterable[str]) -> list[str]:
    """What crosses: not the portfolio's figures per class of queries, of which there are ever more."""
    return [name for name in layers if "/" not in name]


def pack_layers(layers: Mapping[str, LayerStatistics]) -> bytes:
    """The numbers alone; the names cross once, when the process is ready."""
    numbers = array("Q")
    for name in layer_names(layers):
        numbers.extend(astuple(layers[name]))
    return numbers.tobytes()


def unpack_layers(names: Sequence[str], data: bytes) -> dict[str, LayerStatistics]:
    """Nothing if there are none yet."""
    numbers = array("Q", data)
    if len(numbers) != _COUNTS * len(names):
        return {}
    rows = (numbers[_COUNTS * i : _COUNTS * (i + 1)] for i in range(len(names)))
    return {name: LayerStatistics(*row) for name, row in zip(names, rows, strict=True)}


# ---- frames ----


def frame(header: dict[str, Any], blobs: Sequence[bytes] = ()) -> bytes:
    head = _JSON.encode({**header, "sizes": [len(blob) for blob in blobs]}).encode()
    size = len(head) + sum(map(len, blobs))
    return b"".join((_FRAME.pack(size, len(head)), head, *blobs))


def parse(data: bytes, head: int) -> tuple[dict[str, Any], list[bytes]]:
    """A frame's header and byte strings."""
    try:
        header: dict[str, Any] = json.loads(data[:head])
        ends = list(accumulate(header["sizes"], initial=head))
    except (ValueError, KeyError, TypeError) as error:
        raise EngineError("a message between the engine's processes is damaged") from error
    if ends[-1] != len(data):
        raise EngineError("a message between the engine's processes has the wrong length")
    return header, [data[start:end] for start, end in pairwise(ends)]


class Frames:
    """Cuts a stream of bytes into frames."""

    def __init__(self) -> None:
        self._data = bytearray()

    def feed(self, data: bytes) -> None:
        self._data += data

    def __iter__(self) -> Iterator[tuple[dict[str, Any], list[bytes]]]:
        """Those that are complete, each once."""
        while len(self._data) >= _FRAME.size:
            size, head = _FRAME.unpack_from(self._data)
            end = _FRAME.size + size
            if len(self._data) < end:
                return
            body = bytes(memoryview(self._data)[_FRAME.size : end])
            del self._data[:end]
            yield parse(body, head)
