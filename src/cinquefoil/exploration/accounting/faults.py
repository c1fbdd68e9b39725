"""Faults of the engine itself while it explores: an unexpected exception in a solver, a searcher, or while a run is
added.  It costs the query or run that it befell: the exploration goes on, nothing is called exhausted any more, and at
the end the faults are told together with the results.

What makes going on impossible ends the exploration as ever: a user's mistake, a fault of a plug-in, an `EngineError`
(the worker cannot be started), the system's refusals (a full disk), no memory left, an interrupt."""

from __future__ import annotations

import traceback
from dataclasses import dataclass

from cinquefoil.errors import CinquefoilError, EngineError, UserError
from cinquefoil.exploration.accounting.statistics import Statistics
from cinquefoil.plugins import fault_of_plugin

REPORTING = "please report it, with the program and the traceback in summary.json"
_ENDING = (CinquefoilError, OSError, MemoryError)
_MOST = 20  # different ones that are kept
_TOO_MANY = 1000


@dataclass(slots=True)
class Fault:
    """One of the engine's faults, and how often it was met."""

    what: str
    where: str
    traceback: str
    count: int = 1


class Faults:
    """What was met, by kind and location."""

    def __init__(self, statistics: Statistics) -> None:
        self._statistics = statistics
        self._found: dict[tuple[str, str], Fault] = {}

    def note(self, error: Exception) -> None:
        """Counts a fault; raises it again if the exploration must end."""
        if isinstance(error, _ENDING):
            raise error
        if fault := fault_of_plugin(error):
            raise UserError(fault) from error
        self._statistics.faults += 1
        if self._statistics.faults > _TOO_MANY:
            raise EngineError(f"more than {_TOO_MANY} internal faults, the last: {error!r}") from error
        frames = traceback.extract_tb(error.__traceback__)
        where = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""
        key = type(error).__name__, where
        if key in self._found:
            self._found[key].count += 1
        elif len(self._found) < _MOST:
            what = f"{type(error).__name__}: {error}"
            self._found[key] = Fault(what, where, "".join(traceback.format_exception(error)))

    def found(self) -> tuple[Fault, ...]:
        return tuple(self._found.values())
