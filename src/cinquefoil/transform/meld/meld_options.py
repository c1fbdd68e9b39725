"""How to meld."""

from __future__ import annotations

from dataclasses import dataclass

MODES = ("auto", "all", "marked")


@dataclass(frozen=True, slots=True)
class MeldOptions:
    """`mode`: "auto" melds where that is expected to pay, "all" wherever it can be done, "marked" only between
    klee_open_merge and klee_close_merge.  `excluded`: branches, by function and block, that are left alone."""

    mode: str = "auto"
    excluded: frozenset[tuple[str, str]] = frozenset()

    def without(self, branches: frozenset[tuple[str, str]]) -> MeldOptions:
        return MeldOptions(self.mode, self.excluded | branches)
