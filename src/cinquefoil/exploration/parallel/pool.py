"""The other exploring processes: started, written to and read from without ever blocking on one of them, replaced when
they die or fall silent.

`Ledger` is what one of them must not take with it: the states that it was given, without those that it gave away."""

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
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from cinquefoil.errors import EngineError
from cinquefoil.exploration.parallel.messages import Beat, Frames, Message, ProcessFailure, RoundReport, frame
from cinquefoil.exploration.parallel.parcels import Parcel
from cinquefoil.machine.resident import family_bytes
from cinquefoil.solver.layer import LayerStatistics

_CHUNK = 1 << 18
_STARTING = 120.0  # seconds a process may take to get ready
_START = "from cinquefoil.exploration.parallel.explorer_process import main; main()"
_LOG = logging.getLogger(__name__)
BranchKeys = set[tuple[int, int]]


class Process:
    """One exploring process and what is on its way to and from it."""

    def __init__(self, setup: Message) -> None:
        self._link, theirs = socket.socketpair()
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
        self.reported = False
        self.failure = ""  # what it said before it ended, if it could
        self.blame = ""  # and why that is the user's to mend, if it is
        self.heard = time.monotonic()
        self.send(setup)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def waiting_to_send(self) -> bool:
        return bool(self._unsent)

    def fileno(self) -> int:
        return self._link.fileno()

    def send(self, message: Message) -> None:
        """Sends as much as goes without waiting; the rest goes with `flush`.  From now on its silence counts."""
        self._unsent += frame(message)
        self.heard = time.monotonic()
        self.flush()

    def flush(self) -> None:
        try:
            while self._unsent:
                del self._unsent[: self._link.send(self._unsent)]
        except BlockingIOError:
            pass
        except OSError:
            self.alive = False

    def receive(self) -> Iterator[RoundReport]:
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
            for message in self._frames:
                if isinstance(message, ProcessFailure):
                    self.failure, self.blame = message.text, message.blame
                elif isinstance(message, RoundReport):
                    self.reported = True
                    yield message
                elif not isinstance(message, Beat):
                    raise EngineError("an exploring process talks nonsense")
        except Exception as error:  # whatever is wrong with its bytes, it is replaced
            self.failure, self.alive = str(error), False

    def is_silent(self, silence: float) -> bool:
        """Was it silent for longer than it may be?  Until its first report it may be silent for longer, because
        starting takes its time on a busy machine."""
        return time.monotonic() - self.heard > (silence if self.reported else max(silence, _STARTING))

    def interrupt(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGTERM)

    def end(self) -> None:
        """Kills it; its native worker dies with it."""
        self.alive = False
        self._link.close()
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()


@dataclass(slots=True)
class Ledger:
    """What is known of one explorer's states and work, over all processes that it has been.

    `numbers` and `paths` are of its present process, `kept` those of earlier ones up to their last base; what they did
    after it is done again."""

    kept: list[dict[str, float]] = field(default_factory=list[dict[str, float]])
    layers: list[dict[str, LayerStatistics]] = field(default_factory=list[dict[str, LayerStatistics]])
    report: RoundReport | None = None  # its present process's last
    deaths: int = 0  # since the last report
    _based: dict[str, float] | None = None
    _moves: list[list[Parcel] | BranchKeys] = field(default_factory=list[list[Parcel] | BranchKeys])
    _inherited: BranchKeys = field(default_factory=BranchKeys)

    @property
    def offset(self) -> int:
        """Paths of earlier processes."""
        return int(sum(numbers["completed"] + numbers["errors"] for numbers in self.kept))

    def gets(self, parcels: list[Parcel]) -> None:
        if parcels:
            self._moves.append(parcels)

    def note(self, report: RoundReport) -> None:
        self.report, self.deaths = report, 0
        if report.base is not None:
            self._moves, self._based = [report.base], report.numbers
        else:
            self._moves += [{branch for parcel in gift for branch in parcel.branches()} for _, gift in report.gifts]
        report.base = None  # it may be large

    def succeed(self) -> tuple[tuple[Parcel, ...], frozenset[tuple[int, int]]]:
        """What a successor takes over, and untaken branches that it will meet though they are others' by now.  So will
        those to whom it gives what it took over: all have to know of them."""
        if self.report is not None:
            self.layers.append(self.report.layers)
        if self._based is not None:
            self.kept.append(self._based)
        held: list[Parcel] = []
        for move in self._moves:
            if isinstance(move, list):
                held += move
            else:
                self._inherited |= move
                held = [parcel for parcel in (each.without(move) for each in held) if len(parcel)]
        self._moves, self._based, self.report = [held], None, None
        self.deaths += 1
        return tuple(held), frozenset(self._inherited)

    def give_up(self) -> int:
        """Forgets all of it; how many states that are."""
        lost = sum(len(parcel) for move in self._moves if isinstance(move, list) for parcel in move)
        self._moves, self.deaths = [], 0
        return lost


class ProcessPool:
    """Processes by number, from 1 on."""

    def __init__(self, setups: Iterable[Message]) -> None:
        self.processes = {number: Process(setup) for number, setup in enumerate(setups, 1)}
        self.ledgers = {number: Ledger() for number in self.processes}
        self._poll = select.poll()
        for process in self.processes.values():
            self._poll.register(process, select.POLLIN)

    def pump(self, seconds: float) -> Iterator[tuple[int, RoundReport]]:
        """Moves bytes, waiting up to so long for some; yields what was reported."""
        ready = {file for file, _ in self._poll.poll(seconds * 1000)}
        for number, process in self.processes.items():
            if process.alive and process.waiting_to_send:
                process.flush()
            if process.alive and process.fileno() in ready:
                for report in process.receive():
                    self.ledgers[number].note(report)
                    yield number, report
                if not process.alive:
                    self._poll.unregister(process)

    @property
    def unsent(self) -> bool:
        return any(process.alive and process.waiting_to_send for process in self.processes.values())

    def replace(self, number: int, setup: Message) -> None:
        """A new process instead of one that was lost."""
        old = self.processes[number]
        _LOG.warning("process %d is replaced: %s", old.pid, old.failure or "it ended or fell silent")
        self.drop(number)
        self.processes[number] = Process(setup)
        self._poll.register(self.processes[number], select.POLLIN)

    def drop(self, number: int) -> None:
        with contextlib.suppress(KeyError, ValueError):
            self._poll.unregister(self.processes[number])
        self.processes[number].end()

    def memory(self) -> int:
        """Resident bytes of all of them, workers included."""
        return sum(family_bytes(process.pid) for process in self.processes.values() if process.alive)

    def close(self) -> None:
        for number in self.processes:
            self.drop(number)
