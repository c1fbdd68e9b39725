"""The oracle: what exploration claims about generated programs is compared with what they do on every input.

`exhausted` must mean that nothing was missed, whatever is switched on or off and however often expressions are
forgotten; an error found must be one.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from oracle_programs import STEPS, bundle, steps_of
from path_oracle import PLAIN, OracleBundle, configuration

IN_A_BUNDLE = 150
QUICK, ALL = 300, 10_050
FEWEST_EXHAUSTED = 0.8  # the others have too many paths to wait for


def check(first: int, folder: Path, ways: int, heavy: bool) -> None:
    """Explores each program in so many ways, chosen by its seed."""
    programs = OracleBundle(range(first, first + IN_A_BUNDLE), folder)
    complaints: list[str] = []
    exhausted = 0
    for number, seed in enumerate(programs.seeds):
        for way in range(ways):
            how = configuration(seed, way, heavy)
            outcome = programs.explore(number, how)
            complaints += programs.wrong(number, how, outcome)
            exhausted += outcome.exhausted
    assert complaints == []
    assert exhausted >= FEWEST_EXHAUSTED * ways * IN_A_BUNDLE


@pytest.mark.parametrize("first", range(0, QUICK, IN_A_BUNDLE))
def test_exhausted_is_true(first: int, tmp_path: Path) -> None:
    check(first, tmp_path, 1, heavy=False)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, ALL, IN_A_BUNDLE))
def test_exhausted_is_true_of_many(first: int, tmp_path: Path) -> None:
    """About half an hour of an idle core for all: 0.05 s a program to compile, 0.06 s each time it is explored; now and
    then a second process is started or a program is melded, which takes seconds."""
    check(first, tmp_path, 2, heavy=True)


@pytest.mark.parametrize(("first", "meld", "workers"), [(20_000, "all", 1), (20_010, "auto", 1), (20_020, "", 2)])
def test_melded_and_shared_out(first: int, meld: str, workers: int, tmp_path: Path) -> None:
    """A few programs melded, or explored by two processes from the start."""
    programs = OracleBundle(range(first, first + 4), tmp_path)
    how = PLAIN.changed(meld=meld, workers=workers)
    for number in range(4):
        outcome = programs.explore(number, how)
        assert outcome.exhausted
        assert programs.wrong(number, how, outcome) == []


def test_a_seed_means_one_program() -> None:
    assert bundle(range(50)) == bundle(range(50))


def test_every_step_makes_programs() -> None:
    """Each thing that programs are made of is in the quick part."""
    used = {step for seed in range(QUICK) for step in steps_of(seed)}
    assert used == {step.__name__ for step in STEPS}
