"""Bad input: one clear message on standard error, exit status 2, never a traceback."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from cinquefoil.cli.main import run
from cinquefoil.testcase.ktest import KTest

GOOD = "int main(void) { return 0; }\n"
FOREIGN = 'target triple = "aarch64-unknown-linux-gnu"\ndefine i32 @main() {\n  ret i32 0\n}\n'
BROKEN = "define i32 @main() {\n  ret i32 %nothing\n}\n"


def refused(words: Sequence[str], capfd: pytest.CaptureFixture[str]) -> str:
    """The message of a command that must end with status 2."""
    status = run(words)
    said = capfd.readouterr()
    assert status == 2, said.err
    assert said.out == ""
    assert said.err.startswith("cinq: error: ")
    assert "Traceback" not in said.err
    return said.err.removeprefix("cinq: error: ")


def one_line(words: Sequence[str], capfd: pytest.CaptureFixture[str]) -> str:
    message = refused(words, capfd)
    assert message.count("\n") == 1
    return message


@pytest.mark.parametrize("command", ["trace", "build"])
def test_missing_file(command: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source, output = str(tmp_path / "nothing.c"), str(tmp_path / "out.bc")
    words = [command, source] if command == "trace" else [command, source, "-o", output]
    assert "nothing.c: no such file" in one_line(words, capfd)


def test_a_directory(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert "is a directory" in one_line(["trace", str(tmp_path)], capfd)


def test_source_that_does_not_compile(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "wrong.c"
    source.write_text("int main(void) { return nowhere; }\n")
    message = refused(["trace", str(source)], capfd)
    assert "does not compile" in message.splitlines()[0]
    assert "wrong.c:1:25: error: use of undeclared identifier 'nowhere'" in message


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("broken.bc", b"BC\xc0\xde" + bytes(40), "broken.bc"),
        ("empty.bc", b"", "no main"),
        ("text.bc", b"hello", "text.bc is not usable as LLVM bitcode: line 1, column 1: expected top-level entity"),
        ("noise.bc", b"\xa5\x99\x01", "noise.bc is not usable as LLVM bitcode: it is neither bitcode nor text"),
        ("broken.ll", BROKEN.encode(), "broken.ll"),
        ("foreign.ll", FOREIGN.encode(), "aarch64"),
        ("native", b"\x7fELF" + bytes(60), "cinq cc"),
    ],
)
def test_unusable_programs(
    name: str, content: bytes, expected: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_bytes(content)
    assert expected in refused(["trace", str(tmp_path / name)], capfd)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("int f(void) { return 0; }", "no main"),
        ("int main;", "main is not a function"),
        (
            "extern int absent;\nint main(void) { return absent; }",
            "undefined variables (functions may be, until they are called): absent",
        ),
    ],
)
def test_programs_that_do_not_link(
    source: str, expected: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "p.c").write_text(source)
    assert expected in one_line(["trace", str(tmp_path / "p.c")], capfd)


def test_function_defined_twice(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name in ("a.c", "b.c"):
        (tmp_path / name).write_text(GOOD)
    words = ["build", str(tmp_path / "a.c"), str(tmp_path / "b.c"), "-o", str(tmp_path / "ab.bc")]
    assert "main" in one_line(words, capfd)
    assert not (tmp_path / "ab.bc").exists()


@pytest.mark.parametrize("command", ["trace", "show"])
def test_truncated_test(command: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.c").write_text(GOOD)
    test = tmp_path / "t.ktest"
    test.write_bytes(KTest(objects=(("x", b"1234"),)).encode()[:-2])
    words = ["trace", "--input", str(test), str(tmp_path / "p.c")] if command == "trace" else ["show", str(test)]
    assert "t.ktest" in (message := one_line(words, capfd))
    assert "truncated" in message


def test_missing_test(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert "No such file" in one_line(["show", str(tmp_path / "none.ktest")], capfd)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["fly"], "No such command 'fly'; see cinq --help"),
        (["trace", "--wings", "p.c"], "'--wings'"),
        (["trace"], "Missing argument"),
        (["trace", "--max-time", "soon", "p.c"], "soon"),
        (["build", "-o", "x.bc"], "Missing argument"),
        (["cache", "burn"], "No such command 'burn'"),
    ],
)
def test_usage(words: list[str], expected: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert expected in one_line(words, capfd)


def test_symbolic_environment_without_numbers(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.c").write_text(GOOD)
    message = one_line(["trace", str(tmp_path / "p.c"), "--sym-args", "1", "x", "2"], capfd)
    assert message == "--sym-args takes 3 numbers\n"


def test_outputs_that_make_no_sense(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "p.c"
    source.write_text(GOOD)
    assert "directory does not exist" in one_line(["build", str(source), "-o", str(tmp_path / "no/p.bc")], capfd)
    assert "is an input too" in one_line(["build", str(source), "-o", str(source)], capfd)
    assert source.read_text() == GOOD


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_unreadable_file(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.bc").write_bytes(b"BC")
    (tmp_path / "p.bc").chmod(0)
    assert "Permission denied" in one_line(["trace", str(tmp_path / "p.bc")], capfd)
