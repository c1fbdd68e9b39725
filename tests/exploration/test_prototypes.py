"""Calls whose prototype disagrees with the function: the shadow is of another width than the value has there."""

from __future__ import annotations

from pathlib import Path

from cinquefoil.build.program import load_program
from cinquefoil.exploration import Exploration, Options, Outcome
from cinquefoil.exploration.solving.worker_solver import WorkerSolver
from cinquefoil.machine.image import build_image
from cinquefoil.machine.worker import Worker

LIBRARY = r"""
#include <klee/klee.h>
void *malloc(unsigned int size);
void *calloc(unsigned short count, int each);
void *realloc(void *p, unsigned int size);
void *memset(void *p, char byte, unsigned int n);
void *memcpy(void *to, const void *from, unsigned short n);
void free(long p);
int main(void) {
    unsigned char c;
    int n;
    klee_make_symbolic(&n, sizeof n, "n");
    klee_make_symbolic(&c, sizeof c, "c");
    if (n <= 1 || n >= 1000) return 0;
    char *p = malloc(sizeof(int) * n), *q = calloc(n, 2);
    ((int *)p)[n - 1] = 1;
    memset(p, c, n);
    memcpy(q, p, n);
    char *r = realloc(p, n);
    if (q[n - 1] == 7 && r[0] == 7) return 1;
    free((long)r);
    return 2;
}
"""

OWN = r"""
#include <klee/klee.h>
int narrow(), wide(), chosen(), divided();
int main(void) {
    unsigned char c;
    int n;
    klee_make_symbolic(&n, sizeof n, "n");
    klee_make_symbolic(&c, sizeof c, "c");
    if (narrow(n * 0x100000001l)) return 1;
    if (wide(n) == 7) return 2;
    if (chosen(c + 1l)) return 3;
    return divided(c + 1l) == 50 ? 4 : 5;
}
int narrow(n) int n; { return n == 5; }
int wide(n) long n; { return (int)n; }
int chosen(n) int n; { switch (n) { case 1: case 9: return 1; default: return 0; } }
int divided(n) int n; { if (100 / n == 50) return 50; return 1; }
"""


def explored(source: str, folder: Path) -> tuple[Outcome, set[int]]:
    program = folder / "program.c"
    program.write_text(source)
    image = build_image(load_program(program))
    with Worker(image) as worker:
        chain = WorkerSolver(worker, "bitwuzla")
        outcome = Exploration(worker, chain, Options(every_path=True, max_paths=2000), image.graph).run()
        codes = {worker.run(test.witness).code for test in outcome.tests}
        chain.close()
    return outcome, codes


def test_library_functions_may_be_declared_with_other_types(tmp_path: Path) -> None:
    outcome, codes = explored(LIBRARY, tmp_path)
    assert outcome.reason == "done"  # of so many sizes, some are given up
    assert not outcome.errors
    assert codes == {0, 1, 2}


def test_functions_of_the_program_may_be_called_without_a_prototype(tmp_path: Path) -> None:
    outcome, codes = explored(OWN, tmp_path)
    assert outcome.exhausted
    assert codes == {1, 2, 3, 4, 5}
    assert not outcome.statistics.diverged
