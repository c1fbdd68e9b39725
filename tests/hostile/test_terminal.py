"""No text of a program or file steers the terminal, whichever command shows it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import cinquefoil
from cinquefoil.cli.main import run
from cinquefoil.testcase.ktest import KTest
from cinquefoil.testcase.readable import visible

CLI = Path(cinquefoil.__file__).parent / "cli"
STEERING = "\033]0;title\007\033[2J\r\b\x9b31m\u202e"
PROGRAM = """
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    unsigned char c;
    klee_make_symbolic(&c, 1, "c\\033[7m");
    printf("\\033[2J");
    if (c == 1) klee_report_error("x\\033[31m.c", 3, "message\\033]0;title\\007", "suffix\\033[7m");
#line 1 "named\\033]0;title\\007.c"
    if (c == 2) abort();
    return 0;
}
"""


def harmless(text: str) -> bool:
    return all(c in "\n\t" or c.isprintable() for c in text)


def test_visible_text_is_harmless() -> None:
    assert harmless(visible(STEERING)) and not harmless(STEERING)
    assert visible("plain é 漢\n\tok") == "plain é 漢\n\tok"
    assert visible("\udcff\x1b") == r"\xff\x1b"


def test_no_command_shows_control_characters(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "p.c", tmp_path / "out"
    source.write_text(PROGRAM)
    shown = ""
    commands = [
        ["run", "-o", str(out), str(source)],
        ["run", "--json", "-o", str(tmp_path / "again"), str(source)],
        ["trace", str(source)],
        ["trace", "--json", str(source)],
        ["report", str(out)],
        ["replay", str(out)],
        ["export", str(out), "--to", "c", "-o", str(tmp_path / "c")],
        ["cover", str(source)],
        ["meld", str(source)],
    ]
    for command in commands:
        assert run(command) in (0, 1, 2), command
    for test in sorted((out / "tests").iterdir()):
        run(["trace", "--input", str(test), str(source)])
        run(["show", str(test)])
    read = capfd.readouterr()
    shown = read.out + read.err
    assert r"\x1b" in shown and "message" in shown
    assert harmless(shown), [line for line in shown.splitlines() if not harmless(line)][:3]


@pytest.mark.parametrize("command", ["run", "trace", "show", "build", "replay", "report", "export", "compare"])
def test_names_in_complaints_are_harmless(command: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    name = str(tmp_path / ("absent" + STEERING.replace("/", "")))
    extra = ["--to", "c"] if command == "export" else ["-o", str(tmp_path / "o")] if command == "build" else []
    assert run([command, name, *extra]) == 2
    read = capfd.readouterr()
    assert harmless(read.out + read.err)


def test_damaged_tests_are_named_harmlessly(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    test = tmp_path / f"t{STEERING}.ktest"
    KTest.of([(STEERING, b"x")], [STEERING]).write(test)
    assert run(["show", str(test)]) == 0
    test.write_bytes(test.read_bytes()[:-1])
    assert run(["show", str(test)]) == 2
    read = capfd.readouterr()
    assert harmless(read.out + read.err)


@pytest.mark.parametrize("module", sorted(CLI.glob("*.py")), ids=lambda path: path.stem)
def test_commands_speak_by_one_function(module: Path) -> None:
    """`say` escapes; a direct print would not."""
    if module.name == "say.py":
        return
    calls = [node for node in ast.walk(ast.parse(module.read_text())) if isinstance(node, ast.Call)]
    direct = [
        ast.unparse(call.func) for call in calls if ast.unparse(call.func) in ("print", "click.echo", "click.secho")
    ]
    assert direct == []
