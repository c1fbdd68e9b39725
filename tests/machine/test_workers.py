"""What lasts over runs: names of inputs, epochs, restarts, many runs."""

from __future__ import annotations

import os
import random
import signal
import threading
from itertools import pairwise

import pytest
from traced import PROGRAMS, decisions, fingerprint, path_condition, random_witness, table_of, violated, worker_of

from cinquefoil.machine.run import Run
from cinquefoil.machine.worker import Limits, Worker

OBJECTS = PROGRAMS / "hostile" / "objects.c"
MEMORY = PROGRAMS / "differential" / "memory.c"


def _indices(run: Run) -> dict[str, tuple[int, int]]:
    return {o.name: (o.first, o.size) for o in run.objects}


def _kill(worker: Worker) -> None:
    assert worker._process is not None
    os.kill(worker._process.pid, signal.SIGKILL)
    worker.run(b"")


def test_names_keep_their_indices() -> None:
    with worker_of(OBJECTS) as worker:
        first, second, third = (worker.run(bytes([a])) for a in (1, 0, 3))
        known = _indices(first) | _indices(second)
        assert _indices(first)["a"] == (0, 1) and {"b", "n", "r"} <= _indices(first).keys()
        assert {name: known[name] for name in _indices(third)} == _indices(third)
        spans = sorted(known.values())
        assert all(one[0] + one[1] <= two[0] for one, two in pairwise(spans)), "no overlap"


def test_names_keep_their_indices_over_a_restart() -> None:
    with worker_of(OBJECTS) as worker:
        known = _indices(worker.run(bytes([1]))) | _indices(worker.run(bytes([0x20])))
        _kill(worker)
        again = _indices(worker.run(bytes([0x22])))
        assert {name: known[name] for name in again if name in known} == {n: p for n, p in again.items() if n in known}
        worker.new_epoch()
        assert _indices(worker.run(bytes([0x22]))) == again


def test_repeated_names_are_told_apart() -> None:
    with worker_of(OBJECTS) as worker:
        names = [o.name for o in worker.run(bytes([0x30])).objects]
        assert names[2:5] == ["d", "d_1", "d_2"]
        indices = _indices(worker.run(bytes([0x30])))
        data = bytearray(200)
        data[0] = 0x30
        data[indices["d_1"][0]] = 101
        assert worker.run(bytes(data)).output.startswith(b"d1 ")


def test_a_run_that_must_wait_for_the_processor_is_not_cut() -> None:
    """The limit is of processor time, and a stopped process uses none."""
    with worker_of(OBJECTS, limits=Limits(seconds=2)) as worker:
        pid = worker.pid
        goes_on = threading.Timer(5, lambda: os.kill(pid, signal.SIGCONT))
        os.kill(pid, signal.SIGSTOP)
        goes_on.start()
        assert worker.run(bytes([1])).end == "exit"
        goes_on.cancel()
        assert worker.deaths == 0


def test_many_symbolic_bytes() -> None:
    with worker_of(OBJECTS, limits=Limits(seconds=20)) as worker:
        run = worker.run(bytes([4]))
        first = _indices(run)["big"][0]
        data = bytearray(first + 65536)
        data[0] = 4
        for at in (5, 77, 60000):
            data[first + at] = ord("z")
        assert b"three" in worker.run(bytes(data)).output


@pytest.mark.parametrize("restart", [False, True])
def test_a_new_epoch_changes_nothing(restart: bool) -> None:
    generator = random.Random(5)
    witnesses = [random_witness(64, generator) for _ in range(4)]
    with worker_of(MEMORY) as worker:
        before = [worker.run(w) for w in witnesses]
        _kill(worker) if restart else worker.new_epoch()
        for witness, old in zip(reversed(witnesses), reversed(before), strict=True):
            new = worker.run(witness)
            assert violated(table_of(worker), path_condition(worker, new), witness) == []
            shape = [(*d[:3], d[4]) for d in decisions(old)]
            assert [(*d[:3], d[4]) for d in decisions(new)] == shape
            assert (new.end, new.output, new.covered.tolist()) == (old.end, old.output, old.covered.tolist())


def test_a_thousand_runs_leave_no_trace() -> None:
    generator = random.Random(6)
    witness = random_witness(64, generator)
    with worker_of(MEMORY, quiet=True) as worker:
        first = fingerprint(worker.run(witness))
        for _ in range(1000):
            assert worker.run(random_witness(64, generator)).end == "exit"
        assert fingerprint(worker.run(witness)) == first
        assert worker.deaths == 0


def test_limits_end_runs() -> None:
    with worker_of(MEMORY, limits=Limits(events=5)) as worker:
        run = worker.run(random_witness(64, random.Random(7)))
        assert run.end == "events" and len(run.events) == 5
    with worker_of(MEMORY, limits=Limits(instructions=2000)) as worker:
        assert worker.run(bytes(64)).end == "budget"
