"""An exploration while it goes on, on a terminal, and what came of it, in a few lines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final

from cinquefoil.cli.paths import shown
from cinquefoil.exploration.accounting.faults import REPORTING
from cinquefoil.exploration.loop.exploration import Exploration, Outcome
from cinquefoil.exploration.output.result_folder import test_name
from cinquefoil.exploration.runs.coverage import Figures
from cinquefoil.exploration.runs.findings import FoundError
from cinquefoil.machine.failure import count

if TYPE_CHECKING:
    from rich.live import Live

_REASONS: Final = {
    "exhausted": "all paths explored",
    "done": "nothing left that could be decided",
    "interrupted": "interrupted",
    "covered": "all of the program is covered",
}


class ExploreView:
    """One line that is renewed; nothing at all when standard error is not a terminal."""

    def __init__(self, max_time: float | None, terminal: bool | None = None) -> None:
        self._terminal = sys.stderr.isatty() if terminal is None else terminal
        self._max_time = max_time
        self._live: Live | None = None

    def __enter__(self) -> ExploreView:
        if self._terminal:
            from rich.console import Console
            from rich.live import Live

            self._live = Live(console=Console(stderr=True), transient=True, auto_refresh=False)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, exploration: Exploration) -> None:
        if self._live is not None:
            from rich.text import Text

            line = progress_line(exploration, self._max_time)
            self._live.update(Text(line, no_wrap=True, overflow="ellipsis"), refresh=True)


def progress_line(exploration: Exploration, max_time: float | None) -> str:
    """Where an exploration stands."""
    counts, figures = exploration.total, exploration.coverage.figures()
    seconds = max(exploration.seconds, 1e-9)
    share = counts.phases["solver"].seconds / seconds / exploration.options.workers
    parts = [
        count(counts.paths, "path"),
        count(len(exploration.findings.tests), "test"),
        count(len(exploration.findings.errors), "error"),
        f"{_share(figures.blocks)} blocks",
        count(exploration.pending + exploration.open, "state"),
        *_pruning(exploration),
        f"solver {share:.0%}",
        f"{max(max_time - seconds, 0):.0f} s left" if max_time else f"{seconds:.0f} s",
    ]
    return ", ".join(parts)


def _pruning(exploration: Exploration) -> Iterator[str]:
    if exploration.pruning is not None:
        yield exploration.pruning.describe()


def outcome_lines(outcome: Outcome, folder: Path) -> Iterator[str]:
    """What was found, the most important first."""
    counts = outcome.statistics
    reason = _REASONS.get(outcome.reason, f"stopped by --{outcome.reason}")
    if outcome.reason == "done" and outcome.met_unsupported:
        reason = "nothing left that is supported and could be decided"
    yield f"{count(counts.paths, 'path')} in {outcome.seconds:.2f} s: {reason}"
    for error in outcome.errors:
        yield _error(error, folder)
    yield from _holes(outcome)
    if counts.assumed:
        yield f"assumed: {counts.assumed} more ended in an assumption that did not hold"
    yield "coverage: " + _coverage(outcome.coverage)
    yield f"{count(len(outcome.tests), 'test')} in {folder / 'tests'}"
    if (folder / "report.html").exists():
        yield f"all of it on {folder / 'report.html'}"


def _error(error: FoundError, folder: Path) -> str:
    text = f": {error.message}" if error.message else ""
    doubt = "" if error.confirmed else " (not confirmed)"
    doubt += " (after something that is not supported)" if error.after_unsupported else ""
    location = f"{shown(error.file)}:{error.line} in {error.function}"
    return f"error: {error.kind}{text} at {location}: {folder / test_name(error.test)}{doubt}"


def _holes(outcome: Outcome) -> Iterator[str]:
    """Whatever keeps the result from being complete."""
    counts = outcome.statistics
    holes = {
        "state pending": outcome.pending,
        "query undecided": outcome.unknown,
        "path cut by a limit": counts.cut,
        "path cut by something not supported": counts.unsupported,
        "path that left its prediction": counts.diverged,
        "path that ended the worker": counts.died,
        "value given up": counts.limited,
    }
    if any(holes.values()):
        yield "left: " + ", ".join(_several(number, what) for what, number in holes.items() if number)
    yield from map(str, outcome.cuts)
    yield from _faults(outcome)
    for doubt in outcome.doubts:
        yield f"not exhausted: {doubt}; --check uninitialized explores what depends on memory never written"
    for construct in outcome.unsupported:
        location = f"{shown(construct.file)}:{construct.line} in {construct.function}"
        title = "left out" if construct.is_limit else "not supported"
        yield f"{title}: {construct.what} at {location} ({count(construct.runs, 'run')})"


def _faults(outcome: Outcome) -> Iterator[str]:
    """The engine's own: each kind once, and what to do with it."""
    for fault in outcome.faults:
        yield f"internal fault ({count(fault.count, 'time')}): {shown(fault.what)} at {fault.where}; {REPORTING}"
    others = outcome.statistics.faults - sum(fault.count for fault in outcome.faults)
    if others:
        yield f"{count(others, 'internal fault')} in other processes; --workers 1 shows what they are"


def _several(number: int, what: str) -> str:
    """So many of a thing that is named, and then described, in the singular."""
    noun, _, rest = what.partition(" ")
    if number > 1:
        rest = rest.replace(" its ", " their ")
    return f"{count(number, noun, 'queries' if noun == 'query' else '')} {rest}"


def _coverage(figures: Figures) -> str:
    kinds = (("blocks", figures.blocks), ("branches", figures.branches), ("lines", figures.lines))
    return ", ".join(f"{name} {_share(pair)}" for name, pair in (*kinds, ("functions", figures.functions)))


def _share(pair: tuple[int, int]) -> str:
    return f"{pair[0]}/{pair[1]}"
