"""One process under limits: the program is not to be trusted, nor is its output's size.

It gets a session, a folder and an environment of its own, pipes for its streams (as the engine's model has them), and
limits on time, memory and what it writes.  What it may do beside that is what the steps say (enclosure.py).
"""

from __future__ import annotations

import os
import resource
import select
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cinquefoil.replay.steps import Steps, starter

_GRACE = 1.0  # seconds between asking to end and killing
_CHUNK = 1 << 16
_PAGE = os.sysconf("SC_PAGESIZE")
_MOST_USED = 4 << 30  # bytes of memory in use
_DESCRIPTORS = 256  # as in the engine's model (machine/runtime/descriptors.h)
_LOCKED = 64 << 10  # bytes of memory that cannot be swapped out


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    seconds: float = 10.0
    processor: float | None = None  # seconds of its own, after which SIGPROF ends it, however busy the machine is
    memory: int | None = 4 << 30  # of address space; sanitizers need it without limit, so what they use is watched
    file_bytes: int = 256 << 20
    output_bytes: int = 16 << 20  # kept; the rest is read and dropped

    @property
    def watched(self) -> int:
        """Bytes that the process may use where its addresses are not limited, else 0."""
        return 0 if self.memory is not None else min(_MOST_USED, os.sysconf("SC_PHYS_PAGES") * _PAGE // 2)


@dataclass(frozen=True, slots=True)
class Finished:
    """`status` is the exit status, or minus the signal; `output` both streams, in the order of writing."""

    status: int
    output: bytes
    timed_out: bool
    over_memory: bool = False


def run_process(
    command: Sequence[bytes | str],
    executable: Path,
    *,
    folder: Path,
    variables: Mapping[str, str],
    stdin: bytes,
    stdin_file: bool = False,
    stdout_file: bool = False,
    limits: ProcessLimits,
    enter: Steps | None = None,
    passed: Sequence[int] = (),
) -> Finished:
    """Run until the end or the time limit; children that are left behind are killed.  Standard input is a pipe, or
    a file if `stdin_file` says so; so are standard output and error by `stdout_file`.  The new process takes the
    steps of `enter`, which speak of the descriptors `passed`, and becomes the program; `OSError` if it cannot."""
    steps = memory_file(_encoded(enter, limits))
    source, feed = _file_input(stdin) if stdin_file else _pipe_input(stdin)
    sink = os.memfd_create("stdout") if stdout_file else None
    try:
        process = subprocess.Popen(
            ["starter", str(steps), str(executable), *command],
            executable=starter(),
            pass_fds=[steps, *passed],
            cwd=folder,
            env=variables,
            stdin=source,
            stdout=subprocess.PIPE if sink is None else sink,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except BaseException:
        feed.close()
        os.close(steps)
        if sink is not None:
            os.close(sink)
        raise
    finally:
        os.close(source)
    try:
        output, timed_out = _talk(process, feed, limits) if sink is None else _watch(process, sink, limits)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        feed.close()
        if process.stdout is not None:
            process.stdout.close()
        if sink is not None:
            os.close(sink)
        left = os.pread(steps, _CHUNK, 0)
        os.close(steps)
    raise_problem(left)
    status, over_memory = _status(left)
    return Finished(process.returncode if status is None else status, output, timed_out, over_memory)


def _status(left: bytes) -> tuple[int | None, bool]:
    """What the supervisor says of the program's end; nothing if it was killed itself."""
    if not left.startswith(b"="):
        return None, False
    number, _, why = left[1:].partition(b" ")
    return os.waitstatus_to_exitcode(int(number)), why == b"memory"


def raise_problem(left: bytes) -> None:
    """If it was the starter that ended and not the program; steps begin with a letter, what it leaves with a digit."""
    number, _, what = left.partition(b" ")
    if number.isdigit():
        raise OSError(int(number), os.strerror(int(number)), os.fsdecode(what))


class _Feed:
    """What is still to be written into the program's standard input; closed when all of it is."""

    def __init__(self, fd: int, data: bytes) -> None:
        self.fd = fd
        self._left = memoryview(data)
        if fd >= 0:
            os.set_blocking(fd, False)
            self.write()

    def write(self) -> None:
        """As much as fits now."""
        try:
            while self._left:
                self._left = self._left[os.write(self.fd, self._left[:_CHUNK]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            pass
        self.close()

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


def _pipe_input(data: bytes) -> tuple[int, _Feed]:
    """Filled before the program starts, since a program can ask how much there is."""
    source, sink = os.pipe()
    return source, _Feed(sink, data)


def _file_input(data: bytes) -> tuple[int, _Feed]:
    return memory_file(data), _Feed(-1, b"")


def memory_file(data: bytes) -> int:
    """A file that only descriptors lead to."""
    file = os.memfd_create("replay")
    with open(file, "wb", closefd=False) as stream:
        stream.write(data)
    os.lseek(file, 0, os.SEEK_SET)
    return file


def _encoded(enter: Steps | None, limits: ProcessLimits) -> bytes:
    steps = Steps()
    if enter is None:
        steps.supervise(limits.watched)
    else:
        steps.extend(enter)
    _limit(steps, limits)
    return steps.encoded()


def _limit(steps: Steps, limits: ProcessLimits) -> None:
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGPROF, signal.SIGTERM):  # some may be ignored
        steps.add("s", int(number))
    # One processor, as in the engine's model: programs ask how many there are.
    steps.add("a", min(os.sched_getaffinity(0)))
    steps.add("x", resource.RLIMIT_CORE, 1)  # with 0 a system's crash handler would still be called, see core(5)
    steps.add("x", resource.RLIMIT_NOFILE, _DESCRIPTORS)
    steps.add("x", resource.RLIMIT_MEMLOCK, _LOCKED)
    steps.add("x", resource.RLIMIT_FSIZE, limits.file_bytes)
    steps.add("x", resource.RLIMIT_CPU, int(limits.seconds) + 2)
    if limits.processor is not None:
        steps.add("p", int(limits.processor * 1e6))  # which the program inherits, see execve(2)
    if limits.memory is not None:
        steps.add("x", resource.RLIMIT_AS, limits.memory)


def _talk(process: subprocess.Popen[bytes], feed: _Feed, limits: ProcessLimits) -> tuple[bytes, bool]:
    """Feed and read until the program closes its output and ends, or its time is up."""
    assert process.stdout is not None
    deadline = time.monotonic() + limits.seconds
    exchange = _Exchange(feed, process.stdout.fileno(), limits.output_bytes)
    timed_out = not exchange.until(deadline) or not _ended(process, deadline)
    if timed_out:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)  # a chance to write its counters
        exchange.until(time.monotonic() + _GRACE)
        _ended(process, time.monotonic() + _GRACE)
    return exchange.output(), timed_out


def _watch(process: subprocess.Popen[bytes], sink: int, limits: ProcessLimits) -> tuple[bytes, bool]:
    """Wait for the end; what was written is in a file."""
    timed_out = not _ended(process, time.monotonic() + limits.seconds)
    if timed_out:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        _ended(process, time.monotonic() + _GRACE)
    return os.pread(sink, limits.output_bytes, 0), timed_out


def _ended(process: subprocess.Popen[bytes], deadline: float) -> bool:
    left = max(0.0, deadline - time.monotonic())
    try:
        _await(process.pid, left)
        process.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        return False
    return True


def _await(pid: int, seconds: float) -> None:
    """The end of a child, without looking again and again as `wait` does; where the kernel cannot, not at all."""
    with suppress(OSError):
        ended = os.pidfd_open(pid)
        try:
            poll = select.poll()
            poll.register(ended, select.POLLIN)
            poll.poll(seconds * 1000)
        finally:
            os.close(ended)


class _Exchange:
    """Both directions at once, so that neither side waits for the other for ever."""

    def __init__(self, feed: _Feed, reader: int, keep: int) -> None:
        self._feed, self._reader, self._keep = feed, reader, keep
        self._parts: list[bytes] = []
        self._reading = True
        self._selector = selectors.DefaultSelector()
        self._selector.register(reader, selectors.EVENT_READ)
        if feed.fd >= 0:
            self._selector.register(feed.fd, selectors.EVENT_WRITE)

    def until(self, deadline: float) -> bool:
        """True when the output has ended."""
        while self._reading:
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            for key, _ in self._selector.select(left):
                if key.fd == self._reader:
                    self._read()
                else:
                    self._write(key.fd)
        return True

    def output(self) -> bytes:
        self._selector.close()
        return b"".join(self._parts)

    def _read(self) -> None:
        data = os.read(self._reader, _CHUNK)
        if not data:
            self._selector.unregister(self._reader)
            self._reading = False
        self._parts.append(data[: max(0, self._keep)])
        self._keep -= len(data)

    def _write(self, fd: int) -> None:
        self._selector.unregister(fd)
        self._feed.write()
        if self._feed.fd >= 0:
            self._selector.register(fd, selectors.EVENT_WRITE)
