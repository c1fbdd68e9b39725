"""Exploration with several processes that solve and run.

The exploring process keeps everything that makes the result: tree, searcher, coverage, findings.  It hands states out
to answering processes (`parallel_process`) and adds the runs they send back **in the order in which the states were
handed out**, whichever is ready first.  What is handed out and to whom depends on what was added alone, so the same
seed and the same number of processes give the same tests.

Several states per process are on their way at any time (`AHEAD`): enough that none waits for the exploring process, or
for one slow question of another. A state goes to the process that made its run, which has its path condition at hand,
unless that one has enough to do.

Nothing is lost with a process.  Its jobs are sent to its successor, in order; a job that two processes died of is an
open question, asked again at the end like those the solver could not decide.

Risks: strategies choose with the last few answers missing, so the order of exploration is not the sequential one; and
a question that takes very long holds back what was found after it until it is answered.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cinquefoil.errors import EngineError
from cinquefoil.explore.conditions import ReadPath
from cinquefoil.explore.findings import Test
from cinquefoil.explore.loop import Aside, Exploration, Outcome
from cinquefoil.explore.options import Options
from cinquefoil.explore.parallel_messages import Effort, Job, Ran, Reply
from cinquefoil.explore.parallel_pool import Message, Pool
from cinquefoil.explore.parallel_process import Setup
from cinquefoil.explore.parallel_registry import Registry, known, rows_from
from cinquefoil.explore.tree import Growth
from cinquefoil.machine.graph import ProgramGraph
from cinquefoil.machine.image import Image
from cinquefoil.machine.run import Run
from cinquefoil.machine.worker import Worker
from cinquefoil.search.state import State
from cinquefoil.solver.api import Answer, Query
from cinquefoil.solver.layer import LayerStatistics

AHEAD = 16  # states on their way per process, at most; more are handed out when a quarter is answered
_SLACK = 1  # states that a process may have more than another, if it has their path conditions at hand
_SLICE = 0.1  # seconds between looks at limits and signals while waiting
_SILENCE = 60.0  # seconds a process may take beyond what its job allows
_DEATHS = 2  # of processes at the same job, before it is put aside
_NOBODY = 255
MAX_WORKERS = 128


@dataclass(slots=True)
class Flight:
    """A state on its way."""

    job: Job
    process: int
    deaths: int = 0


class NoSolver:
    """The exploring process does not solve."""

    def solve(self, query: Query) -> Answer:
        raise NotImplementedError("answering processes solve")


class ParallelExploration(Exploration):
    """An exploration whose questions others answer; `worker` serves the first runs and confirms errors."""

    def __init__(
        self,
        worker: Worker,
        backend: str = "bitwuzla",
        options: Options | None = None,
        graph: ProgramGraph | None = None,
        keep: Callable[[Test], None] = lambda test: None,
        progress: Callable[[Exploration], None] = lambda exploration: None,
        silence: float = _SILENCE,
    ) -> None:
        wanted = options if options is not None else Options()
        self._worker = worker
        self._alts: NDArray[np.uint32] | None = None  # of the run being added, if it is another process's
        alone = replace(wanted, path_memory=0)  # the answering processes remember
        super().__init__(worker, NoSolver(), alone, graph, keep, progress)
        self._registry = Registry(worker.memory)
        self._silence = silence
        count = min(max(self.options.workers, 1), MAX_WORKERS)
        self.pool = Pool(pickle.dumps(setup_of(worker, backend, wanted, count)), count)
        self.memory.others = self.pool.memory
        self._told = [0] * count  # named inputs each process knows
        self._flights: deque[Flight] = deque()
        self._flying: dict[int, State] = {}  # states on their way that nothing else has settled
        self._jobs = 0
        self._owners = bytearray([_NOBODY])  # by witness number: whose run it was
        self._adding = _NOBODY

    @property
    def pending(self) -> int:
        return len(self.frontier) + len(self._flying)

    def run(self) -> Outcome:
        try:
            return super().run()
        finally:
            self.close()

    def layers(self) -> dict[str, LayerStatistics]:
        """The solver chains' statistics, all together."""
        return self.pool.statistics()

    def close(self) -> None:
        """Ends the processes; what was on its way is pending again."""
        self.pool.close()
        waiting = list(self._flying.values())
        self._flights.clear()
        self._flying.clear()
        for state in waiting:
            self.frontier.add(self.tree.again(state))

    def step(self) -> None:
        """Hands states out and adds the answer to the one handed out first, if it comes before a limit is met."""
        self._steps += 1
        self._hand_out()
        if not self._flights:
            self._run_dry()
            return
        self.statistics.phases.idle.begin()
        answer = self._wait()
        if answer is None:
            return
        try:
            reply = Reply.decode(*answer, len(self._worker.sites))
            if reply.number != self._flights[0].job.number:
                raise EngineError("an answer belongs to another question")
        except (EngineError, KeyError, TypeError, ValueError):
            self._distrust(self._flights[0].process)
            return
        self._add(self._flights.popleft(), reply)

    # ---- out ----

    def _hand_out(self) -> None:
        """Many at a time: waking another process costs more than answering a simple question."""
        room = AHEAD * len(self.pool)
        if not self.frontier or len(self._flights) > room * 3 // 4:
            return
        load = self._load()
        while self.frontier and len(self._flights) < room:
            with self.statistics.phases["search"]:
                state = self.frontier.select()
                wishes = self.frontier.searcher.wishes(state)
            if self._replayed(state):
                continue
            number = self._choose(state, load)
            if not load[number]:
                self.pool.processes[number].expect()
            load[number] += 1
            self._launch(state, wishes, number)
        for process in self.pool.processes:
            process.flush()

    def _load(self) -> list[int]:
        load = [0] * len(self.pool)
        for flight in self._flights:
            load[flight.process] += 1
        return load

    def _choose(self, state: State, load: list[int]) -> int:
        owner, least = self._owners[state.witness.number], min(load)
        return owner if owner != _NOBODY and load[owner] <= least + _SLACK else load.index(least)

    def _launch(self, state: State, wishes: Sequence[State], number: int) -> None:
        self._flying[state.id] = state
        self._fly(state, wishes, number, self.placing.questions.seconds_for(state))

    def _fly(self, state: State, wishes: Sequence[State], number: int, seconds: float) -> None:
        self._jobs += 1
        before = state.witness.hash_before(state.index)
        flight = Flight(Job(self._jobs, state, wishes, before, seconds), number)
        self._flights.append(flight)
        self._send(flight)

    def answer_aside(self, state: State, seconds: float) -> None:
        """A state that nobody waits for: its run, if there is one, is added like any other."""
        number = self._choose(state, self._load())
        self.pool.processes[number].expect()
        self._fly(state, (), number, seconds)
        self.pool.processes[number].flush()

    def exchange(self, other: Aside) -> Aside:
        """What is on its way belongs to the paths put aside and waits with them; its runs are added where they go."""
        for state in self._flying.values():
            self.frontier.add(self.tree.again(state))
        self._flying.clear()
        return super().exchange(other)

    def _send(self, flight: Flight) -> None:
        number = flight.process
        memory = self._worker.memory
        objects, _ = known(memory)
        rows = rows_from(memory, self._told[number]) if objects > self._told[number] else b""
        self._told[number] = objects
        self.pool.processes[number].send(flight.job.encode(rows))

    # ---- waiting ----

    def _wait(self) -> Message | None:
        """The answer to the first state on its way; None if it is time to stop."""
        answers = self.pool.answers[self._flights[0].process]
        while not answers:
            if self.must_stop():
                return None
            self.pool.pump(_SLICE)
            self._replace_lost()
            self._report()
            if not self._flights:
                return None
            answers = self.pool.answers[self._flights[0].process]
        return answers.popleft()

    def _replace_lost(self) -> None:
        busy = [number for number, load in enumerate(self._load()) if load > len(self.pool.answers[number])]
        for number in self.pool.lost(self._allowed(), busy):
            self.statistics.replaced += 1
            self.pool.replace(number)
            self._told[number] = 0
            self._send_again(number)

    def _distrust(self, number: int) -> None:
        """What it sent makes no sense: it is replaced, and all that it has not had added is asked again."""
        self.pool.processes[number].alive = False
        self.pool.answers[number].clear()
        self._replace_lost()

    def _allowed(self) -> float:
        """How long a process at work may be silent."""
        seconds = max((flight.job.seconds for flight in self._flights), default=0.0)
        return self._silence + 3 * self._worker.limits.seconds + 10 * seconds

    def _send_again(self, number: int) -> None:
        """The jobs that the lost process has not answered, the first of which may have been the end of it."""
        answered = len(self.pool.answers[number])
        lost = [flight for flight in self._flights if flight.process == number][answered:]
        if lost:
            lost[0].deaths += 1
            if lost[0].deaths >= _DEATHS:
                self._put_aside(lost.pop(0))
        for flight in lost:
            self._send(flight)
        self.pool.processes[number].flush()

    def _put_aside(self, flight: Flight) -> None:
        self._flights.remove(flight)
        if self._flying.pop(flight.job.state.id, None) is not None:
            self.placing.leave_open(flight.job.state)

    # ---- in ----

    def _add(self, flight: Flight, reply: Reply) -> None:
        self._count_effort(reply.effort)
        state = self._flying.pop(flight.job.state.id, None)  # None: reached by another run meanwhile
        cost = flight.job.state.witness.cost + reply.cost
        self._settle_by(reply, state)
        runs = list(reply.runs)
        if reply.status in ("sat", "unsat", "unknown"):
            witness = runs[0].run.witness if reply.status == "sat" else None
            self._learn(flight.job.state, Answer(reply.status, witness, (), reply.cost))
        if reply.status == "sat":
            self._take(runs.pop(0), state, cost, flight.process)
        for ran in runs:
            self._partial(lambda ran=ran: self._take(ran, None, cost, flight.process))

    def _settle_by(self, reply: Reply, state: State | None) -> None:
        """Counts the answer, and settles the state if no run will."""
        counts = self.statistics
        counts.sat += reply.status == "sat"
        counts.unsat += reply.status == "unsat"
        if state is None or reply.status == "sat":
            return
        if reply.status == "unknown":
            self.placing.leave_open(state)
        elif reply.status == "died":
            self.placing.died(state)
        elif reply.status == "unsat":
            self.placing.refuted(state)
        else:
            counts.diverged += 1
            self.placing.settle(state)

    def _take(self, ran: Ran, state: State | None, cost: int, process: int) -> None:
        """Adds a run; one whose inputs have no room here is run here, which ends as it must."""
        run = self._registry.adopt(ran.run, ran.rows)
        if run is None:
            self.execute(ran.run.witness, state, cost)
            return
        self._alts, self._adding = ran.alts, process
        try:
            self.integrate(run, state, cost)
        finally:
            self._alts, self._adding = None, _NOBODY

    def current_alts(self) -> NDArray[np.uint32]:
        return self._worker.alts if self._alts is None else self._alts

    def integrate(self, run: Run, state: State | None, cost: int = 0) -> Growth | None:
        growth = super().integrate(run, state, cost)
        if growth is not None and growth.witness is not None:
            self._owners.append(self._adding)
        if growth is not None and growth.settled is not None:
            self._flying.pop(growth.settled.id, None)
        return growth

    def read_path(self, run: Run) -> ReadPath | None:
        """Another process's run speaks of that one's expressions: it runs here once more."""
        if self._adding == _NOBODY:
            return super().read_path(run)
        own = self.runner.run(run.witness)
        return self.reader.read(own) if len(own.events) == len(run.events) else None

    def _count_effort(self, effort: Effort) -> None:
        counts = self.statistics
        counts.queries += effort.queries
        counts.runs += effort.runs
        counts.instructions += effort.instructions
        counts.reruns += effort.reruns
        counts.epochs += effort.epochs
        counts.probed += effort.probed
        counts.probed_known += effort.probed_known
        counts.native_seconds += effort.native_seconds
        for name, seconds in effort.by_phase():
            counts.phases[name].seconds += seconds


def setup_of(worker: Worker, backend: str, options: Options, count: int) -> Setup:
    """What the answering processes are told."""
    image = Image(worker.image.path, worker.image.sites, ProgramGraph(), {})
    return Setup(
        image,
        worker.environment,
        worker.limits,
        backend,
        options.solver_seconds,
        options.seed,
        options.muted,
        options.partial,
        options.path_memory // count,
        options.multiplex,
        options.table_memory(),
    )
