"""One program, explored from start to end: worker, solver, exploration and results on disk, put together."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from cinquefoil.build.program import LinkedProgram
from cinquefoil.errors import CinquefoilError, UserError
from cinquefoil.exploration.accounting.clock import clock_of
from cinquefoil.exploration.accounting.statistics import measure_by
from cinquefoil.exploration.loop.exploration import Exploration, Outcome
from cinquefoil.exploration.options import Options
from cinquefoil.exploration.output.details import details_of
from cinquefoil.exploration.output.result_folder import ResultFolder, summarise
from cinquefoil.exploration.parallel import ParallelExploration
from cinquefoil.exploration.runs.findings import Findings, Test
from cinquefoil.exploration.session.seeds import Seeds, witnesses
from cinquefoil.exploration.solving.worker_solver import WorkerSolver
from cinquefoil.ir.sources import Sources
from cinquefoil.machine.code_levels import image_to_begin_with
from cinquefoil.machine.environment import Environment, parse_arguments
from cinquefoil.machine.image import Image, build_image
from cinquefoil.machine.objects import Progress
from cinquefoil.machine.worker import Limits, Worker
from cinquefoil.solver.layer import LayerStatistics
from cinquefoil.testcase.ktest import MODEL_VERSION
from cinquefoil.testcase.world import write_world

Layers = Callable[[], dict[str, LayerStatistics]]
_FIRST_CHECKPOINT = 1.0  # seconds before results are written the first time
_CHECKPOINT = 5.0  # and between later times, at least
_CHECKPOINT_SHARE = 0.02  # of the time is spent on it at most


@dataclass(frozen=True, slots=True)
class Task:
    """What is explored: a program, its arguments (symbolic ones among them), and with what."""

    program: Path
    arguments: Sequence[str] = ()
    flags: Sequence[str] = ()  # for clang, if the program is C source
    solver: str = "bitwuzla"
    run_seconds: float = 10.0  # for one path
    files: Sequence[Path] = ()  # copied into the program's working directory
    variables: Sequence[str] = ()  # NAME=value, added to the fixed environment; NAME alone removes
    seeds: Seeds = field(default_factory=Seeds)  # inputs to start from
    uninitialized: bool = False  # look for decisions on memory never written
    overshift: bool = True  # and for shifts by the width or more
    run_instructions: int = 1_000_000_000  # of one path
    run_events: int = 200_000  # of one path: decisions on symbolic data
    compile_first: bool = False  # have the best code from the beginning, however long that takes

    def environment(self) -> Environment:
        parsed = parse_arguments(self.arguments, self.program.stem)
        return parsed.with_files(self.files).with_variables(self.variables)

    def described(self) -> dict[str, object]:
        """How to start the program again: for `json.dumps`."""
        return {
            "folder": str(Path.cwd()),
            "program": str(self.program),
            "arguments": list(self.arguments),
            "flags": list(self.flags),
            "files": [str(file) for file in self.files],
            "variables": list(self.variables),
            "no_check": [] if self.overshift else ["overshift"],
        }


class Session:
    """An exploration of a prepared image; with a folder, everything found is there when `run` returns or fails."""

    def __init__(
        self,
        task: Task,
        options: Options,
        image: Image,
        folder: Path | None = None,
        progress: Callable[[Exploration], None] = lambda exploration: None,
        beside: AbstractContextManager[object] | None = None,
    ) -> None:
        """What is to be done beside the exploration is entered while it goes on."""
        self.task = task
        self.options = options
        self.image = image
        self.summary: dict[str, object] = {}
        self._progress = progress
        self._beside = beside or nullcontext()
        self._folder = folder
        self._results: ResultFolder | None = None
        self._layers: Layers = dict
        self._next_checkpoint = 0.0

    def _open(self, folder: Path) -> None:
        name = str(self.task.program)
        added = (MODEL_VERSION,) if self.task.environment().symbolic else ()
        self._results = ResultFolder(folder, name, (name, *self.task.arguments), added)
        write_world(folder, self.task.files, self.task.variables)

    def run(self) -> Outcome:
        """Explores.  The output folder is made here, and taken away again if the exploration cannot begin."""
        try:
            if self._folder is not None:
                self._open(self._folder)
            with self._beside:
                return self._run()
        except BaseException:
            if self._results is not None and not self.summary and not self._results.used:
                self._results.discard()
            raise

    def _run(self) -> Outcome:
        with self.worker(self.image) as worker, self.exploring(worker, self.options) as (exploration, layers):
            return self._explore(exploration, layers)

    def worker(self, image: Image) -> Worker:
        limits = Limits(
            seconds=self.task.run_seconds,
            instructions=self.task.run_instructions,
            events=self.task.run_events,
            table=self.options.table_limit(),
            pin_fixed=bool(self.options.meld),
            mute_output=not self.options.explore_output,
            uninitialized=self.task.uninitialized,
        )
        return Worker(image, self.task.environment(), limits)

    @contextmanager
    def exploring(
        self, worker: Worker, options: Options, findings: Findings | None = None, spent: float = 0.0
    ) -> Generator[tuple[Exploration, Layers]]:
        """An exploration on a worker, and where its solver's statistics are."""
        if self.task.seeds:
            found = witnesses(worker, self.task.environment(), self.task.seeds)
            options = replace(options, inputs=(*options.inputs, *found))
        graph = worker.image.graph
        backend = self.task.solver
        solver = WorkerSolver(worker, backend, options.solver_seconds, options.seed, options.multiplex, options.layers)
        try:
            if options.workers > 1:
                several = ParallelExploration(
                    worker, solver, backend, options, graph, self._keep, self._report, findings=findings, spent=spent
                )
                yield several, several.layers
                return
            clock = clock_of(options.clock, worker)
            measure_by("processor" if options.clock == "cpu" else "wall")
            yield (
                Exploration(worker, solver, options, graph, self._keep, self._report, clock, findings, spent),
                solver.statistics,
            )
        finally:
            solver.close()

    def _explore(self, exploration: Exploration, layers: Layers) -> Outcome:
        """A signal that comes while results are written has no effect before they are."""
        self._layers, self._next_checkpoint = layers, time.monotonic() + _FIRST_CHECKPOINT
        if self._results is not None:
            self._results.summarise(exploration.outcome("running"), self.options, layers(), self.notes())
        with exploration.interrupts as interrupts:
            try:
                outcome = exploration.run()
            except CinquefoilError:
                self._finish(exploration, exploration.outcome("failed"), layers())
                raise
            self._finish(exploration, outcome, layers())
        if interrupts.requested and outcome.reason != "interrupted":
            raise KeyboardInterrupt
        return outcome

    def _finish(self, exploration: Exploration, outcome: Outcome, layers: dict[str, LayerStatistics]) -> None:
        self.summary = summarise(outcome, str(self.task.program), self.options, layers) | self.notes()
        if self._results is not None:
            self._write(self._results, exploration, outcome, layers)

    def _write(
        self, results: ResultFolder, exploration: Exploration, outcome: Outcome, layers: dict[str, LayerStatistics]
    ) -> None:
        results.finish(outcome, self.options, exploration.coverage, layers, self.notes())
        self._describe(results, exploration, outcome)

    def _describe(self, results: ResultFolder, exploration: Exploration, outcome: Outcome) -> None:
        """What reports need; whatever goes wrong here must not cost results that are already on disk."""
        try:
            sources = Sources(self.image.checksums, self.task.program.parent)
            results.describe(details_of(exploration, outcome, self.task.described(), sources, self.image.sites))
        except Exception as error:
            warnings.warn(f"no details for the report: {type(error).__name__}: {error}", stacklevel=2)

    def notes(self) -> dict[str, object]:
        """What the summary tells beside the ordinary."""
        return {}

    def _keep(self, test: Test) -> None:
        if self._results is not None:
            self._results.keep(test)

    def _report(self, exploration: Exploration) -> None:
        if self._results is not None:
            self._results.progress(exploration)
            if time.monotonic() >= self._next_checkpoint:
                self._checkpoint(self._results, exploration)
        self._progress(exploration)

    def _checkpoint(self, results: ResultFolder, exploration: Exploration) -> None:
        """Writes all results as they are now, so that they can be used if this process should not come to its end."""
        begun = time.monotonic()
        self._write(results, exploration, exploration.outcome("running"), self._layers())
        now = time.monotonic()
        self._next_checkpoint = now + max(_CHECKPOINT, (now - begun) / _CHECKPOINT_SHARE)


def session_for(
    task: Task,
    options: Options,
    program: LinkedProgram,
    folder: Path | None = None,
    progress: Callable[[Exploration], None] = lambda exploration: None,
    preparing: Progress | None = None,
) -> Session:
    """The session that the options ask for; images are made here."""
    from cinquefoil.exploration.session.melded_session import MeldedSession

    if options.meld and task.uninitialized:
        raise UserError("--check uninitialized and --meld do not go together: melded code computes both sides")
    if options.meld or task.compile_first:
        image = build_image(program, blocks=True, overshift=task.overshift, progress=preparing)
        if options.meld:
            return MeldedSession(task, options, image, program, folder, progress, preparing)
        return Session(task, options, image, folder, progress)
    image, beside = image_to_begin_with(program, overshift=task.overshift, progress=preparing)
    return Session(task, options, image, folder, progress, beside)
