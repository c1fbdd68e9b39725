"""Random programs: random inputs agree natively, and what exploration predicts comes true."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from generated_programs import GeneratedProgram
from replaying import replays

from cinquefoil.cli.main import run as cinq


@pytest.mark.parametrize("seed", range(3))
def test_random_inputs(seed: int, tmp_path: Path) -> None:
    program = tmp_path / "program.c"
    program.write_text(GeneratedProgram(seed).text)
    wrong = [(run.witness.hex(), result.differences) for run, result in replays(program, 20, seed) if not result.agrees]
    assert not wrong, wrong[0]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_predicted_paths(seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, folder = tmp_path / "program.c", tmp_path / "out"
    program.write_text(GeneratedProgram(seed).text)
    limits = ["--every-path", "--seed", "1", "--max-tests", "60", "--max-time", "300s"]
    assert cinq(["run", *limits, "-o", str(folder), str(program)]) == 0
    assert json.loads((folder / "summary.json").read_bytes())["paths"]["diverged"] == 0
    capsys.readouterr()
    assert cinq(["replay", str(folder)]) == 0, capsys.readouterr().out
