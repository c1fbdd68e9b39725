"""Functions that nobody defines: an error of their own kind where they are called, and only there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cinquefoil.build.program import load_program
from cinquefoil.cli.main import run
from cinquefoil.machine.elf import defined_symbols
from cinquefoil.machine.image import build_image, runtime_objects

PROGRAM = """
#include <klee/klee.h>
int absent(int, const char *);
double __VERIFIER_nondet_complex(void);
int named_so(void) __asm__("of.another$language");
static int (*chosen)(int, const char *) = absent;
int main(void) {
    unsigned char x;
    klee_make_symbolic(&x, 1, "x");
    switch (x) {
    case 3:
        return absent(1, "one");
    case 4:
        return chosen(2, "two");
    case 5:
        return __VERIFIER_nondet_complex() > 1;
    case 6:
        return named_so();
    }
    return 0;
}
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("calls.c").write_text(PROGRAM)
    return Path("calls.c")


def test_each_call_is_an_error(program: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "--no-report", "-o", "out", str(program)]) == 1
    assert capfd.readouterr().err.splitlines() == [
        "note: 3 undefined functions, an error if called: __VERIFIER_nondet_complex, absent, of.another$language"
    ]
    summary = json.loads(Path("out/summary.json").read_text())
    assert summary["exhausted"] and summary["paths"]["error"] == 4
    assert {(error["kind"], error["message"], error["line"], error["confirmed"]) for error in summary["errors"]} == {
        ("undefined-function", "absent", 12, True),
        ("undefined-function", "absent", 14, True),
        ("undefined-function", "__VERIFIER_nondet_complex", 16, True),
        ("undefined-function", "of.another$language", 18, True),
    }


def test_native_replays_end_there_too(program: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run(["run", "--no-report", "-o", "out", str(program)])
    capfd.readouterr()
    assert run(["replay", "out"]) == 0
    assert "5 tests replayed, 0 diverging: 4 abort, 1 exit 0" in capfd.readouterr().out
    assert run(["mutants", "out"]) == 0


def test_a_defined_program_has_no_stand_ins(tmp_path: Path) -> None:
    source = tmp_path / "whole.c"
    source.write_text("int weak(void) __attribute__((weak));\nint main(void) { return weak ? weak() : 0; }\n")
    assert build_image(load_program(source)).undefined == ()


def test_the_run_times_own_functions_are_known() -> None:
    found = frozenset[str]().union(*map(defined_symbols, runtime_objects()))
    assert {"klee_make_symbolic", "__VERIFIER_nondet_int", "malloc", "cinq_undefined"} <= found
    assert "host_call" not in found and "__start_cinq_functions" not in found
