"""Results outlive the process: killed, hung up on, or out of disk, what was found can be used."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cinquefoil.cli.main import run
from cinquefoil.testcase.ktest import KTest

ENDLESS = """
#include <klee/klee.h>
#include <assert.h>
int main(void) {
    unsigned char text[40];
    int sum = 0;
    klee_make_symbolic(text, sizeof text, "text");
    for (int i = 0; i < 40; i++) {
        if (text[i] == 'x') sum += i;
        else if (text[i] > 'y') sum ^= text[i];
        assert(sum != 777);
    }
    return sum & 127;
}
"""
COMMAND = [sys.executable, "-c", "from cinquefoil.cli.main import main; main()", "run"]


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "p.c").write_text(ENDLESS)
    return tmp_path / "p.c"


def start(folder: Path, program: Path, *options: str, **named: object) -> subprocess.Popen[bytes]:
    words = [*COMMAND, "-o", str(folder), *options, str(program)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **named)  # pyright: ignore


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    while not condition():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)


def check_usable(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Every test can be read, nothing is half-written, and the commands that read results work."""
    assert [path.name for path in folder.rglob(".*")] == []
    for path in (folder / "tests").iterdir():
        KTest.read(path)
    assert run(["report", str(folder)]) == 0
    assert run(["export", str(folder), "--to", "corpus", "-o", str(folder / "corpus")]) == 0
    capfd.readouterr()


def test_results_are_there_while_it_runs(program: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "out"
    process = start(folder, program)
    wait_for((folder / "report.json").exists, process)
    process.kill()
    process.communicate()
    summary = json.loads((folder / "summary.json").read_text())
    assert (summary["reason"], summary["exhausted"]) == ("running", False)
    assert summary["tests"] > 0 and (folder / "coverage.info").read_text().startswith("TN:")
    check_usable(folder, capfd)
    assert "not at its end" in (folder / "report.html").read_text()
    assert run(["replay", str(folder)]) in (0, 1)


def test_a_closed_terminal_ends_it_in_order(program: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "out"
    process = start(folder, program)
    wait_for((folder / "tests/000001.ktest").exists, process)
    process.send_signal(signal.SIGHUP)
    process.communicate()
    assert process.returncode == 130
    assert json.loads((folder / "summary.json").read_text())["reason"] == "interrupted"
    check_usable(folder, capfd)


def test_nohup_is_respected(program: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    ignore: Callable[[], object] = lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)  # noqa: E731
    process = start(folder, program, "--max-paths", "3000", preexec_fn=ignore)
    wait_for((folder / "tests/000001.ktest").exists, process)
    process.send_signal(signal.SIGHUP)
    process.communicate()
    assert json.loads((folder / "summary.json").read_text())["reason"] == "max-paths"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    yield disk
    subprocess.run(["umount", disk], check=True)


def test_a_full_disk_names_the_file(program: Path, small_disk: Path) -> None:
    folder = small_disk / "out"
    process = start(folder, program, "--max-paths", "5000", "--every-path")
    _, said = process.communicate()
    assert process.returncode == 2, said
    assert said.decode().splitlines()[-1].startswith(f"cinq: error: cannot write {folder}")
    assert [path.name for path in folder.rglob(".*")] == []
    for path in (folder / "tests").iterdir():
        KTest.read(path)


def kill_at_random(folder: Path, program: Path, generator: random.Random, *options: str) -> None:
    process = start(folder, program, *options)
    wait_for((folder / "tests").is_dir, process)
    time.sleep(generator.random() * 1.5)
    process.kill()
    process.communicate()


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("seed", range(3))
def test_killed_at_any_moment(
    workers: int, seed: int, program: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    kill_at_random(folder, program, random.Random(seed), "--workers", str(workers), "--every-path")
    if (folder / "summary.json").exists():
        check_usable(folder, capfd)
    else:
        assert [path.name for path in folder.rglob(".*")] == []
        for path in (folder / "tests").iterdir():
            KTest.read(path)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("seed", range(100))
def test_killed_200_times(
    workers: int, seed: int, program: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    test_killed_at_any_moment(workers, seed + 1000, program, tmp_path, capfd)
