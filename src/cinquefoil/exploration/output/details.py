"""`report.json`: all that a report shows beyond summary.json and stats.csv, so that it can be made again later.

Sources are copied in, as far as they are the program's (`ir/sources.py`).  What grows with the exploration is thinned
out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Final

from cinquefoil.exploration.loop.exploration import Exploration, Outcome
from cinquefoil.exploration.runs.coverage import Coverage
from cinquefoil.exploration.runs.findings import FoundError
from cinquefoil.exploration.runs.journal import BranchDirection, Journal, Moment, PathShapes
from cinquefoil.ir.sites import Site, SiteKind
from cinquefoil.ir.sources import Sources
from cinquefoil.layout import EventKind
from cinquefoil.machine.failure import failure_of, summary
from cinquefoil.states.state import OTHER

FORMAT: Final = 1
_MOST_TEXT: Final = 16 << 20  # bytes of sources
_MOST_MOMENTS: Final = 2000
_MOST_BRANCHES: Final = 200
_MOST_ROWS: Final = 240  # of the tree


def details_of(
    exploration: Exploration,
    outcome: Outcome,
    command: Mapping[str, object],
    sources: Sources,
    sites: Sequence[Site] | None = None,
) -> dict[str, object]:
    """The details as data for `json.dumps`; `command` is how the exploration was started, `sites` are those that
    errors speak of."""
    journal, coverage = exploration.journal, exploration.coverage
    return {
        "format": FORMAT,
        "command": dict(command),
        "moments": [_moment(moment) for moment in _thinned(journal.moments)],
        "tests": [_test(test.number, test.why, journal) for test in outcome.tests],
        "errors": [_error(error, sites or coverage.sites, journal) for error in outcome.errors],
        "stuck": [_branch(branch, coverage, journal) for branch in _hardest(coverage, journal)],
        "tree": {"paths": journal.shapes.total, "rows": _rows(journal.shapes, coverage.sites)},
        "files": _files(coverage, journal, sources),
    }


def _thinned(moments: Sequence[Moment]) -> Sequence[Moment]:
    step = -(-len(moments) // _MOST_MOMENTS)
    return moments if step <= 1 else [*moments[:-1:step], moments[-1]]


def _moment(moment: Moment) -> list[float]:
    return [round(moment.seconds, 4), moment.blocks, moment.branches, moment.states, moment.memory, moment.test]


def _test(number: int, why: str, journal: Journal) -> dict[str, object]:
    note = journal.tests.get(number)
    if note is None:
        return {"number": number, "why": why}
    seconds = round(note.seconds, 4)
    return {
        "number": number, "why": why, "end": note.end, "status": note.status, "seconds": seconds, "gained": note.gained
    }  # fmt: skip


def _error(error: FoundError, sites: Sequence[Site], journal: Journal) -> dict[str, object]:
    note = journal.tests.get(error.test.number)
    failure = failure_of(error.detail, error.detail.message, sites)
    return {
        "kind": error.kind,
        "summary": summary(failure),
        "function": error.function,
        "file": error.file,
        "line": error.line,
        "test": error.test.number,
        "confirmed": error.confirmed,
        "after_unsupported": error.after_unsupported,
        "seen": error.seen,
        "failure": asdict(failure),
        "output": note.output.hex() if note else "",
    }


# ---- branches that could not be taken ----


def _hardest(coverage: Coverage, journal: Journal) -> list[BranchDirection]:
    """The program's own branches that were refused or left open most often, those never taken first.

    That a check cannot fail is what one hopes for: it counts only if it stayed undecided."""
    refused = {branch for branch in journal.infeasible if branch[1] in (EventKind.BRANCH, EventKind.SWITCH)}
    branches = [branch for branch in refused | set(journal.undecided) if not coverage.sites[branch[0]].library]

    def rank(branch: BranchDirection) -> tuple[bool, int, BranchDirection]:
        return _taken_by(branch, coverage, journal) > 0, -journal.infeasible[branch] - journal.undecided[branch], branch

    return sorted(branches, key=rank)[:_MOST_BRANCHES]


def _taken_by(branch: BranchDirection, coverage: Coverage, journal: Journal) -> int:
    """The first test that takes the branch; 0 if none does or nothing tells."""
    site, _, direction = branch
    edges = coverage.sites[site].edges
    return int(journal.first[edges[direction]]) if 0 <= direction < len(edges) else 0


def _branch(branch: BranchDirection, coverage: Coverage, journal: Journal) -> dict[str, object]:
    number, kind, direction = branch
    site = coverage.sites[number]
    return {
        "function": site.function,
        "file": site.file,
        "line": site.line,
        "column": site.column,
        "turn": _direction(EventKind(kind), direction, site, coverage.sites),
        "infeasible": journal.infeasible[branch],
        "undecided": journal.undecided[branch],
        "taken": _taken_by(branch, coverage, journal),
        "reached": int(journal.first[site.block]),
    }


def _direction(kind: EventKind, direction: int, site: Site, sites: Sequence[Site]) -> str:
    if direction == OTHER:
        return "another value"
    lines = [sites[target].line for target in site.targets]
    if kind is EventKind.BRANCH:
        # Compilers negate conditions as they like: where a branch leads says more than that it is the true one.
        told = len(set(lines)) > 1 and direction < len(lines) and lines[direction]
        return f"to line {lines[direction]}" if told else "one side" if direction else "other side"
    if kind is EventKind.SWITCH:
        line = lines[direction] if direction < len(lines) else 0
        return ("default" if direction == 0 else f"case {direction}") + (f", to line {line}" if line else "")
    return "check fails" if kind is EventKind.CHECK else kind.name.lower()


# ---- the tree ----


def _rows(shapes: PathShapes, sites: Sequence[Site]) -> list[dict[str, object]]:
    """The first paths, and those into errors with all that they branched off, as far as there is room."""
    chosen: set[int] = set()
    for number in _by_importance(shapes):
        line = set(_ancestry(number, shapes)) - chosen
        if len(chosen) + len(line) <= _MOST_ROWS:
            chosen |= line
    return [_row(number, shapes, sites) for number in sorted(chosen)]


def _by_importance(shapes: PathShapes) -> Iterator[int]:
    last = len(shapes)
    ended = ((n, shapes[n]) for n in range(1, last + 1))
    errors = (n for n, shape in ended if shape.test and shape.end not in ("exit", "silent"))
    yield from (n for n, _ in zip(errors, range(_MOST_ROWS // 2), strict=False))
    yield from range(1, min(last, _MOST_ROWS) + 1)


def _ancestry(number: int, shapes: PathShapes) -> Iterator[int]:
    while 0 < number <= len(shapes):
        yield number
        number = shapes[number].parent


def _row(number: int, shapes: PathShapes, sites: Sequence[Site]) -> dict[str, object]:
    shape = shapes[number]
    site = sites[shape.site]
    return {
        "path": number,
        "parent": shape.parent,
        "start": shape.start,
        "length": shape.length,
        "end": shape.end,
        "test": shape.test,
        "file": "" if site.library else site.file,
        "line": site.line,
    }


# ---- sources ----


def _files(coverage: Coverage, journal: Journal, sources: Sources) -> list[dict[str, object]]:
    lines, branches = _lines(coverage, journal), _branches(coverage, journal)
    functions: defaultdict[str, list[list[object]]] = defaultdict(list)
    for (file, name), hit in coverage.functions().items():
        functions[file].append([name, hit])
    room = _MOST_TEXT
    found: list[dict[str, object]] = []
    for file in sorted(lines):
        text = sources.text(file, room)
        room -= len(text or "")
        parts = {"lines": lines[file], "branches": branches[file], "functions": functions[file]}
        found.append({"name": file, "text": text, **parts})
    return found


def _lines(coverage: Coverage, journal: Journal) -> defaultdict[str, list[list[int]]]:
    """Lines by file: line, blocks in which it ran, blocks that hold code of it, and the first test that ran it."""
    found: defaultdict[str, list[list[int]]] = defaultdict(list)
    for (file, line), sites in coverage.line_sites().items():
        ran = sites[coverage.seen[sites]]
        tests = journal.first[ran][journal.first[ran] > 0]
        found[file].append([line, len(ran), len(sites), int(tests.min()) if len(tests) else 0])
    return found


def _branches(coverage: Coverage, journal: Journal) -> defaultdict[str, list[dict[str, object]]]:
    """Decisions by file: where they are, and for each direction where it leads and the first test that took it."""
    found: defaultdict[str, list[dict[str, object]]] = defaultdict(list)
    for site in coverage.sites:
        if site.kind in (SiteKind.BRANCH, SiteKind.SWITCH) and not site.library and site.line and site.file:
            ways = [
                [coverage.sites[target].line, int(journal.first[edge])]
                for target, edge in zip(site.targets, site.edges, strict=False)
            ]
            reached = int(journal.first[site.block])
            found[site.file].append(
                {"line": site.line, "column": site.column, "kind": site.kind, "ways": ways, "reached": reached}
            )
    return found
