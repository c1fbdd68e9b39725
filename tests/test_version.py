"""`cinq --version` tells the commit where it is known."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from cinquefoil import version

ROOT = Path(__file__).parent.parent


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=A Tester", "-c", "user.email=tester@example.org"]
    done = subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def checkout(folder: Path) -> Path:
    """A small git checkout with one commit."""
    git(folder, "init", "-q")
    (folder / "file").write_text("one")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "files: add one")
    return folder


def test_the_commit_of_a_checkout_and_whether_it_is_changed(tmp_path: Path) -> None:
    top = checkout(tmp_path)
    commit = git(top, "rev-parse", "HEAD")[:12]
    assert version.commit_of_checkout(top) == commit
    (top / "file").write_text("two")
    assert version.commit_of_checkout(top) == f"{commit}-dirty"


def test_a_folder_inside_another_checkout_has_no_commit(tmp_path: Path) -> None:
    (checkout(tmp_path) / "inside").mkdir()
    assert version.commit_of_checkout(tmp_path / "inside") == ""


def test_without_git_only_the_version_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top = checkout(tmp_path)
    monkeypatch.setenv("PATH", "")
    assert version.commit_of_checkout(top) == ""
    monkeypatch.setattr(version, "commit", lambda: "")
    assert version.described("0.1.0") == "0.1.0"
    monkeypatch.setattr(version, "commit", lambda: "0123456789ab")
    assert version.described("0.1.0") == "0.1.0 (commit 0123456789ab)"


@pytest.mark.parametrize("build", ["build_wheel", "build_editable"])
def test_a_wheel_holds_the_commit_it_was_built_from(tmp_path: Path, build: str) -> None:
    pytest.importorskip("editables", reason="the extra 'test' is not installed in full")
    copy = tmp_path / "copy"
    (copy / "src/cinquefoil").mkdir(parents=True)
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "src/cinquefoil/version.py"):
        (copy / name).write_bytes((ROOT / name).read_bytes())
    (copy / "src/cinquefoil/__init__.py").write_text("")
    (copy / "benchmarks/subjects").mkdir(parents=True)
    (copy / "benchmarks/subjects/a.toml").write_text("")
    checkout(copy)
    script = f"from hatchling.build import {build}; print({build}('out'))"
    done = subprocess.run([sys.executable, "-c", script], cwd=copy, capture_output=True, text=True, check=True)
    with zipfile.ZipFile(copy / "out" / done.stdout.strip().splitlines()[-1]) as archive:
        made = "cinquefoil/_commit.py" in archive.namelist()
        assert made == (build == "build_wheel")
        assert not made or git(copy, "rev-parse", "HEAD")[:12] in archive.read("cinquefoil/_commit.py").decode()
