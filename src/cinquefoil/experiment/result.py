"""What one cell left: its summary, its time series, what it covered, and what was measured afterwards."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import reduce
from pathlib import Path
from typing import Any, cast

MEASURES = ("blocks", "branches", "lines", "functions", "gcov-lines", "gcov-branches", "mutants")
SERIES = (
    "seconds",
    "blocks",
    "branches",
    "lines",
    "states",
    "open",
    "memory_bytes",
    "tests",
    "errors",
    "queries",
    "paths",
)
_POINTS = 240  # of a time series that are kept

Series = Mapping[str, list[float]]


@dataclass(frozen=True, slots=True)
class Result:
    """`status` is "ok" or "failed", and `message` then says why.  `covered` has, by kind ("lines", "branches") and
    file, what was reached, in names that do not depend on how the program was compiled."""

    key: str
    subject: str
    configuration: str
    seed: int
    budget: float
    status: str
    message: str = ""
    wall: float = 0.0  # seconds of the whole process, preparation included
    memory: int = 0  # peak bytes of the process and its children
    summary: Mapping[str, Any] = field(default_factory=dict[str, Any])
    series: Series = field(default_factory=dict[str, list[float]])
    covered: Mapping[str, Mapping[str, list[str]]] = field(default_factory=dict[str, Mapping[str, list[str]]])
    measured: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def ok(self) -> bool:
        return self.status == "ok"

    def value(self, measure: str) -> float:
        """How much was covered; not a number if that was not measured."""
        pair = self._pair(measure)
        return float(pair[0]) if pair else math.nan

    def total(self, measure: str) -> float:
        pair = self._pair(measure)
        return float(pair[1]) if pair else math.nan

    def get(self, path: str, default: float = math.nan) -> float:
        """A number of the summary by its dotted path."""
        found = reduce(_entry, path.split("."), self.summary)
        return float(found) if isinstance(found, int | float) else default

    def reached(self, kind: str) -> frozenset[tuple[str, str]]:
        """Lines or branches that were covered."""
        files = self.covered.get(kind, {})
        return frozenset((file, point) for file, points in files.items() for point in points)

    def errors(self) -> frozenset[tuple[str, str, int]]:
        """Kind, file and line of each error."""
        rows = self.summary.get("errors", [])
        return frozenset((row["kind"], Path(row["file"]).name, int(row["line"])) for row in rows)

    def _pair(self, measure: str) -> tuple[float, float] | None:
        if measure.startswith("gcov-"):
            found = _entry(self.measured.get("gcov"), measure.removeprefix("gcov-"))
        elif measure == "mutants":
            found = _entry(self.measured.get("mutants"), "killed")
        else:
            found = _entry(self.summary.get("coverage"), measure)
        return (found[0], found[1]) if found else None


def _entry(value: Any, name: str) -> Any:
    return cast("Mapping[str, Any]", value).get(name) if isinstance(value, Mapping) else None


def encode(result: Result) -> bytes:
    return (json.dumps(asdict(result), separators=(",", ":")) + "\n").encode()


def decode(content: bytes) -> Result:
    """`ValueError` or `TypeError` if it is none."""
    return Result(**json.loads(content))


def read_series(path: Path) -> dict[str, list[float]]:
    """Columns of stats.csv, thinned."""
    with path.open(encoding="ascii", newline="") as file:
        rows = list(csv.DictReader(file))
    kept = [rows[n] for n in _spread(len(rows))]
    return {name: [float(row[name]) for row in kept] for name in SERIES if rows and name in rows[0]}


def _spread(count: int) -> list[int]:
    """Positions of at most `_POINTS` rows, the first and the last among them."""
    if count <= _POINTS:
        return list(range(count))
    return sorted({round(n * (count - 1) / (_POINTS - 1)) for n in range(_POINTS)})


def read_covered(path: Path) -> dict[str, dict[str, list[str]]]:
    """Covered lines and branch directions of an lcov file.  A direction is known by its line, the branch's rank among
    the line's branches, and its number: the file's own numbers change when the program is compiled differently."""
    lines: dict[str, list[str]] = {}
    branches: dict[str, list[str]] = {}
    file = ""
    ranks: dict[tuple[str, str], dict[str, int]] = {}
    for row in path.read_text(encoding="utf-8").splitlines():
        kind, _, rest = row.partition(":")
        if kind == "SF":
            file = Path(rest).name
        elif kind == "DA":
            number, hits = rest.split(",")[:2]
            if hits != "0":
                lines.setdefault(file, []).append(number)
        elif kind == "BRDA":
            line, branch, way, taken = rest.split(",")
            known = ranks.setdefault((file, line), {})
            rank = known.setdefault(branch, len(known))
            if taken not in ("-", "0"):
                branches.setdefault(file, []).append(f"{line}.{rank}.{way}")
    return {"lines": lines, "branches": branches}


def union(results: Iterable[Result], kind: str) -> frozenset[tuple[str, str]]:
    return frozenset(point for result in results for point in result.reached(kind))
