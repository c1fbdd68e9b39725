"""Points known to be reachable are all reached, the others never, and the exploration is exhausted.

A program of tests/programs/reach prints what it reaches (points.h); `REACHED` is to be reached, `NEVER` is not.  Only
tests that were written count: whoever runs them sees every point.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from bug_programs import LIMITS, explored, image_of

from cinquefoil.machine.environment import parse_arguments
from cinquefoil.machine.worker import Worker

PROGRAMS = sorted((Path(__file__).parent.parent / "programs" / "reach").glob("*.c"))
SEARCHES = [(), ("dfs",), ("nurs:md2u", "random-state")]
NOWHERE = parse_arguments((), "prog")


def points(program: Path, macro: str) -> set[str]:
    return set(re.findall(rf"\b{macro}\((\w+)\)", program.read_text()))


def printed(program: Path, witnesses: list[bytes]) -> set[str]:
    with Worker(image_of(program), NOWHERE, LIMITS) as worker:
        outputs = [worker.run(witness).output.decode() for witness in witnesses]
    return {line for output in outputs for line in output.splitlines()}


@pytest.mark.parametrize("search", SEARCHES, ids=lambda s: "+".join(s) or "default")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.stem)
def test_what_is_reachable_is_reached(program: Path, search: tuple[str, ...]) -> None:
    outcome = explored(program, NOWHERE, search)
    assert outcome.errors == ()
    seen = printed(program, [test.witness for test in outcome.tests])
    assert seen == {f"reached {name}" for name in points(program, "REACHED")}
    assert outcome.exhausted, outcome.reason


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.stem)
def test_both_sorts_of_points_are_there(program: Path) -> None:
    assert points(program, "REACHED")
    assert points(program, "NEVER")


def test_a_stop_is_not_exhaustion() -> None:
    """A program with an endless loop is never explored to the end, whatever the limit."""
    program = PROGRAMS[0].parent / "endless" / "endless.c"
    outcome = explored(program, NOWHERE, ("bfs",), seconds=2)
    assert not outcome.exhausted
    assert outcome.pending > 0
