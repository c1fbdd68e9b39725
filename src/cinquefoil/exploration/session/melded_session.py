"""Exploring the melded program, and telling its own errors from the program's (CFMSE, section 4.2, figure 4).

The melded program runs code that the original would not, and may fail there.  So every error is run again on the
original; what does not fail there is never reported.  Wherever a melded instruction fails, rightly or not, its branch
is excluded, the program is melded anew and exploration starts over from the tests found so far: a melded instruction
that fails ends all of the paths that were melded into one, and those that would have gone on must not be lost.  The
same goes for a run that does not end: arms that run one after the other are then excluded.

Tests, errors and time run on over these rounds; figures of paths are those of the last one, which covers them all.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from cinquefoil.build.program import LinkedProgram
from cinquefoil.exploration.accounting.statistics import Statistics
from cinquefoil.exploration.loop.exploration import Exploration, Outcome
from cinquefoil.exploration.options import Options
from cinquefoil.exploration.runs.coverage import may_be_test
from cinquefoil.exploration.runs.findings import Findings, Location, Objects, Test
from cinquefoil.exploration.runs.runner import Runner
from cinquefoil.exploration.session.session import Layers, Session, Task
from cinquefoil.ir.sites import MELDED
from cinquefoil.machine.image import Image, build_image
from cinquefoil.machine.objects import Progress
from cinquefoil.machine.run import Run, RunError
from cinquefoil.machine.witness import run_with
from cinquefoil.machine.worker import Worker
from cinquefoil.solver.layer import LayerStatistics
from cinquefoil.transform.meld.meld_options import MeldOptions
from cinquefoil.transform.meld.meld_report import MeldedRegion, MeldReport
from cinquefoil.transform.meld.melded_program import meld_program

REMELD = "remeld"
_SUMMED = (
    "runs",
    "instructions",
    "queries",
    "sat",
    "unsat",
    "unknown",
    "partial",
    "reruns",
    "epochs",
    "native_seconds",
)
_ENDLESS = ("budget", "time", "events", "trace")  # ends of runs that may have been caught in a loop
Branch = tuple[str, str]


@dataclass(slots=True)
class MeldedFindings(Findings):
    """Findings of the original program, from runs of the melded one.

    `sites` are the original's, `original` runs it; `melded` and `report` belong to the program being explored."""

    original: Runner | None = None
    melded: Image | None = None
    report: MeldReport = field(default_factory=MeldReport)
    failed: set[Branch] = field(default_factory=set[Branch])  # melded branches that failed in this round
    false: int = 0  # errors that the original does not have
    _known: set[Objects] = field(default_factory=set[Objects])

    def begin(self, image: Image, report: MeldReport) -> None:
        """A new round with this program."""
        self.melded, self.report, self.stop = image, report, None
        self.failed = set()

    def wants(self, run: Run) -> bool:
        return self.every_path or run.end in _ENDLESS

    def consider(self, run: Run, gained: bool, new_path: bool) -> tuple[int, ...]:
        if run.end in _ENDLESS:
            self._exclude_regions()
        if run.error is not None and run.end == "error":
            return self._judge(run, run.error, gained)
        if self._test(run, "").objects in self._known:
            return ()
        return super(MeldedFindings, self).consider(run, gained, new_path)

    def false_assumption(self, run: Run, error: RunError) -> tuple[int, ...]:
        """The path of a melded run is several of the original's: nothing follows for any of them."""
        return ()

    def _judge(self, run: Run, error: RunError, gained: bool) -> tuple[int, ...]:
        """Only what the original does counts."""
        assert self.original is not None
        again = run_with(self.original, dict(self._test(run, "").objects))
        false = again.error is None or again.end != "error"
        self._exclude(error, false)
        if again.error is not None and not false:
            return self._error(again, again.error, gained)
        self.false += 1
        new = gained and may_be_test(again) and self._test(again, "").objects not in self._known
        return self._keep(self._test(again, "coverage")) if new else ()

    def _exclude(self, error: RunError, false: bool) -> None:
        regions = self._regions(error, false)
        if regions:
            self.failed |= {(region.function, region.home) for region in regions}
            self.stop = REMELD

    def _exclude_regions(self) -> None:
        """A run that does not end may be caught in a loop of an arm that the original would not have entered, and
        nothing behind it would ever be seen: arms that run whether they are chosen or not are given up."""
        regions = [r for r in self.report.regions if r.kind == "region"]
        if regions:
            self.failed |= {(region.function, region.home) for region in regions}
            self.stop = REMELD

    def _regions(self, error: RunError, false: bool) -> list[MeldedRegion]:
        """The melded branches to blame.  Without debug information that is not known: the whole function's; if none
        is there and the error is false, all."""
        assert self.melded is not None
        site = self.melded.sites[error.site]
        if site.file == MELDED:
            return [region for region in self.report.regions if region.number == site.line]
        if site.file and not false:
            return []
        return [r for r in self.report.regions if r.function == site.function] or list(
            self.report.regions if false else ()
        )

    def _confirm(self, run: Run, location: Location) -> bool:
        """A run on the original is the confirmation."""
        return True

    def _keep(self, test: Test) -> tuple[int, ...]:
        self._known.add(test.objects)
        return super(MeldedFindings, self)._keep(test)


