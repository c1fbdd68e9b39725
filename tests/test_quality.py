"""The linter and the type checker are content with the whole project."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent


def run(*command: str) -> None:
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


FORMATTED = ("src", "tests", "benchmarks", "tools", "examples", "hatch_build.py")


def test_ruff() -> None:
    run("ruff", "check", *FORMATTED)


def test_format() -> None:
    run("ruff", "format", "--check", *FORMATTED)


def test_pyright() -> None:
    run("pyright", "--pythonpath", sys.executable)


def test_test_modules_have_names_of_their_own() -> None:
    """pytest imports them, and what they share, by their names alone."""
    modules = (path for path in (ROOT / "tests").rglob("*.py") if path.name != "conftest.py")
    names = Counter(path.name for path in modules)
    assert [name for name, count in names.items() if count > 1] == []
