"""An answering process: takes states, finds their path conditions, solves them, runs the solutions, sends the runs.

It has a native worker and a solver chain of its own and holds nothing that the exploring process could not give to
another one: when it dies, its jobs are sent to its successor.  It ends when its socket, which is its standard input, is
closed.
"""

from __future__ import annotations

import pickle
import signal
import socket
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cinquefoil.explore.engine import WorkerSolver
from cinquefoil.explore.events import Reader
from cinquefoil.explore.options import TABLE_MEMORY
from cinquefoil.explore.parallel_messages import (
    Effort,
    Frames,
    Job,
    Ran,
    Reply,
    bare_witness,
    frame,
    layer_names,
    pack_layers,
)
from cinquefoil.explore.parallel_registry import cut_back, extend, known, rows_from
from cinquefoil.explore.paths import Paths, Remembered, goal_of
from cinquefoil.explore.running import Runner
from cinquefoil.explore.screen import Screen
from cinquefoil.explore.statistics import Statistics
from cinquefoil.layout import EventKind
from cinquefoil.machine.environment import Environment
from cinquefoil.machine.image import Image
from cinquefoil.machine.run import Probe, Run
from cinquefoil.machine.worker import Limits, Worker
from cinquefoil.search.state import State
from cinquefoil.solver.api import Answer, Query

_BEAT = 1.0  # seconds of silence after which a sign of life is due
_LATE = 0.005  # seconds an answer may wait for others
_LARGE = 1 << 17  # bytes of answers that leave at once
_CHUNK = 1 << 18
_NO_ALTS: NDArray[np.uint32] = np.zeros(0, np.uint32)


@dataclass(frozen=True, slots=True)
class Setup:
    """All that an answering process needs to know; made by the exploring process, of its own data only."""

    image: Image
    environment: Environment
    limits: Limits
    backend: str
    solver_seconds: float
    seed: int
    muted: bool
    partial: int
    path_memory: int
    multiplex: tuple[str, ...] = ()
    table_memory: int = TABLE_MEMORY


class Answerer:
    """Answers jobs, one after the other; `alive` is called between the steps of a job."""

    def __init__(self, setup: Setup, alive: Any = lambda: None) -> None:
        self._setup = setup
        self._alive = alive
        self.worker = Worker(setup.image, setup.environment, setup.limits)
        self.solver = WorkerSolver(self.worker, setup.backend, setup.solver_seconds, setup.seed, setup.multiplex)
        self._seen = np.zeros(len(setup.image.sites), np.bool_)  # covered by runs of this process
        self._runner = Runner(self.worker, Statistics(), setup.muted, setup.table_memory)
        self._screen = Screen(self._probe, self._is_new, self._runner.statistics)
        self._paths = Paths(self.worker, setup.path_memory)
        self._reader = Reader(())

    def answer(self, job: Job) -> Reply:
        counts = self._screen.statistics = Statistics()
        self._runner.count_in(counts)
        extend(self.worker.memory, job.rows)
        kept = self._path(job.state, job.before)
        if isinstance(kept, str):
            return self._reply(job, kept)
        answer = self._solve(job, kept)
        runs = tuple(self._ran(witness, origin) for witness, origin in self._inputs(answer))
        return self._reply(job, answer.status, answer.cost, runs)

    def close(self) -> None:
        self.solver.close()
        self.worker.close()

    # ---- from a state to an answer ----

    def _path(self, state: State, before: int) -> Remembered | str:
        """The state's run, or why it cannot be had."""
        kept = self._paths.recall(state.witness)
        if kept is not None:
            return kept
        self._runner.statistics.reruns += 1
        run, rows = self._run(state.witness.data)
        if run.end == "died":
            return "died"
        if len(run.events) <= state.index or int(self._reader.read(run).hashes[state.index]) != before:
            return "diverged"
        return Remembered(run) if rows else self._paths.remember(state.witness, run)

    def _solve(self, job: Job, kept: Remembered) -> Answer:
        with self._runner.statistics.phases["query"]:
            query = self._paths.query(job.state, kept, job.seconds)
        answer = self._ask(query)
        if answer.status != "sat" or not job.wishes:
            return answer
        goals = [goal for wish in job.wishes for goal in goal_of(wish, kept.run, self.worker.alts)]
        better = self._ask(replace(query, goal=(*query.goal, *goals)))
        return better if better.status == "sat" else answer

    def _ask(self, query: Query) -> Answer:
        self._runner.statistics.queries += 1
        with self._runner.statistics.phases["solver"]:
            answer = self.solver.solve(query)
        self._alive()
        return answer

    def _inputs(self, answer: Answer) -> Iterator[tuple[bytes, str]]:
        """The solution, and partial solutions with who met them."""
        if answer.status == "sat" and answer.witness is not None:
            yield answer.witness, ""
        yield from self._screen.fresh(answer.met(), self._setup.partial)

    # ---- running ----

    def _run(self, witness: bytes) -> tuple[Run, bytes]:
        """The run and the named inputs it met first, which are forgotten: their places are not ours to give."""
        memory = self.worker.memory
        objects, size = known(memory)
        run = self._runner.run(witness)
        rows = rows_from(memory, objects)
        cut_back(memory, objects, size)
        self._screen.note(run)
        self._alive()
        return run, rows

    def _is_new(self, covered: NDArray[np.int64]) -> bool:
        return 0 in self._seen[covered].tobytes()

    def _probe(self, witness: bytes) -> Probe | None:
        memory = self.worker.memory
        objects, size = known(memory)
        probe = self.worker.probe(witness)
        cut_back(memory, objects, size)
        self._alive()
        return probe

    def _ran(self, witness: bytes, origin: str) -> Ran:
        """Runs an answer and keeps the run at hand, since its states will be asked for."""
        run, rows = self._run(witness)
        fresh = run.covered[~self._seen[run.covered]]
        self._seen[fresh] = True
        if origin:
            self.solver.credit(origin, len(fresh))
        if not rows and run.end != "died":
            self._paths.remember(bare_witness(run.witness), run)
        return Ran(*without_ids(run, self.worker.alts), rows)

    def _reply(self, job: Job, status: str, cost: int = 1, runs: tuple[Ran, ...] = ()) -> Reply:
        counts = self._runner.statistics
        effort = Effort(
            counts.queries,
            counts.runs,
            counts.instructions,
            counts.reruns,
            counts.epochs,
            counts.probed,
            counts.probed_known,
            counts.native_seconds,
            tuple(counts.phases[name].seconds for name, _ in Effort().by_phase()),
        )
        return Reply(job.number, status, cost, runs, effort, pack_layers(self.solver.statistics()))


