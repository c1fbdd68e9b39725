"""What came of subjects, as one Markdown table: from the JSON files that `cinq subjects run --json` printed.

*Divergences* are runs that did not follow their prediction while exploring, and tests that do natively something else
than in the engine.  *Differ* are lines of the subject's own sources that both compilers know and only one of engine and
gcov calls covered, and why, as far as the sources are at hand (`reasons.py`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from cinquefoil.errors import UserError
from cinquefoil.experiment.subjects import construct, reasons

Found = Mapping[str, Any]
_HEAD = (
    "subject",
    "tests",
    "paths",
    "divergences: run, native",
    "errors",
    "unsupported",
    "MiB",
    "lines: engine, gcov, both know",
    "differ: part, constant, other",
    "gcov's lines",
    "gcov's branches",
)


def read_results(folder: Path) -> list[Found]:
    """All of a folder, by subject; `UserError` if there are none."""
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    if not found:
        raise UserError(f"{folder} holds no results (*.json)")
    return sorted(found, key=lambda result: str(result["subject"]))


def markdown(results: Sequence[Found]) -> Iterator[str]:
    yield _row(_HEAD)
    yield _row(["---"] * len(_HEAD))
    for result in results:
        yield _row(list(_cells(result)))
    yield ""
    yield _sum(results)


def _row(cells: Sequence[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _cells(found: Found) -> Iterator[str]:
    paths, gcov = found["paths"], found["gcov"]
    agreement = gcov["agreement"]
    engine, native = len(agreement["engine"]), len(agreement["native"])
    yield found["subject"].partition("/")[2]
    yield f"{found['tests']:,}"
    yield f"{paths['completed'] + paths['error']:,}"
    yield f"{paths['diverged']}, {len(found['native']['diverging'])}"
    yield str(len(found["errors"]))
    yield ", ".join(unsupported(found)) or "none"
    yield f"{found['memory'] / 2**20:,.0f}"
    yield f"{agreement['both'] + engine:,}, {agreement['both'] + native:,}, {agreement['lines']:,}"
    yield f"{engine + native} ({share(found):.2f} %){_why(found)}"
    yield _of(gcov["lines"])
    yield _of(gcov["branches"])


def unsupported(found: Found) -> list[str]:
    """What the runs met that is not modelled, each kind once."""
    return sorted({_construct(event) for event in found["unsupported"]})


def _construct(event: Found) -> str:
    return f"system call {event['number']}" if event["number"] is not None else str(event["reason"])


def share(found: Found) -> float:
    """Lines that engine and gcov differ about, in percent of those that both know."""
    agreement = found["gcov"]["agreement"]
    return 100 * (len(agreement["engine"]) + len(agreement["native"])) / max(1, agreement["lines"])


def _why(found: Found) -> str:
    agreement = found["gcov"]["agreement"]
    counts = reasons.count((*agreement["engine"], *agreement["native"]), _source(found["subject"].partition("/")[0]))
    return f": {', '.join(str(counts[each]) for each in reasons.LineReason)}" if counts else ""


def _source(recipe: str) -> Callable[[str], list[str] | None]:
    """A reader of the sources that gcov's build was made of."""

    @cache
    def text(name: str) -> list[str] | None:
        path = construct.subjects_root() / construct.GCOV / recipe / name
        return path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else None

    return text


def _of(pair: Sequence[int]) -> str:
    return f"{pair[0]:,} of {pair[1]:,}"


def _sum(results: Sequence[Found]) -> str:
    inside = sum(result["paths"]["diverged"] for result in results)
    native = sum(len(result["native"]["diverging"]) for result in results)
    above = sorted(result["subject"].partition("/")[2] for result in results if share(result) > 1)
    most = max(result["memory"] for result in results) / 2**20
    return (
        f"{len(results)} subjects, {sum(result['tests'] for result in results):,} tests; divergences: {inside} while "
        f"exploring, {native} of tests replayed natively; engine and gcov differ about more than 1 % of the lines of "
        f"{', '.join(above) or 'none'}; memory at most {most:,.0f} MiB."
    )
