"""Screening: one traced run per path, whoever took it first."""

from __future__ import annotations

import numpy as np

from cinquefoil.explore.screen import Screen
from cinquefoil.explore.statistics import Statistics
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
    return Probe("exit", path_key(run_of(witness[:2]).trace.tobytes()))


def screened(screen: Screen, inputs: list[bytes], most: int = 100) -> list[bytes]:
    taken = list[bytes]()
    for witness, origin in screen.fresh([(each, "descent") for each in inputs], most):
        assert origin == "descent"
        taken.append(witness)
        screen.note(run_of(witness[:2]))
    return taken


def test_one_input_per_path_is_run() -> None:
    counts = Statistics()
    screen = Screen(probe, counts)
    assert screened(screen, [b"abc", b"abd", b"acd", b"ab", b"ac"]) == [b"abc", b"acd"]
    assert screened(screen, [b"abz", b"qq"]) == [b"qq"]
    assert (counts.probed, counts.probed_known) == (7, 4)


def test_solutions_count_as_known_too() -> None:
    screen = Screen(probe, Statistics())
    assert screened(screen, [b"aa"]) == [b"aa"]
    screen.note(run_of(b"bb"))
    assert screened(screen, [b"bb", b"cc"]) == [b"cc"]


def test_no_more_than_asked_for_are_run_or_probed() -> None:
    counts = Statistics()
    assert screened(Screen(probe, counts), [b"aa", b"ab", b"ac", b"ad"], most=2) == [b"aa", b"ab"]
    assert counts.probed == 2


def test_what_a_probe_cannot_tell_is_run() -> None:
    screen = Screen(probe, Statistics())
    assert screened(screen, [b"x1", b"x1"]) == [b"x1", b"x1"], "the worker died"
    assert screened(screen, [b"", b""]) == [b"", b""], "no block was recorded"
