"""A traced run for people: plain lines, one per event, that can be searched and compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from cinquefoil.cli.paths import shown
from cinquefoil.cli.trace_report import Input, Step, TraceReport
from cinquefoil.exploration.runs.remarks import Told
from cinquefoil.ir.sources import Sources
from cinquefoil.machine.failure import UNSUPPORTED, Concerned, Failure, Where, count, summary
from cinquefoil.testcase.readable import quoted_text, visible

_ENDS: Final = {
    "assume": "an assumption about the input does not hold",
    "silent": "silent exit",
    "budget": "stopped: it used up its instructions",
    "time": "stopped: it used up its time",
    "events": "stopped: too many symbolic events",
    "trace": "stopped: too many basic blocks",
    "depth": "stopped: an expression is too deep",
    "table": "stopped: the expression table is full",
    "input": "stopped: too much symbolic input",
    "died": "the worker process died",
}
_MADE: Final = {"heap": "allocated", "stack": "declared", "global": "defined"}
_LONGEST_INPUT: Final = 64
_MOST_TEXT: Final = 16 << 20  # bytes of a source


def as_lines(report: TraceReport, sources: Sources) -> Iterator[str]:
    """The whole report."""
    yield from _end(report, sources)
    yield from _section("input", [_input(item) for item in report.inputs])
    yield from _section(_output_title(report), visible(report.output).splitlines())
    yield from _section("told by the program", [_told(each) for each in report.remarks])
    yield from _section("where", [f"{name} = {text}" for name, text in report.bindings])
    yield from _section(_events_title(report.events), _events(report.events))
    yield from _section("path condition", report.path_condition or ["true"])


def _section(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield f"{title}:"
        yield from (f"  {line}" for line in lines)


def _end(report: TraceReport, sources: Sources) -> Iterator[str]:
    effort = f"{report.steps} instructions, {report.seconds * 1000:.2f} ms"
    if report.failure:
        title = "" if report.end == UNSUPPORTED else "error: "
        yield from _failure(report.failure, f"ended: {title}{summary(report.failure)} ({effort})", sources)
    elif report.end == "exit":
        yield f"ended: exit status {report.status} ({effort})"
    else:
        yield f"ended: {_ENDS.get(report.end, report.end)} ({effort})"


# ---- errors -----------------------------------------------------


def _failure(failure: Failure, title: str, sources: Sources) -> Iterator[str]:
    yield title
    steps = [failure.where, *failure.called_from] if failure.where else []
    for step, (where, same) in enumerate((where, len(list(same))) for where, same in groupby(steps)):
        yield f"  {'called from' if step else 'at'} {where}" + (f" ({same} times)" if same > 1 else "")
        if where and (text := _source_line(where, sources)):
            yield f"      {text}"
    if failure.concerned:
        yield from _object(failure.concerned)


def _object(concerned: Concerned) -> Iterator[str]:
    name = f" '{concerned.name}'" if concerned.name else ""
    yield f"  {concerned.region} object{name}: {count(concerned.size, 'byte')}"
    if concerned.made and (origin := _origin(concerned.made)):
        yield f"    {_MADE.get(concerned.region, 'made')} {origin}"
    if concerned.freed:
        yield f"    freed at {concerned.freed}"


def _origin(made: Where) -> str:
    """Where an object comes from, as far as that is known."""
    if made.file:
        return f"at {made}"
    return f"in {made.function}" if made.function else ""


# ---- input, output, events --------------------------------------


def _input(item: Input) -> str:
    content = bytes.fromhex(item.hex)
    text = quoted_text(content[:_LONGEST_INPUT]) + ("..." if len(content) > _LONGEST_INPUT else "")
    number = f" = {int.from_bytes(content, 'little', signed=True)}" if item.size in (1, 2, 4, 8) else ""
    return f"{item.name}: {count(item.size, 'byte')} {text}{number}"


def _output_title(report: TraceReport) -> str:
    kept = len(report.output.encode("utf-8", "replace"))
    more = f", {report.output_total} in all" if report.output_total > kept else ""
    return f"output ({count(kept, 'byte')}{more})"


def _told(told: Told) -> str:
    return f"{told.kind}  {shown(told.file)}:{told.line} in {told.function}  {visible(str(told))}"


def _events_title(events: Sequence[Step]) -> str:
    branches = sum(step.kind in ("branch", "switch") for step in events)
    return f"events on symbolic data ({len(events)}, branches: {branches})"


def _events(events: Sequence[Step]) -> list[str]:
    rows = [_row(number, step) for number, step in enumerate(events, 1)]
    widths = [max((len(row[i]) for row in rows), default=0) for i in range(5)]
    return ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows]


def _row(number: int, step: Step) -> tuple[str, str, str, str, str]:
    kind = step.kind + (" (muted)" if step.muted else "")
    return str(number), kind, str(step.where), step.outcome, step.condition or ""


# ---- source text ------------------------------------------------


def _source_line(where: Where, sources: Sources) -> str:
    """The line itself, if its file is a source of the program."""
    lines = (sources.text(where.file, _MOST_TEXT) or "").splitlines()
    return lines[where.line - 1].strip() if 0 < where.line <= len(lines) else ""
