"""The worker: runs, events, errors, reset, on a program written as instrumented code is."""

from __future__ import annotations

import os
import signal
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from runtime_harness import DRIVERS, HarnessWorker, K, compile_c, link, runtime_objects


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("image")
    program = compile_c(DRIVERS / "program.c", folder / "the_program.o")
    return link([*runtime_objects(folder), program], folder / "image", "--defsym=cinq_site_count=1000")


@pytest.fixture
def worker(image: Path) -> Iterator[HarnessWorker]:
    w = HarnessWorker(image)
    yield w
    w.close()


def kinds(worker: HarnessWorker) -> list[tuple[str, int, int]]:
    names = {v: k for k, v in K.items() if k.startswith("EVENT_")}
    return [(names[e.kind], e.site, e.taken) for e in worker.events()]


def test_exit_status(worker: HarnessWorker) -> None:
    assert worker.run("N") == K["END_EXIT"]
    assert worker.get("code") == 7


def test_branches_are_recorded_once(worker: HarnessWorker) -> None:
    assert worker.run("c", data=b"k\x03") == K["END_EXIT"]
    assert worker.get("code") == 1
    assert kinds(worker) == [("EVENT_BRANCH", 110, 1), ("EVENT_BRANCH", 111, 1)]
    worker.run("c", data=b"x")
    assert kinds(worker) == [("EVENT_BRANCH", 110, 0)]


def test_ids_are_stable_over_runs(worker: HarnessWorker) -> None:
    worker.run("c", data=b"k\x03")
    first = worker.events()
    made = worker.get("nodes")
    worker.run("c", data=b"k\x05")
    assert worker.events() == first
    assert worker.get("nodes") == made


def test_values_survive_memory(worker: HarnessWorker) -> None:
    assert (worker.run("r", data=b"abcd"), worker.get("code")) == (K["END_EXIT"], 0)
    assert worker.get("check_failures") == 0


def test_table_read(worker: HarnessWorker) -> None:
    assert (worker.run("l", data=b"\x04"), worker.get("code")) == (K["END_EXIT"], 1)
    assert kinds(worker) == [("EVENT_BRANCH", 133, 1)]
    condition = worker.node(worker.events()[0].expr)
    assert condition.op == K["OP_EQ"]
    assert worker.node(condition.a).op == K["OP_TREAD"]
    assert worker.get("check_failures") == 0


def test_symbolic_overrun(worker: HarnessWorker) -> None:
    assert worker.run("o", data=b"\x13") == K["END_EXIT"]
    assert kinds(worker) == [("EVENT_CHECK", 141, 1)]
    assert worker.run("o", data=b"\x14") == K["END_ERROR"]
    error = worker.error()
    assert (error["kind"], error["region"], error["object_size"]) == (
        K["ERROR_OUT_OF_BOUNDS"],
        K["REGION_HEAP"],
        20,
    )
    assert kinds(worker) == [("EVENT_CHECK", 141, 0)]
    assert worker.run("o", data=b"\xff") == K["END_ERROR"]


def test_conditional_update(worker: HarnessWorker) -> None:
    for byte, hit in ((3, 1), (4, 0), (0x0B, 1)):
        worker.run("u", data=bytes([byte]))
        assert kinds(worker) == [("EVENT_BRANCH", 154, hit)]
        assert worker.get("check_failures") == 0


def test_automaton_is_pinned(worker: HarnessWorker) -> None:
    worker.run("a", data=b"\x01\x02\x03\x04")
    assert worker.get("check_failures") == 0
    assert [k for k, _, _ in kinds(worker)] == ["EVENT_PIN"] * 3 + ["EVENT_BRANCH"]
    for e in worker.events():
        node = worker.node(e.expr)
        assert node.lo == node.hi
    worker.set("flags", K["CINQ_FLAG_NO_PIN"])
    worker.run("a", data=b"\x01\x02\x03\x04")
    assert [k for k, _, _ in kinds(worker)] == ["EVENT_BRANCH"]
    assert worker.get("check_failures") == 0


@pytest.mark.parametrize(("byte", "group"), [(b"2", 1), (b"z", 2), (b"A", 0)])
def test_switch(worker: HarnessWorker, byte: bytes, group: int) -> None:
    worker.run("s", data=byte)
    assert kinds(worker) == [("EVENT_SWITCH", 170, group)]
    alts = K["CINQ_SHM_ALTS"] + 4 * worker.events()[0].alts
    assert int.from_bytes(worker.memory[alts : alts + 4], "little") == 3


