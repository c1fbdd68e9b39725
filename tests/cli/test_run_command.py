"""`cinq run` on the examples: what it finds, when it stops, what it leaves on disk."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from cinquefoil.cli.main import run

EXAMPLES = Path(__file__).parents[2] / "examples"
ENDLESS = """
#include <klee/klee.h>
int main(void) {
    unsigned char data[64];
    int sum = 0;
    klee_make_symbolic(data, sizeof data, "data");
    for (int i = 0; i < 64; i++) if (data[i] > 100) sum++;
    return sum;
}
"""


def explored(words: list[str], capfd: pytest.CaptureFixture[str], status: int = 0) -> dict[str, Any]:
    found = run(["run", "--json", *words])
    said = capfd.readouterr()
    assert found == status, said.err + said.out
    return json.loads(said.out)


def test_a_small_program_is_exhausted(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    summary = explored(["-o", str(tmp_path / "out"), str(EXAMPLES / "sign.c")], capfd)
    assert summary["exhausted"]
    assert summary["paths"]["completed"] == 3
    assert summary["errors"] == []
    assert summary["coverage"]["branches"] == [4, 4]
    assert len(list((tmp_path / "out/tests").glob("*.ktest"))) == summary["tests"] == 3
    on_disk = json.loads((tmp_path / "out/summary.json").read_text())
    assert on_disk["paths"] == summary["paths"]
    assert "SF:" in (tmp_path / "out/coverage.info").read_text()


def test_an_error_and_its_test(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = str(EXAMPLES / "password.c")
    summary = explored(["-o", str(tmp_path / "out"), program], capfd, 1)
    (error,) = summary["errors"]
    assert (error["kind"], error["function"], error["confirmed"]) == ("assertion", "main", True)
    assert run(["trace", "--input", str(tmp_path / "out" / error["test"]), program]) == 1
    assert capfd.readouterr().out.startswith("ended: error: assertion: ")


def test_the_tokenizers_bug_is_found(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = ["-o", str(tmp_path / "out"), "--max-errors", "1", "--max-time", "300s"]
    summary = explored([*words, str(EXAMPLES / "tokens.c"), "--sym-stdin", "10"], capfd, 1)
    assert [(e["kind"], e["function"]) for e in summary["errors"]] == [("out-of-bounds", "read_name")]
    assert summary["reason"] == "max-errors"


@pytest.mark.parametrize(
    ("option", "reason"),
    [("--max-paths=5", "max-paths"), ("--max-tests=2", "max-tests"), ("--max-time=300ms", "max-time")],
)
def test_limits(option: str, reason: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "p.c").write_text(ENDLESS)
    summary = explored([option, "-o", str(tmp_path / "out"), str(tmp_path / "p.c")], capfd)
    assert summary["reason"] == reason
    assert not summary["exhausted"]
    assert summary["paths"]["pending"] > 0


def test_same_seed_same_tests(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    contents: list[dict[str, bytes]] = []
    for name in ("one", "two"):
        words = ["--seed", "7", "--max-paths", "200", "--every-path", "-o", str(tmp_path / name)]
        explored([*words, str(EXAMPLES / "tokens.c"), "--sym-stdin", "6"], capfd)
        contents.append({path.name: path.read_bytes() for path in (tmp_path / name / "tests").iterdir()})
    assert len(contents[0]) > 100
    assert contents[0] == contents[1]


def test_readable_summary(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["run", "--search", "dfs", "--search", "bfs", str(EXAMPLES / "password.c")]) == 1
    lines = capfd.readouterr().out.splitlines()
    assert lines[0].endswith(": all paths explored")
    assert lines[1].startswith('error: assertion: 0 && "nobody should get in" at ')
    assert lines[1].endswith(".ktest")
    assert lines[-2:] == ["3 tests in cinq-out-0/tests", "all of it on cinq-out-0/report.html"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--search", "dsf", "p.c"], "did you mean 'dfs'?"),
        (["--max-time", "soon", "p.c"], "not a duration"),
        (["--max-memory", "much", "p.c"], "not a size"),
        (["--solver", "abacus", "p.c"], "abacus"),
        (["absent.c"], "absent.c: no such file"),
    ],
)
def test_mistakes(
    words: list[str],
    expected: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["run", *words]) == 2
    said = capfd.readouterr().err
    assert said.startswith("cinq: error: ") and expected in said and said.count("\n") == 1
    assert not list(tmp_path.glob("cinq-out*"))


def test_earlier_results_are_not_overwritten(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = ["-o", str(tmp_path / "out"), str(EXAMPLES / "sign.c")]
    explored(words, capfd)
    assert run(["run", *words]) == 2
    assert "holds the tests of an earlier run" in capfd.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_keep_what_was_found(number: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(ENDLESS)
    script = "from cinquefoil.cli.main import main; main()"
    words = ["run", "-o", str(tmp_path / "out"), str(tmp_path / "p.c")]
    with subprocess.Popen([sys.executable, "-c", script, *words], stdout=subprocess.PIPE, text=True) as process:
        _await(tmp_path / "out/tests/000001.ktest")
        time.sleep(0.5)
        os.kill(process.pid, number)
        said, _ = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "interrupted" in said
    summary = json.loads((tmp_path / "out/summary.json").read_text())
    assert summary["reason"] == "interrupted"
    assert summary["tests"] == len(list((tmp_path / "out/tests").glob("*.ktest")))
    assert "interrupted" in (tmp_path / "out/report.html").read_text(encoding="utf-8")


def _await(path: Path) -> None:
    deadline = time.monotonic() + 300
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} does not appear"
        time.sleep(0.05)
