"""Little memory, a full disk, folders that are read-only, workers that are killed: one message, or work as usual."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cinquefoil.build.child import in_child
from cinquefoil.build.program import load_program
from cinquefoil.cli.main import run
from cinquefoil.experiment.watched_process import descendants
from cinquefoil.exploration import Options
from cinquefoil.exploration.loop.exploration import Exploration
from cinquefoil.exploration.session.session import Task, session_for
from cinquefoil.testcase.ktest import KTest

PROGRAM = """
#include <klee/klee.h>
int main(void) {
    unsigned char c[7];
    int sum = 0;
    klee_make_symbolic(c, sizeof c, "c");
    for (int i = 0; i < 7; i++) if (c[i] > i) sum++;
    return sum;
}
"""
_SECURE_BITS, _NO_ROOT = 28, 0x2F  # prctl(2), capabilities(7): the next program has no capabilities, even as user 0


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "p.c").write_text(PROGRAM)
    return tmp_path / "p.c"


def cinq(*words: str | Path, prepare: Callable[[], None] | None = None, **variables: str) -> tuple[int, str]:
    """A command in a process of its own: its status, and what it said on standard error."""
    command = [sys.executable, "-m", "cinquefoil.cli", *map(str, words)]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | variables, preexec_fn=prepare
    )
    return done.returncode, done.stderr


def without_capabilities() -> None:
    """Permissions hold for user 0 too.  Nothing changes for an ordinary user."""
    if os.geteuid() == 0 and ctypes.CDLL(None).prctl(_SECURE_BITS, _NO_ROOT, 0, 0, 0) != 0:
        os._exit(77)


@pytest.mark.parametrize("megabytes", [8000, 1000, 300])
def test_too_few_addresses_are_told(program: Path, tmp_path: Path, megabytes: int) -> None:
    limit = megabytes << 20
    status, said = cinq("run", "-o", tmp_path / "out", program, prepare=lambda: resource.setrlimit(9, (limit, limit)))
    assert status == 3 and said.count("\n") == 1, said
    assert said.startswith("cinq: error: ") and "ulimit -v" in said
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("words", ["what():  std::bad_alloc", "LLVM ERROR: out of memory"])
def test_a_compiler_without_memory_is_no_fault_of_the_program(words: str) -> None:
    def give_up() -> None:
        os.write(2, words.encode())
        os.abort()

    with pytest.raises(MemoryError):
        in_child(give_up, "the program")


def test_a_limit_of_file_sizes_is_told(program: Path, tmp_path: Path) -> None:
    limit = 1 << 20
    status, said = cinq("run", "-o", tmp_path / "out", program, prepare=lambda: resource.setrlimit(1, (limit, limit)))
    assert status == 3 and said.count("\n") == 1 and "ulimit -f" in said
    assert not (tmp_path / "out").exists()


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "closed"
    folder.mkdir()
    folder.chmod(0o555)
    yield folder
    folder.chmod(0o755)


def test_a_read_only_output_folder_is_named(program: Path, read_only: Path) -> None:
    status, said = cinq("run", "-o", read_only / "out", program, prepare=without_capabilities)
    if status == 77:
        pytest.skip("capabilities cannot be given up here")
    assert (status, said) == (2, f"cinq: error: cannot write to the output folder {read_only}/out: Permission denied\n")


def test_a_read_only_cache_is_named_and_stays_so(program: Path, read_only: Path, tmp_path: Path) -> None:
    status, said = cinq(
        *("run", "-o", tmp_path / "out", program), prepare=without_capabilities, CINQUEFOIL_CACHE=str(read_only)
    )
    if status == 77:
        pytest.skip("capabilities cannot be given up here")
    told = f"cinq: error: cannot use the cache {read_only}: Permission denied; CINQUEFOIL_CACHE names another\n"
    assert (status, said) == (2, told)
    assert not read_only.stat().st_mode & 0o222
    assert not (tmp_path / "out").exists()


def test_results_that_are_read_only_can_be_read(program: Path, tmp_path: Path) -> None:
    """By those who may not write there: the page cannot be made, the tests run, with namespaces or without."""
    folder = tmp_path / "out"
    assert run(["run", "-o", str(folder), str(program)]) == 0
    for path in (folder, folder / "tests"):
        path.chmod(0o555)
    status, said = cinq("report", folder, prepare=without_capabilities)
    if status == 77:
        pytest.skip("capabilities cannot be given up here")
    assert (status, said) == (2, f"cinq: error: cannot write {folder}/report.html: Permission denied\n")
    assert cinq("export", folder, "--to", "corpus", "-o", tmp_path / "corpus", prepare=without_capabilities)[0] == 0
    status, said = cinq("replay", folder, prepare=without_capabilities)
    assert status == 0 or "programs cannot be confined here" in said, said
    for path in (folder, folder / "tests"):
        path.chmod(0o755)


def test_killed_workers_are_replaced(program: Path, tmp_path: Path) -> None:
    """By whoever kills processes: their runs are made again, and nothing is lost."""
    folder, killed, before = tmp_path / "out", list[int](), set(descendants(os.getpid()))

    def kill_worker(exploration: Exploration) -> None:
        for pid in set(descendants(os.getpid())) - before - set(killed):
            if len(killed) < 3 and "/image/" in str(Path(f"/proc/{pid}/exe").readlink()):
                killed.append(pid)
                os.kill(pid, signal.SIGKILL)

    options = Options(interval=0.0, every_path=True)
    outcome = session_for(Task(program), options, load_program(program), folder, kill_worker).run()
    assert len(killed) == 3
    assert (outcome.reason, outcome.statistics.completed, outcome.statistics.died) == ("exhausted", 128, 0)
    assert len(outcome.tests) == 128
    for path in (folder / "tests").iterdir():
        KTest.read(path)
