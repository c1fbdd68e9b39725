"""Result folders of others: pipes, devices and links instead of files keep nobody waiting."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cinquefoil.cli.main import run

PROGRAM = """
#include <klee/klee.h>
int main(void) { unsigned char c; klee_make_symbolic(&c, 1, "c"); return c > 7; }
"""
FILES = ["summary.json", "stats.csv", "report.json", "coverage.info", "tests/000001.ktest"]
COMMANDS = [["report"], ["export", "--to", "sarif"], ["export", "--to", "corpus"], ["export", "--to", "lcov"]]
REPLACEMENTS: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "zeros": lambda path: path.symlink_to("/dev/zero"),
    "terminal": lambda path: path.symlink_to("/dev/tty"),
    "folder": lambda path: path.mkdir(),
    "itself": lambda path: path.symlink_to(path.name),
    "memory": lambda path: path.symlink_to("/proc/self/mem"),
}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    (folder / "p.c").write_text(PROGRAM)
    assert run(["run", "-o", str(folder / "out"), str(folder / "p.c")]) == 0
    return folder / "out"


@pytest.fixture
def _not_for_ever() -> Iterator[None]:
    """Whoever waits is woken up: generous, since only a failing test takes so long."""
    signal.alarm(100)
    yield
    signal.alarm(0)


@pytest.mark.usefixtures("_not_for_ever")
@pytest.mark.parametrize("kind", REPLACEMENTS)
@pytest.mark.parametrize("name", FILES)
def test_what_is_no_file_is_not_read(
    results: Path, name: str, kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    shutil.copytree(results, folder)
    (folder / name).unlink()
    REPLACEMENTS[kind](folder / name)
    for number, command in enumerate(COMMANDS):
        output = ["-o", str(tmp_path / f"exported{number}")] if command[0] == "export" else []
        assert run([command[0], str(folder), *command[1:], *output]) in (0, 2)
    if kind == "pipe":
        assert run(["replay", str(folder)]) in (0, 2)
    assert "internal fault" not in capfd.readouterr().err


@pytest.mark.parametrize("name", ["report.html", "summary.json"])
def test_results_are_not_written_through_links(results: Path, name: str, tmp_path: Path) -> None:
    """A folder that somebody prepared, into which the page is written or a program explored."""
    folder, victim = tmp_path / "out", tmp_path / "victim"
    victim.write_text("untouched")
    if name == "report.html":
        shutil.copytree(results, folder)
        (folder / name).unlink()
    else:
        folder.mkdir()
    (folder / name).symlink_to(victim)
    command = ["report", str(folder)] if name == "report.html" else ["run", "-o", str(folder), str(results / "../p.c")]
    assert run(command) == 0
    assert victim.read_text() == "untouched"
    assert not (folder / name).is_symlink()


@pytest.mark.parametrize("path", ["world", "world/files", "world/files/root", "world/files/inner/root"])
def test_what_a_program_was_given_leads_nowhere_else(
    results: Path, path: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Else the program would get files of whoever replays it, and all of them would be read first."""
    folder = tmp_path / "out"
    shutil.copytree(results, folder)
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).symlink_to(tmp_path)
    assert run(["replay", str(folder)]) == 2
    assert f"{path} is a link" in capfd.readouterr().err


def test_a_folder_that_cannot_be_written_is_named(results: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "-o", "/proc/cinq-out", str(results / "../p.c")]) == 2
    assert "cannot write to the output folder /proc/cinq-out" in capfd.readouterr().err
