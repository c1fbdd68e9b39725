"""`cinq doctor`: one line for each thing, and what to do about what is missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cinquefoil.cli.main import run

THINGS = ["namespaces", "Landlock", "seccomp", "huge pages", "gcc", "gcov", "memory", "cache", "versions"]


def findings(capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, str]]:
    return {each["what"]: each for each in json.loads(capsys.readouterr().out)["findings"]}


def test_one_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    run(["doctor"])
    lines = capsys.readouterr().out.splitlines()
    assert [line[5:].partition(":")[0] for line in lines] == THINGS
    assert all(line.startswith(("ok   ", "note ")) for line in lines)


def test_what_is_missing_comes_with_advice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CINQ_WITHOUT", "namespaces,landlock")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run(["doctor", "--json"]) == 1
    found = findings(capsys)
    assert list(found) == THINGS
    for what in ("namespaces", "Landlock", "gcc", "gcov"):
        assert found[what]["advice"], what
    assert found["gcc"]["found"] == "not installed"


def test_a_cache_that_cannot_be_written_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(["doctor", "--json"])  # the starter is known from now on
    capsys.readouterr()
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CINQUEFOIL_CACHE", str(tmp_path / "file" / "cache"))
    run(["doctor", "--json"])
    assert "CINQUEFOIL_CACHE" in findings(capsys)["cache"]["advice"]
