"""KLEE's functions keep KLEE's contract: in the engine, and where it applies in native replays."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cinquefoil.cli.main import run
from cinquefoil.testcase.ktest import KTest

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
        ("klee_make_symbolic(&a, 1, NULL);", []),
        ("klee_int((char *)8);", ["symbolic-name"]),
    ],
)
def test_misuse_is_an_error_of_its_own_kind(tmp_path: Path, code: str, found: list[str]) -> None:
    status, summary, _ = explored(tmp_path, code)
    assert kinds(summary) == found
    assert status == bool(found) and summary["exhausted"]


def test_two_errors_of_one_line_are_two(tmp_path: Path) -> None:
    code = "extern char **environ; if (a == 1) free(environ); if (a == 2) free(environ[0]);"
    _, summary, _ = explored(tmp_path, code)
    assert kinds(summary) == ["invalid-free", "invalid-free"]


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


def test_what_has_no_name_is_called_unnamed(tmp_path: Path) -> None:
    code = 'klee_make_symbolic(&a, 1, NULL); if (a + klee_int(NULL) + klee_range(3, 9, "") == 77) abort();'
    _, summary, folder = explored(tmp_path, code)
    assert kinds(summary) == ["abort"]
    test = KTest.read(sorted((folder / "tests").iterdir())[-1])
    assert [name for name, _ in test.objects] == ["a", "b", "unnamed", "unnamed_1", "unnamed_2"]
    assert run(["replay", str(folder)]) == 0


def test_every_function_of_the_header_links_and_runs(tmp_path: Path) -> None:
    code = """klee_int("i"); klee_range(1, 5, "r"); klee_choose(3); klee_prefer_cex(&a, a > 1);
    klee_posix_prefer_cex(&a, a > 1); klee_is_symbolic(a); klee_get_obj_size(&a); klee_check_memory_access(&a, 1);
    klee_print_expr("text", a); klee_print_range("text", a); klee_warning("text"); klee_warning_once("text");
    klee_stack_trace(); klee_mark_global(&a); klee_open_merge(); klee_close_merge(); klee_assert(a < 256);"""
    status, summary, folder = explored(tmp_path, code)
    assert status == 0 and not kinds(summary)
    assert run(["replay", str(folder)]) == 0


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("klee_define_fixed_object", "(void *)0x20000000, 8"), ("klee_alias_function", '"labs", "abs"')],
)
def test_what_is_not_supported_ends_the_path_by_name(tmp_path: Path, name: str, arguments: str) -> None:
    code = f"if (a == 3) {{ {name}({arguments}); *(int *)0x20000000 = labs(0) + 1; }}"
    status, summary, _ = explored(tmp_path, code)
    assert status == 4 and not kinds(summary) and not summary["exhausted"]
    assert isinstance(summary["unsupported"], list) and [each["what"] for each in summary["unsupported"]] == [name]


# ---- messages ----------------------------------------------------------------------------------------------------

TOLD = """\
    int wide = a * 3 - 5;
    klee_warning("first\\033[2J"), klee_warning_once("second");
    for (int i = 0; i < 5000; i++) klee_warning("first\\033[2J");
    klee_print_expr("sum", wide, (long)7, a * 0.5);
    if (a > 20) klee_print_range("wide", wide);
    helper();"""


def told(tmp_path: Path, capfd: pytest.CaptureFixture[str], *words: str) -> tuple[str, str]:
    source = tmp_path / "tells.c"
    helper = "static void helper(void) { klee_stack_trace(); }"
    source.write_text(HEAD.replace("int main", f"{helper}\nint main") + TOLD + "\n    return 0;\n}\n")
    assert run([*words, str(source)]) == 0
    return capfd.readouterr()


@pytest.mark.parametrize("workers", ["1", "2"])
def test_messages_reach_the_user_once_per_location(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], workers: str
) -> None:
    folder = tmp_path / "out"
    _, notes = told(tmp_path, capfd, "run", "--workers", workers, "--no-report", "-o", str(folder))
    lines = [line.partition(" in main: ")[2] for line in notes.splitlines() if " in main: " in line]
    assert sorted(re.sub(r"here \d+, on", "here N, on", line) for line in lines) == [
        r"first\x1b[2J",
        "second",
        "sum: (u32(a) * 3) - 5, here -5",
        "sum: 7",
        "sum: s_to_f64(u32(a)) *. 0.5, here 0.0",
        "wide: (u32(a) * 3) - 5, here N, on this path from 58 to 760",
    ]
    assert "stack at " in notes and "tells.c:5:28 in helper, called from " in notes
    told_of = json.loads((folder / "summary.json").read_text())["warnings"]
    assert sorted(each["kind"] for each in told_of) == [*["expression"] * 3, "range", "stack", "warning", "warning"]
    assert told_of[0]["text"] == "first\x1b[2J" and told_of[0]["line"] == 10


def test_a_trace_shows_messages(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    output, _ = told(tmp_path, capfd, "trace")
    assert "told by the program:" in output
    assert r"first\x1b[2J" in output and "second" in output and "sum: 7" in output and "in helper, called" in output


def test_messages_say_no_more_than_a_run_can_hold(tmp_path: Path) -> None:
    code = "char text[8] = {65}; for (int i = 0; i < 3000; i++) { text[1] = 65 + i % 26; text[2] = 65 + i / 26 % 26;"
    code += "text[3] = 65 + i / 676; klee_warning(text); }"
    status, summary, _ = explored(tmp_path, code)
    assert status == 0 and summary["exhausted"]
    assert isinstance(summary["warnings"], list) and len(summary["warnings"]) == 100


# ---- preferences -------------------------------------------------------------------------------------------------


def contents(folder: Path) -> list[tuple[int, ...]]:
    tests = (KTest.read(path) for path in sorted((folder / "tests").glob("*.ktest")))
    return [tuple(data[0] for _, data in test.objects) for test in tests]


def test_no_more_is_told_of_an_expression_than_anybody_reads(tmp_path: Path) -> None:
    """Millions of terms would take gigabytes and minutes, beyond all limits."""
    body = "unsigned s = a; for (int i = 0; i < 3000; i++) s = (s ^ (s >> 3)) + a;"
    _, summary, _ = explored(tmp_path, body + 'klee_print_expr("deep", s); klee_print_range("deep", s);')
    warnings = summary["warnings"]
    assert isinstance(warnings, list)
    details = [str(each["detail"]) for each in warnings]
    assert len(details) == 2 and all("an expression of more than 2,000 terms" in each for each in details)
    assert sum("its range is not known" in each for each in details) == 1


def test_tests_have_what_the_program_prefers(tmp_path: Path) -> None:
    code = "klee_prefer_cex(&a, (a >= 65) & (a <= 70)); klee_prefer_cex(&b, b == 200); if (a == 9) return 1;"
    _, summary, folder = explored(tmp_path, code)
    assert summary["exhausted"]
    free, fixed = sorted(contents(folder), reverse=True)
    assert 65 <= free[0] <= 70 and free[1] == 200
    assert fixed == (9, 200)  # the second one can be had although the first cannot


def test_earlier_preferences_win_and_no_path_is_cut(tmp_path: Path) -> None:
    code = (
        "klee_prefer_cex(&a, a > 100); klee_posix_prefer_cex(&a, a < 50); if (a < 30) return 1; if (b == a) return 2;"
    )
    _, summary, folder = explored(tmp_path, code)
    assert summary["exhausted"] and summary["tests"] == 3
    assert sorted(a > 100 for a, _ in contents(folder)) == [False, True, True]


def test_the_input_of_an_error_is_a_preferred_one(tmp_path: Path) -> None:
    code = "klee_prefer_cex(&b, b == 77); if (a == 3) abort();"
    _, summary, folder = explored(tmp_path, code)
    assert kinds(summary) == ["abort"] and (3, 77) in contents(folder)


def test_preferences_are_the_same_every_time(tmp_path: Path) -> None:
    code = "klee_prefer_cex(&a, a % 7 == 3); klee_prefer_cex(&b, (a ^ b) > 200); if (a > b) return 1;"
    found = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        found.append(contents(explored(tmp_path / name, code)[2]))
    assert found[0] == found[1]


# ---- forking -----------------------------------------------------------------------------------------------------


def test_without_forking_no_states_are_left(tmp_path: Path) -> None:
    code = "int n = 0; klee_set_forking(0); if (a > 7) n = 1; switch (b) { case 1: n++; case 2: n++; }"
    code += " klee_set_forking(1); if (b > 100) return n;"
    status, summary, _ = explored(tmp_path, code, "--no-variants")
    assert status == 0 and not summary["exhausted"] and summary["reason"] == "done"
    assert isinstance(summary["paths"], dict) and summary["paths"]["completed"] == 2
    assert isinstance(summary["unsupported"], list)
    assert {each["reason"] for each in summary["unsupported"]} == {"forking"}


def test_what_was_decided_without_forking_holds_afterwards(tmp_path: Path) -> None:
    code = "klee_set_forking(0); if (a > 7) return 1; klee_set_forking(1); if (a == 9) abort(); if (a == 5) return 2;"
    _, summary, folder = explored(tmp_path, code, "--no-variants")
    assert kinds(summary) == [] and sorted(a for a, _ in contents(folder)) == [0, 5]


def test_errors_are_found_without_forking_too(tmp_path: Path) -> None:
    _, summary, _ = explored(tmp_path, "klee_set_forking(0); if (b > 3) return 1; a = 200 / (a - 9);", "--no-variants")
    assert kinds(summary) == ["division-by-zero"]
