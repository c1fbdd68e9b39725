"""Errors after a function has returned name the variable whose address outlived it."""

from __future__ import annotations

from pathlib import Path

import pytest
from traced import worker_of

PROGRAM = """\
#include <klee/klee.h>
static int *kept;
static __attribute__((noinline)) void small(void) { int one[2]; one[1] = 5; kept = &one[1]; }
static __attribute__((noinline)) void deep(int n) {
    int before[4], wide[100];
    before[0] = n;
    wide[40] = before[0];
    if (n) deep(n - 1);
    else kept = &wide[40];
}
static __attribute__((noinline)) void covered(void) { deep(3); small(); }
int main(void) {
    unsigned char which;
    klee_make_symbolic(&which, 1, "which");
    if (which == 1) small();
    if (which == 2) deep(0);
    if (which == 3) deep(7);
    if (which == 4) covered();
    return kept ? *kept : 0;
}
"""
CASES = [(1, 3, 8, 4), (2, 5, 400, 160), (3, 5, 400, 160), (4, 3, 8, 4)]


@pytest.mark.parametrize(("which", "line", "size", "offset"), CASES)
def test_the_variable_is_named(which: int, line: int, size: int, offset: int, tmp_path: Path) -> None:
    path = tmp_path / "left.c"
    path.write_text(PROGRAM)
    with worker_of(path) as worker:
        error = worker.run(bytes([which])).error
        assert error is not None and (error.kind, error.region) == ("use-after-return", "stack")
        assert (error.object_size, error.address - error.object_base) == (size, offset)
        assert worker.sites[error.object_site].line == line
        assert worker.run(b"\0").error is None
