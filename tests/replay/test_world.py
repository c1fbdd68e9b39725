"""Files and variables that a program was given come with its tests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cinquefoil.cli.main import run as cinq
from cinquefoil.errors import UserError
from cinquefoil.testcase.world import read_world

PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char word[8] = "";
    FILE *file = fopen("given/word.txt", "r");
    if (!file || !fgets(word, sizeof word, file)) return 9;
    if (getchar() == 'x') return getenv("MODE") ? 3 : 4;
    return word[0] == 'w' ? 5 : 6;
}
"""


def test_tests_are_replayed_with_what_the_program_was_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, given = tmp_path / "p.c", tmp_path / "given"
    source.write_text(PROGRAM)
    given.mkdir()
    (given / "word.txt").write_text("word")
    folder = str(tmp_path / "out")
    assert cinq(["run", "--file", str(given), "--env", "MODE=1", "-o", folder, str(source), "--sym-stdin", "1"]) == 0
    (given / "word.txt").unlink()
    capsys.readouterr()
    assert cinq(["replay", folder, "--json"]) == 0
    tests = json.loads(capsys.readouterr().out)["tests"]
    assert sorted(test["status"] for test in tests) == [3, 5]


def test_a_damaged_world_is_told(tmp_path: Path) -> None:
    (tmp_path / "world").mkdir()
    (tmp_path / "world" / "variables.json").write_text("[")
    with pytest.raises(UserError, match="damaged"):
        read_world(tmp_path)
