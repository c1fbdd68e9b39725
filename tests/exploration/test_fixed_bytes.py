"""What an equality has fixed is not asked about again: look-ups, writes and branches over it leave no states."""

from __future__ import annotations

from pathlib import Path

import pytest

from cinquefoil.api import explore

READ = """
#include <klee/klee.h>
static const int next[16] = {3, 7, 1, 0, 9, 11, 2, 5, 4, 6, 8, 10, 12, 13, 15, 14};
static const int price[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
int main(void)
{
    unsigned x[4], sum = 0;
    klee_make_symbolic(x, sizeof x, "x");
    for (unsigned i = 0; i < 4; i++) {
        if (x[i] != 5 + i) return i;
        int k = next[x[i]];
        if (price[k] > 4) sum++;
        if (price[k] > 8) sum++;
    }
    return sum;
}
"""
WRITE = """
#include <klee/klee.h>
int main(void)
{
    unsigned x, sum = 0;
    unsigned char y, flags[32] = {0};
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    klee_assume(x == 5);
    flags[x] = y;
    for (int i = 0; i < 32; i++)
        if (flags[i] > 100) sum++;
    return sum;
}
"""


@pytest.mark.parametrize(("source", "paths"), [(READ, 5), (WRITE, 2)], ids=["read", "write"])
def test_a_fixed_index_leaves_only_states_that_can_be_reached(tmp_path: Path, source: str, paths: int) -> None:
    (tmp_path / "program.c").write_text(source)
    outcome = explore(tmp_path / "program.c", search="bfs")
    assert outcome.exhausted
    assert outcome.statistics.completed == paths
    assert outcome.statistics.infeasible == 0


SHARED = """
#include <klee/klee.h>
int main(void)
{
    unsigned char b[60];
    klee_make_symbolic(b, sizeof b, "b");
    int all = b[0] == 'x';
    for (int i = 1; i < 59; i++) {
        int left = all & (b[i] > 3), right = all & (b[i + 1] < 200);
        all = left & right;
    }
    if (all) return 1;
    return 0;
}
"""


def test_a_condition_whose_parts_share_parts_is_not_followed_for_ever(tmp_path: Path) -> None:
    (tmp_path / "program.c").write_text(SHARED)
    outcome = explore(tmp_path / "program.c", search="bfs", max_time=60, clock="cpu")
    assert outcome.exhausted
    assert outcome.statistics.completed == 2