def test_division(worker: HarnessWorker) -> None:
    assert worker.run("d", data=b"\x05") == K["END_EXIT"]
    assert ("EVENT_CHECK", 181, 1) in kinds(worker)
    assert worker.run("d", data=b"\x00") == K["END_ERROR"]
    assert worker.error()["kind"] == K["ERROR_DIVISION_BY_ZERO"]


def test_jumps(worker: HarnessWorker) -> None:
    assert (worker.run("j"), worker.get("code")) == (K["END_EXIT"], 0)


def test_double_free(worker: HarnessWorker) -> None:
    assert worker.run("f") == K["END_ERROR"]
    error = worker.error()
    assert (error["kind"], error["site"], error["freed_site"]) == (K["ERROR_DOUBLE_FREE"], 201, 200)


def test_stack_object(worker: HarnessWorker) -> None:
    assert worker.run("k") == K["END_ERROR"]
    error = worker.error()
    assert (error["kind"], error["site"], error["region"]) == (
        K["ERROR_OUT_OF_BOUNDS"],
        211,
        K["REGION_STACK"],
    )
    assert (error["object_size"], error["object_site"]) == (20, 42)


def test_null(worker: HarnessWorker) -> None:
    assert worker.run("n") == K["END_ERROR"]
    assert worker.error()["kind"] == K["ERROR_NULL_POINTER"]


def test_wild_native_access(worker: HarnessWorker) -> None:
    assert worker.run("W") == K["END_ERROR"]
    error = worker.error()
    assert (error["kind"], error["address"]) == (K["ERROR_OUT_OF_BOUNDS"], 0x123450000000)
    assert error["backtrace"] == [error["site"]] == [50], "the last call is the nearest site on record"
    assert worker.run("N") == K["END_EXIT"]


def test_native_stack_overflow(worker: HarnessWorker) -> None:
    assert worker.run("D") == K["END_ERROR"]
    assert worker.error()["kind"] == K["ERROR_STACK_OVERFLOW"]
    assert worker.run("N") == K["END_EXIT"]


def test_budget_and_time(worker: HarnessWorker) -> None:
    worker.set("budget", 100000)
    assert worker.run("b") == K["END_BUDGET"]
    worker.set("budget", 1 << 60)

    over = threading.Event()

    def interrupt() -> None:
        while not over.wait(0.05):  # a signal that comes before the run has begun ends nothing
            os.kill(worker.process.pid, signal.SIGUSR1)

    thread = threading.Thread(target=interrupt)
    thread.start()
    assert worker.run("b") == K["END_TIME"]
    over.set()
    thread.join()


def test_reset(worker: HarnessWorker) -> None:
    for _ in range(3):
        assert (worker.run("m", data=b"\x09"), worker.get("code")) == (K["END_EXIT"], 0)
        assert worker.memory[K["CINQ_SHM_COVERAGE"] + 5] == 1
        assert worker.get("trace") == 1
        worker.run("N")
        assert worker.memory[K["CINQ_SHM_COVERAGE"] + 5] == 0


def test_reset_of_large_data(tmp_path: Path) -> None:
    program = compile_c(DRIVERS / "program.c", tmp_path / "the_program.o", "-DBIG=6000000")
    image = link([*runtime_objects(tmp_path), program], tmp_path / "image", "--defsym=cinq_site_count=1000")
    worker = HarnessWorker(image)
    for _ in range(3):
        assert (worker.run("m", data=b"\x09"), worker.get("code")) == (K["END_EXIT"], 0)
    worker.close()


def test_realloc_keeps_shadows(worker: HarnessWorker) -> None:
    assert (worker.run("g", data=b"abc"), worker.get("code")) == (K["END_EXIT"], 0)


