"""Expressions: simplification keeps values, interning is fast, memory gives back what it was given."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from runtime_harness import DRIVERS, compile_c, link, runtime_objects


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("drivers")


def run_driver(folder: Path, name: str, without: tuple[str, ...] = ("worker",)) -> dict[str, int]:
    """Builds and runs a driver, which replaces these parts of the run-time; the numbers it prints, by name."""
    own = compile_c(DRIVERS / f"{name}.c", folder / f"driver_{name}.o", "-Wno-unused-function")
    image = link([*runtime_objects(folder, without=without), own], folder / name, "--wrap=memcpy", "--wrap=memset")
    done = subprocess.run([image], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout
    return {line.rpartition(" ")[0]: int(line.rpartition(" ")[2]) for line in done.stdout.splitlines()}


def test_simplifications_keep_values(folder: Path) -> None:
    numbers = run_driver(folder, "expressions")
    assert numbers["failures"] == 0
    assert numbers["steps"] > 400_000


def test_memory_is_right_under_every_input(folder: Path) -> None:
    numbers = run_driver(folder, "memory")
    assert numbers["failures"] == 0
    assert numbers["symbolic loads"] > 10_000


def test_interning_is_fast(folder: Path) -> None:
    """Generous bounds: a shared machine is noisy; the targets are 30 and 100 ns."""
    numbers = run_driver(folder, "speed")
    assert numbers["tenths of ns per hit"] < 1500
    assert numbers["tenths of ns per new node"] < 6000


def test_intrinsics(folder: Path) -> None:
    numbers = run_driver(folder, "intrinsics")
    assert numbers["failures"] == 0
    assert numbers["cases"] > 20_000


def test_memos_are_not_met_again(folder: Path) -> None:
    """A pin made inside output formatting is made again outside; numbers of runs and stamps may come round."""
    numbers = run_driver(folder, "memos", without=("worker", "pin"))
    pins = [numbers[name] for name in ("muted", "muted again", "heard", "heard again", "muted after heard")]
    assert pins == [1, 0, 1, 0, 0]
    assert numbers["last serial"] == 4
    assert numbers["not modelled, muted"] == 0
