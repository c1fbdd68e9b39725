"""Where the time goes: one phase at a time."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from cinquefoil.explore import statistics
from cinquefoil.explore.statistics import Statistics, measure_by


@pytest.fixture
def looks() -> Generator[list[float]]:
    """A clock that shows one second more at each look; what it showed."""
    seen: list[float] = []

    def look() -> float:
        seen.append(float(len(seen)))
        return seen[-1]

    before = statistics.now.__globals__["_clock"]
    measure_by(look)
    yield seen
    measure_by(before)


def test_a_phase_runs_until_another_begins(looks: list[float]) -> None:
    phases = Statistics().phases
    phases["native"].begin()
    phases["tree"].begin()
    phases["tree"].begin()  # goes on: nobody looks at the clock
    phases["native"].begin()
    phases.idle.begin()
    assert (phases["native"].seconds, phases["tree"].seconds, phases.idle.seconds) == (2.0, 1.0, 1.0)
    assert len(looks) == 5


def test_what_is_nested_goes_back_to_what_ran(looks: list[float]) -> None:
    phases = Statistics().phases
    with phases["prune"]:
        with phases["native"], phases["prune"]:
            pass
        phases["solver"].begin()  # left running
    phases["tree"].begin()
    phases.idle.begin()
    spent = {name: phase.seconds for name, phase in phases.items() if phase.seconds}
    assert sum(spent.values()) + phases.idle.seconds == len(looks) - 1
    assert spent == {"prune": 3.0, "native": 2.0, "solver": 1.0, "tree": 1.0}
