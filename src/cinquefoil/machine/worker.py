"""The worker process: one native image that runs input after input.

Requests and replies are eight bytes over two pipes; everything else is in shared memory.  A run that exceeds its time
is interrupted by a signal and still reports what it did; a worker that does not react, or dies, is killed and started
again, with an empty expression table and the named inputs it knew.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
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
from cinquefoil.machine import verify
from cinquefoil.machine.ending import UnfinishedParts
from cinquefoil.machine.environment import Environment
from cinquefoil.machine.error_record import read_error
from cinquefoil.machine.failure import UNSUPPORTED
from cinquefoil.machine.image import Image
from cinquefoil.machine.intake import Intake
from cinquefoil.machine.named import NamedInputs
from cinquefoil.machine.resident import own_bytes
from cinquefoil.machine.run import CoverageRun, Probe, Remark, Run, RunError, path_key
from cinquefoil.machine.shared import SharedMemory, counter
from cinquefoil.machine.waiting import Answers, Guard, Reply, cpu_seconds

_GRACE = 5.0  # processor seconds between the interrupting signal and the kill
_CANNOT_MAP = 113  # the status of a worker that cannot (runtime/system.c)
_HURRY, _HURRIED = 0.1, 5.0  # the same if the engine's own time is over; how many times as long it may take
_NO_EVENTS: NDArray[np.void] = np.zeros(0, dtype=layout.EVENT)
_NO_SITES: NDArray[np.uint32] = np.zeros(0, dtype=np.uint32)
_NO_COVERAGE: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
_EVENT, _REMARK = layout.EVENT.itemsize, layout.REMARK.itemsize
_NODE, _TABLE = layout.NODE.itemsize, layout.TABLE.itemsize
_ENDS = {end.value: end.name.lower() for end in layout.End}


def _counters(names: str) -> slice:
    """These numbers of the control block, which follow one another there."""
    indices = [counter(name) for name in names.split()]
    if indices != list(range(indices[0], indices[-1] + 1)):
        raise EngineError(f"these numbers of the control block are not in a row: {names}")
    return slice(indices[0], indices[-1] + 1)


_COMMAND = counter("command")
_REQUEST = _counters("input_size budget max_events max_heap max_table table_limit write_limit flags")
_NODES, _TABLES, _POOL, _ALTS = map(counter, ("nodes", "tables", "pool", "alts"))
_END, _CODE, _TRACE, _STEPS, _NANOSECONDS = map(counter, ("end", "code", "trace", "steps", "nanoseconds"))
_MADE, _KNOWN, _SKIPPED = map(counter, ("made", "input_known", "skipped"))
_CUT = (layout.End.BUDGET, layout.End.TIME, layout.End.EVENTS)


def _end(end: str, error: RunError | None, code: int, cut: Reply) -> str:
    """An end by its name, which tells a limit that was met; `cut` is why the run was interrupted, if it was."""
    if end == "time":
        return cut or end
    if end == "events" and not code:
        return "trace"
    return UNSUPPORTED if error is not None and error.kind == UNSUPPORTED else end


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may use."""

    seconds: float = 10.0  # of processor time
    instructions: int = 1_000_000_000
    events: int = 200_000
    heap: int = 512 << 20
    table: int = 640 << 20  # bytes of expressions: its own and those of runs before it
    table_bytes: int = 1 << 16  # how much of an object a symbolic read looks at; in which part is decided first
    write_bytes: int = 64  # and a symbolic write (every element there may change: dear)
    pin: bool = True
    pin_fixed: bool = False  # only reads of tables without symbolic elements
    mute_output: bool = True
    uninitialized: bool = False  # decisions on memory never written are errors
    snapshot: bool = True  # runs begin where the input begins, if that saves work
    verify: bool = False  # and are compared with runs from the start (verify.py)


_DOUBTING = layout.FLAG_UNINITIALIZED | layout.FLAG_DOUBTING | layout.FLAG_WHOLE


@lru_cache(maxsize=16)
def _with_instructions(limits: Limits, most: int) -> Limits:
    """The same limits with no more than so many instructions."""
    return replace(limits, instructions=min(most, limits.instructions))


