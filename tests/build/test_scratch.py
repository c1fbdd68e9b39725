"""Scratch folders: gone at the end, and gone when another process begins if theirs was killed."""

from __future__ import annotations

import os
import signal
import tempfile
from pathlib import Path

import pytest

from cinquefoil.build import scratch
from cinquefoil.build.scratch import scratch_folder


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    scratch._remove_left.cache_clear()


def test_it_is_gone_at_the_end(tmp_path: Path) -> None:
    with scratch_folder("test") as folder:
        assert folder.parent == tmp_path and folder.stat().st_mode & 0o777 == 0o700
        (folder / "a" / "b").mkdir(parents=True)
        (folder / "a" / "link").symlink_to(tmp_path)
    assert list(tmp_path.iterdir()) == []


def killed_inside(deep: int) -> None:
    child = os.fork()
    if child == 0:
        with scratch_folder("killed") as folder:
            os.chdir(folder)
            for _ in range(deep):
                Path("nested").mkdir()
                os.chdir("nested")
            Path("../nested").chmod(0)
            os.kill(os.getpid(), signal.SIGKILL)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path: Path) -> None:
    killed_inside(1100)
    assert len(list(tmp_path.iterdir())) == 1
    with scratch_folder("test") as folder:
        assert list(tmp_path.iterdir()) == [folder]


def test_what_is_in_use_or_belongs_to_others_stays(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    (victim / "kept").mkdir(parents=True)
    (tmp_path / "cinq-scratch-link").symlink_to(victim)
    (tmp_path / "cinq-other").mkdir()
    with scratch_folder("used") as used:
        scratch._remove_left.cache_clear()
        with scratch_folder("test"):
            assert used.is_dir()
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["cinq-other", "cinq-scratch-link", "kept", "victim"]


def test_a_folder_that_another_process_removes_at_once_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between its making and its locking it looks like one that was left behind."""
    make, made = tempfile.mkdtemp, 0

    def removed_at_first(prefix: str) -> str:
        nonlocal made
        made += 1
        folder = make(prefix=prefix, dir=tmp_path)
        if made < 3:
            Path(folder).rmdir()
        return folder

    monkeypatch.setattr(tempfile, "mkdtemp", removed_at_first)
    with scratch_folder("test") as folder:
        assert folder.is_dir() and made == 3
