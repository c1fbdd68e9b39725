"""What the machine met and could not model, by kind and location: nothing of it is passed over in silence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cinquefoil.ir.sites import Site, SiteKind
from cinquefoil.layout import EventKind, Reason
from cinquefoil.machine.run import Run

_REASONS: Final = {
    "thread": "another thread",
    "value": "other values that klee_get_value could give",
    "assembly": "inline assembly",
    "function": "a function that is not modelled",
    "forking": "other directions while klee_set_forking is off",
    "alias": "klee_alias_function",
    "fixed_object": "klee_define_fixed_object",
    "loading": "a library loaded at run time",
    "protection": "memory that is protected or holds code",
    "address": "a mapping of memory at an address of the program's choice",
}
_NUMBERED: Final = (Reason.SYSCALL, Reason.FAILURE)
_LIMITS: Final = frozenset(reason.name.lower() for reason in (Reason.FAILURE, Reason.VALUE, Reason.FORKING))
_CALLS: Final = {
    34: "pause", 37: "alarm", 38: "setitimer", 41: "socket", 42: "connect", 43: "accept", 49: "bind", 50: "listen",
    53: "socketpair", 56: "clone", 57: "fork", 58: "vfork", 101: "ptrace", 130: "sigsuspend", 202: "futex",
    213: "epoll_create", 222: "timer_create", 281: "epoll_pwait", 282: "signalfd", 283: "timerfd_create",
    284: "eventfd", 290: "eventfd2", 291: "epoll_create1", 425: "io_uring_setup", 435: "clone3",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Unsupported:
    """`runs` met this construct; `number` is that of a system call, else None."""

    reason: str
    number: int | None
    function: str
    file: str
    line: int
    runs: int
    what: str = ""  # the construct, in words

    @property
    def is_limit(self) -> bool:
        """Left out by choice: further failures of system calls (`--max-fail`), other values for klee_get_value, other
        directions while klee_set_forking is off."""
        return self.reason in _LIMITS


def _met(run: Run) -> set[tuple[int, int, int]]:
    """What a run met without a model: reason, number of a system call, and site."""
    if run.modelled or EventKind.UNSUPPORTED not in run.events["kind"].tobytes():
        return set()
    events = run.events[run.events["kind"] == EventKind.UNSUPPORTED]
    columns = zip(events["value"].tolist(), events["taken"].tolist(), events["site"].tolist(), strict=True)
    return {(reason, number * (reason in _NUMBERED), site) for reason, number, site in columns}


def met_unsupported(run: Run) -> bool:
    """May the run have gone on otherwise than the program would elsewhere?"""
    return any(Reason(reason).name.lower() not in _LIMITS for reason, *_ in _met(run))


class UnsupportedLog:
    """Counts, per construct and location, the runs that met it."""

    def __init__(self, sites: Sequence[Site]) -> None:
        self._sites = sites
        self.counts: Counter[tuple[int, int, int]] = Counter()

    def note(self, run: Run) -> bool:
        """Did it meet something without a model?  (That a system call may fail is one; how many do is a limit.)"""
        rows = _met(run)
        self.counts.update(rows)
        return any(reason != Reason.FAILURE for reason, *_ in rows)

    def found(self) -> tuple[Unsupported, ...]:
        return tuple(self._describe(key, runs) for key, runs in sorted(self.counts.items()))

    def _describe(self, key: tuple[int, int, int], runs: int) -> Unsupported:
        reason, number, where = key
        site = self._sites[where]
        call = number if reason in _NUMBERED else None
        name = Reason(reason).name.lower()
        return Unsupported(name, call, site.function, site.file, site.line, runs, _in_words(name, call, site))


def _in_words(reason: str, call: int | None, site: Site) -> str:
    if call is not None:
        return f"system call {call}" + (f" ({_CALLS[call]})" if call in _CALLS else "")
    return site.detail if site.kind is SiteKind.CHECK and site.detail else _REASONS.get(reason, reason)
