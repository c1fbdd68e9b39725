"""The commands that run programs natively: all by way of the enclosure, unless the user says otherwise."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cinquefoil.replay.confinement import Offer, offered
from cinquefoil.testcase.ktest import KTest

pytestmark = [
    pytest.mark.skipif(shutil.which("gcc") is None or shutil.which("gcov") is None, reason="gcc is not here"),
    pytest.mark.skipif(offered() != Offer("", ""), reason="this system lacks namespaces or Landlock"),
]

# Writes and removes files, executes a shell, and leaves a process behind that writes later.
PROGRAM = """
#include <fcntl.h>
#include <klee/klee.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
    unsigned char c;
    klee_make_symbolic(&c, 1, "c");
    if (c == 1) {
        int file = open("FOLDER/mark", O_CREAT | O_WRONLY, 0644);
        if (file >= 0) close(file);
        unlink("FOLDER/victim");
        if (syscall(SYS_fork) == 0) {
            execl("/bin/sh", "sh", "-c", "echo x > FOLDER/executed", (char *)0);
            _exit(0);
        }
    }
    puts("done");
    return 0;
}
"""
MODES = {
    "plain": [],
    "sanitize": ["--sanitize", "address,undefined"],
    "coverage": ["--coverage"],
    "native": ["--native"],
}


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """An output folder with one hostile test, beside the folder that it aims at."""
    aim, folder = tmp_path / "aim", tmp_path / "out"
    aim.mkdir()
    (aim / "victim").write_text("kept")
    (tmp_path / "hostile.c").write_text(PROGRAM.replace("FOLDER", str(aim)))
    (folder / "tests").mkdir(parents=True)
    (folder / "summary.json").write_text(json.dumps({"program": str(tmp_path / "hostile.c")}))
    KTest.of([("c", b"\1")], ["hostile"]).write(folder / "tests" / "000001.ktest")
    return folder


def options(mode: str, suite: Path) -> list[str]:
    if mode != "native":
        return MODES[mode]
    from cinquefoil.replay import gcc

    (suite.parent / "built").mkdir()
    return ["--native", str(gcc.build(suite.parent / "hostile.c", suite.parent / "built", (), ()))]


def cinq(*arguments: str | Path, without: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cinquefoil.cli", *map(str, arguments)]
    settings = os.environ | {"CINQ_WITHOUT": without}
    return subprocess.run(command, capture_output=True, text=True, env=settings, check=False)


def cinq_where_namespaces_are_refused(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Not by CINQ_WITHOUT, but by the kernel: in a namespace in which no more can be made."""
    script = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
    command = ["unshare", "--user", "--map-root-user", "sh", "-c", script, "sh", sys.executable, "-m", "cinquefoil.cli"]
    return subprocess.run([*command, *map(str, arguments)], capture_output=True, text=True, check=False)


def untouched(suite: Path) -> bool:
    aim = suite.parent / "aim"
    return [path.name for path in aim.iterdir()] == ["victim"] and (aim / "victim").read_text() == "kept"


@pytest.mark.parametrize("without", ["", "namespaces"])
@pytest.mark.parametrize("mode", list(MODES))
def test_replays_are_confined(suite: Path, mode: str, without: str) -> None:
    done = cinq("replay", suite, *options(mode, suite), without=without)
    assert done.returncode in (0, 1) and "Traceback" not in done.stderr, done.stderr
    assert untouched(suite)
    assert "unconfined" not in done.stdout
    assert done.stderr.count("note: no namespaces here") == (1 if without else 0)


@pytest.mark.parametrize("without", ["", "namespaces"])
def test_mutants_are_confined(suite: Path, without: str) -> None:
    done = cinq("mutants", suite, "--limit", "5", "--json", without=without)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["confinement"] == ("landlock" if without else "namespaces")
    assert untouched(suite)


@pytest.mark.parametrize("mode", list(MODES))
def test_what_cannot_be_confined_is_refused(suite: Path, mode: str) -> None:
    done = cinq("replay", suite, *options(mode, suite), without="namespaces,landlock")
    assert done.returncode == 2 and untouched(suite)
    assert done.stderr.startswith("cinq: error: programs cannot be confined here") and done.stderr.count("\n") == 1
    assert "--unconfined" in done.stderr


@pytest.mark.parametrize("mode", list(MODES))
def test_the_user_can_leave_the_enclosure_and_it_is_shown(suite: Path, mode: str) -> None:
    done = cinq("replay", suite, *options(mode, suite), "--unconfined", without="namespaces,landlock")
    assert done.returncode in (0, 1), done.stderr
    assert "unconfined" in done.stdout and not untouched(suite)


def test_mutants_outside_the_enclosure_are_shown(suite: Path) -> None:
    done = cinq("mutants", suite, "--limit", "3", "--unconfined")
    assert done.returncode == 0 and done.stdout.endswith(", unconfined\n")
    assert cinq("mutants", suite, without="namespaces,landlock").returncode == 2


def test_coverage_is_the_same_with_less(suite: Path) -> None:
    """Counters are collected from the file system in memory, and from a folder of the host's."""
    for value in (0, 2, 3):
        KTest.of([("c", bytes([value]))], ["hostile"]).write(suite / "tests" / f"00000{value + 2}.ktest")
    found = [cinq("replay", suite, "--coverage", without=without).stdout for without in ("", "namespaces")]
    assert found[0] == found[1] and "total: lines" in found[0]


def test_a_script_is_refused_with_a_hint(suite: Path, tmp_path: Path) -> None:
    script = tmp_path / "wrapper"
    script.write_text("#!/bin/sh\necho run\n")
    script.chmod(0o755)
    done = cinq("replay", suite, "--native", script)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert f"{script} cannot be started" in done.stderr and "--unconfined" in done.stderr
    assert cinq("replay", suite, "--native", script, "--unconfined").returncode == 0


def test_programs_of_the_host_find_their_libraries(suite: Path) -> None:
    """A dynamic executable that others built, with its arguments and input."""
    KTest.of([("stdin", b"b\na\n")], ["sort", "-r", "--sym-stdin", "4"]).write(suite / "tests" / "000001.ktest")
    found = shutil.which("sort")
    assert found is not None
    done = cinq("replay", suite, "--native", found)
    assert done.returncode == 0 and "exit 0" in done.stdout, done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("unshare") is None, reason="no unshare here")
@pytest.mark.parametrize("mode", list(MODES))
def test_a_system_that_refuses_namespaces_still_confines(suite: Path, mode: str) -> None:
    done = cinq_where_namespaces_are_refused("replay", suite, *options(mode, suite))
    assert done.returncode in (0, 1) and done.stderr.count("note: no namespaces here") == 1, done.stderr
    assert untouched(suite)


@pytest.mark.skipif(shutil.which("unshare") is None, reason="no unshare here")
def test_the_doctor_notices_a_system_that_refuses_namespaces() -> None:
    done = cinq_where_namespaces_are_refused("doctor", "--json")
    findings = {each["what"]: each for each in json.loads(done.stdout)["findings"]}
    assert findings["namespaces"]["found"].startswith("refused (") and findings["namespaces"]["advice"]
    assert done.returncode == 0 and not findings["Landlock"]["advice"]
