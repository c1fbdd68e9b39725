"""gcov's and the sanitizers' word about tests, and `cinq replay` as a whole."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from cinquefoil.cli.main import run as cinq
from cinquefoil.cli.replay_command import replay
from cinquefoil.errors import UserError
from cinquefoil.replay import sanitize
from cinquefoil.replay.sanitize import Violation
from cinquefoil.testcase.ktest import KTest

needs_gcc = pytest.mark.skipif(shutil.which("gcc") is None or shutil.which("gcov") is None, reason="gcc is not here")

ENDS = """#include <klee/klee.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static int table[4];
int main(void)
{
    unsigned char x;
    klee_make_symbolic(&x, 1, "x");
    if (x == 1)
        _exit(1);
    if (x == 2)
        abort();
    if (x == 3)
        raise(SIGSEGV);
    if (x == 4)
        exit(4);
    if (x == 5)
        for (;;) table[0]++;
    klee_assume(x != 6);
    if (x == 7)
        return table[x];
    if (x == 8)
        return 0x7fffffff + x;
    return 0;
}
"""


def suite(folder: Path, source: str, *values: int) -> Path:
    """An output folder with one test per value of x."""
    program = folder / "ends.c"
    program.write_text(source)
    (folder / "tests").mkdir()
    (folder / "summary.json").write_text(json.dumps({"program": str(program)}))
    for number, value in enumerate(values, 1):
        KTest.of([("x", bytes([value]))], [str(program)]).write(folder / "tests" / f"{number:06d}.ktest")
    return folder


def invoke(*arguments: str | Path) -> tuple[int, str]:
    done = CliRunner().invoke(replay, [str(a) for a in arguments], standalone_mode=False)
    assert done.exception is None, done.exception
    return done.return_value, done.stdout


def test_all_ways_of_ending_agree_with_the_engine(tmp_path: Path) -> None:
    status, output = invoke(suite(tmp_path, ENDS, *range(9)), "--json", "--max-time", "3s")
    rows = json.loads(output)["tests"]
    assert [row["differences"] for row in rows] == [[]] * 9 and status == 0
    assert [(row["end"], row["status"]) for row in rows[:5]] == [
        ("exit", 0),
        ("exit", 1),
        ("signal", -6),
        ("signal", -11),
        ("exit", 4),
    ]
    assert [row["end"] for row in rows[5:7]] == ["time", "assume"]


@needs_gcc
@pytest.mark.parametrize("value", [1, 2, 3, 4, 5])
def test_counters_survive_every_end(tmp_path: Path, value: int) -> None:
    _, output = invoke(suite(tmp_path, ENDS, value), "--coverage", "--json", "--max-time", "3s")
    lines, _ = json.loads(output)["lines"]
    # main, the input, the conditions up to the one that holds, and what follows it; gcov derives counts from the
    # flow in and out of blocks, and a loop that is interrupted has none out.
    assert 0 <= lines - (3 + value) <= (value == 5)


@needs_gcc
def test_coverage_adds_up_over_tests(tmp_path: Path) -> None:
    _, output = invoke(suite(tmp_path, ENDS, 0, 1, 2, 3, 4, 7, 8), "--coverage")
    assert "total: lines 17 of 18" in output and "ends.c" in output


@needs_gcc
def test_violations_are_listed_once_with_their_tests(tmp_path: Path) -> None:
    status, output = invoke(suite(tmp_path, ENDS, 0, 7, 7, 8), "--sanitize", "address,undefined", "--json")
    rows = json.loads(output)["violations"]
    locations = {Path(row["place"]).name.split(" ")[0]: row["tests"] for row in rows}
    assert status == 1
    assert locations["ends.c:22:21"] == ["tests/000002.ktest", "tests/000003.ktest"]
    assert locations["ends.c:24:27"] == ["tests/000004.ktest"]


@needs_gcc
def test_a_clean_program_has_no_violations(tmp_path: Path) -> None:
    status, output = invoke(suite(tmp_path, ENDS, 0, 4), "--sanitize", "address,undefined")
    assert (status, output) == (0, "0 distinct violations\n")


def test_reports_of_sanitizers_are_read() -> None:
    text = """a.c:3:5: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'
a.c:3:5: runtime error: signed integer overflow: 5 + 2147483647 cannot be represented in type 'int'
==12==ERROR: AddressSanitizer: heap-use-after-free on address 0x602 at pc 0x1 bp 0x2 sp 0x3
READ of size 4 at 0x602 thread T0
    #0 0x7f in __interceptor_memcpy ../../../../src/libsanitizer/x.inc:827
    #1 0x55 in work b.c:9
"""
    assert sanitize.violations(text) == [
        Violation("signed integer overflow: N + N cannot be represented in type 'int'", "a.c:3:5"),
        Violation("heap-use-after-free", "b.c:9 work"),
    ]
    with pytest.raises(UserError, match="thread"):
        sanitize.flags(["thread"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "no such directory"),
        (["empty"], "holds no tests"),
        (["full", "--program", "gone.c"], "gone.c is not here"),
        (["full", "--native", "gone"], "no such file"),
        (["full", "--coverage", "--sanitize", "address"], "one at a time"),
        (["full", "--sanitize", "magic"], "magic is not known"),
        (["damaged"], "summary.json is damaged"),
    ],
)
def test_mistakes_are_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("full", "damaged"):
        (tmp_path / name).mkdir()
        suite(tmp_path / name, ENDS, 0)
    (tmp_path / "damaged" / "summary.json").write_text("{")
    assert cinq(["replay", str(tmp_path / arguments[0]), *arguments[1:]]) == 2
    said = capsys.readouterr().err
    assert message in said and said.count("\n") == 1


EMPTYING = """#include <klee/klee.h>
extern char **environ;
int main(void)
{
    static char *nothing[1];
    unsigned char x;
    klee_make_symbolic(&x, 1, "x");
    environ = nothing;
    return x;
}
"""


@needs_gcc
def test_counters_of_a_program_that_empties_its_environment(tmp_path: Path) -> None:
    status, output = invoke(suite(tmp_path, EMPTYING, 0), "--coverage", "--json")
    assert status == 0 and json.loads(output)["lines"] == [4, 4]
