"""Where the time goes: one phase at a time."""

from __future__ import annotations

import time
from collections.abc import Generator

import pytest

from cinquefoil.exploration.accounting.statistics import Statistics, measure_by


@pytest.fixture(autouse=True)
def counting() -> Generator[None]:
    """A clock that shows one second more at each look."""
    measure_by("counting")
    yield
    measure_by("wall")


def test_a_phase_runs_until_another_begins() -> None:
    phases = Statistics().phases
    phases["native"].begin()
    phases["tree"].begin()
    phases["tree"].begin()  # goes on: nobody looks at the clock
    phases["native"].begin()
    phases.idle.begin()
    assert (phases["native"].seconds, phases["tree"].seconds, phases.idle.seconds) == (2.0, 1.0, 1.0)
    assert phases.watch.native.looks == 5


def test_what_is_nested_goes_back_to_what_ran() -> None:
    phases = Statistics().phases
    with phases["prune"]:
        with phases["native"], phases["prune"]:
            pass
        phases["solver"].begin()  # left running
    phases["tree"].begin()
    phases.idle.begin()
    spent = {name: phase.seconds for name, phase in phases.items() if phase.seconds}
    assert sum(spent.values()) + phases.idle.seconds == phases.watch.native.looks - 1
    assert spent == {"prune": 3.0, "native": 2.0, "solver": 1.0, "tree": 1.0}


@pytest.mark.parametrize("clock", ["wall", "processor"])
def test_real_clocks_measure_work(clock: str) -> None:
    measure_by(clock)
    phases = Statistics().phases
    phases["tree"].begin()
    start = time.thread_time()
    while time.thread_time() - start < 0.02:
        pass
    phases.idle.begin()
    assert phases["tree"].seconds > 0.01


def test_the_processors_clock_does_not_count_waiting() -> None:
    measure_by("processor")
    phases = Statistics().phases
    with phases["tree"]:
        time.sleep(0.05)
    assert phases["tree"].seconds < 0.02
