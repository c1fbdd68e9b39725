"""An exploration ends when it should, also in the middle of a question that would take the solver minutes."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Generator
from pathlib import Path

import pytest

import cinquefoil
from cinquefoil.cli.main import run
from cinquefoil.exploration.output.result_folder import ResultFolder
from cinquefoil.solver.problem import Problem, Verdict
from cinquefoil.solver.smt_layer import SmtLayer

SIGNALS = [signal.SIGINT, signal.SIGTERM]

# What hashes to a given number: bit-blasted multiplications, each of which depends on the one before.
HARD = """
#include <klee/klee.h>
int main(void) {
    unsigned long a, b;
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    unsigned long hash = a;
    for (int i = 0; i < 12; i++)
        hash = (hash ^ hash >> 29) * (hash | 1) * 0xBF58476D1CE4E5B9ul + b;
    if (hash == 0x123456789ABCDEFul) return 2;
    return 0;
}
"""


@pytest.fixture(autouse=True)
def interruptible() -> Generator[None]:
    """A job in the background of a script inherits that it ignores SIGINT."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def hard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("stopping") / "hard.c"
    source.write_text(HARD)
    return source


@pytest.mark.parametrize("solver", ["bitwuzla", "z3"])
def test_a_long_question_does_not_outlast_the_exploration(hard: Path, solver: str) -> None:
    outcome = cinquefoil.explore(hard, search="dfs", solver_seconds=900.0, solver=solver, max_time=1.5)
    assert outcome.reason == "max-time"
    assert outcome.seconds < 300
    assert (outcome.pending, outcome.unknown, outcome.exhausted) == (1, 0, False)
    assert outcome.tests


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_stops_a_long_question(hard: Path, number: signal.Signals, monkeypatch: pytest.MonkeyPatch) -> None:
    """The signal comes while the SMT solver works: however slow the machine, the question has begun by then."""
    decide, timers = SmtLayer.decide, list[threading.Timer]()

    def decide_and_interrupt(layer: SmtLayer, problem: Problem) -> Verdict:
        if not timers:
            timers.append(threading.Timer(0.5, lambda: os.kill(os.getpid(), number)))
            timers[0].start()
        return decide(layer, problem)

    monkeypatch.setattr(SmtLayer, "decide", decide_and_interrupt)
    outcome = cinquefoil.explore(hard, search="dfs", solver_seconds=900.0, max_time=300.0)
    timers[0].cancel()
    assert outcome.reason == "interrupted"
    assert outcome.pending == 1
    assert outcome.tests


EASY = """
#include <klee/klee.h>
int main(void) {
    unsigned char c;
    klee_make_symbolic(&c, 1, "c");
    if (c > 7) klee_warning("large");
    return 0;
}
"""


@pytest.fixture
def easy(tmp_path: Path) -> Path:
    source = tmp_path / "easy.c"
    source.write_text(EASY)
    return source


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_while_results_are_written_loses_none(
    easy: Path, number: signal.Signals, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish, folder = ResultFolder.finish, easy.parent / "out"

    def interrupted(*arguments: object) -> None:
        os.kill(os.getpid(), number)
        finish(*arguments)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(ResultFolder, "finish", interrupted)
    with pytest.raises(KeyboardInterrupt):
        cinquefoil.explore(easy, output=folder, workers=workers)
    summary = json.loads((folder / "summary.json").read_text())
    assert (summary["reason"], summary["exhausted"], summary["paths"]["completed"]) == ("exhausted", True, 2)
    assert {"coverage.info", "stats.csv", "report.json"} <= {file.name for file in folder.iterdir()}


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_before_there_is_anything_to_keep(
    easy: Path, number: signal.Signals, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        os.kill(os.getpid(), number)
        time.sleep(5)

    monkeypatch.setattr("cinquefoil.cli.run_command.load_program", interrupted)
    assert run(["run", "-o", str(easy.parent / "out"), str(easy)]) == 130
    assert capfd.readouterr().err.splitlines()[-1] == "cinq: error: interrupted"
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
