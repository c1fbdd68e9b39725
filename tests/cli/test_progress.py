"""Progress is shown only for what takes long."""

from __future__ import annotations

import pytest

from cinquefoil.cli import progress
from cinquefoil.cli.progress import Preparation


def test_quick_work_is_quiet(capfd: pytest.CaptureFixture[str]) -> None:
    with Preparation(terminal=False) as preparation:
        preparation.step("a.c", 1, 1)
    assert capfd.readouterr() == ("", "")


def test_long_work_gives_lines_now_and_then(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    with Preparation(terminal=False) as preparation:
        for second in range(1, 13):
            now[0] = float(second)
            preparation.step("libc", second, 12)
    shown = ["cinq: preparing libc: 5/12", "cinq: preparing libc: 10/12"]
    assert capfd.readouterr().err.splitlines() == shown


def test_a_bar_on_a_terminal(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    with Preparation(terminal=True) as preparation:
        preparation.step("libc", 1, 2)
        preparation.step("libc", 2, 2)
    assert capfd.readouterr().out == ""
