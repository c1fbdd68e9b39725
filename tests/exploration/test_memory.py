"""Memory: engine and worker are counted, a grown expression table is dropped, and nothing is lost by that."""

from __future__ import annotations

from pathlib import Path

import pytest

from cinquefoil.build.program import load_program
from cinquefoil.exploration import Exploration, Options
from cinquefoil.exploration.accounting.memory_use import Meter
from cinquefoil.exploration.solving.worker_solver import WorkerSolver
from cinquefoil.machine.image import Image, build_image
from cinquefoil.machine.resident import own_bytes
from cinquefoil.machine.worker import Worker

HEAVY = """
#include <klee/klee.h>
int main(void) {
    unsigned char s[4];
    unsigned sum = 1;
    klee_make_symbolic(s, sizeof s, "s");
    for (unsigned i = 0; i < 100000; i++) sum = sum * 7 + (s[i % 4] ^ i);  /* every value is a node of its own */
    for (int i = 0; i < 4; i++) if (s[i] > 100) sum++;
    return sum == 3;
}
"""


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    program = tmp_path_factory.mktemp("heavy") / "heavy.c"
    program.write_text(HEAVY)
    return build_image(load_program(program), blocks=True)


def test_the_workers_memory_counts_and_is_given_back(image: Image) -> None:
    with Worker(image) as worker:
        meter = Meter(worker)
        before, empty = meter.now(), worker.table_bytes()
        worker.run(b"")
        grown, table = meter.now(), worker.table_bytes()
        assert table - empty > 8_000_000  # some 400,000 nodes of 40 bytes
        assert grown - before > table - empty
        worker.new_epoch()
        assert worker.table_bytes() < 100_000
        assert meter.now() < grown - (table - empty) // 2
        assert meter.peak == grown


def test_a_new_table_says_the_same_as_the_old_one(image: Image) -> None:
    with Worker(image) as worker:
        before = worker.run(b"abcd")
        worker.new_epoch()
        after = worker.run(b"abcd")
        assert after.events["taken"].tolist() == before.events["taken"].tolist()
        assert after.events["expr"].tolist() == before.events["expr"].tolist()  # ids count from the beginning again


@pytest.mark.parametrize(("limit", "some"), [(None, False), (60 << 20, True)])
def test_a_grown_table_is_dropped_and_nothing_is_lost(image: Image, limit: int | None, some: bool) -> None:
    options = Options(search=("bfs",), max_time=600)
    with Worker(image) as worker:
        solver = WorkerSolver(worker)
        exploration = Exploration(worker, solver, options, image.graph)
        if limit is not None:
            exploration.runner.table_memory = limit // 6
        outcome = exploration.run()
        solver.close()
    assert bool(outcome.statistics.epochs) == some
    assert outcome.statistics.completed >= 16
    assert outcome.statistics.diverged == 0
    assert outcome.memory >= own_bytes() // 2


def test_a_small_limit_leaves_less_to_the_table() -> None:
    assert Options(max_memory=600 << 20).table_memory() == 75 << 20
    assert Options(max_memory=600 << 20, workers=2).table_memory() == (75 << 20) // 2
    assert Options().table_memory() == Options(max_memory=64 << 30).table_memory() == 320 << 20


def test_a_process_that_is_gone_weighs_nothing() -> None:
    assert own_bytes(2**22 + 1) == 0
    assert not Path(f"/proc/{2**22 + 1}").exists()
