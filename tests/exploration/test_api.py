"""The Python interface, and the example in the documentation."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import cinquefoil

ROOT = Path(__file__).parent.parent.parent
PASSWORD = ROOT / "examples" / "password.c"


def test_explore_returns_typed_results() -> None:
    outcome = cinquefoil.explore(PASSWORD, search="dfs", max_time=120, clock="cpu")
    assert isinstance(outcome, cinquefoil.Outcome)
    assert outcome.exhausted
    assert [error.kind for error in outcome.errors] == ["assertion"]


def test_same_seed_same_tests(tmp_path: Path) -> None:
    for name in ("one", "two"):
        cinquefoil.explore(PASSWORD, search="random-state", seed=7, output=tmp_path / name)
    one, two = (sorted((tmp_path / name / "tests").iterdir()) for name in ("one", "two"))
    assert [p.name for p in one] == [p.name for p in two]
    assert [p.read_bytes() for p in one] == [p.read_bytes() for p in two]


def test_output_holds_the_summary(tmp_path: Path) -> None:
    outcome = cinquefoil.explore(PASSWORD, output=tmp_path)
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["tests"] == len(outcome.tests) == len(list((tmp_path / "tests").iterdir()))
    assert summary["solver"]["layers"]


@pytest.mark.parametrize("wanted", [True, False])
def test_output_holds_the_page_unless_it_is_not_wanted(tmp_path: Path, wanted: bool) -> None:
    cinquefoil.explore(PASSWORD, output=tmp_path, report=wanted)
    page = tmp_path / "report.html"
    assert page.is_file() == wanted
    assert not wanted or "password.c" in page.read_text(encoding="utf-8")


def test_a_page_that_cannot_be_made_costs_no_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(folder: Path) -> None:
        raise ValueError(f"no page for {folder.name}")

    monkeypatch.setattr("cinquefoil.report.page.write_report", fail)
    with pytest.warns(UserWarning, match="no page for"):
        outcome = cinquefoil.explore(PASSWORD, output=tmp_path)
    assert outcome.exhausted and (tmp_path / "summary.json").is_file()


def test_unknown_option_is_refused() -> None:
    with pytest.raises(TypeError, match="max_tyme"):
        cinquefoil.explore(PASSWORD, max_tyme=3)


def test_the_example_of_a_strategy_runs() -> None:
    done = subprocess.run([sys.executable, str(ROOT / "examples" / "strategy.py")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "all of them: True" in done.stdout
    assert "assertion in" in done.stdout
