"""The worker process: one native image that runs input after input.

Requests and replies are eight bytes over two pipes; everything else is in shared memory.  A run that exceeds its time
is interrupted by a signal and still reports what it did; a worker that does not react, or dies, is killed and started
again, with an empty expression table and the named inputs it knew.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from array import array
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache
from typing import Self, SupportsInt

import numpy as np
from numpy.typing import NDArray

from cinquefoil import layout
from cinquefoil.errors import EngineError, UntrustedWorker, WorkerDied
from cinquefoil.ir.sites import SiteTable
from cinquefoil.machine.ending import with_last_part
from cinquefoil.machine.environment import Environment
from cinquefoil.machine.failure import UNSUPPORTED
from cinquefoil.machine.image import Image
from cinquefoil.machine.intake import Intake
from cinquefoil.machine.named import NamedInputs
from cinquefoil.machine.resident import own_bytes
from cinquefoil.machine.run import Glance, Probe, Remark, Run, RunError, path_key
from cinquefoil.machine.shared import SharedMemory, counter

_LOOKS = 30
_GRACE = 5.0  # processor seconds between the interrupting signal and the kill
_PATIENCE = 20  # times its limit of processor time that a run may take when others use the processors
_NO_EVENTS: NDArray[np.void] = np.zeros(0, dtype=layout.EVENT)
_NO_SITES: NDArray[np.uint32] = np.zeros(0, dtype=np.uint32)
_EVENT, _REMARK = layout.EVENT.itemsize, layout.REMARK.itemsize
_NODE, _TABLE = layout.NODE.itemsize, layout.TABLE.itemsize
_ENDS = {end.value: end.name.lower() for end in layout.End}


def _counters(names: str) -> slice:
    """These numbers of the control block, which follow one another there."""
    places = [counter(name) for name in names.split()]
    if places != list(range(places[0], places[-1] + 1)):
        raise EngineError(f"these numbers of the control block are not in a row: {names}")
    return slice(places[0], places[-1] + 1)


_COMMAND = counter("command")
_REQUEST = _counters("input_size budget max_events max_heap table_limit write_limit flags")
_NODES, _TABLES, _POOL, _ALTS = map(counter, ("nodes", "tables", "pool", "alts"))
_END, _CODE, _TRACE, _STEPS = map(counter, ("end", "code", "trace", "steps"))
_CUT = (layout.End.BUDGET, layout.End.TIME, layout.End.EVENTS)


def _end(end: str, error: RunError | None) -> str:
    return UNSUPPORTED if error is not None and error.kind == UNSUPPORTED else end


def _cpu_seconds(pid: int) -> float:
    """A process's processor time, by the clock the kernel numbers after it (clock_getcpuclockid); 0 if it is gone."""
    with contextlib.suppress(OSError):
        return time.clock_gettime((~pid << 3) | 2)
    return 0.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use."""

    seconds: float = 10.0  # of processor time
    instructions: int = 1_000_000_000
    events: int = 200_000
    heap: int = 512 << 20
    table_bytes: int = 1 << 16  # how much of an object a symbolic read looks at; in which part is decided first
    write_bytes: int = 64  # and a symbolic write (every element there may change: dear)
    pin: bool = True
    pin_fixed: bool = False  # only reads of tables without symbolic elements
    mute_output: bool = True
    uninitialized: bool = False  # decisions on memory never written are errors


@lru_cache(maxsize=16)
def _with_instructions(limits: Limits, most: int) -> Limits:
    """The same limits with no more than so many instructions."""
    return replace(limits, instructions=min(most, limits.instructions))


class Worker:
    """Runs inputs; `table` views are valid until the next epoch."""

    def __init__(self, image: Image, environment: Environment | None = None, limits: Limits | None = None) -> None:
        self.image = image
        self.limits = limits or Limits()
        self.environment = environment or Environment()
        self.memory = SharedMemory()
        self.expressions = Intake(self.memory.whole, len(image.sites))
        self.alts = self.expressions.alts  # conditions of switch groups, by the `alts` of events
        self.epoch = 0
        self.deaths = 0
        self.distrusted = 0  # runs after which the shared memory held what the run-time never writes
        self._spent = 0.0  # processor seconds of processes that have ended
        self._process: subprocess.Popen[bytes] | None = None
        self.named = NamedInputs(self.memory)
        self._poll = select.poll()
        self._start()

    @property
    def sites(self) -> SiteTable:
        return self.image.sites

    @property
    def pid(self) -> int:
        return self._process.pid if self._process is not None else 0

    def cpu_seconds(self) -> float:
        """Processor time of all processes this worker has been."""
        return self._spent + (_cpu_seconds(self._process.pid) if self._process is not None else 0.0)

    def memory_bytes(self) -> int:
        """Resident bytes of the process, and of the memory shared with it."""
        return own_bytes(self.pid) + self.memory.resident()

    def table_bytes(self) -> int:
        """Bytes of the expression table: nodes, tables and conditions of switches."""
        counters = self.memory.counters  # one by one: half the time of a slice
        return counters[_NODES] * _NODE + counters[_TABLES] * _TABLE + counters[_POOL] + 4 * counters[_ALTS]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- life ----------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        self.epoch += 1
        self.expressions.forget()
        self.named.restore()
        control = self.memory.control
        control["layout_version"] = layout.LAYOUT_VERSION
        for name in ("nodes", "tables", "pool", "alts"):
            control[name] = 0
        self.memory.write(layout.SHM_ARGS, self.environment.encode())
        command_read, self._command = os.pipe()
        self._reply, reply_write = os.pipe()
        inherited = (self.memory.fd, command_read, reply_write)
        self._process = subprocess.Popen(
            [str(self.image.path), *map(str, inherited)],
            pass_fds=inherited,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={},
            cwd="/",
            start_new_session=True,
        )
        os.close(command_read)
        os.close(reply_write)
        self._poll.register(self._reply, select.POLLIN)
        self._send(layout.Command.EPOCH)
        if not self._await(30.0):
            self._reap()
            raise EngineError("the worker process did not start")

    def _restart(self) -> None:
        self.deaths += 1
        self._reap()
        self._start()

    def _reap(self) -> None:
        if self._process is not None:
            self._spent += _cpu_seconds(self._process.pid)
            self._process.kill()
            self._process.wait()
            self._process = None
            self._poll.unregister(self._reply)
            os.close(self._command)
            os.close(self._reply)

    def close(self) -> None:
        if self._process is not None:
            self._reap()
            self.memory.close()

    def new_epoch(self) -> None:
        self.memory.drop_table()
        self.expressions.forget()
        self._send(layout.Command.EPOCH)
        if not self._await(30.0):
            self._restart()
            return
        self.epoch += 1

    # ---- one run ---------------------------------------------------------------------------------------------------

    def run(self, witness: bytes) -> Run:
        if self._ran(witness, self.limits, 0):
            try:
                return self._result(witness)
            except UntrustedWorker:
                self._distrust()
        return self._died(witness)

    def glance(self, witness: bytes, instructions: int) -> Glance:
        """What an input covers, its texts taken as concrete: no events, no expressions, and many times quicker."""
        limits = _with_instructions(self.limits, instructions)
        if self._ran(witness, limits, layout.FLAG_GLANCE):
            try:
                self.named.look()
                failed = self._error() if self.memory.counters[_END] == layout.End.ERROR else None
                covered, steps = self._covered_untraced(failed), self.memory.counters[_STEPS]
                found = (failed.kind, failed.site) if failed and failed.kind != UNSUPPORTED else None
                return Glance(covered, steps, found)
            except UntrustedWorker:
                self._distrust()
        return Glance(_NO_SITES.astype(np.int64), 0)

    def probe(self, witness: bytes) -> Probe | None:
        """Where an input goes, seen at a glance: its blocks, in order.  None if the worker died."""
        if not self._ran(witness, self.limits, layout.FLAG_GLANCE):
            return None
        try:
            self.named.look()
            end = _code(layout.End, self.memory.counters[_END])
            length = min(self.memory.counters[_TRACE], layout.TRACE_CAPACITY)
            path = path_key(self.memory.read(layout.SHM_TRACE, 4 * length))
            failed = self._error() if end == "error" else None
            return Probe(_end(end, failed), path, self._covered_untraced(failed))
        except UntrustedWorker:
            self._distrust()
            return None

    def _distrust(self) -> None:
        """The run is lost, and what the worker made so far may have been tampered with: another one takes over."""
        self.distrusted += 1
        self._restart()

    def _ran(self, witness: bytes, limits: Limits, flags: int) -> bool:
        """False: it died, or had to be killed."""
        if self._process is None:
            raise WorkerDied("the worker has been closed")
        size = min(len(witness), layout.INPUT_CAPACITY)
        self.memory.write(layout.SHM_INPUT, witness[:size])
        self._request(size, limits, flags)
        try:
            self._send(layout.Command.RUN)
            finished = self._await_run(limits.seconds) or self._interrupt()
        except BrokenPipeError:
            finished = False
        if not finished:
            self._restart()
        return finished

    def _request(self, size: int, limits: Limits, flags: int) -> None:
        if limits.mute_output:
            flags |= layout.FLAG_MUTE_OUTPUT
        if not limits.pin:
            flags |= layout.FLAG_NO_PIN
        if limits.pin_fixed:
            flags |= layout.FLAG_PIN_FIXED
        if limits.uninitialized:
            flags |= layout.FLAG_UNINITIALIZED
        events = min(limits.events, layout.EVENT_CAPACITY)
        numbers = (size, limits.instructions, events, limits.heap, limits.table_bytes, limits.write_bytes, flags)
        self.memory.counters[_REQUEST] = array("Q", numbers)

    def _send(self, command: layout.Command) -> None:
        self.memory.counters[_COMMAND] = command
        os.write(self._command, command.to_bytes(8, "little"))

    def _await(self, seconds: float) -> bool:
        """Wait for a reply; False if none comes in time or the worker is gone."""
        reply = self._look()
        return bool(self._reply_within(seconds) if reply is None else reply)

    def _await_run(self, seconds: float) -> bool:
        """The same, until the worker has used so much processor time: on a busy machine that takes longer."""
        reply = self._look()
        return bool(self._reply_by_processor(seconds) if reply is None else reply)

    def _look(self) -> bool | None:
        """Most runs are over before an idle processor would have gone to sleep and woken up again, so it looks a few
        times first, giving way to others in between."""
        for _ in range(_LOOKS):
            reply = self._reply_within(0)
            if reply is not None:
                return reply
            os.sched_yield()
        return None

    def _reply_by_processor(self, seconds: float) -> bool | None:
        before, end = _cpu_seconds(self.pid), time.monotonic() + seconds * _PATIENCE
        left = seconds
        while left > 0:
            reply = self._reply_within(left)
            if reply is not None:
                return reply
            left = min(seconds - (_cpu_seconds(self.pid) - before), end - time.monotonic())
        return None

    def _reply_within(self, seconds: float) -> bool | None:
        """None if nothing comes in time, False if the worker is gone."""
        return len(os.read(self._reply, 8)) == 8 if self._poll.poll(seconds * 1000) else None

    def _interrupt(self) -> bool:
        assert self._process is not None
        if self._process.poll() is not None:
            return False
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGUSR1)
        return self._await_run(_GRACE)

    def _died(self, witness: bytes) -> Run:
        return Run(
            witness, "died", 0, _NO_EVENTS, _NO_SITES.astype(np.int64), _NO_SITES, (), b"", 0, None, 0, 0, self.epoch
        )

    def _result(self, witness: bytes) -> Run:
        memory = self.memory
        counts = self.expressions.take()
        end, code, count, length, made, objects, known, output, output_total, steps, nanoseconds, remarks = counts
        self.named.take(objects, known)
        events = np.frombuffer(bytearray(memory.view(layout.SHM_EVENTS, count * _EVENT)), layout.EVENT)
        trace = memory.trace[:length].copy()
        self.expressions.check(events, trace)
        error = self._error() if end == layout.End.ERROR else None
        return Run(
            witness[:known].ljust(known, b"\0"),
            _end(_ENDS[end], error),
            code,
            events,
            self._covered(self.expressions.covered(), end, code, trace, error),
            trace,
            self.named.made(memory.read(layout.SHM_MADE, 4 * made)),
            memory.read(layout.SHM_OUTPUT, output),
            output_total,
            error,
            steps,
            nanoseconds,
            self.epoch,
            remarks=self._remarks(remarks) if remarks else (),
        )

    def _remarks(self, count: int) -> tuple[Remark, ...]:
        rows = np.frombuffer(bytearray(self.memory.view(layout.SHM_REMARKS, count * _REMARK)), layout.REMARK)
        self.expressions.check_remarks(rows)
        return tuple(map(_remark, rows))

    def _covered(
        self, covered: NDArray[np.int64], end: int, code: int, trace: NDArray[np.uint32], error: RunError | None
    ) -> NDArray[np.int64]:
        """The sites that the run covered; where it was cut off, those of the unfinished part too."""
        if end == layout.End.EXIT or (error is None and end not in _CUT):
            return covered
        place = error.site if error is not None else code if end == layout.End.EVENTS else 0
        block = trace.item(-1) if len(trace) and error is None else 0
        return with_last_part(covered, self.sites, place, block)

    def _covered_untraced(self, error: RunError | None) -> NDArray[np.int64]:
        """The same of a run that is not taken in otherwise."""
        counters, covered = self.memory.counters, self.expressions.cover()
        if counters[_END] == layout.End.EXIT:
            return covered
        last = min(counters[_TRACE], layout.TRACE_CAPACITY)
        trace = self.memory.trace[max(0, last - 1) : last].copy()
        return self._covered(covered, counters[_END], counters[_CODE], trace, error)

    def _backtrace(self, site: int, frames: list[int]) -> tuple[int, ...]:
        """Innermost first.  The frame of the failing function holds its last call: the failing place is more recent."""
        if site and frames and self.sites[site].function == self.sites[frames[0]].function:
            frames = frames[1:]
        return (site, *frames) if site else tuple(frames)

    def _error(self) -> RunError:
        error = self.memory.control[0]["error"].copy()  # the worker may still write to the original
        depth = min(int(error["depth"]), layout.BACKTRACE)
        places = [int(error[name]) for name in ("site", "object_site", "freed_site")]
        frames: list[int] = error["backtrace"][:depth].tolist()
        if max(*places, *frames, 0) >= len(self.sites):
            raise UntrustedWorker("a site of an error")
        site, object_site, freed_site = places
        return RunError(
            kind=_code(layout.ErrorKind, error["kind"]).replace("_", "-"),
            site=site,
            message=bytes(error["message"]).rstrip(b"\0").decode("utf-8", "replace"),
            access=_code(layout.Access, error["access"]),
            region=_code(layout.Region, error["region"]),
            address=int(error["address"]),
            size=int(error["size"]),
            object_base=int(error["object_base"]),
            object_size=int(error["object_size"]),
            object_site=object_site,
            freed_site=freed_site,
            backtrace=self._backtrace(site, frames),
        )


def _remark(row: np.void) -> Remark:
    text = bytes(row["text"]).partition(b"\0")[0].decode("utf-8", "replace")
    frames: list[int] = row["backtrace"][: int(row["depth"])].tolist()
    return Remark(
        kind=layout.RemarkKind(int(row["kind"])),
        site=int(row["site"]),
        node=int(row["expr"]),
        value=int(row["value"]),
        text=text,
        events=int(row["events"]),
        argument=int(row["argument"]),
        backtrace=tuple(frames),
    )


def _code(names: type[IntEnum], code: SupportsInt) -> str:
    """A code of the shared memory by its name."""
    try:
        return names(int(code)).name.lower()
    except ValueError:
        raise UntrustedWorker(f"a code of {names.__name__}") from None
