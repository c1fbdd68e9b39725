"""What a path can be cut by: every limit by what it limits, and the option that sets it.

Limits without an option are capacities of the run-time (machine/runtime/layout.h)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Limit:
    """`what` goes with "cut by"."""

    what: str
    option: str = ""


LIMITS: Final = {
    "budget": Limit("the limit of instructions of a run", "--run-instructions"),
    "time": Limit("the processor time of a run", "--run-time"),
    "events": Limit("the limit of decisions on symbolic data in a run", "--run-events"),
    "trace": Limit("the limit of 33,554,432 basic blocks in a run"),
    "table": Limit("the memory for expressions", "--max-memory"),
    "memory": Limit("the limit of memory", "--max-memory"),
    "input": Limit("the limit of 4 MiB of symbolic input"),
    "depth": Limit("the depth of an expression"),
    "stopped": Limit("the end of the exploration", "--max-time"),
}
"""The limits by the name of a run's end."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Paths that a limit cut."""

    paths: int
    limit: str
    option: str

    def __str__(self) -> str:
        many = "1 path was" if self.paths == 1 else f"{self.paths} paths were"
        return f"{many} cut by {self.limit}" + (f" ({self.option})" if self.option else "")


def cuts(counts: dict[str, int], reason: str) -> Iterator[Cut]:
    """Those that cut something; `reason` is why the exploration ended."""
    for end, paths in counts.items():
        limit = LIMITS[end]
        option = "" if end == "stopped" and reason == "interrupted" else limit.option
        if paths:
            yield Cut(paths, limit.what, option)
