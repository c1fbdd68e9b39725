"""Memory and other errors: each reported as what it is, where it is; its safe twin stays silent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from traced import PROGRAMS, path_condition, table_of, violated, worker_of

from cinquefoil import layout
from cinquefoil.machine.worker import Limits, Worker

PROGRAM = PROGRAMS / "errors" / "errors.c"
_CASE = re.compile(r"\s+case (\d+):.*// (\S+) (\S+) (\S+)(?: line of (\w+)| (backtrace))?$")
_MARK = re.compile(r"// MARK (\w+)$")
LIMITS = Limits(seconds=60, instructions=1_000_000_000)


@dataclass(frozen=True)
class Case:
    """`region` "?" means any, "-" none; `in_libc`: the program's line is in the backtrace."""

    number: int
    line: int
    kind: str
    access: str
    region: str
    in_libc: bool


def _cases() -> Iterator[Case]:
    lines = PROGRAM.read_text().splitlines()
    marks = {m[1]: n for n, text in enumerate(lines, 1) if (m := _MARK.search(text))}
    for number, text in enumerate(lines, 1):
        if m := _CASE.match(text):
            at = marks[m[5]] if m[5] else number
            yield Case(int(m[1]), at, m[2], m[3], m[4], bool(m[6]))


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with worker_of(PROGRAM, limits=LIMITS) as found:
        yield found


def test_every_case_is_described() -> None:
    assert len(list(_cases())) == len(re.findall(r"^    case ", PROGRAM.read_text(), re.MULTILINE)) > 70


@pytest.mark.parametrize("case", list(_cases()), ids=lambda case: f"{case.number}-{case.kind}-{case.region}")
def test_the_error_is_found_where_it_is(worker: Worker, case: Case) -> None:
    witness = bytes([case.number, 1])
    run = worker.run(witness)
    assert run.end == "error" and run.error is not None
    error = run.error
    assert (error.kind, error.access) == (case.kind, case.access)
    assert case.region == "?" or error.region == case.region.replace("-", "none")
    lines = [worker.sites[s].line for s in error.backtrace if not worker.sites[s].library]
    assert lines[0] == case.line, "the innermost line of the program"
    assert worker.sites[error.backtrace[0]].library == case.in_libc
    assert violated(table_of(worker), path_condition(worker, run), witness) == []


@pytest.mark.parametrize("case", list(_cases()), ids=lambda case: str(case.number))
def test_the_safe_twin_is_silent(worker: Worker, case: Case) -> None:
    run = worker.run(bytes([case.number, 0]))
    assert (run.end, run.code, run.error) == ("exit", 0, None)


def test_recursion_without_stack_objects_overflows_soon(worker: Worker) -> None:
    spent = worker.cpu_seconds()
    run = worker.run(bytes([43, 1]))
    assert run.error is not None and run.error.kind == "stack-overflow"
    assert len(run.error.backtrace) == layout.BACKTRACE
    assert worker.cpu_seconds() - spent < 2


def test_reports_name_the_object(worker: Worker) -> None:
    error = worker.run(bytes([5, 1])).error
    assert error is not None
    assert (error.address - error.object_base, error.size, error.object_size) == (16, 4, 16)
    assert worker.sites[error.object_site].line == next(
        n for n, text in enumerate(PROGRAM.read_text().splitlines(), 1) if "int *h = malloc(16)" in text
    )
    freed = worker.run(bytes([23, 1])).error
    assert (
        freed is not None
        and "free(h); if (bad) report" in PROGRAM.read_text().splitlines()[worker.sites[freed.freed_site].line - 1]
    )
