"""What crosses between processes arrives as it was sent, and nothing else is taken."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cinquefoil import layout
from cinquefoil.errors import EngineError
from cinquefoil.explore.parallel_messages import Effort, Frames, Job, Ran, Reply, bare_witness, frame
from cinquefoil.explore.parallel_process import without_ids
from cinquefoil.explore.parallel_registry import Registry, cut_back, extend, known, rows_from
from cinquefoil.layout import EventKind
from cinquefoil.machine.run import InputObject, Run, RunError
from cinquefoil.machine.shared import SharedMemory
from cinquefoil.search.state import OTHER, State

SITES = 50


def received(message: bytes) -> tuple[dict[str, object], list[bytes]]:
    frames = Frames()
    frames.feed(message)
    (only,) = frames
    return only


def a_run(**changes: object) -> Run:
    events = np.zeros(3, layout.EVENT)
    events["kind"] = EventKind.SWITCH, EventKind.BRANCH, EventKind.SWITCH
    events["alts"] = 40, 0, 30
    events["value"] = 1 << 63
    values: dict[str, object] = {
        "witness": b"\0\1\2",
        "end": "error",
        "code": 3,
        "events": events,
        "covered": np.array([1, 49], np.uint32),
        "trace": np.array([7, 7, 3], np.uint32),
        "objects": (InputObject("a", 1, 0), InputObject("\ufffd", 2, 1)),
        "output": b"",
        "output_total": 12,
        "error": RunError("abort", 4, "text", "none", "none", 2**64 - 1, 0, 0, 0, 0, 0, (4, 9)),
        "steps": 77,
        "nanoseconds": 5,
        "epoch": 0,
    }
    return Run(**{**values, **changes})  # pyright: ignore[reportArgumentType]


def reply_with(run: Run) -> bytes:
    return Reply(9, "sat", 4, (Ran(run, np.array([0, 2], np.uint32), b""),), Effort(2, 1), b"\1" * 8).encode()


@given(st.lists(st.binary(max_size=50), max_size=4), st.integers(1, 40))
def test_frames_come_through_in_any_pieces(blobs: list[bytes], piece: int) -> None:
    stream = frame({"n": 1}, blobs) + frame({"n": 2})
    frames = Frames()
    seen: list[tuple[object, list[bytes]]] = []
    for start in range(0, len(stream), piece):
        frames.feed(stream[start : start + piece])
        seen += [(header["n"], found) for header, found in frames]
    assert seen == [(1, blobs), (2, [])]


def test_a_job_arrives() -> None:
    witness = bare_witness(b"bytes")
    turns = [
        State(1, 0, witness, 5, EventKind.PIN, 8, OTHER, 0, 0, 0, 0, -1, (3, 2**64 - 1)),
        State(2, 0, witness, 6, EventKind.SWITCH, 9, 4, 0, 0, 0, 0, -1),
    ]
    job = Job.decode(*received(Job(3, turns[0], turns[1:], 2**64 - 2, 1.5).encode(b"rows")))
    assert (job.number, job.before, job.seconds, job.rows) == (3, 2**64 - 2, 1.5, b"rows")
    for sent, got in zip(turns, (job.state, *job.wishes), strict=True):
        assert got.witness.data == b"bytes"
        for name in ("index", "kind", "site", "alternative", "seen"):
            assert getattr(got, name) == getattr(sent, name)


def test_a_reply_arrives() -> None:
    reply = Reply.decode(*received(reply_with(a_run())), SITES)
    assert (reply.number, reply.status, reply.cost, reply.effort) == (9, "sat", 4, Effort(2, 1))
    (ran,) = reply.runs
    assert ran.alts.tolist() == [0, 2]
    for name in ("witness", "end", "code", "objects", "output_total", "error", "steps", "nanoseconds"):
        assert getattr(ran.run, name) == getattr(a_run(), name)
    for name in ("events", "covered", "trace"):
        assert np.array_equal(getattr(ran.run, name), getattr(a_run(), name))


@pytest.mark.parametrize(
    "changes",
    [
        {"end": "strange"},
        {"covered": np.array([SITES], np.uint32)},
        {"trace": np.array([1, 2**32 - 1], np.uint32)},
        {"events": np.zeros(5, np.uint8)},
        {"error": RunError("abort", SITES, "", "none", "none", 0, 0, 0, 0, 0, 0, ())},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_a_run_that_cannot_be_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(EngineError):
        Reply.decode(*received(reply_with(a_run(**changes))), SITES)


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"sizes":[3]}', b'{"sizes":"x"}'])
def test_a_damaged_frame_is_refused(body: bytes) -> None:
    with pytest.raises(EngineError):
        received(struct.pack("<QI", len(body), len(body)) + body)


def test_switches_keep_their_numbers_of_groups() -> None:
    alts = np.zeros(60, np.uint32)
    alts[[30, 40]] = 3, 5
    original = a_run()
    run, groups = without_ids(original, alts)
    assert [int(groups[at]) for at in run.events["alts"][[0, 2]]] == [5, 3]
    assert original.events["alts"].tolist() == [40, 0, 30]


# ---- named inputs ----


def named(*objects: tuple[str, int], first: int = 0) -> bytes:
    rows = np.zeros(len(objects), layout.OBJECT)
    for row, (name, size) in zip(rows, objects, strict=True):
        row["name"], row["size"], row["first"] = name.encode(), size, first
        first += size
    return rows.tobytes()


@pytest.fixture
def memory() -> SharedMemory:
    memory = SharedMemory()
    extend(memory, named(("a", 2), ("b", 1)))
    return memory


def test_a_registry_is_extended_and_cut_back(memory: SharedMemory) -> None:
    assert known(memory) == (2, 3)
    extend(memory, named(("c", 4), first=3))
    assert known(memory) == (3, 7)
    assert rows_from(memory, 2) == named(("c", 4), first=3)
    cut_back(memory, 2, 3)
    assert known(memory) == (2, 3)


def test_inputs_that_others_met_get_their_true_places(memory: SharedMemory) -> None:
    registry = Registry(memory)
    objects = (InputObject("a", 2, 0), InputObject("c", 2, 3))
    first = registry.adopt(a_run(witness=b"aabcc", objects=objects), named(("c", 2), first=3))
    assert first is not None and first.witness == b"aabcc"  # they were free
    objects = (InputObject("d", 1, 3), InputObject("c", 2, 4), InputObject("c", 1, 6))
    run = a_run(witness=b"AABDCCx", objects=objects)
    second = registry.adopt(run, named(("d", 1), ("c", 2), ("c", 1), first=3))
    assert second is not None
    assert known(memory) == (5, 7)
    assert second.witness == b"AABCCDx"
    assert [(o.name, o.size, o.first) for o in second.objects] == [("d", 1, 5), ("c", 2, 3), ("c", 1, 6)]


def test_inputs_the_worker_itself_met_are_known(memory: SharedMemory) -> None:
    registry = Registry(memory)
    extend(memory, named(("new", 2), ("x", 1), first=3))  # as the worker does while it runs
    run = registry.adopt(a_run(witness=b"aabX", objects=(InputObject("x", 1, 3),)), named(("x", 1), first=3))
    assert run is not None
    assert (run.witness, run.objects) == (b"aab\0\0X", (InputObject("x", 1, 5),))


def test_too_many_inputs_are_refused(memory: SharedMemory) -> None:
    registry = Registry(memory)
    rows = named(("big", layout.INPUT_CAPACITY - 2), first=3)
    assert registry.adopt(a_run(witness=b"aab"), rows) is None
    with pytest.raises(EngineError):
        registry.adopt(a_run(), b"half a row")
