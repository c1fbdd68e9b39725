"""A test file run again, and what of it did not fit the program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cinquefoil.machine.run import Run
from cinquefoil.machine.witness import Runs, run_with
from cinquefoil.testcase.ktest import MODEL_VERSION, KTest

IGNORED: Final = frozenset({MODEL_VERSION[0]})


@dataclass(frozen=True, slots=True)
class Replayed:
    """The run under the test's bytes, and what did not fit."""

    run: Run
    notes: tuple[str, ...]


def replay(worker: Runs, test: KTest) -> Replayed:
    """Run the program under a test's objects, found by name."""
    contents = test.contents()
    run = run_with(worker, contents)
    return Replayed(run, tuple(_notes(run, contents)))


def _notes(run: Run, contents: Mapping[str, bytes]) -> list[str]:
    made = {item.name: item.size for item in run.objects}
    unused = [f"the test's object {name} is not made by this run" for name in contents if name not in made]
    missing = [f"object {name} is not in the test: zero" for name in made if name not in contents]
    differ = [
        f"object {name} has {made[name]} bytes, the test gives {len(content)}"
        for name, content in contents.items()
        if name in made and made[name] != len(content)
    ]
    return [note for note in (*unused, *missing, *differ) if not any(f" {name} " in note for name in IGNORED)]
