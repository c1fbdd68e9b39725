"""On the examples, the engine's coverage is what gcov measures when their tests run natively."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cinquefoil.cli.main import run

EXAMPLES = Path(__file__).parents[2] / "examples"
INPUTS = {"sign.c": [], "password.c": [], "tokens.c": ["--sym-stdin", "4"]}


@pytest.mark.parametrize("name", INPUTS)
def test_branches_are_those_of_gcov(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    folder = tmp_path / "out"
    run(["run", "--no-report", "--max-paths", "3000", "-o", str(folder), str(EXAMPLES / name), *INPUTS[name]])
    coverage = json.loads((folder / "summary.json").read_text())["coverage"]
    capsys.readouterr()
    assert run(["replay", str(folder), "--coverage"]) == 0
    found = re.search(r"total: lines (\d+) of (\d+) .*branches (\d+) of (\d+)", capsys.readouterr().out)
    assert found is not None
    lines, all_lines, *branches = map(int, found.groups())
    assert branches == coverage["branches"]
    assert lines == all_lines and coverage["lines"][0] == coverage["lines"][1] <= all_lines
