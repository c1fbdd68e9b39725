"""Every test that an exploration writes takes, natively, the path that the engine predicted."""

from __future__ import annotations

from pathlib import Path

import pytest
from replaying import TESTS, arguments_of

from cinquefoil.cli.main import run as cinq

PROGRAMS = sorted((TESTS / "replay" / "programs").glob("*.c"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.stem)
def test_every_test_replays(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "out")
    limits = ["--every-path", "--seed", "1", "--max-tests", "60", "--max-time", "300s"]
    assert cinq(["run", *limits, "-o", folder, str(program), *arguments_of(program)]) in (0, 1)
    capsys.readouterr()
    assert cinq(["replay", folder]) == 0, capsys.readouterr().out
    assert ", 0 diverging" in capsys.readouterr().out
