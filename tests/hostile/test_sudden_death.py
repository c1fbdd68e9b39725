"""Results outlive the process: killed, hung up on, or out of disk, what was found can be used."""

from __future__ import annotations

import ctypes
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from cinquefoil.cli.main import run
from cinquefoil.experiment.watched_process import descendants
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
EXAMPLES = Path(__file__).parents[2] / "examples"
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
    for path in sorted((folder / "tests").iterdir())[10:]:
        path.unlink()  # replaying thousands takes long
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


@dataclass(frozen=True)
class Killable:
    """A program that is explored for longer than it lives, and how."""

    source: str
    options: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()


TEXTS = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char line[24], *end;
    while (fgets(line, sizeof line, stdin)) {
        long value = strtol(line, &end, 0);
        if (*end == ' ') printf("%ld %s", value, strchr(end, 'x'));
        if (value > 1000) puts("large");
    }
    return 0;
}
"""
MATCHING = """
#include <klee/klee.h>
static int matches(const char *pattern, const char *text) {
    if (!*pattern) return !*text;
    if (*pattern == '*') return matches(pattern + 1, text) || (*text && matches(pattern, text + 1));
    return *text && (*pattern == '?' || *pattern == *text) && matches(pattern + 1, text + 1);
}
int main(void) {
    char pattern[7], text[7];
    klee_make_symbolic(pattern, sizeof pattern, "pattern");
    klee_make_symbolic(text, sizeof text, "text");
    pattern[6] = text[6] = 0;
    return matches(pattern, text);
}
"""
NUMBERS = """
#include <klee/klee.h>
int main(void) {
    unsigned n[16];
    float f;
    int found = 0;
    klee_make_symbolic(n, sizeof n, "n");
    klee_make_symbolic(&f, sizeof f, "f");
    for (int i = 0; i < 15; i++)
        if (n[i] * n[i + 1] % 1009 == (unsigned)i) found++;
    if (f * f - f == 2.0f) found++;
    return found;
}
"""
KILLABLE = {
    "endless": Killable(ENDLESS, ("--every-path",)),
    "tokens": Killable((EXAMPLES / "tokens.c").read_text(), ("--every-path",), ("--sym-stdin", "30")),
    "texts": Killable(TEXTS, ("--mutations",), ("--sym-stdin", "40")),
    "matching": Killable(MATCHING, ("--search", "sgs", "--prune", "homi")),
    "numbers": Killable(NUMBERS, ("--multiplex", "all")),
}


@pytest.fixture
def orphans() -> Iterator[Callable[[], list[int]]]:
    """All processes below this one: who loses its parent becomes this one's child."""
    set_subreaper = 36
    libc = ctypes.CDLL(None)
    libc.prctl(set_subreaper, 1, 0, 0, 0)
    yield lambda: descendants(os.getpid())
    libc.prctl(set_subreaper, 0, 0, 0, 0)


def kill_and_check(
    name: str, workers: int, seconds: float, tmp_path: Path, orphans: Callable[[], list[int]]
) -> tuple[str, int]:
    """Kills an exploration that many seconds after its start; how far it was, and how many tests it left."""
    folder, scratch, known = tmp_path / "out", tmp_path / "scratch", set(orphans())
    scratch.mkdir()
    (tmp_path / "p.c").write_text(KILLABLE[name].source)
    options, arguments = KILLABLE[name].options, KILLABLE[name].arguments
    words = [*COMMAND, "-o", str(folder), "--workers", str(workers), *options, str(tmp_path / "p.c"), *arguments]
    process = subprocess.Popen(
        words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | {"TMPDIR": str(scratch)}
    )
    time.sleep(seconds)
    assert process.poll() is None
    process.kill()
    process.wait()
    deadline = time.monotonic() + 60
    while left := set(orphans()) - known:
        assert time.monotonic() < deadline, left
        with suppress(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)
        time.sleep(0.01)
    if not (folder / "summary.json").exists():
        assert not (folder / "tests").exists() or list((folder / "tests").iterdir()) == []
        return "preparing", 0
    tests = [KTest.read(path) for path in (folder / "tests").iterdir()]
    assert run(["report", str(folder)]) == 0
    assert run(["export", str(folder), "--to", "corpus", "-o", str(folder / "corpus")]) == (0 if tests else 2)
    for path in sorted((folder / "tests").iterdir())[10:]:
        path.unlink()  # replaying thousands takes long
    assert run(["replay", str(folder)]) in ((0, 1) if tests else (2,))
    assert list(folder.rglob(".*")) == []
    assert all(each.name.startswith("cinq-scratch-") for each in scratch.iterdir())
    return "exploring", len(tests)


def check_kills(
    count: int, seed: int, longest: float, tmp_path: Path, orphans: Callable[[], list[int]]
) -> Counter[tuple[str, bool]]:
    """Kills at random moments; how many were killed before and after they began to explore, and left tests."""
    generator = random.Random(seed)
    found = Counter[tuple[str, bool]]()
    for number in range(count):
        room = tmp_path / str(number)
        room.mkdir()
        name, workers = list(KILLABLE)[number % len(KILLABLE)], 1 + number // len(KILLABLE) % 2
        moment, tests = kill_and_check(name, workers, generator.random() * longest, room, orphans)
        found[moment, tests > 0] += 1
        shutil.rmtree(room)
    return found


def test_killed_at_any_moment(
    tmp_path: Path, orphans: Callable[[], list[int]], capfd: pytest.CaptureFixture[str]
) -> None:
    check_kills(5, 1, 3.0, tmp_path, orphans)
    assert "internal fault" not in capfd.readouterr().err


@pytest.mark.slow
def test_killed_200_times(tmp_path: Path, orphans: Callable[[], list[int]], capfd: pytest.CaptureFixture[str]) -> None:
    found = check_kills(200, 2, 8.0, tmp_path, orphans)
    said = capfd.readouterr()
    print(found)
    assert "internal fault" not in said.err
    assert found["exploring", True] >= 50
