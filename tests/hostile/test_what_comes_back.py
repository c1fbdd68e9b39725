"""What comes back from a hostile process: counters of coverage, the report, memory, and when the engine is killed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from enclosed import MARKER, left_behind

from cinquefoil.build.program import load_program
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.replay import gcc, process
from cinquefoil.replay.confinement import Confinement, offered
from cinquefoil.replay.native_build import build_native
from cinquefoil.replay.native_run import NativeRun, run_binary
from cinquefoil.replay.process import ProcessLimits
from cinquefoil.testcase.ktest import KTest

if shutil.which("gcc") is None:
    pytest.skip("gcc is not here", allow_module_level=True)

HOWS = [how for how in (Confinement.NAMESPACES, Confinement.LANDLOCK) if not getattr(offered(), how.value)]
SPOILING = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static void put(const char *name, const char *content)
{
    int file = open(name, O_CREAT | O_WRONLY, 0600);
    if (file < 0 || write(file, content, strlen(content)) < 0) printf("no %s\\n", name);
    close(file);
}
static void make_folders(char *path)
{
    for (char *at = path; (at = strchr(at + 1, '/'));) {
        *at = 0;
        mkdir(path, 0700);
        *at = '/';
    }
}
int main(int argc, char **argv)
{
    char noted[600];
    if (chdir(getenv("COUNTERS"))) puts("no folder");
    put("stray.gcda", "x");
    put("note.gcno", "x");
    symlink("/etc/passwd", "link.gcda");
    mkfifo("pipe.gcda", 0600);
    mkdir("folder.gcda", 0700);
    snprintf(noted, sizeof noted, "%s.gcda", argv[1] + 1);
    make_folders(noted);
    put(noted, "counted");
    chmod(noted, 0);
    snprintf(noted, sizeof noted, "%s.gcno", argv[1] + 1);
    put(noted, "notes of its own");
    for (int i = 0; i < 2000; i++)
        if (mkdir("nested", 0700) || chdir("nested")) break;
    put("deep.gcda", "x");
    return 0;
}
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder of the host's that a program could write if it had its user's rights."""
    with tempfile.TemporaryDirectory(prefix="cinq-attack-", dir="/var/tmp") as name:
        yield Path(name)


def built(source: str, folder: Path, *flags: str) -> Path:
    (folder / "program.c").write_text(source)
    return gcc.build(folder / "program.c", folder, flags, flags)


def run(executable: Path, words: list[str], how: Confinement, **named: object) -> NativeRun:
    environment = parse_arguments(words, MARKER)
    return run_binary(executable, KTest.of([], [MARKER]), environment, confinement=how, **named)  # type: ignore[arg-type]


@pytest.mark.parametrize("how", HOWS)
def test_only_counters_with_notes_come_back(tmp_path: Path, folder: Path, how: Confinement) -> None:
    (folder / "object.gcno").write_text("notes")
    counters = {f"{str(folder)[1:]}/older.gcda": b"from before"}
    done = run(
        built(SPOILING, tmp_path),
        [str(folder / "object")],
        how,
        variables={"COUNTERS": "{counters}"},
        counters=counters,
    )
    assert (done.output, done.status) == (b"", 0)
    names = {f"{str(folder)[1:]}/older.gcda": b"from before", f"{str(folder)[1:]}/object.gcda": b"counted"}
    assert counters == names or (
        how is Confinement.LANDLOCK and os.geteuid() != 0
    )  # there, mode 0 is the owner's choice
    assert sorted(path.name for path in folder.iterdir()) == ["object.gcno"]


FILLING = """
#include <string.h>
#include <sys/mman.h>
int main(void)
{
    for (int i = 0; i < 128; i++) {
        char *more = mmap(0, 1 << 24, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (more == MAP_FAILED) return 3;
        memset(more, 1, 1 << 24);
    }
    return 0;
}
"""


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("flags", [(), ("-fsanitize=address",)])
def test_memory_is_watched_where_addresses_are_not_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: Confinement, flags: tuple[str, ...]
) -> None:
    executable = built(FILLING, tmp_path, *flags)
    monkeypatch.setattr(process, "_MOST_USED", 256 << 20)
    done = run(executable, [], how, limits=ProcessLimits(seconds=60, memory=None))
    assert (done.end, done.status) == ("signal", -signal.SIGKILL)
    assert done.notes == ("it was ended, since it used too much memory",)


WRONG = "#include <stdlib.h>\nint main(int argc, char **argv) { char *p = malloc(argc + 2); return p[argc + 2]; }\n"


@pytest.mark.parametrize("how", HOWS)
def test_sanitizers_work_in_every_enclosure(tmp_path: Path, how: Confinement) -> None:
    executable = built(WRONG, tmp_path, "-fsanitize=address,undefined", "-g")
    done = run(executable, [], how, limits=ProcessLimits(seconds=60, memory=None))
    assert b"heap-buffer-overflow" in done.output and b"program.c:2" in done.output


ENDLESS = """
#include <signal.h>
#include <unistd.h>
int main(void)
{
    for (int number = 1; number < 32; number++) signal(number, SIG_IGN);
    setsid();
    for (;;) pause();
}
"""


@pytest.mark.parametrize("without", ["", "namespaces"])
def test_nothing_runs_on_when_the_engine_is_killed(tmp_path: Path, without: str) -> None:
    (tmp_path / f"{MARKER}.c").write_text(ENDLESS)
    build_native(load_program(tmp_path / f"{MARKER}.c"))  # so that the engine starts it at once
    (tmp_path / "tests").mkdir()
    (tmp_path / "summary.json").write_text(json.dumps({"program": str(tmp_path / f"{MARKER}.c")}))
    KTest.of([], [MARKER]).write(tmp_path / "tests/000001.ktest")
    patient = "import cinquefoil.experiment.mutants as m; m._PATIENCE = 600.0; "
    script = f"{patient}from cinquefoil.cli.main import run; run(['mutants', {str(tmp_path)!r}])"
    settings = os.environ | {"CINQ_WITHOUT": without, "TMPDIR": str(tmp_path)}
    engine = subprocess.Popen([sys.executable, "-c", script], env=settings)
    try:
        until(lambda: bool(left_behind()))
    finally:
        engine.kill()
        engine.wait()
    until(lambda: not left_behind())


def until(holds: object) -> None:
    """Waits as long as it takes on a busy machine, within reason."""
    assert callable(holds)
    for _ in range(1200):
        if holds():
            return
        time.sleep(0.1)
    raise AssertionError("it never came to be")
