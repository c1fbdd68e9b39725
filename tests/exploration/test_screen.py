"""Screening: one traced run per path, whoever took it first."""

from __future__ import annotations

import numpy as np

from cinquefoil.exploration.accounting.statistics import Statistics
from cinquefoil.exploration.solving.screen import OTHERS, Screen
from cinquefoil.layout import EVENT
from cinquefoil.machine.run import Probe, Run, path_key


def run_of(blocks: bytes) -> Run:
    trace = np.frombuffer(blocks, np.uint8).astype(np.uint32)
    none = np.zeros(0, np.int64)
    return Run(b"", "exit", 0, np.zeros(0, EVENT), none, trace, (), b"", 0, None, 0, 0, 1)


def probe(witness: bytes) -> Probe | None:
    """An input's blocks are its first two bytes; one that starts with x kills the worker."""
    if witness.startswith(b"x"):
        return None
    trace = run_of(witness[:2]).trace
    return Probe("exit", path_key(trace.tobytes()), trace.astype(np.int64))


class ScreenSetting:
    """A screen, and what was run of what it let through; capital letters are blocks that are covered."""

    def __init__(self) -> None:
        self.counts = Statistics()
        self.seen = set(range(ord("A"), ord("Z") + 1))
        self.screen = Screen(probe, lambda covered: not self.seen.issuperset(covered.tolist()), self.counts)

    def run(self, inputs: list[bytes], most: int = 100) -> list[bytes]:
        taken = list[bytes]()
        for witness, origin in self.screen.fresh([(each, "descent") for each in inputs], most):
            assert origin == "descent"
            taken.append(witness)
            self.screen.note(run_of(witness[:2]))
            self.seen.update(witness[:2])
        return taken


def test_one_input_per_path_is_run() -> None:
    setting = ScreenSetting()
    assert setting.run([b"abc", b"abd", b"acd", b"ab", b"ac"]) == [b"abc", b"acd"]
    assert setting.run([b"abz", b"qq"]) == [b"qq"]
    assert (setting.counts.probed, setting.counts.probed_known) == (7, 4)


def test_what_covers_something_is_run_first() -> None:
    setting = ScreenSetting()
    assert setting.run([b"AB", b"BA", b"aB", b"AB", b"Ab"]) == [b"aB", b"Ab", b"AB", b"BA"]
    assert setting.counts.probed_known == 1


def test_few_that_cover_nothing_are_run() -> None:
    inputs = [bytes([a, b]) for a in b"ABCDEFGHIJKLMNOPQRSTUVWXYZ" for b in b"ABCDEF"]
    assert len(ScreenSetting().run(inputs, 1000)) == OTHERS < len(inputs)


def test_solutions_count_as_known_too() -> None:
    setting = ScreenSetting()
    assert setting.run([b"aa"]) == [b"aa"]
    setting.screen.note(run_of(b"bb"))
    assert setting.run([b"bb", b"cc"]) == [b"cc"]


def test_no_more_than_asked_for_are_run_or_probed() -> None:
    setting = ScreenSetting()
    assert setting.run([b"aa", b"ab", b"ac", b"ad"], most=2) == [b"aa", b"ab"]
    assert setting.counts.probed == 2
    assert setting.run([b"AB", b"BA", b"BB"], most=2) == [b"AB", b"BA"]


def test_what_a_probe_cannot_tell_is_run() -> None:
    setting = ScreenSetting()
    assert setting.run([b"x1", b"x1"]) == [b"x1", b"x1"], "the worker died"
    assert setting.run([b"", b""]) == [b"", b""], "no block was recorded"