def without_ids(run: Run, alts: NDArray[np.uint32]) -> tuple[Run, NDArray[np.uint32]]:
    """The run with its switches' `alts` leading to the numbers of groups alone."""
    switches = np.flatnonzero(run.events["kind"] == EventKind.SWITCH)
    if not len(switches):
        return run, _NO_ALTS
    places, which = np.unique(run.events["alts"][switches], return_inverse=True)
    events = run.events.copy()
    events["alts"][switches] = which + 1
    groups = np.where(places < len(alts), alts[np.minimum(places, len(alts) - 1)], 0)
    return replace(run, events=events), np.concatenate(([0], groups)).astype(np.uint32)


class Life:
    """The conversation with the exploring process.  Answers leave together, unless they are late or large: waking the
    other side costs more than answering a simple question."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._frames = Frames()
        self._unsent = bytearray()
        self._last = time.monotonic()

    def send(self, message: bytes) -> None:
        self._unsent += message
        if len(self._unsent) >= _LARGE or time.monotonic() - self._last >= _LATE:
            self.flush()

    def flush(self) -> None:
        self._link.sendall(self._unsent)
        self._unsent.clear()
        self._last = time.monotonic()

    def alive(self) -> None:
        """Says so, if nothing was said for a while."""
        if time.monotonic() - self._last >= _BEAT:
            self.send(frame({"beat": 1}))

    def messages(self) -> Iterator[tuple[dict[str, Any], list[bytes]]]:
        while data := self._link.recv(_CHUNK):
            self._frames.feed(data)
            yield from self._frames
            self.flush()


def serve(link: socket.socket) -> None:
    """Answers until the other end is closed; whatever goes wrong is told before the process ends."""
    life = Life(link)
    messages = life.messages()
    first = next(messages, None)
    if first is None:
        return
    setup: Setup = pickle.loads(first[1][0])  # from our own parent, of its own data
    try:
        converse(life, messages, setup)
    except (BrokenPipeError, ConnectionResetError):
        raise
    except Exception:
        life.send(frame({"failed": traceback.format_exc()}))
        life.flush()
        raise


def converse(life: Life, messages: Iterator[tuple[dict[str, Any], list[bytes]]], setup: Setup) -> None:
    answerer = Answerer(setup, life.alive)
    try:
        life.send(frame({"ready": layer_names(answerer.solver.statistics())}))
        life.flush()
        for header, blobs in messages:
            life.send(answerer.answer(Job.decode(header, blobs)).encode())
    finally:
        answerer.close()


def main() -> None:
    """The process's start: signals from the terminal are the exploring process's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with socket.socket(fileno=0) as link:
            serve(link)
    except (BrokenPipeError, ConnectionResetError):
        pass  # nobody waits for the answer any more
