"""Memory and other errors: each reported as what it is, where it is; its safe twin stays silent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from traced import PROGRAMS, path_condition, table_of, violated, worker_of

from cinquefoil import layout
from cinquefoil.machine.worker import Limits, Worker

PROGRAM = PROGRAMS / "errors" / "errors.c"
_CASE = re.compile(r"\s+case (\d+):.*// (\S+) (\S+) (\S+)(?: line of (\w+)| (backtrace))?$")
_MARK = re.compile(r"// MARK (\w+)$")
LIMITS = Limits(seconds=60, instructions=1_000_000_000)


@dataclass(frozen=True)
class ErrorCase:
    """`region` "?" means any, "-" none; `in_libc`: the program's line is in the backtrace."""

    number: int
    line: int
    kind: str
    access: str
    region: str
    in_libc: bool


def _cases() -> Iterator[ErrorCase]:
    lines = PROGRAM.read_text().splitlines()
    marks = {m[1]: n for n, text in enumerate(lines, 1) if (m := _MARK.search(text))}
    for number, text in enumerate(lines, 1):
        if m := _CASE.match(text):
            at = marks[m[5]] if m[5] else number
            yield ErrorCase(int(m[1]), at, m[2], m[3], m[4], bool(m[6]))


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with worker_of(PROGRAM, limits=LIMITS) as found:
        yield found


def test_every_case_is_described() -> None:
    assert len(list(_cases())) == len(re.findall(r"^    case ", PROGRAM.read_text(), re.MULTILINE)) > 70


@pytest.mark.parametrize("case", list(_cases()), ids=lambda case: f"{case.number}-{case.kind}-{case.region}")
def test_the_error_is_found_where_it_is(worker: Worker, case: ErrorCase) -> None:
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
def test_the_safe_twin_is_silent(worker: Worker, case: ErrorCase) -> None:
    run = worker.run(bytes([case.number, 0]))
    assert (run.end, run.code, run.error) == ("exit", 0, None)


def test_recursion_without_stack_objects_overflows_soon(worker: Worker) -> None:
    run = worker.run(bytes([43, 1]))
    assert run.error is not None and run.error.kind == "stack-overflow"
    assert len(run.error.backtrace) == layout.BACKTRACE
    assert run.steps < 20_000_000


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


DECLARED = """#include <klee/klee.h>
int global[2]; volatile int sink;
static int called(int *into, int parameter) {
    int twice[2] = {1, 2}; static int inside[2];
    switch (parameter) {
    case 0: return global[into[0]];
    case 1: return twice[into[0]];
    case 2: return inside[into[0]];
    case 3: return (&parameter)[into[0] - 1];
    case 4: { int twice[5] = {1}; return twice[into[0]]; }
    case 5: return *(int *)(0x1200L + into[0]);
    }
    return *(int *)((char *)called + into[0]);
}
int main(void) {
    int into[1] = {2}; unsigned char c; klee_make_symbolic(&c, 1, "c");
    return called(into, c);
}
"""


@pytest.mark.parametrize(
    ("number", "region", "location"),
    [
        *((0, "global", ("global", "", 2)), (2, "global", ("called.inside", "", 4))),
        *((3, "stack", ("parameter.addr", "called", 3)), (5, "none", None), (6, "none", None)),
        (1, "stack", ("twice", "called", 0)),  # two of that name: no line rather than a wrong one
    ],
)
def test_the_object_is_named_with_its_declaration(
    number: int, region: str, location: tuple[str, str, int] | None, tmp_path: Path
) -> None:
    program = tmp_path / "declared.c"
    program.write_text(DECLARED)
    with worker_of(program, limits=LIMITS) as worker:
        error = worker.run(bytes([number])).error
        assert error is not None and (error.kind, error.region) == ("out-of-bounds", region)
        site = worker.sites[error.object_site] if error.object_site else None
        assert (site and (site.detail, site.function, site.line)) == location
        assert site is None or site.block == 0  # a declaration is no line of code to cover
