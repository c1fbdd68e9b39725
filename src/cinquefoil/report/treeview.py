"""The execution tree: one line per path, from where it left the path it came from to where it ended.

A path's children are drawn below it, the one that left last first, so that no line crosses another.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cinquefoil.exploration.limits import LIMITS
from cinquefoil.report.markup import Html, element, join
from cinquefoil.report.reading import Record
from cinquefoil.report.results import Results
from cinquefoil.report.source import SourceView

_WIDTH, _ROW, _MARGIN = 1000, 12, 14
_MOST_ROWS: Final = 1000
_LINEAR: Final = 120  # events up to which their number is the distance
_GOOD, _STOPPED = ("exit", "silent"), ("assume", "unsupported", *LIMITS)


@dataclass(frozen=True, slots=True)
class Row:
    path: int
    parent: int
    start: int
    length: int
    end: str
    test: int
    location: str

    @property
    def kind(self) -> str:
        return "good" if self.end in _GOOD else "cut" if self.end in _STOPPED else "bad"


def tree(results: Results, sources: SourceView) -> Html:
    record = results.details.record("tree")
    rows = [_row(each, sources) for each in record.records("rows")[:_MOST_ROWS]]
    if len(rows) < 2:
        return element("p", "There is only one path.", class_="dim")
    total = record.whole("paths")
    note = f"{len(rows)} of {total} paths" if total > len(rows) else f"All {total} paths"
    keys = (("good", "ends by itself"), ("bad", "ends in an error"), ("cut", "stopped or excluded"))
    legend = element("p", f"{note}: ", [element("span", name, class_=f"key {kind}") for kind, name in keys])
    return join([legend, element("div", _svg(rows), class_="wide tree")])


def _row(record: Record, sources: SourceView) -> Row:
    file, line = record.text("file"), record.whole("line")
    start = max(record.whole("start"), 0)
    return Row(
        record.whole("path"),
        record.whole("parent"),
        start,
        max(record.whole("length"), start),
        record.text("end"),
        record.whole("test"),
        f"{sources.short(file)}:{line}" if file else "",
    )


def ordered(rows: Sequence[Row]) -> list[Row]:
    """Parents before children; those whose parent is missing, or that form a ring, count as roots."""
    known = {row.path for row in rows}
    children: defaultdict[int, list[Row]] = defaultdict(list)
    for row in rows:
        children[row.parent if row.parent in known and row.parent < row.path else 0].append(row)
    found: list[Row] = []
    waiting = sorted(children[0], key=lambda row: -row.path)
    while waiting:
        row = waiting.pop()
        found.append(row)
        waiting += sorted(children[row.path] if row.path else [], key=lambda child: (child.start, -child.path))
    return found


def _svg(rows: Sequence[Row]) -> Html:
    drawn = ordered(rows)
    longest = max(row.length for row in drawn)
    at = {row.path: number for number, row in enumerate(drawn)}
    height = len(drawn) * _ROW + 2 * _MARGIN
    parts = [_path(row, at, longest) for row in drawn]
    label = f"execution tree of {len(drawn)} paths"
    return element("svg", parts, viewBox=f"0 0 {_WIDTH} {height}", role="img", aria_label=label)


def _path(row: Row, at: dict[int, int], longest: int) -> Html:
    y = _y(at[row.path])
    left, right = _x(row.start, longest), _x(row.length, longest)
    parent = at.get(row.parent) if row.parent < row.path else None
    fork = f"M{left:.1f} {_y(parent):.1f}V{y:.1f}" if parent is not None else f"M{left:.1f} {y:.1f}"
    body = [
        element("title", _told(row)),
        element("path", d=f"{fork}H{right:.1f}", class_=row.kind),
        element("circle", cx=right, cy=y, r=3.5 if row.test else 1.8, class_=row.kind),
    ]
    return element("a", body, href=f"#t{row.test}") if row.test else element("g", body)


def _told(row: Row) -> str:
    parts = [f"path {row.path}", f"{row.length} symbolic decisions", f"ends by {row.end}"]
    parts += [f"left path {row.parent} at {row.location}"] if row.location else []
    parts += [f"test {row.test}"] if row.test else []
    return ", ".join(parts)


def _y(number: int) -> float:
    return _MARGIN + number * _ROW + _ROW / 2


def _x(event: int, longest: int) -> float:
    """Long paths get a logarithmic scale: what happens early would otherwise be in one spot."""
    share = event / max(longest, 1) if longest <= _LINEAR else math.log1p(event) / math.log1p(longest)
    return _MARGIN + share * (_WIDTH - 2 * _MARGIN)