class Worker:
    """Runs inputs; `table` views are valid until the next epoch."""

    def __init__(self, image: Image, environment: Environment | None = None, limits: Limits | None = None) -> None:
        self.image = image
        self.limits = limits or Limits()
        self._verifies = self.limits.verify or verify.is_asked()
        self.environment = environment or Environment()
        self.memory = SharedMemory()
        self.expressions = Intake(self.memory.whole, len(image.sites))
        self.alts = self.expressions.alts  # conditions of switch groups, by the `alts` of events
        self.epoch = 0
        self.deaths = 0
        self.distrusted = 0  # runs after which the shared memory held what the run-time never writes
        self.skipped = 0  # instructions that runs did not do again, because they began at the snapshot
        self._spent = 0.0  # processor seconds of processes that have ended
        self._process: subprocess.Popen[bytes] | None = None
        self.named = NamedInputs(self.memory)
        self._parts = UnfinishedParts(image.sites)
        self.guard = Guard()
        self._cut: Reply = ""  # why the last run was interrupted, if it was
        self._outgrown = False  # it held too much memory, and may still
        self._start()

    @property
    def sites(self) -> SiteTable:
        return self.image.sites

    @property
    def pid(self) -> int:
        return self._process.pid if self._process is not None else 0

    def cpu_seconds(self) -> float:
        """Processor time of all processes this worker has been."""
        return self._spent + (cpu_seconds(self._process.pid) if self._process is not None else 0.0)

    def memory_bytes(self) -> int:
        """Resident bytes of the process, and of the memory shared with it."""
        return own_bytes(self.pid) + self.memory.resident()

    def running_bytes(self) -> int:
        """The same while a run goes on, with what it will take to take in what it leaves."""
        shared = self.memory.resident()
        return own_bytes(self.pid) + shared + max(0, shared - self.table_bytes())

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
        reply, reply_write = os.pipe()
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
        self._answers = Answers(reply, self.pid)
        if not self._answers_epoch():
            status = self._process.poll()
            self._reap()
            raise EngineError(_without_memory() if status == _CANNOT_MAP else "the worker process did not start")

    def _answers_epoch(self) -> bool:
        """Does it begin a new epoch?"""
        try:
            self._send(layout.Command.EPOCH)
            return self._answers.within(30.0)
        except BrokenPipeError:
            return False

    def _restart(self) -> None:
        self.deaths += 1
        self._renew()

    def _renew(self) -> None:
        """Another process takes over; what this one held is given back."""
        self._outgrown = False
        self._reap()
        self.memory.drop_table()
        self._start()

    def _reap(self) -> None:
        if self._process is not None:
            self._spent += cpu_seconds(self._process.pid)
            self._process.kill()
            self._process.wait()
            self._process = None
            os.close(self._command)
            self._answers.close()

    def close(self) -> None:
        if self._process is not None:
            self._reap()
            self.memory.close()

    def new_epoch(self) -> None:
        if self._outgrown:
            self._renew()
            return
        self.memory.drop_table()
        self.expressions.forget()
        if not self._answers_epoch():
            self._restart()
            return
        self.epoch += 1

    # ---- one run ---------------------------------------------------------------------------------------------------

    def run(self, witness: bytes) -> Run:
        run = self._run(witness, 0)
        if self._verifies and not verify.is_cut(run):
            verify.compare_runs(run, self._run(witness, layout.FLAG_WHOLE))
        return run

    def _run(self, witness: bytes, flags: int) -> Run:
        if self._ran(witness, self.limits, flags):
            try:
                stopped = self._cut == "stopped" and self.memory.counters[_END] == layout.End.TIME
                return self._stopped(witness) if stopped else self._result(witness)
            except UntrustedWorker:
                self._distrust()
        return self._lost(witness)

    def doubt(self, witness: bytes) -> Run | None:
        """A run that ends in an error where memory never written may decide something, on this input's path; None if
        it ends well, or that is looked for anyway."""
        if self.limits.uninitialized:
            return None
        if self._ran(witness, self.limits, _DOUBTING):
            if self.memory.counters[_END] == layout.End.EXIT:
                return None
            try:
                return self._result(witness)
            except UntrustedWorker:
                self._distrust()
        return self._lost(witness)

    def coverage_run(self, witness: bytes, instructions: int, wanted: NDArray[np.bool_] | None = None) -> CoverageRun:
        """What an input covers, its texts taken as concrete: no events, no expressions, and many times quicker.

        If no site that `wanted` marks is covered, and nothing else happens, then nothing of its coverage is told."""
        coverage_run = self._concrete(witness, instructions, layout.FLAG_COVERAGE_ONLY, wanted)
        if self._verifies:
            whole = self._concrete(witness, instructions, layout.FLAG_COVERAGE_ONLY | layout.FLAG_WHOLE, wanted)
            verify.compare_coverage_runs(coverage_run, whole, witness)
        return coverage_run

    def _concrete(self, witness: bytes, instructions: int, flags: int, wanted: NDArray[np.bool_] | None) -> CoverageRun:
        limits = _with_instructions(self.limits, instructions)
        if self._ran(witness, limits, flags):
            try:
                self.named.look()
                end = self.memory.counters[_END]
                if end == layout.End.EXIT and wanted is not None and not self.expressions.reaches(wanted):
                    return CoverageRun(_NO_COVERAGE, self.memory.counters[_STEPS])
                failed = self._error() if end == layout.End.ERROR else None
                covered, steps = self._covered_untraced(failed), self.memory.counters[_STEPS]
                found = (failed.kind, failed.site) if failed and failed.kind != UNSUPPORTED else None
                return CoverageRun(covered, steps, found)
            except UntrustedWorker:
                self._distrust()
        return CoverageRun(_NO_COVERAGE, 0)

    def probe(self, witness: bytes) -> Probe | None:
        """Where an input goes when its bytes are concrete: its blocks, in order.  None if the worker died."""
        probe = self._probe(witness, layout.FLAG_COVERAGE_ONLY)
        if self._verifies:
            verify.compare_probes(probe, self._probe(witness, layout.FLAG_COVERAGE_ONLY | layout.FLAG_WHOLE), witness)
        return probe

    def _probe(self, witness: bytes, flags: int) -> Probe | None:
        if not self._ran(witness, self.limits, flags):
            return None
        try:
            self.named.look()
            end = _code(layout.End, self.memory.counters[_END])
            length = min(self.memory.counters[_TRACE], layout.TRACE_CAPACITY)
            path = path_key(self.memory.read(layout.SHM_TRACE, 4 * length))
            failed = self._error() if end == "error" else None
            return Probe(
                _end(end, failed, self.memory.counters[_CODE], self._cut), path, self._covered_untraced(failed)
            )
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
        if self._outgrown:
            self._renew()
        size = min(len(witness), layout.INPUT_CAPACITY)
        self.memory.write(layout.SHM_INPUT, witness[:size])
        self._request(size, limits, flags)
        try:
            self._send(layout.Command.RUN)
            self._cut = self._answers.of_run(limits.seconds, self.guard)
            finished = not self._cut or self._interrupt()
            self._outgrown = self._cut == "memory"
        except BrokenPipeError:
            finished = False
        if finished:
            self.skipped += self.memory.counters[_SKIPPED]
        else:
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
        if not limits.snapshot:
            flags |= layout.FLAG_WHOLE
        if self._verifies:
            flags |= layout.FLAG_EAGER
        events = min(limits.events, layout.EVENT_CAPACITY)
        sizes = (limits.heap, limits.table, limits.table_bytes, limits.write_bytes)
        numbers = (size, limits.instructions, events, *sizes, flags)
        self.memory.counters[_REQUEST] = array("Q", numbers)

    def _send(self, command: layout.Command) -> None:
        self.memory.counters[_COMMAND] = command
        os.write(self._command, command.to_bytes(8, "little"))

    def _interrupt(self) -> bool:
        """Has the run itself end, soon and in order; whatever cannot do that has to be killed."""
        assert self._process is not None
        if self._process.poll() is not None:
            return False
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGUSR1)
        if self._cut == "stopped":
            return not self._answers.of_run(_HURRY, Guard(), _HURRIED)
        return not self._answers.of_run(_GRACE, Guard(self.guard.stop))

    def _lost(self, witness: bytes) -> Run:
        """Nothing is known of the run."""
        killed = self._cut in ("stopped", "memory")
        end, nothing = self._cut if killed else "died", _NO_COVERAGE
        return Run(witness, end, 0, _NO_EVENTS, nothing, _NO_SITES, (), b"", 0, None, 0, 0, self.epoch, partial=killed)

    def _stopped(self, witness: bytes) -> Run:
        """A run that was cut since time is over: there is none to take in its expressions, which may be many."""
        self.named.look()
        counters = self.memory.counters
        known, made = counters[_KNOWN], min(counters[_MADE], layout.OBJECT_CAPACITY)
        return Run(
            witness[:known].ljust(known, b"\0"),
            "stopped",
            0,
            _NO_EVENTS,
            self._covered_untraced(None),
            _NO_SITES,
            self.named.made(self.memory.read(layout.SHM_MADE, 4 * made)),
            b"",
            0,
            None,
            counters[_STEPS],
            counters[_NANOSECONDS],
            self.epoch,
            partial=True,
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
            _end(_ENDS[end], error, code, self._cut),
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
        site = error.site if error is not None else code if end == layout.End.EVENTS else 0
        block = trace.item(-1) if len(trace) and error is None else 0
        return self._parts.complete(covered, site, block)

    def _covered_untraced(self, error: RunError | None) -> NDArray[np.int64]:
        """The same of a run that is not taken in otherwise."""
        counters, covered = self.memory.counters, self.expressions.cover()
        if counters[_END] == layout.End.EXIT:
            return covered
        last = min(counters[_TRACE], layout.TRACE_CAPACITY)
        trace = self.memory.trace[max(0, last - 1) : last].copy()
        return self._covered(covered, counters[_END], counters[_CODE], trace, error)

    def _error(self) -> RunError:
        return read_error(self.memory, self.image.sites)


def _without_memory() -> str:
    """Why a worker cannot start that was refused the addresses of its memory."""
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    told = "" if limit == resource.RLIM_INFINITY else f"; there may be {limit >> 20:,} MB (ulimit -v)"
    return f"the worker process cannot map its memory, some 30 GB of addresses, few of which are used{told}"


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
