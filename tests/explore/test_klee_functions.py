"""KLEE's functions keep KLEE's contract: in the engine, and where it applies in native replays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cinquefoil.cli.main import run

HEAD = """\
#include <klee/klee.h>
#include <errno.h>
#include <stdlib.h>
static unsigned char a, b;
int main(void) {
    klee_make_symbolic(&a, 1, "a");
    klee_make_symbolic(&b, 1, "b");
"""


def explored(tmp_path: Path, code: str, *options: str) -> tuple[int, dict[str, object], Path]:
    source, folder = tmp_path / "uses.c", tmp_path / "out"
    source.write_text(f"{HEAD}    {code}\n    return 0;\n}}\n")
    status = run(["run", "--no-report", "-o", str(folder), *options, str(source)])
    return status, json.loads((folder / "summary.json").read_text()), folder


def kinds(summary: dict[str, object]) -> list[str]:
    assert isinstance(summary["errors"], list)
    return [error["kind"] for error in summary["errors"]]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("klee_assume(0);", ["false-assumption"]),
        ("if (a == 3) klee_assume(a > 4);", ["false-assumption"]),
        ("if (a < 3) if (b > a) klee_assume(b == 0);", ["false-assumption"]),
        ("klee_assume(a < 9); klee_assume(a >= 9);", ["false-assumption"]),
        ("klee_assume(a > 4);", []),
        ("static int t[256]; t[a] = 1; klee_assume(a == 3);", []),
        ("void __VERIFIER_assume(int); if (a == 3) __VERIFIER_assume(0);", []),
        ('klee_make_symbolic(&a, 2, "c");', ["symbolic-size"]),
        ('int *whole = malloc(4); klee_make_symbolic(whole, 8, "c"); free(whole);', ["symbolic-size"]),
        ('int whole; klee_make_symbolic((char *)&whole + 1, 2, "c");', []),
        ("klee_make_symbolic(&a, 1, (char *)8);", ["symbolic-name"]),
        ("char name[2] = {65, 66}; klee_make_symbolic(&a, 1, name);", ["symbolic-name"]),
        ('klee_make_symbolic(&a, 1, "");', []),
    ],
)
def test_misuse_is_an_error_of_its_own_kind(tmp_path: Path, code: str, found: list[str]) -> None:
    status, summary, _ = explored(tmp_path, code)
    assert kinds(summary) == found
    assert status == bool(found) and summary["exhausted"]


def test_a_false_assumption_is_found_by_several_workers(tmp_path: Path) -> None:
    _, summary, _ = explored(tmp_path, "if (a < 3) if (b > a) klee_assume(b == 0);", "--workers", "2")
    assert kinds(summary) == ["false-assumption"]


def test_a_value_is_given_without_a_constraint(tmp_path: Path) -> None:
    code = "int chosen = klee_get_value_i32(a + 1);\n    if (chosen != 1) abort();\n    if (a == 200) return 1;"
    _, summary, folder = explored(tmp_path, code)
    assert isinstance(summary["paths"], dict)
    assert kinds(summary) == ["abort"]  # the input that takes a == 200, for which the value is another one
    assert not summary["exhausted"] and len(list((folder / "tests").iterdir())) == 2
    assert "klee_get_value" in json.dumps(summary["unsupported"])


@pytest.mark.parametrize("suffix", ["f", "d", "l", "ll", "_i32", "_i64"])
def test_every_kind_of_value(tmp_path: Path, suffix: str) -> None:
    status, summary, _ = explored(tmp_path, f"if (klee_get_value{suffix}(a) != 0) abort();")
    assert status == 0 and summary["paths"] == summary["paths"] | {"completed": 1}


def test_replays_know_that_they_are_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = "errno = 7;\n    if (klee_get_errno() != 7) abort();\n    if (klee_is_replay()) return 5;"
    status, summary, folder = explored(tmp_path, code)
    assert status == 0 and summary["exhausted"]
    assert run(["replay", str(folder)]) == 1
    assert "exit 5" in capsys.readouterr().out


def test_every_function_of_the_header_links_and_runs(tmp_path: Path) -> None:
    code = """klee_int("i"); klee_range(1, 5, "r"); klee_choose(3); klee_prefer_cex(&a, a > 1);
    klee_posix_prefer_cex(&a, a > 1); klee_is_symbolic(a); klee_get_obj_size(&a); klee_check_memory_access(&a, 1);
    klee_print_expr("text", a); klee_print_range("text", a); klee_warning("text"); klee_warning_once("text");
    klee_stack_trace(); klee_mark_global(&a); klee_open_merge(); klee_close_merge(); klee_assert(a < 256);"""
    status, summary, folder = explored(tmp_path, code)
    assert status == 0 and not kinds(summary)
    assert run(["replay", str(folder)]) == 0
