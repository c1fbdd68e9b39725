"""The answering processes: started, written to and read from without ever blocking on one of them, replaced when they
die or fall silent."""

from __future__ import annotations

import contextlib
import logging
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from dataclasses import fields
from typing import Any

from cinquefoil.errors import EngineError
from cinquefoil.explore.parallel_messages import Frames, frame, unpack_layers
from cinquefoil.machine.resident import family_bytes
from cinquefoil.solver.layer import LayerStatistics

_CHUNK = 1 << 18
_BUFFER = 1 << 20  # bytes the system may hold for each direction
_STARTS = 3  # processes that may fail one after the other before they get ready
_STARTING = 120.0  # seconds a process may take to get ready
_START = "from cinquefoil.explore.parallel_process import main; main()"

_LOG = logging.getLogger(__name__)

Message = tuple[dict[str, Any], list[bytes]]


class Process:
    """One answering process and what is on its way to and from it."""

    def __init__(self, setup: bytes) -> None:
        self._link, theirs = socket.socketpair()
        for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
            self._link.setsockopt(socket.SOL_SOCKET, option, _BUFFER)
            theirs.setsockopt(socket.SOL_SOCKET, option, _BUFFER)
        self._link.setblocking(False)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _START],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
                start_new_session=True,
            )
        self._frames = Frames()
        self._unsent = bytearray()
        self.alive = True
        self.layer_names: list[str] | None = None  # known once it is ready
        self.layers = b""
        self.failure = ""  # what it said before it ended, if it could
        self.heard = time.monotonic()
        self.send(frame({"setup": 1}, (setup,)))
        self.flush()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def waiting_to_send(self) -> bool:
        return bool(self._unsent)

    def fileno(self) -> int:
        return self._link.fileno()

    def expect(self) -> None:
        """From now on its silence counts: it was idle and is about to get a job."""
        self.heard = time.monotonic()

    def patience(self, silence: float) -> float:
        """Seconds that it may be silent: starting takes its time on a busy machine."""
        return silence if self.layer_names is not None else max(silence, _STARTING)

    def send(self, message: bytes) -> None:
        """It leaves with the next `flush`."""
        self._unsent += message

    def flush(self) -> None:
        """Sends as much as goes without waiting."""
        try:
            while self._unsent:
                del self._unsent[: self._link.send(self._unsent)]
        except BlockingIOError:
            pass
        except OSError:
            self.alive = False

    def receive(self) -> list[Message]:
        """Whatever has come; finds out, too, that nothing will come any more."""
        try:
            while data := self._link.recv(_CHUNK):
                self._frames.feed(data)
                self.heard = time.monotonic()
            self.alive = False
        except BlockingIOError:
            pass
        except OSError:
            self.alive = False
        try:
            return [message for message in self._frames if self._is_answer(*message)]
        except EngineError:
            self.alive = False  # it talks nonsense
            return []

    def _is_answer(self, header: dict[str, Any], blobs: list[bytes]) -> bool:
        if "ready" in header:
            self.layer_names = [str(name) for name in header["ready"]]
        elif "failed" in header:
            self.failure = str(header["failed"])
        elif "reply" in header:
            self.layers = blobs[0]
            return True
        return False

    def end(self) -> None:
        """Kills it; its native worker dies with it."""
        self.alive = False
        self._link.close()
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def statistics(self) -> dict[str, LayerStatistics]:
        return unpack_layers(self.layer_names or [], self.layers)


class Pool:
    """Processes by number; answers of each in the order of its jobs."""

    def __init__(self, setup: bytes, count: int) -> None:
        self._setup = setup
        self._failures = 0
        self._past: list[Process] = []
        self.processes = [Process(setup) for _ in range(count)]
        self.answers: list[deque[Message]] = [deque() for _ in range(count)]

    def __len__(self) -> int:
        return len(self.processes)

    def pump(self, seconds: float) -> None:
        """Moves bytes; waits up to so long for something to move."""
        poll = select.poll()
        for process in self.processes:
            if process.alive:
                poll.register(process, select.POLLIN | (select.POLLOUT if process.waiting_to_send else 0))
        ready = {number for number, _ in poll.poll(seconds * 1000)}
        for number, process in enumerate(self.processes):
            if process.alive and process.fileno() in ready:
                process.flush()
                self.answers[number].extend(process.receive())

    def lost(self, silence: float, busy: list[int]) -> list[int]:
        """Which processes are gone, or silent for longer than they may be while they are busy."""
        now = time.monotonic()
        return [
            number
            for number, process in enumerate(self.processes)
            if not process.alive or (number in busy and now - process.heard > process.patience(silence))
        ]

    def replace(self, number: int) -> None:
        """A new process in the place of one that was lost; its unread answers stay."""
        old = self.processes[number]
        old.end()
        self._past.append(old)
        self._failures = self._failures + 1 if old.layer_names is None else 0
        if self._failures >= _STARTS:
            raise EngineError(f"the processes for parallel exploration do not start: {_last_line(old.failure)}")
        _LOG.warning("process %d is replaced: %s", old.pid, old.failure or "it ended or fell silent")
        self.processes[number] = Process(self._setup)

    def statistics(self) -> dict[str, LayerStatistics]:
        """The solver chains' statistics, all together."""
        total: dict[str, LayerStatistics] = {}
        for process in (*self._past, *self.processes):
            for name, layer in process.statistics().items():
                add_layer(total.setdefault(name, LayerStatistics()), layer)
        return total

    def memory(self) -> int:
        """Resident bytes of all of them, workers included."""
        return sum(family_bytes(process.pid) for process in self.processes if process.alive)

    def close(self) -> None:
        for process in self.processes:
            process.end()


def add_layer(total: LayerStatistics, layer: LayerStatistics) -> None:
    for field in fields(LayerStatistics):
        setattr(total, field.name, getattr(total, field.name) + getattr(layer, field.name))


def _last_line(text: str) -> str:
    return text.strip().rpartition("\n")[2] or "they say nothing"
