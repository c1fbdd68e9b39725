"""The README says what is true: its commands, and the output it shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from cinquefoil.cli.main import COMMANDS, run

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


def test_continuous_integration_runs_the_test_command() -> None:
    """`.ci/run` takes it from here by this pattern."""
    (command,) = re.findall(r"^python3 -m venv .*pytest.*$", README, re.MULTILINE)
    script = (ROOT / ".ci/run").read_text()
    assert command.endswith("&& .venv/bin/pytest -n 2")
    assert "grep -m1 -E '^python3 -m venv .*pytest' README.md" in script


def test_every_command_is_listed() -> None:
    assert all(f"`cinq {name}" in README for name in COMMANDS)


def test_main_job(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    (command,) = re.findall(r"pip install \. && \.venv/bin/cinq (.*)$", README, re.MULTILINE)
    words = [str(ROOT / word) if word.startswith("examples/") else word for word in shlex.split(command)]
    monkeypatch.chdir(tmp_path)
    assert run(words) == 0
    assert "all paths explored" in capfd.readouterr().out


def test_the_trace_shown_is_the_trace_printed(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (block,) = (block for block in BLOCKS if "ended: error" in block)
    command, *expected = block.splitlines()
    assert expected[-1].strip() == "..."
    monkeypatch.chdir(ROOT)
    assert run(shlex.split(command.removeprefix("$ cinq "))) == 1
    printed = capfd.readouterr().out.splitlines()[: len(expected) - 1]
    assert [_timeless(line) for line in printed] == [_timeless(line) for line in expected[:-1]]


def _timeless(line: str) -> str:
    return re.sub(r"\(\d+ instructions, [\d.]+ ms\)", "", line)
