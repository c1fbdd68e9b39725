"""An exploring process: starts, takes its first states, and works in rounds until it is told to stop.

Its socket, which is its standard input, is all that connects it with the others.  It holds nothing that could not be
found again: what it was given, and now and then a copy of all that it has left, is known to the first process."""

from __future__ import annotations

import signal
import socket
import time
import traceback
from collections.abc import Iterator
from dataclasses import replace

from cinquefoil.errors import UserError
from cinquefoil.exploration.accounting.collector import rarely_collecting
from cinquefoil.exploration.parallel.explorer import Explorer
from cinquefoil.exploration.parallel.input_names import InputNames
from cinquefoil.exploration.parallel.messages import (
    Beat,
    Frames,
    Message,
    ProcessFailure,
    RoundBundle,
    RoundReport,
    Setup,
    frame,
)
from cinquefoil.exploration.solving.worker_solver import WorkerSolver
from cinquefoil.machine.worker import Worker
from cinquefoil.plugins import load_plugins

_BEAT = 1.0  # seconds of silence after which a sign of life is due
_CHUNK = 1 << 18
_SEEDS = 0xFFFFFFFF  # of solvers; what is above it tells processes apart


class Link:
    """The way to the first process and back."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._frames = Frames()
        self._last = time.monotonic()

    def send(self, message: Message) -> None:
        self._link.sendall(frame(message))
        self._last = time.monotonic()

    def beat(self) -> None:
        """A sign of life, if nothing was said for a while."""
        if time.monotonic() - self._last >= _BEAT:
            self.send(Beat())

    def messages(self) -> Iterator[Message]:
        while data := self._link.recv(_CHUNK):
            self._frames.feed(data)
            yield from self._frames


class Talking(Explorer):
    """An explorer that shows that it is alive."""

    link: Link

    def tick(self) -> None:
        self.link.beat()


class Life:
    """From the first states to the last report."""

    def __init__(self, link: Link, setup: Setup) -> None:
        self._link = link
        self._setup = setup
        load_plugins(setup.options.plugins)
        self._worker = Worker(setup.image, setup.environment, setup.limits)
        names = InputNames(self._worker.named)
        found = (names.witness(contents) for contents in setup.inputs)
        options = replace(setup.options, inputs=tuple(each for each in found if each is not None))
        seed = options.seed & _SEEDS
        self._solver = WorkerSolver(
            self._worker, setup.backend, options.solver_seconds, seed, options.multiplex, options.layers
        )
        self.explorer = Talking(self._worker, self._solver, options, setup.image.graph, number=setup.number)
        self.explorer.link = link

    def begin(self) -> None:
        setup, explorer = self._setup, self.explorer
        explorer.stopwatch.start(time.monotonic() - setup.begun)
        explorer.tree.shared = not explorer.alone
        explorer.foreign.update(setup.foreign)
        explorer.explored.undecided.round = setup.asked
        explorer.learn(setup.covered)
        explorer.adopt(setup.parcels)
        explorer.obey(setup.orders)
        if explorer.alone:
            explorer.first.run()

    def go_on(self, messages: Iterator[Message]) -> None:
        """Rounds, until the other side stops or ends."""
        number, joins = self._setup.round, self._setup.joins
        while True:
            self.explorer.work()
            self.explorer.statistics.phases.idle.begin()
            begun = time.monotonic()
            alone = RoundBundle(0, self.explorer.orders, self._setup.covered, [], [])
            bundle = next(messages, None) if joins else alone
            self.explorer.waited += time.monotonic() - begun
            if not isinstance(bundle, RoundBundle):
                return
            if bundle.stop:
                self._link.send(self._report(number, final=True))
                return
            if joins:
                self.explorer.apply(bundle)
            joins = True
            self._link.send(self._report(number))
            number += 1

    def _report(self, number: int, final: bool = False) -> RoundReport:
        report = self.explorer.report(number)
        if final:
            report.last = self.explorer.last()
        else:
            report.base = self.explorer.base()
        return report

    def close(self) -> None:
        self._solver.close()
        self._worker.close()


def serve(link: Link) -> None:
    messages = link.messages()
    setup = next(messages, None)
    if not isinstance(setup, Setup):
        return
    life = Life(link, setup)
    try:
        with life.explorer.interrupts, rarely_collecting():
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            life.begin()
            life.go_on(messages)
    finally:
        life.close()


def main() -> None:
    """The process's start: the terminal's signals are for the first process, which passes them on."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with socket.socket(fileno=0) as ours:
        link = Link(ours)
        try:
            serve(link)
        except (BrokenPipeError, ConnectionResetError):
            pass  # nobody waits for the answer any more
        except Exception as error:
            link.send(ProcessFailure(traceback.format_exc(), str(error) if isinstance(error, UserError) else ""))
            raise
