"""From a test's named objects to the witness of a run."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cinquefoil import layout
from cinquefoil.cli.replay_input import replay
from cinquefoil.machine.run import InputObject, Run
from cinquefoil.machine.witness import fill
from cinquefoil.testcase.ktest import KTest

NOTHING = np.zeros(0, dtype=np.uint32)


class PreparedProgram:
    """Stands in for a worker: `makes` says which objects a run under a witness makes."""

    def __init__(self, makes: Callable[[bytes], list[InputObject]]) -> None:
        self.makes = makes
        self.witnesses: list[bytes] = []

    def run(self, witness: bytes) -> Run:
        self.witnesses.append(witness)
        made = tuple(self.makes(witness))
        known = max((o.first + o.size for o in made), default=0)
        events = np.zeros(0, dtype=layout.EVENT)
        padded = witness[:known].ljust(known, b"\0")
        return Run(padded, "exit", 0, events, NOTHING, NOTHING, made, b"", 0, None, 0, 0, 1)


def test_contents_go_where_the_objects_are() -> None:
    known = {"a": InputObject("a", 2, 4), "b": InputObject("b", 3, 0), "c": InputObject("c", 1, 9)}
    assert fill(known, {"a": b"xyz", "b": b"1"}) == b"1\0\0\0xy"


def test_objects_that_appear_late_are_found() -> None:
    def makes(witness: bytes) -> list[InputObject]:
        first, second = InputObject("n", 1, 0), InputObject("m", 2, 1)
        third = InputObject("k", 1, 3)
        return [
            first,
            *([second] if witness[:1] == b"1" else []),
            *([third] if witness[1:3] == b"23" else []),
        ]

    program = PreparedProgram(makes)
    done = replay(program, KTest.of([("k", b"4"), ("m", b"23"), ("n", b"1")]))
    assert done.run.witness == b"1234"
    assert done.notes == ()
    assert len(program.witnesses) == 4


def test_an_object_that_goes_away_does_not_loop() -> None:
    """The second object exists only while the first is zero."""
    program = PreparedProgram(lambda w: [InputObject("n", 1, 0)] + ([InputObject("m", 1, 1)] if not any(w[:1]) else []))
    done = replay(program, KTest.of([("n", b"1"), ("m", b"2")]))
    assert done.notes == ("the test's object m is not made by this run",)
    assert len(program.witnesses) <= 3


def test_what_does_not_fit_is_said() -> None:
    program = PreparedProgram(lambda _: [InputObject("n", 4, 0), InputObject("extra", 1, 4)])
    done = replay(program, KTest.of([("n", b"12"), ("model_version", b"\1\0\0\0")]))
    assert done.notes == (
        "object extra is not in the test: zero",
        "object n has 4 bytes, the test gives 2",
    )


def test_without_a_test_everything_is_zero() -> None:
    done = replay(PreparedProgram(lambda _: [InputObject("n", 2, 0)]), KTest())
    assert done.run.witness == b"\0\0"


def test_both_objects_of_one_name_get_their_bytes() -> None:
    program = PreparedProgram(lambda _: [InputObject("n", 1, 0), InputObject("n_1", 1, 1)])
    done = replay(program, KTest.of([("n", b"1"), ("n", b"2")]))
    assert (done.run.witness, done.notes) == (b"12", ())
