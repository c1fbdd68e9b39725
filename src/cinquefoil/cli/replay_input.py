"""From a test file to a witness: which bytes the run's input indices get.

Input indices are handed out when an object is made, and which objects a run makes may depend on the bytes of
earlier ones.  So the run is repeated, each time with the contents of all objects known so far, until knowing
more would change nothing.  Every repetition places at least one more object of the test: it ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from cinquefoil.machine.run import InputObject, Run
from cinquefoil.testcase.ktest import KTest

IGNORED: Final = frozenset({"model_version"})  # KLEE's POSIX run-time adds it; it is no input


class Runs(Protocol):
    """The part of a worker that is needed here."""

    def run(self, witness: bytes) -> Run: ...


@dataclass(frozen=True, slots=True)
class Replayed:
    """The run under the test's bytes, and what did not fit."""

    run: Run
    notes: tuple[str, ...]


def replay(worker: Runs, test: KTest) -> Replayed:
    """Run the program under a test's objects, found by name."""
    contents = dict(test.objects)
    known: dict[str, InputObject] = {}
    witness = b""
    while True:
        run = worker.run(witness)
        known |= {item.name: item for item in run.objects}
        filled = fill(known, contents)
        if filled == witness:
            return Replayed(run, tuple(_notes(run, contents)))
        witness = filled


def fill(known: Mapping[str, InputObject], contents: Mapping[str, bytes]) -> bytes:
    """The witness that gives each known object its content; what the test does not say is zero."""
    placed = [item for item in known.values() if contents.get(item.name)]
    witness = bytearray(max((item.first + item.size for item in placed), default=0))
    for item in placed:
        content = contents[item.name][: item.size]
        witness[item.first : item.first + len(content)] = content
    return bytes(witness)


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
