"""Runs as reports and as text, on hand-made tables and sites."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from cinquefoil import layout
from cinquefoil.cli.trace_report import TraceReport, describe
from cinquefoil.cli.trace_text import as_lines
from cinquefoil.expr.builder import TableBuilder
from cinquefoil.ir.sites import Site, SiteKind
from cinquefoil.ir.sources import Sources
from cinquefoil.layout import ErrorKind, EventKind, Op, Reason
from cinquefoil.machine.failure import trail
from cinquefoil.machine.run import InputObject, Run, RunError
from cinquefoil.testcase.readable import visible

SITES = [
    Site(SiteKind.OBJECT, "", "", 0, 0),
    Site(SiteKind.BRANCH, "f", "p.c", 3, 7),
    Site(SiteKind.CALL, "main", "p.c", 9, 3, detail="f"),
    Site(SiteKind.CALL, "cinq_start", "cinquefoil/start.c", 27, 10, library=True, detail="main"),
    Site(SiteKind.CALL, "f", "p.c", 2, 5, detail="malloc"),
    Site(SiteKind.CALL, "f", "p.c", 4, 5, detail="f"),
    Site(SiteKind.OBJECT, "", "", 0, 0, detail="buffer"),
    Site(SiteKind.OBJECT, "f", "p.c", 1, 1, detail="3"),
    Site(SiteKind.OBJECT, "g", "", 0, 0, detail="local"),
]
NO_SITES = np.zeros(0, dtype=np.uint32)
ALTS = np.array([0], dtype=np.uint32)
RUN = Run(
    b"\5\0", "exit", 3, np.zeros(0, dtype=layout.EVENT), NO_SITES, NO_SITES,
    (InputObject("n", 1, 0), InputObject("m", 1, 1)), b"hi\n", 3, None, 120, 1_500_000, 1,
)  # fmt: skip
ERROR = RunError("out-of-bounds", 1, "", "write", "heap", 1008, 4, 1000, 8, 4, 0, (4, 2, 3))


def event(kind: EventKind, expr: int = 0, taken: int = 0, value: int = 0, alts: int = 0, muted: int = 0) -> np.void:
    row = np.zeros(1, dtype=layout.EVENT)
    for name, content in {
        "kind": kind, "expr": expr, "taken": taken, "value": value, "alts": alts, "muted": muted, "site": 1
    }.items():  # fmt: skip
        row[name] = content
    return row[0]


def described(
    builder: TableBuilder, events: list[np.void], alts: NDArray[np.uint32] = ALTS, **changes: object
) -> TraceReport:
    rows = np.array(events, dtype=layout.EVENT) if events else RUN.events
    return describe(replace(RUN, events=rows, **changes), SITES, builder.table(), alts)  # type: ignore[arg-type]


def events_of(report: TraceReport) -> list[tuple[str, str, str | None]]:
    return [(step.kind, step.outcome, step.condition) for step in report.events]


def test_every_kind_of_event() -> None:
    b = TableBuilder()
    n, m = b.input(0), b.input(1)
    less, same = b.binary(Op.ULT, n, b.const(8, 9)), b.binary(Op.EQ, m, b.const(8, 1))
    within, known, other = (b.binary(Op.ULE, m, b.const(8, limit)) for limit in (3, 4, 5))
    first = b.binary(Op.EQ, n, b.const(8, 77))
    alts = np.array([0, 2, other, first], dtype=np.uint32)
    events = [
        event(EventKind.BRANCH, less, 1),
        event(EventKind.BRANCH, same, 0),
        event(EventKind.SWITCH, n, 1, 77, alts=1),
        event(EventKind.SWITCH, n, 0, 5, alts=1),
        event(EventKind.CHECK, within, 1, ErrorKind.OUT_OF_BOUNDS),
        event(EventKind.PIN, m, 0, 200),
        event(EventKind.CONCRETIZE, n, Reason.SIZE, 5),
        event(EventKind.ASSUME, known, 0),
        event(EventKind.UNSUPPORTED, 0, 0, Reason.THREAD),
    ]
    assert events_of(described(b, events, alts)) == [
        ("branch", "true", "n <u 9"),
        ("branch", "false", "m != 1"),
        ("switch", "value 77", "n == 'M'"),
        ("switch", "value 5 (default)", "m <=u 5"),
        ("check", "no out-of-bounds", "m <=u 3"),
        ("pin", "value 200", "m == 200"),
        ("concretize", "value 5 (size)", "n == 5"),
        ("assume", "fails", "m >u 4"),
        ("unsupported", "thread", None),
    ]


def test_path_condition_says_everything_once() -> None:
    b = TableBuilder()
    less = b.binary(Op.ULT, b.input(0), b.const(8, 9))
    report = described(b, [event(EventKind.BRANCH, less, 1), event(EventKind.BRANCH, less, 1)])
    assert report.path_condition == ("n <u 9",)
    assert len(report.events) == 2


def test_negations_are_read_through() -> None:
    b = TableBuilder()
    equal = [b.binary(Op.EQ, b.input(0), b.const(8, code)) for code in b"AB"]
    first, second = (b.binary(Op.XOR, node, b.const(1, 1)) for node in equal)
    report = described(b, [event(EventKind.BRANCH, first, 0), event(EventKind.BRANCH, second, 1)])
    assert report.path_condition == ("n == 'A'", "n != 'B'")


def test_text_of_an_ordinary_run() -> None:
    b = TableBuilder()
    less = b.binary(Op.ULT, b.input(0), b.const(8, 9))
    assert list(as_lines(described(b, [event(EventKind.BRANCH, less, 1, muted=1)]), Sources())) == [
        "ended: exit status 3 (120 instructions, 1.50 ms)",
        "",
        "input:",
        r'  n: 1 byte "\x05" = 5',
        r'  m: 1 byte "\0" = 0',
        "",
        "output (3 bytes):",
        "  hi",
        "",
        "events on symbolic data (1, branches: 1):",
        "  1  branch (muted)  p.c:3:7 in f  true  n <u 9",
        "",
        "path condition:",
        "  n <u 9",
    ]


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ERROR, "out-of-bounds: write of 4 bytes at offset 8 of a heap object of 8 bytes"),
        (
            replace(ERROR, region="global", object_site=6, address=999, size=1, access="read"),
            "out-of-bounds: read of 1 byte at offset -1 of a global object 'buffer' of 8 bytes",
        ),
        (
            replace(ERROR, region="stack", object_site=7),
            "out-of-bounds: write of 4 bytes at offset 8 of a stack object of 8 bytes",
        ),
        (
            replace(ERROR, kind="null-pointer", region="none", address=0),
            "null-pointer: write of 4 bytes at address 0x0",
        ),
        (
            replace(ERROR, kind="assertion", region="none", access="none", message="x > 0"),
            "assertion: x > 0",
        ),
        (replace(ERROR, kind="invalid-free", region="none", access="free"), "invalid-free: free of address 0x3f0"),
    ],
)
def test_errors_in_one_line(error: RunError, expected: str) -> None:
    first = next(iter(as_lines(described(TableBuilder(), [], end="error", error=error), Sources())))
    assert first == f"ended: error: {expected} (120 instructions, 1.50 ms)"


def test_error_with_calls_and_object() -> None:
    error = replace(ERROR, kind="use-after-free", freed_site=5)
    lines = list(as_lines(described(TableBuilder(), [], end="error", error=error), Sources()))
    assert lines[1:6] == [
        "  at p.c:3:7 in f",
        "  called from p.c:9:3 in main",
        "  heap object: 8 bytes",
        "    allocated at p.c:2:5 in f",
        "    freed at p.c:4:5 in f",
    ]


def test_equal_frames_are_folded() -> None:
    error = replace(ERROR, backtrace=(5, 5, 5, 2, 3))
    lines = list(as_lines(described(TableBuilder(), [], end="error", error=error), Sources()))
    assert lines[1:4] == ["  at p.c:3:7 in f", "  called from p.c:4:5 in f (3 times)", "  called from p.c:9:3 in main"]


@pytest.mark.parametrize(
    ("site", "backtrace", "lines"),
    [
        (1, (4, 2, 3), [3, 9]),  # the erring function's own frame, with an earlier call, is no caller
        (1, (2, 3), [3, 9]),  # it made no call yet
        (1, (5, 5, 2, 3), [3, 4, 4, 9]),  # recursion
        (0, (4, 2, 3), [2, 9]),  # the site is not known better than by the last call
        (1, (), [3]),
    ],
)
def test_trail(site: int, backtrace: tuple[int, ...], lines: list[int]) -> None:
    error = replace(ERROR, site=site, backtrace=backtrace)
    assert [found.line for found in trail(error, SITES)] == lines


@pytest.mark.parametrize(
    ("region", "site", "lines"),
    [
        ("global", 6, ["  global object 'buffer': 8 bytes"]),
        ("stack", 8, ["  stack object 'local': 8 bytes", "    declared in g"]),
    ],
)
def test_objects_of_unknown_lines(region: str, site: int, lines: list[str]) -> None:
    error = replace(ERROR, region=region, object_site=site)
    shown = list(as_lines(described(TableBuilder(), [], end="error", error=error), Sources()))
    assert shown[3 : shown.index("")] == lines


def test_a_call_site_is_not_taken_for_a_global() -> None:
    report = described(TableBuilder(), [], end="error", error=replace(ERROR, region="global", object_site=4))
    assert report.failure and report.failure.concerned
    assert report.failure.concerned.made is None


def test_control_characters_are_shown() -> None:
    assert visible("a\tb\n\x1b[2J\x7f") == "a\tb\n\\x1b[2J\\x7f"


def test_cut_output_says_so() -> None:
    lines = list(as_lines(described(TableBuilder(), [], output_total=5000), Sources()))
    assert "output (3 bytes, 5000 in all):" in lines


def test_what_is_unsupported_is_named() -> None:
    error = replace(ERROR, kind="unsupported", region="none", access="none")
    events = [event(EventKind.UNSUPPORTED, value=Reason.ASSEMBLY)]
    report = described(TableBuilder(), events, end="error", error=error)
    assert report.failure and report.failure.message == "assembly"


def test_other_errors_are_not_named_after_an_unsupported_event() -> None:
    events = [event(EventKind.UNSUPPORTED, value=Reason.THREAD)]
    report = described(TableBuilder(), events, end="error", error=replace(ERROR, message=""))
    assert report.failure and report.failure.message == ""
