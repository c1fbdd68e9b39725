"""From named contents to a witness: which bytes the run's input indices get.

Input indices are handed out when an object is made, and which objects a run makes may depend on the bytes of
earlier ones.  So the run is repeated, each time with the contents of all objects known so far, until knowing
more would change nothing.  Every repetition fills at least one more object: it ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from cinquefoil.machine.run import InputObject, Run


class Runs(Protocol):
    """The part of a worker that is needed here."""

    def run(self, witness: bytes) -> Run: ...


def run_with(worker: Runs, contents: Mapping[str, bytes]) -> Run:
    """The run in which named objects have these contents; its `witness` does the same on this worker."""
    known: dict[str, InputObject] = {}
    witness = b""
    while True:
        run = worker.run(witness)
        known |= {item.name: item for item in run.objects}
        filled = fill(known, contents)
        if filled == witness:
            return run
        witness = filled


def fill(known: Mapping[str, InputObject], contents: Mapping[str, bytes]) -> bytes:
    """The witness that gives each known object its content; what is not given is zero."""
    given = [item for item in known.values() if contents.get(item.name)]
    witness = bytearray(max((item.first + item.size for item in given), default=0))
    for item in given:
        content = contents[item.name][: item.size]
        witness[item.first : item.first + len(content)] = content
    return bytes(witness)
