"""Options of the tracing rewrite."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class InstrumentOptions:
    library: bool = False  # libc: neither coverage nor block trace
    blocks: bool = False  # record every block entered, in order
    check: bool = False  # compare every expression with the value the program computed
    plain: bool = False  # every call and load as written: what expansion and leaving out repeats are tested against
    overshift: bool = True  # a shift by the width or more is an error
