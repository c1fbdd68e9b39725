"""A child under watch: its time, the memory of all it started, and its end with ours.

A child that meets a limit is asked to stop first (SIGTERM: `cinq run` then keeps what it found) and killed, with
everything it started, if it does not.  Should this process die, the kernel kills the child."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from cinquefoil.build.child import die_with_parent

_LOOK = 0.1  # seconds between looks
_GRACE = 10.0  # seconds between asking and killing
_PAGE = os.sysconf("SC_PAGESIZE")
_TOLD = 2000  # characters of its last words that are kept


@dataclass(frozen=True, slots=True)
class ChildLimits:
    seconds: float
    memory: int  # bytes of all its processes; beyond this it is killed


@dataclass(frozen=True, slots=True)
class ChildEnd:
    """`status` is the exit status or minus the signal; `why` is "" or "time", "memory", "stopped"."""

    status: int
    why: str
    seconds: float
    memory: int  # peak
    output: bytes
    said: str  # the end of its standard error


class Child(Protocol):
    """A running command: what is used of `subprocess.Popen`."""

    pid: int
    returncode: int

    def wait(self, timeout: float | None = None) -> int: ...
    def poll(self) -> int | None: ...
    def terminate(self) -> None: ...


Start = Callable[[Sequence[str], IO[bytes], IO[bytes]], Child]


def spawn(command: Sequence[str], output: IO[bytes], errors: IO[bytes]) -> Child:
    """Starts a command as a process of its own."""
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=errors,
        start_new_session=True,
        preexec_fn=be_watched,
    )


def run_watched(
    command: Sequence[str], limits: ChildLimits, stopped: Callable[[], bool], start: Start = spawn
) -> ChildEnd:
    """Runs until the end, a limit, or `stopped`."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        begun = time.monotonic()
        process = start(command, output, errors)
        grace = 0.0
        try:
            why, peak = _watch(process, limits, stopped, begun)
            grace = 0.0 if why == "stopped" else _GRACE
        finally:
            _end(process, grace)
        seconds = time.monotonic() - begun
        output.seek(0)
        errors.seek(max(0, errors.seek(0, os.SEEK_END) - _TOLD))
        said = errors.read().decode("utf-8", "replace").strip()
        return ChildEnd(process.returncode, why, seconds, peak, output.read(), said)


def be_watched() -> None:
    """Called in a child: it dies with its parent, and signals end it as usual."""
    die_with_parent()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def _watch(process: Child, limits: ChildLimits, stopped: Callable[[], bool], begun: float) -> tuple[str, int]:
    peak = 0
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(_LOOK)
            return "", peak
        peak = max(peak, memory_of(process.pid))
        if stopped():
            return "stopped", peak
        if time.monotonic() - begun > limits.seconds:
            return "time", peak
        if peak > limits.memory:
            return "memory", peak


def _end(process: Child, grace: float) -> None:
    """Asks, waits, kills."""
    if process.poll() is None:
        below = descendants(process.pid)
        process.terminate()
        try:
            process.wait(grace)
        except subprocess.TimeoutExpired:
            for pid in (*below, *descendants(process.pid), process.pid):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            process.wait()


def memory_of(pid: int) -> int:
    """Resident bytes of a process and all below it.  Pages they share are counted for each."""
    return sum(_resident(each) for each in (pid, *descendants(pid)))


def descendants(pid: int) -> list[int]:
    """Children, theirs, and so on, of those that still live."""
    found: list[int] = []
    waiting = [pid]
    while waiting:
        children = _children(waiting.pop())
        found += children
        waiting += children
    return found


def _children(pid: int) -> list[int]:
    with suppress(OSError):
        tasks = Path(f"/proc/{pid}/task")
        return [int(n) for task in tasks.iterdir() for n in (task / "children").read_text().split()]
    return []


def _resident(pid: int) -> int:
    with suppress(OSError, IndexError, ValueError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    return 0
