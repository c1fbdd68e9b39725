"""A comparison while it goes on: a bar and the running cells on a terminal, one line per finished cell elsewhere."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING

from cinquefoil.cli.say import say
from cinquefoil.experiment.comparison import Comparison
from cinquefoil.experiment.plan import Cell
from cinquefoil.experiment.result import Result
from cinquefoil.experiment.schedule import Scheduler
from cinquefoil.machine.failure import count
from cinquefoil.testcase.readable import visible

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


class CompareView:
    """`tell` is called by the scheduler's threads."""

    def __init__(self, comparison: Comparison, scheduler: Scheduler, terminal: bool | None = None) -> None:
        self._measure = comparison.plan.measure
        plan = comparison.plan
        self._total = len(plan.subjects) * len(plan.configurations) * len(plan.seeds) * len(plan.budgets)
        self._done = len(scheduler.finished(comparison.cells()))
        self._failed = 0
        self._terminal = sys.stderr.isatty() if terminal is None else terminal
        self._progress: Progress | None = None
        self._bar: TaskID | None = None
        self._running: dict[str, tuple[str, float]] = {}
        self._lock = threading.Lock()

    def __enter__(self) -> CompareView:
        if self._terminal:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

            columns = (BarColumn(24), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
            self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
            self._progress.start()
            self._bar = self._progress.add_task("", total=self._total, completed=self._done)
        elif self._done:
            say(f"{self._done} of {self._total} cells are finished already", err=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._progress is not None:
            self._progress.stop()

    def tell(self, cell: Cell, result: Result | None) -> None:
        """A cell begins (None) or has ended."""
        with self._lock:
            if result is None:
                self._running[cell.key] = (cell.label, time.monotonic())
            else:
                self._running.pop(cell.key, None)
                self._done += 1
                self._failed += not result.ok
                self._say(cell, result)
            self._draw()

    def _say(self, cell: Cell, result: Result) -> None:
        line = f"[{self._done}/{self._total}] {cell.label}: {outcome(result, self._measure)}"
        if self._progress is None:
            say(line, err=True)
        elif not result.ok:
            self._progress.console.print(visible(line), markup=False, highlight=False)

    def _draw(self) -> None:
        if self._progress is not None and self._bar is not None:
            running = ", ".join(label for label, _ in list(self._running.values())[:4])
            text = f"{self._failed} failed; {running}" if self._failed else running
            self._progress.update(self._bar, completed=self._done, description=text)


def outcome(result: Result, measure: str) -> str:
    """A finished cell in a few words."""
    if not result.ok:
        return f"failed: {result.message}"
    errors = count(len(result.errors()), "error")
    return f"{result.value(measure):g} {measure}, {errors} in {result.get('seconds'):.1f} s"