def test_output_and_input(worker: HarnessWorker) -> None:
    worker.run("w")
    assert worker.output() == b"hello\n"
    worker.records(
        ("ENV_ARG", 1, "", b"p"),
        ("ENV_ARG", 1, "", b"i"),
        ("ENV_STDIN_SYMBOLIC", 5, "", b""),
        ("ENV_FILE_SYMBOLIC", 4, "A", b""),
    )
    assert (worker.run(data=bytes(8) + b"!"), worker.get("code")) == (K["END_EXIT"], 5)
    assert worker.object_names() == ["stdin", "A-data", "x"]
    assert kinds(worker) == [("EVENT_BRANCH", 251, 1)]
    worker.records(("ENV_ARG", 1, "", b"p"), ("ENV_ARG", 1, "", b"i"), ("ENV_STDIN", 3, "", b"?!!"))
    assert (worker.run(), worker.get("code")) == (K["END_EXIT"], 3)
    assert worker.events() == []


def test_symbolic_arguments(worker: HarnessWorker) -> None:
    worker.records(
        ("ENV_ARG", 1, "", b"p"),
        ("ENV_ARG_SYMBOLIC", 1, "", b""),
        ("ENV_ARGS_RANGE", 3, "0-2", b""),
    )
    assert worker.run(data=b"N\0" + b"\1\0\0\0") == K["END_EXIT"]
    assert worker.object_names() == ["arg00", "n_args", "arg01", "x"]
    assert kinds(worker) == [("EVENT_ASSUME", 0, 1), ("EVENT_BRANCH", 0, 1), ("EVENT_BRANCH", 0, 0)]


def test_assumptions(worker: HarnessWorker) -> None:
    assert worker.run("A", data=b"\x09") == K["END_ASSUME"]
    assert kinds(worker) == [("EVENT_ASSUME", 50, 0)]
    assert worker.run("A", data=b"\x02" + bytes(7) + b"\x05\0\0\0") == K["END_EXIT"]
    assert worker.get("code") == 5
    assert worker.object_names() == ["x", "r"]


def test_epoch_restarts_ids(worker: HarnessWorker) -> None:
    worker.run("a", data=b"\x01\x02\x03\x04")
    before = [(e.kind, e.site, e.value) for e in worker.events()]
    nodes = worker.get("nodes")
    worker.ask(K["COMMAND_EPOCH"])
    assert worker.get("nodes") == 1
    worker.run("a", data=b"\x01\x02\x03\x04")
    assert [(e.kind, e.site, e.value) for e in worker.events()] == before
    assert worker.get("nodes") == nodes


@pytest.mark.parametrize(
    ("what", "kind", "site", "region"),
    [
        ("F", "ERROR_USE_AFTER_FREE", 271, "REGION_HEAP"),
        ("B", "ERROR_OUT_OF_BOUNDS", 281, "REGION_HEAP"),
        ("C", "ERROR_READ_ONLY", 291, "REGION_GLOBAL"),
        ("S", "ERROR_USE_AFTER_SCOPE", 300, "REGION_STACK"),
        ("R", "ERROR_USE_AFTER_RETURN", 310, "REGION_NONE"),
    ],
)
def test_memory_errors(worker: HarnessWorker, what: str, kind: str, site: int, region: str) -> None:
    assert worker.run(what, data=b"\x01") == K["END_ERROR"]
    error = worker.error()
    assert (error["kind"], error["site"], error["region"]) == (K[kind], site, K[region])
    assert error["backtrace"] != []


def test_unmodelled_call_is_reported_once(worker: HarnessWorker) -> None:
    assert (worker.run("O"), worker.get("code")) == (K["END_EXIT"], 0)
    assert kinds(worker) == [("EVENT_UNSUPPORTED", 50, 41)]


def test_float_to_integer(worker: HarnessWorker) -> None:
    worker.run("I", data=struct.pack("<f", -1234.75))
    assert (worker.get("code"), worker.get("check_failures")) == (1, 0)
    assert kinds(worker) == [("EVENT_BRANCH", 321, 1)]
    worker.run("I", data=struct.pack("<f", 3e9))
    assert kinds(worker) == [("EVENT_BRANCH", 321, 0), ("EVENT_CONCRETIZE", 321, K["REASON_FLOAT"])]


def test_event_limit(worker: HarnessWorker) -> None:
    worker.set("max_events", 1)
    assert worker.run("c", data=b"k") == K["END_EVENTS"]


def test_sandbox_kills_foreign_calls(image: Path) -> None:
    worker = HarnessWorker(image)
    worker.arguments("E")
    os.write(worker.command, K["COMMAND_RUN"].to_bytes(8, "little"))
    assert worker.process.wait(timeout=300) == -signal.SIGSYS
