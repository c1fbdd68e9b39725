"""Large programs begin with code that is quick to generate; what they do is the same."""

from __future__ import annotations

import os
import time
from contextlib import nullcontext
from pathlib import Path

import pytest

from cinquefoil.build.child import Beside
from cinquefoil.build.program import load_program
from cinquefoil.exploration import Options, Outcome
from cinquefoil.exploration.session.session import Task, session_for
from cinquefoil.machine import code_levels
from cinquefoil.machine.code_levels import image_to_begin_with
from cinquefoil.machine.image import own_options
from cinquefoil.machine.objects import ObjectRequest, is_cached


@pytest.fixture(autouse=True)
def everything_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_levels, "LARGE", 0)


def program_of(folder: Path) -> Path:
    """One that no other test has compiled."""
    path = folder / "own.c"
    path.write_text(f'static const char *const name = "{folder}";\n' + SOURCE)
    return path


SOURCE = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int by_rank(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
static double half(double x) { return x / 2; }
static int deep(int n, const char *s) { return n ? deep(n - 1, s) + (s[n & 3] == 'd') : 0; }
int main(int argc, char **argv) {
    char line[8] = {0};
    size_t n = fread(line, 1, 6, stdin);
    qsort(line, n, 1, by_rank);
    switch (line[0]) {
    case 'a': printf("%s %g\\n", line, half(line[1])); break;
    case 'b': return deep(100, line);
    case 'c': return line[line[1] & 15] + (int)strlen(name);
    default: if (!strcmp(line, "zzz")) abort();
    }
    return argc > 1 ? atoi(argv[1]) : 0;
}
"""


def explored(program: Path, compile_first: bool) -> Outcome:
    task = Task(program, ("--sym-stdin", "6"), compile_first=compile_first)
    return session_for(task, Options(max_paths=150, seed=4, every_path=True), load_program(program)).run()


def test_both_kinds_of_code_give_the_same_tests(tmp_path: Path) -> None:
    program = program_of(tmp_path)
    quick, best = (explored(program, compile_first) for compile_first in (False, True))
    assert [test.witness for test in quick.tests] == [test.witness for test in best.tests]
    assert [(error.kind, error.line) for error in quick.errors] == [(error.kind, error.line) for error in best.errors]
    assert quick.statistics.instructions == best.statistics.instructions
    assert quick.errors


def test_better_code_is_made_beside_and_used_the_next_time(tmp_path: Path) -> None:
    program = load_program(program_of(tmp_path))
    first, beside = image_to_begin_with(program, overshift=True, progress=None)
    assert isinstance(beside, Beside)
    with beside:
        while not is_cached(ObjectRequest(program.module_bitcode, own_options(overshift=True))):
            time.sleep(0.01)
    second, nothing = image_to_begin_with(program, overshift=True, progress=None)
    assert isinstance(nothing, nullcontext)
    assert first.path != second.path and len(first.sites) == len(second.sites)


def test_what_is_made_beside_ends_with_the_exploration(tmp_path: Path) -> None:
    began = tmp_path / "began"

    def work() -> None:
        began.write_text(str(os.getpid()))
        while True:
            os.sched_yield()

    with Beside(work, "nothing"):
        while not (began.exists() and began.read_text()):
            os.sched_yield()
    with pytest.raises(ProcessLookupError):
        os.kill(int(began.read_text()), 0)
