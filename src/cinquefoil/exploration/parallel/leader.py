"""Exploration with several processes, each of which is a whole explorer with a part of the states.

This process is one of them.  It begins by itself, so that small programs never see another process; then it starts the
others and explores on until they are ready.  Whoever has nothing left gets states of whoever has most (`balance.py`).
All reports come here, at the end of each round; when all of a round are in, every process is told what the others
covered and what to do.  Tests, errors and coverage of all are put together here: an input that another process found
worth a test runs here once more and becomes one if it still covers something new.

Nothing is lost with a process: its successor takes over what `pool.Ledger` says was left to it.

Same seed, same number of processes: same tests, unless a limit of time or memory, a signal, an undecided question or
the death of a process came in between.

Risk: a question that takes very long in one process makes the others wait for it at the end of the next round.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import fields, replace

import numpy as np

from cinquefoil.errors import EngineError, UserError
from cinquefoil.exploration.accounting.collector import rarely_collecting
from cinquefoil.exploration.accounting.statistics import Statistics
from cinquefoil.exploration.limits import LIMITS
from cinquefoil.exploration.loop.exploration import Exploration, Outcome
from cinquefoil.exploration.options import Options
from cinquefoil.exploration.parallel.balance import SHORTEST, Balance, is_dry
from cinquefoil.exploration.parallel.ended_paths import EndedPaths
from cinquefoil.exploration.parallel.explorer import Explorer
from cinquefoil.exploration.parallel.input_names import Contents
from cinquefoil.exploration.parallel.messages import Last, Orders, RoundBundle, RoundReport, Setup
from cinquefoil.exploration.parallel.pool import ProcessPool
from cinquefoil.exploration.runs.findings import Findings, Test
from cinquefoil.exploration.runs.tree import Growth
from cinquefoil.exploration.solving.worker_solver import WorkerSolver
from cinquefoil.machine.graph import ProgramGraph
from cinquefoil.machine.worker import Worker
from cinquefoil.solver.layer import LayerStatistics

BY_ITSELF = 0.1  # seconds of effort before other processes are started
_STARTING = 0.2  # seconds of effort while they start
_STEPS = 8  # between looks at what others have to say
_SLICE = 0.05  # seconds between looks at limits and signals while waiting
_SILENCE = 60.0  # seconds a process may take beyond what a step allows
_DEATHS = 3  # of processes one after the other, none of which got to a report
_REPLACED = 100  # processes in all, after which something is wrong with all of them
_GRACE = 5.0  # seconds for the last report, beyond those of a run
_FULL = ("max-tests", "max-errors", "remeld")  # reasons after which no further test is wanted
_OF_PATHS = frozenset(
    ("completed", "errors", "assumed", "died", "infeasible", "refuted", "diverged", "known", "pruned", "limited")
) | {f"cut {limit}" for limit in LIMITS}


class ParallelExploration(Explorer):
    """`worker` and `solver` are this process's, `backend` names the solver of the others; `by_itself` is the effort
    before these are started, `silence` how long one of them may be."""

    def __init__(
        self,
        worker: Worker,
        solver: WorkerSolver,
        backend: str,
        options: Options,
        graph: ProgramGraph | None = None,
        keep: Callable[[Test], None] = lambda test: None,
        progress: Callable[[Exploration], None] = lambda exploration: None,
        silence: float = _SILENCE,
        by_itself: float | None = None,
        findings: Findings | None = None,
        spent: float = 0.0,
    ) -> None:
        share = replace(options, path_memory=options.path_memory // options.workers)
        ended, keep_too = EndedPaths(worker), self._keep_too
        super().__init__(
            worker, solver, share, graph, keep_too, progress, findings=findings, spent=spent, is_new_path=ended
        )
        self._keep = keep
        self._backend, self._silence = backend, silence
        self._by_itself_until = BY_ITSELF if by_itself is None else by_itself
        self.pool: ProcessPool | None = None
        self._balance = Balance(None, ())
        self._reports: dict[int, dict[int, RoundReport]] = {}  # by round and number, until a round is complete
        self._bundles: dict[int, tuple[list[RoundReport], RoundBundle]] = {}  # of this process
        self._unmerged: list[tuple[int, int, RoundReport]] = []  # by round and number
        self._ticks = 0
        self._made = 0  # the last complete round
        self._asked = 0
        self._end: str | None = None
        self._peak = 0
        self._leader: dict[str, float] | None = None  # of one that explored all for itself
        self._foreign: set[tuple[int, int]] = set()  # untaken branches that dead processes gave away
        self._news: set[tuple[int, int]] = set()  # of them, those that the others do not know yet
        self._begun = time.monotonic()

    def _keep_too(self, test: Test) -> None:
        self._found.append(test)
        self._keep(test)

    # ---- what all of them have done ----

    def _last_reports(self) -> list[RoundReport]:
        ledgers = self.pool.ledgers.values() if self.pool is not None else ()
        return [ledger.report for ledger in ledgers if ledger.report is not None]

    @property
    def pending(self) -> int:
        """As of the last reports."""
        own = len(self.frontier)
        return own if self.alone else own + sum(report.pending for report in self._last_reports())

    @property
    def open(self) -> int:
        own = super().open
        return own if self.alone else own + sum(report.open for report in self._last_reports())

    @property
    def total(self) -> Statistics:
        """Paths that each explores for itself are those of one process; all other figures are sums."""
        ledgers = list(self.pool.ledgers.values()) if self.pool is not None else []
        total = Statistics()
        own = self.statistics.numbers()
        parts = [own, *(part for ledger in ledgers for part in ledger.kept), *(r.numbers for r in self._last_reports())]
        for part in parts:
            total.add({name: n for name, n in part.items() if not (self.alone and name in _OF_PATHS)})
        if self.alone:
            leader = self._leader or own
            total.add({name: leader[name] for name in _OF_PATHS})
        return total

    def layers(self) -> dict[str, LayerStatistics]:
        """The solver chains' statistics, all together."""
        parts = [self._layers(), *(report.layers for report in self._last_reports())]
        parts += [part for ledger in (self.pool.ledgers.values() if self.pool else ()) for part in ledger.layers]
        return add_layers(parts)

    def others_processor_seconds(self) -> float:
        """Processor time of the other processes that have not died, native workers included."""
        return sum(report.processor for report in self._last_reports())

    def waits(self) -> list[float]:
        """Seconds that each process, this one first, was waiting for others."""
        return [self.waited, *(report.waited for report in self._last_reports())]

    def outcome(self, reason: str) -> Outcome:
        created = self.frontier.created - self._adopted + sum(report.created for report in self._last_reports())
        return replace(super().outcome(reason), created=created, peak=max(self._peak, self.frontier.peak))

    # ---- from start to end ----

    def run(self) -> Outcome:
        try:
            with self.interrupts, rarely_collecting():
                self.start()
                self._begun = time.monotonic() - self.seconds
                self._progress(self)
                reason = self._by_itself() or self._together()
                self.statistics.phases.idle.begin()
                outcome = self.outcome(reason)
            self._progress(self)
            return outcome
        finally:
            self.close()

    def close(self) -> None:
        """Ends the other processes."""
        if self.pool is not None:
            self.pool.close()

    def stop_reason(self) -> str | None:
        """With others, only they all together can know that nothing is left or that there are paths enough."""
        reason = super().stop_reason()
        if self.pool is None or self.alone:
            return self._end or reason
        return self._end if reason in ("exhausted", "done", "max-paths", None) else reason

    def _memory(self) -> int:
        """Asked for between rounds, at whatever step, so that steps cannot tell when to look."""
        return self.memory.lately()

    def rests(self) -> bool:
        """Limits that wait are looked at between rounds."""
        options, findings = self.options, self.findings
        if findings.stop is not None or len(findings.tests) >= (options.max_tests or sys.maxsize):
            return True
        return len(findings.errors) >= (options.max_errors or sys.maxsize) or super().rests()

    def tick(self) -> None:
        self._ticks += 1
        if self._ticks % _STEPS == 0:
            self._report()
            if self.pool is not None:
                self._pump(0)

    def _by_itself(self) -> str | None:
        while (reason := self.stop_reason()) is None and self.effort() < self._by_itself_until:
            self.advance()
        return reason

    def _together(self) -> str:
        self._start_others()
        round = 1
        while (reason := self.stop_reason()) is None:
            self.work()
            if round > 1 and not self._exchange(round - 1):
                continue
            self._file(0, self.report(round))
            round += 1
        self._stop_others(reason)
        return reason

    # ---- the others ----

    def _start_others(self) -> None:
        count, most = self.options.workers, self.options.max_paths
        paths = self.statistics.paths
        own = float("inf") if most is None or self.alone else paths + (most - paths + 3) // 4
        others = float("inf") if self.alone or most is None else 0.0
        self._balance = Balance(None if self.alone else most, [own] + [others] * (count - 1))
        self.orders = Orders(_STARTING, own)
        self.pool = ProcessPool([self._setup(number) for number in range(1, count)])
        self.memory.others = self.pool.memory

    def _setup(self, number: int) -> Setup:
        """What a process is told that begins now."""
        options, worker = self.options, self.worker
        memory = options.max_memory
        own = replace(
            options,
            seed=options.seed + (number << 32),
            max_paths=None,
            max_tests=None,
            max_errors=None,
            inputs=(),
            workers=1,
            max_memory=memory // options.workers if memory is not None else None,
        )
        allowance = self._balance.allowances[number]
        orders = Orders(self._balance.length if self._made else SHORTEST, allowance)
        covered = np.flatnonzero(self.coverage.proven)
        inputs = tuple(self.names.named(data) for data in options.inputs) if self.alone else ()
        return Setup(
            worker.image, worker.environment, worker.limits, self._backend, own, self._begun,
            number, asked=self._asked, orders=orders, covered=covered, inputs=inputs,
        )  # fmt: skip

    def _pump(self, seconds: float) -> None:
        assert self.pool is not None
        for number, report in self.pool.pump(min(seconds, 0.002) if self.pool.unsent else seconds):
            report.paths += self.pool.ledgers[number].offset
            self._unmerged.append((report.round, number, report))
            if report.last is None:
                self._file(number, report)
        if not seconds and all(process.alive for process in self.pool.processes.values()):
            return
        for number, process in self.pool.processes.items():
            if not process.alive or (self._is_due(number) and process.is_silent(self._allowed())):
                self._replace(number)

    def _is_due(self, number: int) -> bool:
        """Is it the process's time to say something?  Not if it, or the one it took over from, waits for others."""
        return all(number not in reports for reports in self._reports.values())

    def _allowed(self) -> float:
        """How long a process at work may be silent: a step asks a few questions and runs a few inputs."""
        seconds = self.options.solver_seconds * 4.0**self._asked
        return self._silence + 3 * self.worker.limits.seconds + 10 * seconds

    def _replace(self, number: int) -> None:
        assert self.pool is not None
        ledger, old = self.pool.ledgers[number], self.pool.processes[number]
        reported = max((n for n, reports in self._reports.items() if number in reports), default=0)
        reported = max(reported, self._made)
        parcels, foreign = ledger.succeed()
        self._news |= foreign - self._foreign
        self._foreign |= foreign
        if old.blame:
            raise UserError(old.blame)
        if ledger.deaths >= _DEATHS:
            if not parcels:
                raise EngineError(f"the processes for parallel exploration do not start: {_last_line(old.failure)}")
            self.statistics.died += ledger.give_up()
            parcels = ()
        self.statistics.replaced += 1
        if self.statistics.replaced > _REPLACED:
            raise EngineError(f"the processes for parallel exploration keep ending: {_last_line(old.failure)}")
        setup = self._setup(number)
        orders = replace(setup.orders, allowance=setup.orders.allowance - ledger.offset)
        self.pool.replace(
            number,
            replace(
                setup,
                round=reported + 1,
                joins=reported > self._made,
                orders=orders,
                parcels=parcels,
                foreign=frozenset(self._foreign),
            ),
        )

    # ---- rounds ----

    def _file(self, number: int, report: RoundReport) -> None:
        """A report is in; if it was the last one missing, everybody hears of the round."""
        reports = self._reports.setdefault(report.round, {})
        reports[number] = report
        if len(reports) == self.options.workers:
            self._tell(report.round, [reports[n] for n in sorted(reports)])
            del self._reports[report.round]

    def _tell(self, round: int, reports: list[RoundReport]) -> None:
        assert self.pool is not None
        orders = self._balance.decide(reports, self.explored.undecided.round < self.options.retries)
        self._made = round
        self._asked += orders[0].again
        for number, process in self.pool.processes.items():
            ledger = self.pool.ledgers[number]
            bundle = self._bundle(round, number, reports, orders[number])
            ledger.gets(bundle.parcels)
            bundle.orders = replace(bundle.orders, allowance=bundle.orders.allowance - ledger.offset)
            process.send(bundle)
        self._bundles[round] = reports, self._bundle(round, 0, reports, orders[0])
        self._news.clear()
        self._peak = max(self._peak, sum(report.pending for report in reports))

    def _bundle(self, round: int, to: int, reports: Sequence[RoundReport], orders: Orders) -> RoundBundle:
        others = [report for number, report in enumerate(reports) if number != to]
        covered = np.concatenate([report.covered for report in others])
        passed = np.concatenate([report.passed for report in others])
        tests = [test for report in others for test in report.tests] if to and self.options.mutating else []
        parcels = [parcel for report in reports for number, gift in report.gifts if number == to for parcel in gift]
        return RoundBundle(round, orders, covered, tests, parcels, passed, frozenset(self._news))

    def _exchange(self, round: int) -> bool:
        """Takes part in the exchange of a round; False if it is time to stop."""
        self.statistics.phases.idle.begin()
        begun = time.monotonic()
        while round not in self._bundles:
            if self.stop_reason() is not None:
                return False
            self._pump(_SLICE)
            self._report()
        self.waited += time.monotonic() - begun
        reports, bundle = self._bundles.pop(round)
        self._merge(round)
        if self.stop_reason() is not None:
            return False
        self.apply(bundle)
        self._end = self._ending(reports, bundle)
        return self._end is None

    def _ending(self, reports: Sequence[RoundReport], bundle: RoundBundle) -> str | None:
        if self.alone:
            self._leader = next((report.numbers for report in reports if report.finished == "exhausted"), None)
            return "exhausted" if self._leader is not None else None
        most = self.options.max_paths
        if most is not None and sum(report.paths for report in reports) >= most:
            return "max-paths"
        if not is_dry(reports) or bundle.orders.again:
            return None
        return self._verdict()

    # ---- putting together ----

    def _merge(self, round: int) -> None:
        """Looks at the tests that others found up to a round, always in the same order."""
        due = sorted((each for each in self._unmerged if each[0] <= round), key=lambda each: each[:2])
        self._unmerged = [each for each in self._unmerged if each[0] > round]
        for _, _, report in due:
            for contents in report.tests:
                if self.stop_reason() in _FULL:
                    return
                self._take(contents)
        self._found.clear()  # the others have these already

    def _take(self, contents: Contents) -> None:
        """Runs an input that another process found worth a test."""
        witness = self.names.witness(contents)
        run = self.runner.run(witness) if witness is not None else None
        if run is None or run.lost:
            return
        gain = self.coverage.add(run)
        if run.end == "assume" and not self.options.every_path:
            self.integrator.note_false_assumption(run)
        kept = self.findings.consider(run, bool(gain), True)
        for observer in (self.keeper, self.mutations):
            if observer is not None:
                observer.after_run(run, gain, Growth(None, (), None), kept)

    def _stop_others(self, reason: str) -> None:
        """Ends the others in order and takes in what they have to say, if they say it in time."""
        assert self.pool is not None
        pool, late = self.pool, time.monotonic() + _GRACE + self.worker.limits.seconds
        waiting = {number for number, process in pool.processes.items() if process.alive}
        for number in waiting:
            pool.processes[number].send(RoundBundle(0, Orders(), np.zeros(0, np.int64), [], [], stop=True))
            pool.processes[number].interrupt()
        while waiting and time.monotonic() < late:
            for number, report in pool.pump(_SLICE):
                self._unmerged.append((report.round, number, report))
                if report.last is not None:
                    self._close_books(report.last)
                    waiting.discard(number)
            waiting = {number for number in waiting if pool.processes[number].alive}
        if reason not in _FULL:
            self._merge(max((each[0] for each in self._unmerged), default=0))
        self.journal.shapes.total = max(self.journal.shapes.total, self.total.paths)

    def _close_books(self, last: Last) -> None:
        self.journal.infeasible.update(last.infeasible)
        self.journal.undecided.update(last.undecided)
        self.explored.unsupported.counts.update(last.unsupported)
        self.explored.remarks.take(last.remarks)
        self.explored.doubts.found += last.doubts


def add_layers(parts: Sequence[dict[str, LayerStatistics]]) -> dict[str, LayerStatistics]:
    total: dict[str, LayerStatistics] = {}
    for part in parts:
        for name, layer in part.items():
            sums = total.setdefault(name, LayerStatistics())
            for each in fields(LayerStatistics):
                setattr(sums, each.name, getattr(sums, each.name) + getattr(layer, each.name))
    return total


def _last_line(text: str) -> str:
    return text.strip().rpartition("\n")[2] or "they say nothing"
