"""The replay library on its own: damaged tests, names, ends, hidden variables."""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path

import pytest

from cinquefoil.build.program import load_program
from cinquefoil.machine.environment import Environment
from cinquefoil.replay.native_build import NativeProgram, build_native
from cinquefoil.replay.native_run import NativeRun, run_natively
from cinquefoil.replay.process import ProcessLimits
from cinquefoil.testcase.ktest import KTest

SHOW = """
#include <klee/klee.h>
#include <stdio.h>
#include <string.h>
extern char **environ;
int main(void)
{
    char a[4], b[4], c[40];
    memset(a, 7, 4); memset(b, 7, 4);
    klee_make_symbolic(a, 4, "x"); klee_make_symbolic(b, 4, "x"); klee_make_symbolic(c, 4, "stdin");
    for (int i = 0; i < 4; i++) printf("%02x%02x%02x ", a[i], b[i], c[i]);
    for (char **v = environ; *v; v++) puts(*v);
    return 0;
}
"""
HANG = "int main(void) { for (;;); }"


@pytest.fixture(scope="module")
def show(tmp_path_factory: pytest.TempPathFactory) -> NativeProgram:
    return native(SHOW, tmp_path_factory.mktemp("show"))


def native(source: str, folder: Path) -> NativeProgram:
    path = folder / "program.c"
    path.write_text(source)
    return build_native(load_program(path))


def run(program: NativeProgram, *objects: tuple[str, bytes], environment: Environment | None = None) -> NativeRun:
    return run_natively(program, KTest.of(objects), environment or Environment(variables=("A=1",)))


def test_objects_of_one_name_are_numbered_and_the_environment_is_clean(show: NativeProgram) -> None:
    found = run(show, ("x_1", b"\4\5\6\7"), ("x", b"\0\1\2\3"), ("stdin", b"\1\1\1\1"))
    assert found.output == b"000401 010501 020601 030701 A=1\n"
    assert not found.notes and found.end == "exit"


def test_names_of_the_environment_are_taken(show: NativeProgram) -> None:
    environment = Environment(stdin=4, variables=())
    found = run(show, ("stdin", b"\1\1\1\1"), ("stdin_1", b"\2\2\2\2"), environment=environment)
    assert found.output == b"000002 000002 000002 000002 "


def test_missing_bytes_are_zero_and_surplus_is_dropped(show: NativeProgram) -> None:
    found = run(show, ("x", b"\1"), ("x_1", b"\2" * 9))
    assert found.output.startswith(b"010200 000200 000200 000200 ")
    assert found.notes == ("1 objects are not in the test: zero", "2 objects have another size in the test")


WHOLE = KTest.of([("x", b"abcd"), ("y", b"")], ["prog", "-a"]).encode()


@pytest.mark.parametrize(
    "data", [WHOLE[:size] for size in range(len(WHOLE))] + [WHOLE[:-8] + struct.pack(">I", 1 << 31) + WHOLE[-4:]]
)
def test_damaged_tests_are_refused(show: NativeProgram, tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "t.ktest"
    path.write_bytes(data)
    done = subprocess.run(
        [show.executable], env={"KTEST_FILE": str(path)}, capture_output=True, timeout=300, check=False
    )
    assert done.returncode == 117 and b"t.ktest" in done.stderr


def test_a_run_that_does_not_end_still_reports_its_blocks(tmp_path: Path) -> None:
    program = native(HANG, tmp_path)
    found = run_natively(program, KTest(), Environment(), ProcessLimits(seconds=0.5))
    assert found.end == "time" and found.report.covered.tolist() == [0, 1]
    assert found.report.entered > len(found.report.trace) > 1000
