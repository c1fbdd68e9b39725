"""Progress of preparations, and of other work that takes long, on standard error.

A bar on a terminal, else a line now and then.

Nothing is shown for what is done within two seconds.
"""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Final

from cinquefoil.cli.say import say
from cinquefoil.testcase.readable import visible

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE: Final = 2.0
_EVERY: Final = 5.0  # seconds between lines when there is no terminal


class Preparation:
    """Call `step(name, done, total)` as work goes on; use as a context manager."""

    def __init__(self, terminal: bool | None = None, doing: str = "preparing") -> None:
        self._doing = doing
        self._terminal = sys.stderr.isatty() if terminal is None else terminal
        self._begun = self._said = time.monotonic()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Preparation:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def step(self, name: str, done: int, total: int) -> None:
        """Work on `name`, `done` of `total` finished."""
        now = time.monotonic()
        if now - self._begun < PATIENCE:
            return
        if self._terminal:
            self._draw(name, done, total)
        elif now - self._said >= _EVERY:
            self._said = now
            say(f"cinq: {self._doing} {name}: {done}/{total}", err=True)

    def _draw(self, name: str, done: int, total: int) -> None:
        if self._bar is None or self._task is None:
            self._bar, self._task = _new_bar()
        self._bar.update(self._task, description=visible(f"{self._doing} {name}"), completed=done, total=total)


def _new_bar() -> tuple[Progress, TaskID]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:40.40}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.start()
    return bar, bar.add_task("preparing", total=None)
