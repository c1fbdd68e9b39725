"""Tests that let system calls fail: replayed, labelled, and not taken for divergences."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from replaying import TESTS

from cinquefoil.cli.main import run as cinq
from cinquefoil.testcase.ktest import MODEL_VERSION, KTest

FAILING = TESTS / "environment" / "programs" / "failing.c"


@pytest.fixture
def folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    words = ["run", "--every-path", "-o", str(tmp_path / "out"), str(FAILING), "--sym-files", "1", "4"]
    assert cinq([*words, "--max-fail", "1"]) == 0
    capsys.readouterr()
    return tmp_path / "out"


def test_tests_with_failures_are_labelled(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cinq(["replay", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "not compared, as in the test, not in a plain process: a system call fails (open-fail)" in said
    assert re.search(r"0 diverging, \d+ not compared", said)


def test_the_others_are_compared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cinq(["replay", "--json", str(folder)]) == 0
    rows = json.loads(capsys.readouterr().out)["tests"]
    assert [row for row in rows if not row["unlike"]]
    failing = {re.sub(r"(_\d+)?\)$", "", text.partition("(")[2]) for row in rows for text in row["unlike"]}
    assert failing == {"open-fail", "read-fail", "close-fail", "write-fail"}


def test_tests_of_a_symbolic_environment_end_with_the_models_version(folder: Path) -> None:
    tests = [KTest.read(path) for path in (folder / "tests").glob("*.ktest")]
    assert tests
    assert all(test.objects[-1] == MODEL_VERSION for test in tests)
