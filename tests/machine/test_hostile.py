"""Programs that misbehave: every run has a sensible end, and the next run on the same worker is right."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from traced import PROGRAMS, fingerprint, worker_of

from cinquefoil.layout import EventKind
from cinquefoil.machine.run import Run
from cinquefoil.machine.worker import Limits, Worker

PROGRAM = PROGRAMS / "hostile" / "hostile.c"
CASES = sorted({int(n) for n in re.findall(r"case (\d+):", PROGRAM.read_text())} - {0})
GOOD = b"\0\5"
LIMITS = Limits(seconds=20, instructions=100_000_000, events=20_000, heap=64 << 20)
EXITS = {6, 7, 27, 30, 31, 33, 38, 39, 41, 42, 43, 44, 45, 47, 73}  # with their own number as status
ERRORS = {
    "null-pointer": {1, 24, 61, 77},
    "stack-overflow": {3, 4, 48},
    "out-of-bounds": {*range(8, 14), 15, 18, 19, 20, 21, 23, *range(54, 57), 58, 59, 60, *range(63, 68), 76, 78},
    "use-after-return": {22},
    "read-only": {16, 17},
    "abort": {36, 51, 75},
    "invalid-free": {49, 50},
    "unsupported": {52, 53},
}
OTHER_ENDS = {"budget": {2, 5, 35, 46}, "input": {68, 69}, "events": {71}}


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with worker_of(PROGRAM, limits=LIMITS) as found:
        yield found


@pytest.fixture(scope="module")
def good(worker: Worker) -> Run:
    return worker.run(GOOD)


def test_the_good_citizen_is_fine(good: Run) -> None:
    assert (good.end, good.output[:8]) == ("exit", b"citizen ")


@pytest.mark.parametrize("case", CASES)
def test_survives(worker: Worker, good: Run, case: int) -> None:
    deaths = worker.deaths
    if worker.table_bytes() > worker.limits.table // 8:  # cases before this one have made many expressions
        worker.new_epoch()
        assert fingerprint(worker.run(GOOD)) == fingerprint(good)
    run = worker.run(bytes([case, 5]))
    kind = run.error.kind if run.error else ""
    if case in EXITS:
        assert (run.end, run.code) == ("exit", case)
    for expected, cases in ERRORS.items():
        end = "unsupported" if expected == "unsupported" else "error"
        assert case not in cases or (run.end, kind) == (end, expected)
    for expected, cases in OTHER_ENDS.items():
        assert case not in cases or run.end == expected
    assert run.end != "died" and worker.deaths == deaths
    again = worker.run(GOOD)
    assert fingerprint(again) == fingerprint(good)


@pytest.mark.parametrize("case", [33, 81])
def test_a_thread_is_reported(worker: Worker, case: int) -> None:
    """POSIX's and C's threads do not start, and no error of libc's own is blamed on the program."""
    worker.new_epoch()  # cases before this one may have filled the table of expressions
    run = worker.run(bytes([case, 5]))
    assert (run.end, run.code) == ("exit", case), run.error
    assert EventKind.UNSUPPORTED in [int(e["kind"]) for e in run.events]


def test_a_killed_worker_comes_back(good: Run) -> None:
    with worker_of(PROGRAM, limits=LIMITS) as worker:
        first = worker.run(GOOD)
        assert worker._process is not None
        os.kill(worker._process.pid, signal.SIGKILL)
        time.sleep(0.1)
        assert worker.run(GOOD).end == "died"
        assert fingerprint(worker.run(GOOD)) == fingerprint(first) == fingerprint(good)
        assert worker.deaths == 1


def test_a_worker_killed_in_the_middle_comes_back(good: Run) -> None:
    with worker_of(PROGRAM, limits=LIMITS) as worker:
        assert worker._process is not None
        killer = threading.Timer(0.1, os.kill, (worker._process.pid, signal.SIGKILL))
        killer.start()
        run = worker.run(bytes([70, 5]))  # would take its two seconds
        assert run.end == "died"
        assert fingerprint(worker.run(GOOD)) == fingerprint(good)


def test_a_stopped_worker_is_replaced(good: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cinquefoil.machine.worker._GRACE", 0.2)
    with worker_of(PROGRAM, limits=LIMITS) as worker:
        assert worker._process is not None
        os.kill(worker._process.pid, signal.SIGSTOP)
        worker.limits = replace(LIMITS, seconds=0.2)  # of processor time: the clock allows many times that
        assert worker.run(GOOD).end == "died"
        worker.limits = LIMITS
        assert fingerprint(worker.run(GOOD)) == fingerprint(good)
