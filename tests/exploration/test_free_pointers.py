"""Pointers that are input: one state per object, one for the null page, one for everywhere else."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from cinquefoil.build.program import load_program
from cinquefoil.exploration import Exploration, Options, Outcome
from cinquefoil.exploration.solving.worker_solver import WorkerSolver
from cinquefoil.machine.image import build_image
from cinquefoil.machine.worker import Worker

HEAD = "#include <klee/klee.h>\n#include <stdlib.h>\n#include <string.h>\n"

READ = r"""
int global[4] = {1, 2, 3, 4};
int main(void) {
    int local[3] = {0, 55, 0}, *heap = malloc(16), *p;
    heap[1] = 77;
    klee_make_symbolic(&p, sizeof p, "p");
    if (*p == 77) return 1;
    if (*p == 3) return 2;
    if (*p == 55) return 3;
    return 4 + (local[0] == 9);
}
"""

WRITE = r"""
int global[4];
int main(void) {
    int local[4] = {0}, *heap = calloc(4, 4), *p;
    klee_make_symbolic(&p, sizeof p, "p");
    if ((unsigned long)p & 3) return 0;
    *p = 9;
    if (heap[2] == 9) return 1;
    if (local[1] == 9) return 2;
    if (global[3] == 9) return 3;
    return 4;
}
"""

FIELD = r"""
struct pair { int kind; struct pair *other; };
int main(void) {
    struct pair *known = malloc(sizeof *known), given;
    known->kind = 12;
    known->other = known;
    klee_make_symbolic(&given, sizeof given, "given");
    if (given.kind != 3) return 0;
    if (given.other->kind != 12) return 1;
    return given.other->other == known ? 2 : 3;
}
"""

CALL = r"""
__attribute__((noinline)) int twice(int x) { return 2 * x; }
__attribute__((noinline)) int square(int x) { return x * x; }
int main(int argc, char **argv) {
    int (*f)(int);
    klee_make_symbolic(&f, sizeof f, "f");
    if ((void *)f == (void *)main) return 0;
    int y = f(argc + 4);
    return y == 10 ? 1 : y == 25 ? 2 : 3;
}
"""

FREE = r"""
int main(void) {
    char *a = malloc(8), *b = malloc(8), *p;
    klee_make_symbolic(&p, sizeof p, "p");
    free(p);
    if (!p) return 1;
    return p == a ? 2 : p == b ? 3 : 4;
}
"""

COPY = r"""
char global[8] = "seven";
int main(void) {
    char *p, buffer[6];
    klee_make_symbolic(&p, sizeof p, "p");
    memcpy(buffer, p, 6);
    return strcmp(buffer, "seven") ? 1 : 2;
}
"""

MANY = r"""
int main(void) {
    char *p;
    for (int i = 0; i < 400; i++) malloc(4);
    klee_make_symbolic(&p, sizeof p, "p");
    return *p;
}
"""


def explored(source: str, folder: Path, paths: int = 2000) -> tuple[Outcome, set[int]]:
    """The outcome, and the exit statuses of the tests."""
    program = folder / "program.c"
    program.write_text(HEAD + source)
    image = build_image(load_program(program))
    with Worker(image) as worker:
        chain = WorkerSolver(worker, "bitwuzla")
        outcome = Exploration(worker, chain, Options(every_path=True, max_paths=paths), image.graph).run()
        runs = [worker.run(test.witness) for test in outcome.tests]
        chain.close()
    return outcome, {run.code for run in runs if run.end == "exit"}


def kinds(outcome: Outcome) -> Counter[str]:
    return Counter(error.kind for error in outcome.errors)


@pytest.mark.parametrize(
    ("source", "codes", "errors"),
    [
        (READ, {1, 2, 3, 4}, {"null-pointer": 1, "out-of-bounds": 1}),
        (WRITE, {0, 1, 2, 3, 4}, {"null-pointer": 1, "out-of-bounds": 1}),
        (FREE, {1, 2, 3}, {"invalid-free": 1}),
    ],
    ids=["read", "write", "free"],
)
def test_every_object_is_reached_and_each_error_found_once(
    source: str, codes: set[int], errors: dict[str, int], tmp_path: Path
) -> None:
    outcome, found = explored(source, tmp_path)
    assert codes <= found
    assert {kind: kinds(outcome)[kind] for kind in errors} == errors
    assert outcome.statistics.errors < 150  # not one for every address


def test_a_pointer_inside_a_symbolic_struct_is_followed(tmp_path: Path) -> None:
    outcome, codes = explored(FIELD, tmp_path)
    assert {0, 1, 2} <= codes
    assert kinds(outcome)["null-pointer"] == 1


def test_a_symbolic_function_pointer_is_each_function(tmp_path: Path) -> None:
    outcome, codes = explored(CALL, tmp_path, 100)
    assert {0, 1, 2} <= codes
    assert kinds(outcome)["null-pointer"] == 1


def test_copies_from_a_free_pointer_reach_objects(tmp_path: Path) -> None:
    outcome, codes = explored(COPY, tmp_path, 500)
    assert 2 in codes
    assert kinds(outcome)["null-pointer"] == 1


def test_of_very_many_objects_some_are_left_out_and_that_is_told(tmp_path: Path) -> None:
    outcome, _ = explored(MANY, tmp_path)
    assert any(each.reason == "address" for each in outcome.unsupported)
    assert not outcome.exhausted
