"""Expressions: simplification keeps values, interning is fast, memory gives back what it was given."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from runtime_harness import DRIVERS, compile_c, link, runtime_objects


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("drivers")


def run_driver(folder: Path, name: str) -> dict[str, int]:
    """Builds and runs a driver; the numbers it prints, by name."""
    own = compile_c(DRIVERS / f"{name}.c", folder / f"driver_{name}.o", "-Wno-unused-function")
    image = link([*runtime_objects(folder, without=("worker",)), own], folder / name)
    done = subprocess.run([image], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout
    return {line.rpartition(" ")[0]: int(line.rpartition(" ")[2]) for line in done.stdout.splitlines()}


def test_simplifications_keep_values(folder: Path) -> None:
    numbers = run_driver(folder, "expressions")
    assert numbers["failures"] == 0
    assert numbers["steps"] > 400_000
