"""Runs that end in a failed assumption: counted, no tests; what lies behind the assumption is found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cinquefoil.cli.main import run
from cinquefoil.testcase.ktest import KTest

BEHIND = """\
#include <klee/klee.h>
int main(void) {
    unsigned x;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_assume(x > 100);
    unsigned twice = x * 2;
    klee_assert(twice != 4002);
    return 0;
}
"""
DEEP = """\
#include <klee/klee.h>
int main(void) {
    unsigned char text[6];
    klee_make_symbolic(text, sizeof text, "text");
    for (int i = 0; i < 6; i++)
        klee_assume(text[i] == "secret"[i]);
    for (int i = 0; i < 6; i++)
        if (text[i] == 'r')
            return 1;
    return 0;
}
"""
UNPROVEN = """\
#include <klee/klee.h>
static int flag;
int main(void) {
    unsigned char a, b;
    klee_make_symbolic(&a, 1, "a");
    klee_make_symbolic(&b, 1, "b");
    if (a != b)
        flag = 1;
    klee_assume(b == 9);
    return flag;
}
"""
SILENT = """\
#include <klee/klee.h>
int main(void) {
    unsigned char a;
    klee_make_symbolic(&a, 1, "a");
    if (a < 10)
        klee_silent_exit(0);
    return 0;
}
"""


def explore(tmp_path: Path, text: str, *options: str) -> tuple[dict[str, dict[str, int]], list[dict[str, bytes]]]:
    source, folder = tmp_path / "assumes.c", tmp_path / "out"
    source.write_text(text)
    run(["run", "--no-report", "-o", str(folder), *options, str(source)])
    summary = json.loads((folder / "summary.json").read_text())
    return summary, [dict(KTest.read(path).objects) for path in sorted((folder / "tests").iterdir())]


@pytest.mark.parametrize("search", [[], ["--search", "dfs"], ["--search", "sgs"], ["--no-variants"]])
def test_tests_satisfy_the_assumption(tmp_path: Path, search: list[str]) -> None:
    summary, tests = explore(tmp_path, BEHIND, *search)
    values = [int.from_bytes(test["x"], "little") for test in tests]
    assert all(value > 100 for value in values) and 2001 in [value & 0x7FFFFFFF for value in values]
    assert summary["paths"]["assumed"] == 1 and summary["exhausted"]
    assert summary["coverage"]["lines"] == [5, 5]


def test_a_test_of_every_path_is_labelled(tmp_path: Path) -> None:
    _, tests = explore(tmp_path, BEHIND, "--every-path")
    whys = [test["why"] for test in json.loads((tmp_path / "out" / "report.json").read_text())["tests"]]
    below = [int.from_bytes(test["x"], "little") <= 100 for test in tests]
    assert [why == "assumed" for why in whys] == below and True in below


def test_what_lies_behind_assumptions_comes_next(tmp_path: Path) -> None:
    summary, tests = explore(tmp_path, DEEP, "--max-paths", "1", "--search", "bfs")
    assert tests == [{"text": b"secret"}] and summary["paths"]["assumed"] == 6


def test_what_only_a_failed_assumption_covered_still_gets_a_test(tmp_path: Path) -> None:
    _, tests = explore(tmp_path, UNPROVEN)
    assert all(test["b"] == b"\x09" for test in tests)
    assert {test["a"] == b"\x09" for test in tests} == {True, False}


@pytest.mark.parametrize("option", [[], ["--every-path"]])
def test_a_silent_exit_is_no_test(tmp_path: Path, option: list[str]) -> None:
    _, tests = explore(tmp_path, SILENT, *option)
    assert tests and all(test["a"] >= b"\x0a" for test in tests)


def test_several_workers_agree(tmp_path: Path) -> None:
    summary, tests = explore(tmp_path, UNPROVEN, "--workers", "2")
    assert summary["exhausted"] and all(test["b"] == b"\x09" for test in tests) and len(tests) == 2
