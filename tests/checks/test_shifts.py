"""Shifts by too much: one kind of error, however it is looked for, that can be switched off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import cinquefoil
from cinquefoil.cli.main import run as cinq
from cinquefoil.cli.replay_command import replay
from cinquefoil.cli.trace_command import trace
from cinquefoil.errors import UserError

PROGRAM = """
#include <klee/klee.h>
int main(void) {
    unsigned char amount;
    klee_make_symbolic(&amount, 1, "amount");
    unsigned value = 5u << amount;
    if (value == 5u << 3)
        return 1;
    return 0;
}
"""


# Functions in which nothing but debug information tells that no optimiser has been at them: none of their variables
# would become a value, and they choose between values.
UNLIKE = """
#include <klee/klee.h>
#include <setjmp.h>
static unsigned char in[3];
static unsigned value;
static jmp_buf back;
static unsigned jumps(const unsigned char *from) {
    if (!setjmp(back) && from[0] > 250) longjmp(back, 1);
    return from[0] < 9 && from[1] < 9 ? value >> (from[2] & 63) : 0;
}
static unsigned globals(void) { return in[0] < 9 && in[1] < 9 ? value << (in[2] & 63) : 0; }
int main(void) {
    klee_make_symbolic(in, sizeof in, "in");
    return CALL & 1;
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "shift.c"
    path.write_text(PROGRAM)
    return path


@pytest.mark.parametrize("check", ["", "shift", "undefined"])
def test_a_shift_by_too_much_is_of_one_kind(program: Path, check: str) -> None:
    outcome = cinquefoil.explore(program, check=check or ())
    assert [(error.kind, error.line) for error in outcome.errors] == [("overshift", 6)]


@pytest.mark.parametrize("call", ["jumps(in)", "globals()"])
def test_it_is_found_wherever_no_optimiser_has_been(tmp_path: Path, call: str) -> None:
    path = tmp_path / "unlike.c"
    path.write_text(UNLIKE.replace("CALL", call))
    assert {error.kind for error in cinquefoil.explore(path).errors} == {"overshift"}


def test_it_can_be_switched_off(program: Path) -> None:
    outcome = cinquefoil.explore(program, no_check="overshift")
    assert not outcome.errors and outcome.exhausted
    assert sorted(test.objects[0][1][0] % 32 == 3 for test in outcome.tests) == [False, True]


def test_its_tests_replay(program: Path, tmp_path: Path) -> None:
    """Replays compare with a run of the engine, which must not stop at a shift either."""
    folder = tmp_path / "o"
    assert cinq(["run", "--no-check", "overshift", "--every-path", "-o", str(folder), str(program)]) == 0
    assert json.loads((folder / "report.json").read_text())["command"]["no_check"] == ["overshift"]
    done = CliRunner().invoke(replay, [str(folder)], standalone_mode=False)
    assert done.return_value == 0, done.output


def test_a_traced_run_goes_on(program: Path) -> None:
    source = program.parent / "concrete.c"
    source.write_text("int main(int argc, char **argv) { return (argc << (31 + argc)) == 1; }\n")
    assert CliRunner().invoke(trace, [str(source)], standalone_mode=False).return_value == 1
    done = CliRunner().invoke(trace, ["--no-check", "overshift", str(source)], standalone_mode=False)
    assert done.return_value == 0 and "exit status 1" in done.output


def test_other_checks_cannot_be_switched_off(program: Path) -> None:
    with pytest.raises(UserError, match="choose from overshift"):
        cinquefoil.explore(program, no_check="bounds")
