"""What the machine met and could not model, by kind and place: nothing of it is passed over in silence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from cinquefoil.ir.sites import Site
from cinquefoil.layout import EventKind, Reason
from cinquefoil.machine.run import Run


@dataclass(frozen=True, slots=True)
class Unsupported:
    """`runs` met this construct; `number` is that of a system call, else None."""

    reason: str
    number: int | None
    function: str
    file: str
    line: int
    runs: int


class UnsupportedLog:
    """Counts, per construct and place, the runs that met it."""

    def __init__(self, sites: Sequence[Site]) -> None:
        self._sites = sites
        self.counts: Counter[tuple[int, int, int]] = Counter()

    def note(self, run: Run) -> None:
        if not run.modelled and EventKind.UNSUPPORTED in run.events["kind"].tobytes():
            events = run.events[run.events["kind"] == EventKind.UNSUPPORTED]
            rows = zip(events["value"].tolist(), events["taken"].tolist(), events["site"].tolist(), strict=True)
            self.counts.update(set(rows))

    def found(self) -> tuple[Unsupported, ...]:
        return tuple(self._describe(key, runs) for key, runs in sorted(self.counts.items()))

    def _describe(self, key: tuple[int, int, int], runs: int) -> Unsupported:
        reason, number, where = key
        site = self._sites[where]
        call = number if reason in (Reason.SYSCALL, Reason.FAILURE) else None
        return Unsupported(Reason(reason).name.lower(), call, site.function, site.file, site.line, runs)
