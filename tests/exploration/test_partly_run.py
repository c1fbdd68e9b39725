"""A run that ends in the middle of a block covers what came before its end, and nothing more."""

from __future__ import annotations

from pathlib import Path

import pytest

from cinquefoil.build.program import load_program
from cinquefoil.exploration.runs.coverage import Coverage
from cinquefoil.machine.image import build_image
from cinquefoil.machine.worker import Limits, Worker

HEAD = """\
#include <klee/klee.h>
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf place;
static int zero, *nowhere;
static void stop(int how) {
    if (how == 1)
        exit(0);
    if (how == 2)
        klee_silent_exit(0);
    if (how == 3)
        longjmp(place, 1);
    if (how == 4)
        klee_assume(zero != 0);
}
int main(void) {
    int x;
    klee_make_symbolic(&x, sizeof x, "x");
"""
FIRST = HEAD.count("\n") + 1


def program(*lines: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in lines) + "    return 0;\n}\n"


def lines_run(tmp_path: Path, text: str, limits: Limits | None = None) -> tuple[Coverage, set[int]]:
    """The numbers, from 1 on, of the lines given to `program` that one run covered."""
    source = tmp_path / "ends.c"
    source.write_text(text)
    image = build_image(load_program(source), blocks=True)
    coverage = Coverage(image.sites)
    with Worker(image, limits=limits) as worker:
        coverage.add(worker.run(b""))
        coverage_run = worker.coverage_run(b"", 1_000_000).covered
        assert coverage.seen[coverage_run].all() or limits is not None
    return coverage, {line - FIRST + 1 for (_, line), hit in coverage.lines().items() if hit}


@pytest.mark.parametrize(
    ("end", "name"),
    [
        ("klee_assume(x > 100);", "assumption"),
        ("stop(1);", "exit"),
        ("stop(2);", "silent"),
        ("stop(4);", "assumption in a callee"),
        ("*nowhere = 1;", "null pointer"),
        ("zero = 5 / zero;", "division"),
        ("abort();", "abort"),
    ],
)
def test_lines_behind_the_end_of_a_run_are_not_covered(tmp_path: Path, end: str, name: str) -> None:
    coverage, run = lines_run(tmp_path, program("zero = 0;", end, "zero = 3;", "zero += x;"))
    assert run & {1, 2, 3, 4} == {1, 2}
    assert coverage.figures().functions[0] >= 1


def test_what_ran_in_an_earlier_round_of_a_loop_counts(tmp_path: Path) -> None:
    text = program("for (int i = 0; i < 3; i++) {", "zero += 10 / (2 - i);", "zero++;", "}", "zero = 7;")
    _, run = lines_run(tmp_path, text)
    assert run & {1, 2, 3, 5} == {1, 2, 3}


def test_a_jump_back_leaves_the_rest_of_the_block_uncovered(tmp_path: Path) -> None:
    _, run = lines_run(tmp_path, program("if (setjmp(place) == 0) {", "stop(3);", "zero = 1;", "}", "zero = 2;"))
    assert run & {1, 2, 3, 5} == {1, 2, 5}


def test_the_direction_into_a_block_that_fails_at_once_was_taken(tmp_path: Path) -> None:
    coverage, run = lines_run(tmp_path, program("if (x == 0)", "*nowhere = 1;", "zero = 1;"))
    assert run & {1, 2, 3} == {1, 2}
    sites = coverage.sites
    (branch,) = [s for s in sites if s.kind == "branch" and not s.library and s.line == FIRST]
    assert [bool(coverage.seen[edge]) for edge in branch.edges].count(True) == 1


def test_a_run_cut_by_a_limit_covers_what_it_ran(tmp_path: Path) -> None:
    text = program("zero = 1;", "for (;;)", "zero++;", "zero = 2;")
    _, run = lines_run(tmp_path, text, Limits(instructions=100_000))
    assert run & {1, 3, 4} == {1, 3}


def test_a_run_cut_by_the_number_of_events_covers_what_it_ran(tmp_path: Path) -> None:
    text = program("unsigned char *t = (unsigned char *)&x;", "zero = 10 / (5 - t[0]);", "zero += 10 / (5 - t[1]);",
                   "zero += 10 / (5 - t[2]);")  # fmt: skip
    _, run = lines_run(tmp_path, text, Limits(events=1))
    assert run & {2, 3, 4} == {2, 3}


def test_a_block_is_covered_when_its_end_was_reached(tmp_path: Path) -> None:
    coverage, _ = lines_run(tmp_path, program("stop(1);", "zero = 1;"))
    whole, _ = lines_run(tmp_path, program("stop(0);", "zero = 1;"))
    (covered, total), (all_covered, _) = coverage.figures().blocks, whole.figures().blocks
    # `stop` is entered and its first condition holds, but the end of `main`'s only block is missing.
    assert (covered, all_covered) == (2, 6) and total == 10
