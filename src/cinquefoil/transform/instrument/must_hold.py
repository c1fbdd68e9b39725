"""Checks for undefined behaviour (build/ubsan.py): implicit branches, as those of divisions are."""

from __future__ import annotations

from cinquefoil.ir.model import Call
from cinquefoil.ir.sites import SiteKind
from cinquefoil.transform.instrument.emitter import Shadows
from cinquefoil.transform.instrument.tracer import Tracer


def must_hold(t: Tracer, i: Call) -> None:
    """The run-time is called if the condition is symbolic or fails."""
    holds, check, data, *values = i.operands
    site = t.site(SiteKind.CHECK, i.dbg)
    fails = t.let(f"xor i1 {t.value(holds)}, true")

    def event() -> Shadows:
        taken = t.let(f"zext i1 {t.value(holds)} to i32")
        shadow, words = t.shadow1(holds), [t.word(value) for value in values]
        t.run("cinq_must_hold_check", site, f"i32 {shadow}", f"i32 {taken}", t.typed(check), t.typed(data), *words)
        return []

    pending = t.is_pending(holds)
    t.settle([] if pending else t.shadow(holds), event, [holds], when_pending=pending, guards=[fails])
