"""Cells side by side: a few threads, each of which waits for one child at a time.

Finished cells are taken from the store.  A failed cell is a result like any other; only a stop (Ctrl-C, SIGTERM) or
the deadline ends a round early, and then nothing half done is kept."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field

from cinquefoil.experiment.execute import CINQ, SETUP, command, execute, failed
from cinquefoil.experiment.plan import Cell
from cinquefoil.experiment.result import Result
from cinquefoil.experiment.store import ResultStore
from cinquefoil.experiment.warm import Zygote
from cinquefoil.experiment.watched_process import ChildLimits, Start, run_watched, spawn

Told = Callable[[Cell, Result | None], None]  # a cell begins (None) or has ended


_PLENTY = 8 << 30  # bytes for compiling
_IMAGE_OPTIONS = ("--meld", "--cflags", "--check")


def image_of(cell: Cell) -> tuple[object, ...]:
    """Cells with the same of these explore the same compiled program."""
    options = cell.configuration.options
    matter = any(each.startswith(_IMAGE_OPTIONS) for each in options)
    return cell.subject.program, cell.subject.options, options if matter else ()


def cores() -> int:
    return len(os.sched_getaffinity(0))


@dataclass(slots=True)
class Scheduler:
    """`retry` repeats failed cells; `keep` leaves the runs' output folders; after `deadline` (of time.monotonic)
    nothing new is begun."""

    store: ResultStore
    jobs: int
    retry: bool = False
    keep: bool = False
    deadline: float | None = None
    tell: Told = lambda cell, result: None
    stop: threading.Event = field(default_factory=threading.Event)
    _start: Start = spawn

    def finished(self, cells: Sequence[Cell]) -> dict[str, Result]:
        """What is done already, by key."""
        found = {cell.key: self.store.load(cell) for cell in cells}
        return {key: each for key, each in found.items() if each is not None and (each.ok or not self.retry)}

    def run(self, cells: Sequence[Cell]) -> dict[str, Result]:
        """Completes the cells; by key.  Some are missing after a stop or the deadline."""
        results = self.finished(cells)
        left = list({cell.key: cell for cell in cells if cell.key not in results}.values())
        if left:
            with self._warm(), ThreadPoolExecutor(max_workers=self.jobs) as pool:
                waiting = {pool.submit(self._complete, cell): cell for cell in left}
                try:
                    self._collect(waiting, results)
                except BaseException:
                    self.stop.set()
                    raise
        return results

    @contextmanager
    def _warm(self) -> Generator[None]:
        """Cells begin as forks of one process that has imported everything."""
        zygote = Zygote(CINQ)
        self._start = zygote.start
        try:
            yield
        finally:
            self._start = spawn
            zygote.close()

    def prepare(self, cells: Sequence[Cell]) -> None:
        """Has every program compiled once before anything is timed: compiling disturbs those who count time."""
        done = self.finished(cells)
        images = {image_of(cell): cell for cell in cells if cell.key not in done and not cell.subject.problem}
        with ThreadPoolExecutor(max_workers=self.jobs) as pool:
            for _ in pool.map(self._prepared, images.values()):
                pass

    def _prepared(self, cell: Cell) -> None:
        if not self.stop.is_set():
            self.tell(cell, None)
            folder = self.store.work(cell)
            words = command(cell, folder)
            run_watched(
                [*words[: len(CINQ) + 1], "--compile-first", "--max-paths", "1", *words[len(CINQ) + 1 :]],
                ChildLimits(SETUP, _PLENTY),
                self.stop.is_set,
            )
            self.store.discard(cell)

    def _collect(self, waiting: dict[Future[Result | None], Cell], results: dict[str, Result]) -> None:
        pending = set(waiting)
        while pending:
            # Waiting in short turns lets signals through.
            done, pending = wait(pending, timeout=0.2, return_when=FIRST_COMPLETED)
            for future in done:
                result = future.result()
                if result is not None:
                    results[waiting[future].key] = result

    def _complete(self, cell: Cell) -> Result | None:
        if self.stop.is_set() or (self.deadline is not None and time.monotonic() >= self.deadline):
            return None
        self.tell(cell, None)
        result = self._executed(cell)
        if result is not None:
            self.store.save(cell, result)
            self.tell(cell, result)
        if not self.keep or result is None:
            self.store.discard(cell)
        return result

    def _executed(self, cell: Cell) -> Result | None:
        try:
            return execute(cell, self.store.work(cell), self.stop.is_set, self._start)
        except OSError as error:
            return failed(cell, f"could not be run: {error}")
