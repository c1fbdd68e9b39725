"""gcc is needed for gcov and sanitizers only: everything else works where there are no tools at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
TOKENS = (str(ROOT / "examples" / "tokens.c"), "--sym-stdin", "12")
NEEDED = "gcc is needed for this and is not installed"


def cinq(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """In an environment whose PATH leads to an empty folder."""
    (folder / "bin").mkdir(exist_ok=True)
    command = [sys.executable, "-m", "cinquefoil.cli", *arguments]
    environment = os.environ | {"PATH": str(folder / "bin")}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=folder)


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("explored")
    done = cinq(folder, "run", "--max-paths", "50", "-o", "out", *TOKENS)
    assert done.returncode in (0, 1), done.stderr
    assert "tests in out/tests" in done.stdout
    return folder


@pytest.mark.parametrize("command", [("replay", "out"), ("report", "out"), ("export", "out", "--to", "c")], ids=str)
def test_what_was_explored_is_replayed_and_shown(explored: Path, command: tuple[str, ...]) -> None:
    done = cinq(explored, *command)
    assert done.returncode in (0, 1), done.stderr
    assert "gcc" not in done.stderr


@pytest.mark.parametrize("option", [("--coverage",), ("--sanitize", "address")], ids=str)
def test_what_needs_gcc_says_so(explored: Path, option: tuple[str, ...]) -> None:
    done = cinq(explored, "replay", *option, "out")
    assert done.returncode == 2
    assert NEEDED in done.stderr
