"""An exploration ends when it should, also in the middle of a question that would take the solver minutes."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

import cinquefoil

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


@pytest.fixture(scope="module")
def hard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("stopping") / "hard.c"
    source.write_text(HARD)
    return source


@pytest.mark.parametrize("solver", ["bitwuzla", "z3"])
def test_a_long_question_does_not_outlast_the_exploration(hard: Path, solver: str) -> None:
    outcome = cinquefoil.explore(hard, search="dfs", solver_seconds=100.0, solver=solver, max_time=1.5)
    assert outcome.reason == "max-time"
    assert outcome.seconds < 4
    assert (outcome.pending, outcome.unknown, outcome.exhausted) == (1, 0, False)
    assert outcome.tests


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_a_long_question(hard: Path, number: signal.Signals) -> None:
    asked: list[float] = []

    def ask() -> None:
        asked.append(time.monotonic())
        os.kill(os.getpid(), number)

    timer = threading.Timer(2.5, ask)
    timer.start()
    outcome = cinquefoil.explore(hard, search="dfs", solver_seconds=100.0)
    timer.cancel()
    assert outcome.reason == "interrupted"
    assert time.monotonic() - asked[0] < 2
    assert outcome.pending == 1
    assert outcome.tests
