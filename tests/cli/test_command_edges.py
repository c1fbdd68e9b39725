"""The command line at its edges: notes about likely mistakes, odd names, closed and full streams, damaged tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from ast import literal_eval
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

import cinquefoil
from cinquefoil.cli.main import run
from cinquefoil.errors import UserError
from cinquefoil.testcase.ktest import KTest
from cinquefoil.testcase.readable import quoted_text

CONCRETE = "int main(int count, char **words) { return count > 3 && words[1][0] == 'x'; }\n"
SYMBOLIC = """
#include <klee/klee.h>
int main(void) {
    char x;
    klee_make_symbolic(&x, 1, "x");
    if (x == 3) return 1;
    return 0;
}
"""
OVERRUN = """
#include <klee/klee.h>
int main(void) {
    char line[4] = {0};
    unsigned at;
    klee_make_symbolic(&at, sizeof at, "at");
    if (at == 6) line[at] = 1;
    return line[0];
}
"""
COMMAND = (sys.executable, "-m", "cinquefoil.cli")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("fixed.c").write_text(CONCRETE)
    Path("free.c").write_text(SYMBOLIC)
    return tmp_path


def notes(words: Sequence[str], capfd: pytest.CaptureFixture[str], status: int = 0) -> list[str]:
    found = run(["run", "--no-report", *words])
    said = capfd.readouterr()
    assert found == status, said.err + said.out
    return said.err.splitlines()


# ---- likely mistakes -------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("folder")
def test_a_program_without_symbolic_input(capfd: pytest.CaptureFixture[str]) -> None:
    (said,) = notes(["fixed.c"], capfd)
    assert said.startswith("note: no input is symbolic") and "--sym-stdin" in said and "klee_make_symbolic" in said


@pytest.mark.usefixtures("folder")
def test_symbolic_input_needs_no_note(capfd: pytest.CaptureFixture[str]) -> None:
    assert notes(["free.c"], capfd) == []
    assert notes(["fixed.c", "--sym-arg", "2", "--other", "-v"], capfd) == []


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("word", "meant"),
    [("--sym-std", "--sym-stdin"), ("--sym-stdin=4", "--sym-stdin"), ("-sim-arg", "--sym-arg"), ("--sym-wide", "")],
)
def test_a_misspelt_symbolic_option(word: str, meant: str, capfd: pytest.CaptureFixture[str]) -> None:
    first, *_ = notes(["free.c", word, "4"], capfd)
    assert first.startswith(f"note: {word} is given to the program") and (
        not meant or f"did you mean {meant}," in first
    )


@pytest.mark.usefixtures("folder")
def test_an_option_behind_the_program(capfd: pytest.CaptureFixture[str]) -> None:
    (said,) = notes(["free.c", "--max-time", "5s"], capfd)
    assert said == "note: --max-time is given to the program; options of cinq run stand before the program"
    assert notes(["free.c", "--help"], capfd) == []


@pytest.mark.usefixtures("folder")
def test_multiplex_and_meld_may_stand_alone(capfd: pytest.CaptureFixture[str]) -> None:
    assert notes(["-o", "both", "--multiplex", "--meld", "free.c"], capfd) == []
    options = json.loads(Path("both/summary.json").read_text())["options"]
    assert len(options["multiplex"]) > 1 and options["meld"] == "auto"
    assert notes(["-o", "some", "--multiplex", "simplex", "--multiplex", "sweep", "free.c"], capfd) == []
    assert json.loads(Path("some/summary.json").read_text())["options"]["multiplex"] == ["simplex", "sweep"]
    (said,) = notes(["free.c", "--multiplex", "free.c"], capfd)
    assert said.startswith("note: --multiplex is given to the program;")


@pytest.mark.usefixtures("folder")
def test_a_variable_without_a_value(capfd: pytest.CaptureFixture[str]) -> None:
    (said,) = notes(["--env", "COLOUR", "free.c"], capfd, 2)
    assert said == "cinq: error: there is no variable COLOUR to take away; COLOUR=VALUE sets it"
    assert notes(["--env", "HOME", "free.c"], capfd) == []


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", ["program.cpp", "program.rs", "program.f90", "program"])
def test_other_languages(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    Path(name).write_text("int main() {}\n")
    (said,) = notes([name], capfd, 2)
    assert said.startswith(f"cinq: error: {name}: only C (.c, .i), LLVM bitcode")
    assert run(["build", name, "-o", "out.bc"]) == 2
    assert "only C" in capfd.readouterr().err


@pytest.mark.usefixtures("folder")
def test_a_device(capfd: pytest.CaptureFixture[str]) -> None:
    assert notes(["/dev/null"], capfd, 2) == ["cinq: error: /dev/null: is no ordinary file"]


@pytest.mark.usefixtures("folder")
def test_an_unknown_program_to_compare(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "-c", "dfs", "nothing --sym-stdin 4"]) == 2
    assert capfd.readouterr().err.startswith("cinq: error: nothing: neither a file nor the name of a subject")
    assert not Path("cinq-compare").exists()


# ---- what runs leave -------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("words", [["free.c", "--sym-stdin", "0"], ["--file", "big", "free.c"], ["missing.c"]])
def test_a_run_that_cannot_begin_leaves_no_folder(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    Path("big").write_bytes(bytes(64 << 20))
    notes(["-o", "a/b", *words], capfd, 2)
    assert not Path("a").exists()


def test_a_failed_start_takes_away_only_what_it_made(folder: Path) -> None:
    kept = folder / "out" / "world" / "mine"
    kept.parent.mkdir(parents=True)
    kept.write_text("kept")
    (folder / "big").write_bytes(bytes(64 << 20))
    with pytest.raises(UserError, match="bytes"):
        cinquefoil.explore("free.c", output="out", files=["big"])
    assert [path.name for path in (folder / "out").rglob("*") if path.is_file() and path.name != "big"] == ["mine"]


@pytest.mark.usefixtures("folder")
def test_two_runs_do_not_share_a_folder() -> None:
    cinquefoil.explore("free.c", output="out", report=False)
    with pytest.raises(UserError, match="holds the tests of an earlier run"):
        cinquefoil.explore("free.c", output="out", report=False)


@pytest.mark.usefixtures("folder")
def test_an_error_comes_with_its_message(capfd: pytest.CaptureFixture[str]) -> None:
    Path("overrun.c").write_text(OVERRUN)
    assert run(["run", "--no-report", "-o", "out", "overrun.c"]) == 1
    told = "write of 1 byte at offset 6 of a stack object 'line' of 4 bytes"
    assert f"error: out-of-bounds: {told} at overrun.c:7 in main" in capfd.readouterr().out
    (error,) = json.loads(Path("out/summary.json").read_text())["errors"]
    assert error["message"] == told


@pytest.mark.usefixtures("folder")
def test_one_of_a_thing_is_singular(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "--no-report", "-o", "out", "fixed.c"]) == 0
    assert run(["replay", "out"]) == 0
    said = capfd.readouterr().out
    assert "1 path in" in said and "1 test in" in said and "1 test replayed" in said


# ---- names, streams --------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("folder")
def test_a_name_that_is_not_utf8(capfd: pytest.CaptureFixture[str]) -> None:
    name = os.fsdecode(b"b\xffd.c")
    Path(name).write_text(SYMBOLIC)
    assert run(["run", "-o", "out", "--file", name, "--env", os.fsdecode(b"X=\xfe"), name, os.fsdecode(b"\xfd")]) == 0
    for command in (["replay", "out"], ["report", "out"], ["mutants", "out"], ["trace", name], ["meld", name]):
        assert run(command) == 0, command
    for kind in ("test-comp", "corpus", "c", "sarif", "lcov"):
        assert run(["export", "out", "--to", kind, "-o", f"as-{kind}"]) == 0
    assert "fault" not in capfd.readouterr().err


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams(closed: str, folder: Path) -> None:
    def status(*words: str) -> int:
        return subprocess.run(["sh", "-c", f'"$@" {closed}', "sh", *COMMAND, *words], capture_output=True).returncode

    assert status("run", "-o", "out", "free.c") == 0
    assert (folder / "out/report.html").is_file()
    assert status("run", "-o", "other", "missing.c") == 2


def test_output_that_nobody_reads(folder: Path) -> None:
    KTest.of([("x", bytes(8))]).write(folder / "a.ktest")
    with subprocess.Popen(
        [*COMMAND, "show", *["a.ktest"] * 3000], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.wait() == 141
        assert process.stderr.read() == b""


@pytest.mark.usefixtures("folder")
def test_output_that_cannot_be_written() -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run([*COMMAND, "--version"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1 and "No space left on device" in ended.stderr


# ---- tests -----------------------------------------------------------------------------------------------------------


def test_a_damaged_test_is_left_out(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    cinquefoil.explore("free.c", output="out", report=False)
    first, second = sorted((folder / "out/tests").iterdir())
    first.write_bytes(first.read_bytes()[:-3])
    for command in (["replay", "out"], ["mutants", "out"], ["cover", "free.c", "--run", "out"]):
        assert run(command) == 0, command
        assert "note: left out: " in capfd.readouterr().err
    assert run(["show", str(first), str(second)]) == 2
    said = capfd.readouterr()
    assert str(second) in said.out and said.err.startswith("cinq: error: ")
    second.write_bytes(b"")
    assert run(["replay", "out"]) == 2
    assert "holds no test that can be read" in capfd.readouterr().err


@given(some.binary(max_size=8) | some.text('01289afAF\0\n"\\\x01', max_size=8).map(str.encode))
def test_shown_bytes_can_be_read_back(content: bytes) -> None:
    assert literal_eval("b" + quoted_text(content)) == content


@pytest.mark.parametrize(
    ("content", "shown"),
    [(bytes([0, 0x31]), r'"\0001"'), (b"\0a", r'"\0a"'), (bytes([0xFF, 0x66]), r'"\377f"'), (b"\x01", r'"\x01"')],
)
def test_an_escape_takes_in_no_digit_behind_it(content: bytes, shown: str) -> None:
    """As C reads it too, where \\0 may have three digits and \\x any number."""
    assert quoted_text(content) == shown
