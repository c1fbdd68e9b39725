"""Whatever a worker leaves in the shared memory, the engine survives it: the run is lost, the worker replaced."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from cinquefoil import layout
from cinquefoil.build.program import load_program
from cinquefoil.exploration import Options
from cinquefoil.exploration.loop.exploration import Exploration
from cinquefoil.exploration.solving.worker_solver import WorkerSolver
from cinquefoil.layout import Op
from cinquefoil.machine.image import Image, build_image
from cinquefoil.machine.shared import SharedMemory, counter
from cinquefoil.machine.worker import Worker
from cinquefoil.native import core

PROGRAM = """
#include <klee/klee.h>
static const unsigned short squares[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};
int main(void) {
    unsigned char c[6];
    double d;
    klee_make_symbolic(c, sizeof c, "c");
    klee_make_symbolic(&d, sizeof d, "d");
    unsigned char own[8] = {c[0], c[1], 3, c[2]};
    int result = squares[c[0] & 15] > 50;
    if (own[c[3] & 7] == 9) result += 2;
    if (d * 2 > 7.5) result += 4;
    switch (c[4]) { case 1: case 5: result += 8; break; case 7: result += 16; }
    if (c[5] == 200) ((volatile char *)c)[c[1] * 3] = 1;
    klee_prefer_cex(c, c[0] > 3);
    klee_stack_trace();
    return result;
}
"""
ALL_ONES = np.iinfo(np.uint32).max
Tamper = Callable[[SharedMemory], None]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    source = tmp_path_factory.mktemp("hostile") / "program.c"
    source.write_text(PROGRAM)
    return build_image(load_program(source), blocks=True)


class TamperedWorker(Worker):
    """Its shared memory is changed after a run, as a program could that wrote wherever it likes."""

    tamper: Tamper | None = None

    def _ran(self, *arguments: object) -> bool:
        ran = super()._ran(*arguments)  # pyright: ignore[reportArgumentType]
        if ran and self.tamper is not None:
            self.tamper(self.memory)
        return ran


@pytest.fixture
def worker(image: Image) -> Iterator[TamperedWorker]:
    with TamperedWorker(image) as found:
        yield found


def counted(name: str, value: int) -> Tamper:
    def tamper(memory: SharedMemory) -> None:
        memory.counters[counter(name)] = value

    return tamper


def noded(wanted: Callable[[np.void], bool], **fields: int) -> Tamper:
    """Changes the last node of the run that is `wanted`."""

    def tamper(memory: SharedMemory) -> None:
        nodes = memory.records(layout.NODE, layout.SHM_NODES, memory.counters[counter("nodes")])
        found = [row for row in nodes[1:] if wanted(row)]
        for name, value in fields.items():
            found[-1][name] = value

    return tamper


def record(dtype: np.dtype[np.void], offset: int, index: int, field: str, value: int) -> Tamper:
    def tamper(memory: SharedMemory) -> None:
        memory.records(dtype, offset, index + 1)[index][field] = value

    return tamper


def word(offset: int, value: int) -> Tamper:
    def tamper(memory: SharedMemory) -> None:
        memory.words(offset, 1)[0] = value

    return tamper


def is_binary(row: np.void) -> bool:
    return bool(row["op"] == Op.EQ)


def unsupported(reason: int) -> Tamper:
    """Turns the first event into one that says something is not supported, for this reason."""

    def tamper(memory: SharedMemory) -> None:
        event = memory.records(layout.EVENT, layout.SHM_EVENTS, 1)[0]
        event["kind"], event["value"] = layout.EventKind.UNSUPPORTED, reason

    return tamper


TAMPERING: dict[str, Tamper] = {
    "end": counted("end", 99),
    "events": counted("events", layout.EVENT_CAPACITY + 1),
    "trace": counted("trace", 1 << 40),
    "made": counted("made", 1 << 60),
    "made objects": word(layout.SHM_MADE, 5),
    "objects": counted("objects", 1 << 32),
    "fewer objects": counted("objects", 0),
    "known": counted("input_known", layout.INPUT_CAPACITY + 1),
    "nodes": counted("nodes", layout.NODE_CAPACITY + 1),
    "tables": counted("tables", layout.TABLE_CAPACITY + 1),
    "pool": counted("pool", layout.POOL_CAPACITY + 1),
    "alts": counted("alts", layout.ALTS_CAPACITY + 1),
    "output": counted("output", 1 << 50),
    "remarks": counted("remarks", layout.REMARK_CAPACITY + 1),
    "remark's kind": record(layout.REMARK, layout.SHM_REMARKS, 0, "kind", 77),
    "remark's site": record(layout.REMARK, layout.SHM_REMARKS, 0, "site", ALL_ONES),
    "remark's expression": record(layout.REMARK, layout.SHM_REMARKS, 0, "expr", 1 << 24),
    "preference that is no condition": record(layout.REMARK, layout.SHM_REMARKS, 0, "expr", 1),
    "frames": record(layout.REMARK, layout.SHM_REMARKS, 1, "depth", layout.REMARK_FRAMES + 1),
    "frame": record(layout.REMARK, layout.SHM_REMARKS, 1, "backtrace", ALL_ONES),
    "operand beyond": noded(is_binary, a=0x70000000),
    "operand itself": noded(is_binary, a=1 << 24, b=1 << 24),
    "no operand": noded(is_binary, b=0),
    "width": noded(is_binary, width=0xFFFF),
    "no width": noded(is_binary, width=0),
    "other width": noded(is_binary, width=2),
    "operation": noded(is_binary, op=200),
    "no operation": noded(is_binary, op=0),
    "input": noded(lambda row: row["op"] == Op.INPUT, imm=1 << 40),
    "bounds": noded(is_binary, lo=0, hi=0xFFFFFFF0),
    "table": noded(lambda row: row["op"] == Op.TREAD, imm=1 << 30),
    "table count": record(layout.TABLE, layout.SHM_TABLES, 0, "count", 1 << 31),
    "table width": record(layout.TABLE, layout.SHM_TABLES, 0, "width", 4096),
    "table bytes": record(layout.TABLE, layout.SHM_TABLES, 0, "bytes", 1 << 62),
    "table ids": record(layout.TABLE, layout.SHM_TABLES, 0, "ids", 1 << 62),
    "event kind": record(layout.EVENT, layout.SHM_EVENTS, 0, "kind", 77),
    "event site": record(layout.EVENT, layout.SHM_EVENTS, 0, "site", ALL_ONES),
    "event expression": record(layout.EVENT, layout.SHM_EVENTS, 0, "expr", ALL_ONES),
    "event trace": record(layout.EVENT, layout.SHM_EVENTS, 0, "trace", ALL_ONES),
    "event direction": record(layout.EVENT, layout.SHM_EVENTS, 0, "taken", 9),
    "event reason": unsupported(77),
    "block": word(layout.SHM_TRACE, ALL_ONES),
    "object row": record(layout.OBJECT, layout.SHM_OBJECTS, 0, "first", 1 << 31),
    "object size": record(layout.OBJECT, layout.SHM_OBJECTS, 1, "size", 1 << 31),
}


@pytest.mark.parametrize("what", TAMPERING)
def test_a_tampered_run_is_lost_and_the_worker_replaced(worker: TamperedWorker, what: str) -> None:
    worker.tamper = TAMPERING[what]
    assert worker.run(bytes(14)).end == "died"
    assert (worker.distrusted, worker.deaths) == (1, 1)
    worker.tamper = None
    assert worker.run(bytes(14)).end == "exit"
    assert (worker.distrusted, worker.deaths) == (1, 1)


@pytest.mark.parametrize("field", ["kind", "site", "access", "region", "object_site", "freed_site"])
def test_a_tampered_error_is_lost(worker: TamperedWorker, field: str) -> None:
    def tamper(memory: SharedMemory) -> None:
        memory.control[0]["error"][field] = 1 << 30

    wrong = bytes([0, 255, 0, 0, 0, 200]) + bytes(8)
    assert worker.run(wrong).end == "error"
    worker.tamper = tamper
    assert worker.run(wrong).end == "died"
    assert worker.coverage_run(wrong, 1 << 30).covered.size == 0
    assert worker.distrusted == 2


def test_coverage_bytes_may_be_any_number(worker: TamperedWorker) -> None:
    plain = worker.run(bytes(14)).covered.tolist()

    def tamper(memory: SharedMemory) -> None:
        memory.bytes(layout.SHM_COVERAGE, len(worker.sites))[:] *= 255

    worker.tamper = tamper
    assert worker.run(bytes(14)).covered.tolist() == plain
    assert worker.distrusted == 0


def test_what_was_taken_in_cannot_be_changed_afterwards(worker: TamperedWorker) -> None:
    run = worker.run(bytes(14))
    count = worker.memory.counters[counter("nodes")]
    before = worker.expressions.nodes[:count].copy()
    worker.memory.bytes(layout.SHM_NODES, count * layout.NODE.itemsize)[:] = 255
    assert (worker.expressions.nodes[:count] == before).all()
    assert {int(e["expr"]) for e in run.events} <= set(range(count))


def test_names_come_back_with_the_next_worker(worker: TamperedWorker) -> None:
    first = worker.run(bytes(14))
    worker.tamper = lambda memory: memory.write(layout.SHM_OBJECTS, b"\xff" * 4096)
    worker.run(bytes(14))
    worker.tamper = counted("end", 99)
    worker.run(bytes(14))
    worker.tamper = None
    assert worker.run(bytes(14)).objects == first.objects


def test_every_operation_has_a_shape() -> None:
    known = core.cinq_intake_knows
    assert [op.name for op in Op if op < Op.COUNT and not known(op.value)] == []


def scribble(generator: random.Random) -> Tamper:
    """Changes some bytes in some of the parts that the engine reads."""
    parts = {
        "nodes": (layout.SHM_NODES, layout.NODE.itemsize),
        "tables": (layout.SHM_TABLES, layout.TABLE.itemsize),
        "pool": (layout.SHM_POOL, 1),
        "alts": (layout.SHM_ALTS, 4),
        "events": (layout.SHM_EVENTS, layout.EVENT.itemsize),
        "trace": (layout.SHM_TRACE, 4),
        "made": (layout.SHM_MADE, 4),
        "objects": (layout.SHM_OBJECTS, layout.OBJECT.itemsize),
    }

    def tamper(memory: SharedMemory) -> None:
        for _ in range(generator.randint(1, 4)):
            name = generator.choice([*parts, "control"])
            if name == "control":
                memory.counters[generator.randrange(len(memory.counters))] = generator.getrandbits(64) >> (
                    generator.choice([0, 32, 48, 56, 60])
                )
                continue
            offset, item = parts[name]
            size = max(1, min(memory.counters[counter(name)], 4096)) * item
            memory.write(offset + generator.randrange(size), generator.randbytes(generator.choice([1, 2, 4, 8])))

    return tamper


@pytest.mark.parametrize("seed", range(4))
def test_exploring_goes_on_whatever_the_worker_writes(image: Image, seed: int) -> None:
    generator = random.Random(seed)
    with TamperedWorker(image) as worker:
        solver = WorkerSolver(worker)
        change = scribble(generator)
        worker.tamper = lambda memory: change(memory) if generator.random() < 0.3 else None
        outcome = Exploration(worker, solver, Options(seed=seed, max_paths=40, max_time=600), image.graph).run()
        solver.close()
    assert worker.distrusted > 0
    assert outcome.statistics.runs >= worker.distrusted
