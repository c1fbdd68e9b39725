"""Nothing that is found without melding is lost with it, and what is safe stays silent."""

from __future__ import annotations

from pathlib import Path

import pytest
from bug_programs import LIMITS, SECONDS, Bug, bugs, locations

from cinquefoil.build.program import load_program
from cinquefoil.exploration import Options, Outcome
from cinquefoil.exploration.session.session import Task, session_for

ALL = bugs()
MODES = ["all", pytest.param("auto", marks=pytest.mark.slow)]


def melded(program: Path, bug: Bug, mode: str) -> Outcome:
    task = Task(program, bug.arguments, run_seconds=LIMITS.seconds)
    return session_for(task, Options(meld=mode, max_time=SECONDS, clock="cpu"), load_program(program)).run()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("bug", ALL, ids=lambda bug: bug.name)
def test_the_bug_is_found_melded(bug: Bug, mode: str) -> None:
    outcome = melded(bug.program, bug, mode)
    assert locations(outcome) == {(bug.kind, bug.line, bug.program.name)}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("bug", ALL, ids=lambda bug: bug.name)
def test_the_twin_stays_silent_melded(bug: Bug, mode: str) -> None:
    outcome = melded(bug.twin, bug, mode)
    assert outcome.errors == () and outcome.exhausted, outcome.reason
