"""What every pruner owes, whoever wrote it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from cinquefoil.exploration import Exploration, Options, Outcome
from cinquefoil.prune.api import NO_CONDITIONS, Conditions, Due, Pending, Setting
from cinquefoil.prune.registry import make
from cinquefoil.testing.toymachine import PROGRAMS, BruteForce, toy

_STEPS = 400


def chooses_among_what_it_is_shown(name: str) -> None:
    """One truth value per pending state, however many there are, whenever it asks to prune."""
    pruner = make(name, Setting(seed=3, max_time=60.0))
    if pruner is None:  # "none"
        return
    for step in range(_STEPS):
        clock = step / 2
        due = pruner.due(clock)
        assert isinstance(due, Due), f"due() gave {due!r}"
        if due is Due.PRUNE:
            pending = _pending(step % 50)
            chosen = pruner.choose(pending, clock)
            assert chosen.dtype == np.bool_ and chosen.shape == (len(pending),), f"{chosen.dtype}, {chosen.shape}"
        elif due is Due.RESTART:
            pruner.restart(clock, dry=False)


def finds_only_paths_that_there_are(name: str) -> None:
    """Whatever it forgets: the tests belong to paths of the program, and nothing untrue is called exhausted."""
    for program in PROGRAMS:
        machine = toy(program)
        outcome = _explored(name, program)
        assert not outcome.faults, outcome.faults
        found = {machine.path(machine.run(test.witness)) for test in outcome.tests if test.why != "assumed"}
        assert found <= machine.truth, program
        assert found == machine.truth or not outcome.exhausted, f"{program} is not exhausted"


def same_seed_same_tests(name: str) -> None:
    for program in PROGRAMS:
        first, again = (_explored(name, program) for _ in range(2))
        assert [test.witness for test in first.tests] == [test.witness for test in again.tests], program


PRUNER_RULES: Final[tuple[Callable[[str], None], ...]] = (
    chooses_among_what_it_is_shown,
    finds_only_paths_that_there_are,
    same_seed_same_tests,
)


def _pending(count: int) -> Pending:
    """States of two runs, one with a condition on its path."""
    rows = np.arange(count, dtype=np.int64) % 2
    one = Conditions(np.array([0], np.int64), np.array([1], np.int32))
    return Pending(rows, np.arange(count, dtype=np.int64), np.zeros(count, np.int32), (NO_CONDITIONS, one))


def _explored(name: str, program: str) -> Outcome:
    machine = toy(program)
    options = Options(search=("random-path",), prune=name, every_path=True, max_paths=200, seed=5)
    return Exploration(machine, BruteForce(machine), options).run()
