"""`cinq compare` for real: cells run, failures are told, a killed comparison is completed, nothing is repeated."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cinquefoil.cli.main import run
from cinquefoil.experiment.watched_process import ChildLimits, descendants, run_watched

PROGRAM = """
#include <klee/klee.h>
int main(void) {
    unsigned char d[5];
    int n = 0;
    klee_make_symbolic(d, sizeof d, "d");
    for (int i = 0; i < 5; i++) if (d[i] == 'a' + i) n++; else if (d[i] > 200) n += 2;
    klee_assert(n != 9);
    return n;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("program") / "small.c"
    path.write_text(PROGRAM)
    return path


def compared(words: list[str], capfd: pytest.CaptureFixture[str], status: int = 0) -> tuple[str, str]:
    found = run(["compare", *words])
    said = capfd.readouterr()
    assert found == status, said.err + said.out
    return said.out, said.err


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_comparison_with_failures_and_its_repetition(
    program: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    words = ["-c", "dfs", "-c", "bfs --max-paths 3", "-c", "bad=--no-such-option", "--seeds", "2", "--budget", "5s"]
    broken = tmp_path / "broken.c"
    broken.write_text("int main(void) { return nothing; }\n")
    words += ["-o", str(out), str(program), str(broken)]
    text, told = compared(words, capfd, 1)
    assert told.count("] small dfs seed") == 2
    assert "small dfs seed 1 5 s: " in told and "broken.c does not compile" in told
    assert "Failed cells" in text and "No such option" in text

    cells = {(row["subject"], row["configuration"], row["seed"]): row for row in rows(out / "cells.csv")}
    assert len(cells) == 12
    assert {key for key, row in cells.items() if row["status"] == "ok"} == {
        ("small", name, seed) for name in ("dfs", "bfs --max-paths 3") for seed in "12"
    }
    full, cut = cells["small", "dfs", "1"], cells["small", "bfs --max-paths 3", "1"]
    assert float(full["blocks"]) > float(cut["blocks"]) > 0
    assert (full["errors"], float(full["paths.completed"]) > 20) == ("1", True)
    summary = {(row["subject"], row["configuration"]): row for row in rows(out / "summary.csv")}
    assert float(summary["small", "dfs"]["mean"]) == float(full["blocks"])
    assert summary["small", "dfs"]["runs"] == "2" and summary["broken", "dfs"]["runs"] == "0"

    page = (out / "index.html").read_text()
    for wanted in ("<svg", "<polyline", "Covered blocks", "Failed cells", "small.c", "--max-paths 3"):
        assert wanted in page, wanted
    assert "http" not in page.replace("http-equiv", "") and "<script" not in page
    markdown = (out / "index.md").read_text()
    assert markdown.startswith("# Comparison\n") and "## Failed cells" in markdown and "| small |" in markdown

    # The same again runs nothing, and says the same.
    times = {path: path.stat().st_mtime_ns for path in (out / "cells").iterdir()}
    again, told = compared(words, capfd, 1)
    assert again == text
    assert "12 of 12 cells are finished already" in told
    assert times == {path: path.stat().st_mtime_ns for path in (out / "cells").iterdir()}
    assert list((out / "work").iterdir()) == []

    # The folder alone is enough; another measure needs no new runs.
    other, _ = compared(["-o", str(out), "--measure", "lines", "--no-run"], capfd, 1)
    assert "Covered lines" in other


def test_the_same_seed_gives_the_same_cells(program: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    found: list[list[dict[str, str]]] = []
    for name in ("one", "two"):
        compared(
            ["-c", "random-state", "--seeds", "1", "--budget", "20s", "-o", str(tmp_path / name), str(program)], capfd
        )
        found.append(rows(tmp_path / name / "cells.csv"))
    for first, second in zip(*found, strict=True):
        for column in (
            "key",
            "blocks",
            "branches",
            "lines",
            "paths.completed",
            "tests",
            "solver.queries",
            "machine.runs",
        ):
            assert first[column] == second[column], column


def test_measured_afterwards(program: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    out, other = tmp_path / "out", tmp_path / "other"
    words = [
        "-c",
        "dfs",
        "-c",
        "few=dfs --max-paths 1",
        "--seeds",
        "1",
        "--cells",
        str(tmp_path / "cells"),
        str(program),
    ]
    text, _ = compared([*words, "--measure", "gcov-lines", "--measure-also", "mutants", "-o", str(out)], capfd)
    assert "Covered gcov-lines" in text
    full, few = rows(out / "cells.csv")
    assert float(full["gcov-lines"]) >= float(few["gcov-lines"]) > 0
    assert float(full["gcov-branches"]) > float(few["gcov-branches"])
    assert float(full["mutants"]) > float(few["mutants"])
    # Another folder finds the same cells where they are kept.
    _, told = compared([*words, "--measure", "gcov-lines", "--measure-also", "mutants", "-o", str(other)], capfd)
    assert "2 of 2 cells are finished already" in told


def test_a_total_time_chooses_the_budget_once(program: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = ["-c", "dfs", "--seeds", "1", "--jobs", "1", "-o", str(tmp_path), str(program)]
    _, told = compared([*words, "--total", "30s"], capfd)
    assert "23 s per run" in told  # of 30, without what is spent around the run
    _, told = compared([*words, "--total", "30s"], capfd)
    assert "1 of 1 cells are finished already" in told and "per run" not in told
    assert json.loads((tmp_path / "compare.json").read_text())["budgets"] == [23]


def test_killed_half_way_and_started_again(program: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "cinquefoil.cli", "compare", "-o", str(out), "--jobs", "1", "--seeds", "3"]
    command += ["--budget", "20s", "-c", "dfs", "-c", "bfs", str(program)]
    first = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    deadline = time.monotonic() + 300
    while len(list((out / "cells").glob("*.json")) if out.exists() else []) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    below = descendants(first.pid)
    first.kill()
    first.wait()
    finished = {path: path.stat().st_mtime_ns for path in (out / "cells").glob("*.json")}
    assert 2 <= len(finished) < 6
    assert not (out / "index.html").exists()
    for _ in range(3000):  # what it had started dies with it
        if not any(Path(f"/proc/{pid}/cmdline").exists() and _alive(pid) for pid in below):
            break
        time.sleep(0.1)
    else:
        raise AssertionError("children outlive a killed comparison")

    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert f"{len(finished)} of 6 cells are finished already" in done.stderr
    assert done.stderr.count(" blocks, ") == 6 - len(finished)
    assert finished == {path: path.stat().st_mtime_ns for path in finished}
    assert len(list((out / "cells").glob("*.json"))) == len(rows(out / "cells.csv")) == 6


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_interrupted_politely(program: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-m", "cinquefoil.cli", "compare", "-o", str(out), "--jobs", "1", "--seeds", "9"]
    process = subprocess.Popen([*command, "-c", "dfs", str(program)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while not (out / "cells").is_dir() or not list((out / "cells").iterdir()):
        time.sleep(0.02)
        assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    said, errors = process.communicate(timeout=300)
    assert process.returncode == 130, errors
    assert b"runs are missing" in said and b"goes on" in errors
    assert json.loads((out / "compare.json").read_text())["seeds"] == list(range(1, 10))
    assert (out / "index.html").is_file()


def test_cells_that_hang_or_grow_are_ended() -> None:
    def child(code: str, limits: ChildLimits) -> str:
        return run_watched([sys.executable, "-c", code], limits, lambda: False).why

    assert child("import time; time.sleep(60)", ChildLimits(0.3, 1 << 40)) == "time"
    assert child("x = b'x' * (300 << 20)\nimport time; time.sleep(60)", ChildLimits(30, 100 << 20)) == "memory"
    ended = run_watched([sys.executable, "-c", "import os; os.abort()"], ChildLimits(30, 1 << 40), lambda: False)
    assert (ended.status, ended.why) == (-signal.SIGABRT, "")
    begun = time.monotonic()
    stubborn = "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(900)"
    assert run_watched([sys.executable, "-c", stubborn], ChildLimits(900, 1 << 40), lambda: True).why == "stopped"
    assert time.monotonic() - begun < 300
    assert os.getpid() not in descendants(os.getpid())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "name programs and configurations"),
        (["x.c"], "no configuration"),
        (["-c", "dfs"], "no program"),
        (["-c", "dfs", "x.c", "--baseline", "bfs"], "none of the configurations"),
        (["--preset", "nonsense"], "no preset 'nonsense'"),
    ],
)
def test_wrong_usage(
    words: list[str], message: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.c").write_text("int main(void) { return 0; }\n")
    _, told = compared(words, capfd, 2)
    assert message in told and len(told.splitlines()) == 1
