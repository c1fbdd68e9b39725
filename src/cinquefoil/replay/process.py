"""One process under limits: the program is not to be trusted, nor is its output's size.

It gets a session, a folder and an environment of its own, pipes for its streams (as the engine's model has them), and
limits on time, memory and what it writes.  This does not keep it from reading what its user may read.
"""

from __future__ import annotations

import os
import resource
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_GRACE = 1.0  # seconds between asking to end and killing
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    seconds: float = 10.0
    memory: int | None = 4 << 30  # of address space; sanitizers need it without limit
    file_bytes: int = 256 << 20
    output_bytes: int = 16 << 20  # kept; the rest is read and dropped


@dataclass(frozen=True, slots=True)
class Finished:
    """`status` is the exit status, or minus the signal; `output` both streams, in the order of writing."""

    status: int
    output: bytes
    timed_out: bool


def run_process(
    command: Sequence[bytes | str],
    executable: Path,
    *,
    folder: Path,
    variables: Mapping[str, str],
    stdin: bytes,
    limits: ProcessLimits,
) -> Finished:
    """Run until the end or the time limit; children that are left behind are killed."""
    process = subprocess.Popen(
        command,
        executable=executable,
        cwd=folder,
        env=variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=lambda: _limit(limits),
    )
    try:
        output, timed_out = _talk(process, stdin, limits)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()
    return Finished(process.returncode, output, timed_out)


def _limit(limits: ProcessLimits) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limits.file_bytes, limits.file_bytes))
    seconds = int(limits.seconds) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    if limits.memory is not None:
        resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))


def _talk(process: subprocess.Popen[bytes], stdin: bytes, limits: ProcessLimits) -> tuple[bytes, bool]:
    """Feed and read until the program closes its output and ends, or its time is up."""
    assert process.stdin is not None and process.stdout is not None
    deadline = time.monotonic() + limits.seconds
    exchange = _Exchange(process.stdin, process.stdout, stdin, limits.output_bytes)
    timed_out = not exchange.until(deadline) or not _ended(process, deadline)
    if timed_out:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)  # a chance to write its counters
        exchange.until(time.monotonic() + _GRACE)
        _ended(process, time.monotonic() + _GRACE)
    return exchange.output(), timed_out


def _ended(process: subprocess.Popen[bytes], deadline: float) -> bool:
    try:
        process.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        return False
    return True


class _Exchange:
    """Both directions at once, so that neither side waits for the other for ever."""

    def __init__(self, writer: IO[bytes], reader: IO[bytes], data: bytes, keep: int) -> None:
        self._data = memoryview(data)
        self._keep = keep
        self._parts: list[bytes] = []
        self._selector = selectors.DefaultSelector()
        os.set_blocking(writer.fileno(), False)
        self._selector.register(reader, selectors.EVENT_READ)
        self._selector.register(writer, selectors.EVENT_WRITE)
        self._writer, self._reader = writer, reader
        self._reading = True
        if not data:
            self._stop_writing()

    def until(self, deadline: float) -> bool:
        """True when the output has ended."""
        while self._reading:
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            for key, _ in self._selector.select(left):
                if key.fileobj is self._reader:
                    self._read()
                else:
                    self._write()
        return True

    def output(self) -> bytes:
        self._selector.close()
        return b"".join(self._parts)

    def _read(self) -> None:
        data = os.read(self._reader.fileno(), _CHUNK)
        if not data:
            self._selector.unregister(self._reader)
            self._reading = False
        self._parts.append(data[: max(0, self._keep)])
        self._keep -= len(data)

    def _write(self) -> None:
        try:
            sent = os.write(self._writer.fileno(), self._data[:_CHUNK])
        except BrokenPipeError:
            sent = len(self._data)
        self._data = self._data[sent:]
        if not self._data:
            self._stop_writing()

    def _stop_writing(self) -> None:
        self._selector.unregister(self._writer)
        self._writer.close()