class MeldedSession(Session):
    """Explores the melded program; `image` is the original's."""

    def __init__(
        self,
        task: Task,
        options: Options,
        image: Image,
        program: LinkedProgram,
        folder: Path | None = None,
        progress: Callable[[Exploration], None] = lambda exploration: None,
        preparing: Progress | None = None,
    ) -> None:
        super().__init__(task, options, image, folder, progress)
        self._program = program
        self._preparing = preparing
        self._meld = MeldOptions(options.meld)
        self._earlier: list[Statistics] = []
        self._findings = MeldedFindings(image.sites, self._keep, lambda witness: self._rerun(witness))
        self._spent = 0.0  # seconds of earlier rounds, and of melding anew between them
        self._prepared = self._prepare()  # compiling is not exploring

    def _run(self) -> Outcome:
        with self.worker(self.image) as original:
            self._findings.original = Runner(original, Statistics(), self.options.explore_output)
            self._findings.every_path = self.options.every_path
            while True:
                outcome = self._round()
                if outcome is not None:
                    return outcome
                begun = self._now()
                self._meld = self._meld.without(frozenset(self._findings.failed))
                self._prepared = self._prepare()
                self._spent += self._now() - begun

    def _prepare(self) -> tuple[Image, MeldReport]:
        """The melded program, and what was melded."""
        melded = meld_program(self._program, self._meld)
        if not melded.report.regions:
            return self.image, melded.report  # nothing changed: nothing must cost more
        image = build_image(melded.program, blocks=True, overshift=self.task.overshift, progress=self._preparing)
        return image, melded.report

    def _now(self) -> float:
        return time.process_time() if self.options.clock == "cpu" else time.monotonic()

    def _rerun(self, witness: bytes) -> Run:
        assert self._findings.original is not None
        return self._findings.original.run(witness)

    def _round(self) -> Outcome | None:
        """Explores the melded program; None if branches are to be excluded."""
        image, report = self._prepared
        self._findings.begin(image, report)
        with self.worker(image) as worker:
            options = replace(self.options, inputs=self._inputs(worker)) if self._earlier else self.options
            with self.exploring(worker, options, self._findings, self._spent) as (exploration, layers):
                return self._explore_round(exploration, layers)

    def _explore_round(self, exploration: Exploration, layers: Layers) -> Outcome | None:
        outcome = self._explore(exploration, layers)
        if outcome.reason == REMELD:
            self._earlier.append(outcome.statistics)
            self._spent = outcome.seconds
            return None
        return outcome

    def _inputs(self, worker: Worker) -> tuple[bytes, ...]:
        """The tests so far, as inputs of this worker."""
        return tuple(run_with(worker, dict(test.objects)).witness for test in self._findings.tests.values())

    def _finish(self, exploration: Exploration, outcome: Outcome, layers: dict[str, LayerStatistics]) -> None:
        for statistics in self._earlier if outcome.reason != REMELD else ():
            _add(outcome.statistics, statistics)
        super()._finish(exploration, outcome, layers)

    def notes(self) -> dict[str, object]:
        """What melding did, for the summary."""
        found = {
            "mode": self.options.meld,
            "rounds": len(self._earlier) + 1,
            "regions": [asdict(region) for region in self._findings.report.regions],
            "excluded": sorted(self._meld.excluded),
            "false_errors": self._findings.false,
        }
        return {"meld": found}


def _add(total: Statistics, part: Statistics) -> None:
    """Work done, not paths: those are explored again."""
    for name in _SUMMED:
        setattr(total, name, getattr(total, name) + getattr(part, name))
    for name, phase in part.phases.items():
        total.phases[name].seconds += phase.seconds
