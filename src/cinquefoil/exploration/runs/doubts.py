"""Memory never written, where nobody looks for it: may it have decided anything?

Without `--check uninitialized` such bytes are zero, and what depends on them is explored with that value alone.  So
before an exploration is called exhausted, the input of each of its paths runs once more, doubting: new memory is marked
as never written, and the run ends where a branch, address, size or argument of a system call may hang on it, for
this or any other input of the same path (`runtime/uninitialized.c`).  Until then, a path costs a note of its input.

That errs on one side only: bits that an operation with symbolic data would mask out count as undefined.  Paths of which
there is no note, since there are too many, and runs that cannot be repeated, count as doubtful."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol, runtime_checkable

from cinquefoil.machine.failure import Where, failure_of
from cinquefoil.machine.run import Machine, Run

_MOST: Final = 64 << 20  # bytes of inputs that are noted
_ENDED: Final = frozenset({"exit", "silent", "error", "assume", "unsupported"})
_KIND: Final = "uninitialized"


@runtime_checkable
class Doubting(Protocol):
    """A machine that can look for such memory."""

    def doubt(self, witness: bytes) -> Run | None: ...


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that memory never written may have decided."""

    what: str
    place: str = ""
    variable: str = ""  # or empty, for memory of the heap
    made: str = ""  # where the variable is declared, or the memory was allocated

    def __str__(self) -> str:
        where = f" at {self.place}" if self.place else ""
        of = f"'{self.variable}', " if self.variable else ""
        return self.what + where + (f" ({of}{self.made})" if self.made else "")


class Doubts:
    """The paths of an exploration, and what was found when they were looked at."""

    def __init__(self, machine: Machine) -> None:
        self.found: list[Doubt] = []
        self._machine = machine
        self._doubt = machine.doubt if isinstance(machine, Doubting) else None
        self._inputs = bytearray()
        self._ends = array("Q")
        self._looked = 0

    def note(self, witness: bytes) -> None:
        """There is a path that this input takes."""
        if self._doubt is None or self.found:
            return
        self._inputs += witness
        self._ends.append(len(self._inputs))
        if len(self._inputs) + 8 * len(self._ends) > _MOST:
            self._settle(Doubt("there are too many paths to look for memory never written in each"))

    def look(self, must_stop: Callable[[], bool] = lambda: False, tick: Callable[[], None] = lambda: None) -> bool:
        """Looks at the paths that were noted since the last time, until one is doubtful; False if it had to stop."""
        for witness in self._waiting():
            if must_stop():
                return False
            doubt = self._doubt_of(witness)
            self._looked += 1
            tick()
            if doubt is not None:
                self._settle(doubt)
                return True
        return True

    def _waiting(self) -> Iterator[bytes]:
        for number in range(self._looked, len(self._ends)):
            begin = self._ends[number - 1] if number else 0
            yield bytes(self._inputs[begin : self._ends[number]])

    def _doubt_of(self, witness: bytes) -> Doubt | None:
        assert self._doubt is not None
        run = self._doubt(witness)
        if run is not None and run.end == "table":
            self._machine.new_epoch()
            run = self._doubt(witness)
        if run is None:
            return None
        if run.end not in _ENDED:
            return Doubt("a run with marks of memory never written could not be made")
        return self._described(run) if run.error is not None and run.error.kind == _KIND else None

    def _described(self, run: Run) -> Doubt:
        assert run.error is not None
        failure = failure_of(run.error, run.error.message, self._machine.sites)
        concerned = failure.concerned
        made = concerned.made if concerned is not None else None
        location = _text(_own(failure.where, failure.called_from))
        return Doubt(failure.message, location, concerned.name if concerned is not None else "", _text(made))

    def _settle(self, doubt: Doubt) -> None:
        """One is enough: no path needs to be looked at any more."""
        self.found.append(doubt)
        self._inputs, self._ends, self._looked = bytearray(), array("Q"), 0


def _own(where: Where | None, callers: tuple[Where, ...]) -> Where | None:
    """The innermost location that is not libc's."""
    return next((each for each in (where, *callers) if each is not None and not each.library), where)


def _text(where: Where | None) -> str:
    return str(where) if where is not None else ""
