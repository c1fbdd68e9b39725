"""The oracle of the whole engine: a plain native build enters the same blocks in the same order, and says the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from replaying import TESTS, replays

OWN = sorted((TESTS / "replay" / "programs").glob("*.c"))
DIFFERENTIAL = sorted((TESTS / "programs" / "differential").glob("*.c"))


@pytest.mark.parametrize("program", [*OWN, *DIFFERENTIAL], ids=lambda p: p.stem)
def test_native_runs_follow_the_engine(program: Path) -> None:
    wrong = [(run.witness.hex(), result.differences) for run, result in replays(program, 40) if not result.agrees]
    assert not wrong, f"{len(wrong)} of 40, such as {wrong[0]}"
