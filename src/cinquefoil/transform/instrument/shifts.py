"""Shifts: an amount of the width or more is an error of the program.

That holds for scalars in code as it was written: an optimiser moves shifts to where their result is not used,
and vectors are shifted by machine code's own rules.  There, amounts are taken modulo the width, so that a shift means
one thing.  An amount that can be seen to be small enough needs neither.
"""

from __future__ import annotations

from cinquefoil.ir.model import Binary, ConstInt, Value
from cinquefoil.ir.sites import SiteKind
from cinquefoil.ir.types import VectorType, scalar_bits
from cinquefoil.layout import ErrorKind, Op
from cinquefoil.transform.instrument.emitter import CONCRETE, Shadows
from cinquefoil.transform.instrument.lanes import element, is_modelled
from cinquefoil.transform.instrument.tracer import Tracer
from cinquefoil.transform.instrument.upper_bounds import is_plain


def amount(t: Tracer, i: Binary) -> tuple[str, bool]:
    """The amount as text, checked where it must be, and whether it is masked."""
    given = i.operands[1]
    if is_plain(i, t.makers):
        return t.value(given), False
    if not t.checks_shifts or isinstance(i.type, VectorType):
        return _masked_amount(t, i), True
    site = t.site(SiteKind.CHECK, i.dbg)
    if isinstance(given, ConstInt):
        t.settle()
        t.run("cinq_fail", site, f"i32 {ErrorKind.OVERSHIFT.value}")
        return CONCRETE, False
    _check(t, i, site)
    return t.value(given), False


def _check(t: Tracer, i: Binary, site: str) -> None:
    """An event where the amount is symbolic; the end of the run where it is too large."""
    amount, bits = i.operands[1], scalar_bits(i.type)
    bad = t.let(f"icmp uge {t.typed(amount)}, {bits}")
    if not t.may_be_symbolic(amount) and not t.decisions_pending():
        t.unless(bad, f"call preserve_mostcc void @cinq_shift({site}, i32 {bits}, i32 0, i32 1)")
        return
    pending = t.is_pending(amount)

    def event() -> Shadows:
        shadow = t.shadow1(amount) if is_modelled(i.type) else CONCRETE
        t.run("cinq_shift", site, f"i32 {bits}", f"i32 {shadow}", f"i32 {t.let(f'zext i1 {bad} to i32')}")
        return []

    t.settle([] if pending else t.shadow(amount), event, when_pending=pending, guards=[bad])


def _masked_amount(t: Tracer, i: Binary) -> str:
    """The amount modulo the width, as text."""
    bits, amount = scalar_bits(element(i.type)), i.operands[1]
    operation = "and" if bits & (bits - 1) == 0 else "urem"
    limit = bits - 1 if operation == "and" else bits
    if isinstance(i.type, VectorType):
        splat = f"<{', '.join([f'{i.type.element} {limit}'] * i.type.count)}>"
        return t.let(f"{operation} {t.typed(amount)}, {splat}")
    return t.let(f"{operation} {t.typed(amount)}, {limit}")


def masked_node(t: Tracer, amount: Value, shadow: str, word: str, bits: int) -> tuple[str, str]:
    """The same as an operand of an expression: (shadow, word)."""
    op, kind, limit = (Op.AND, "and", bits - 1) if bits & (bits - 1) == 0 else (Op.UREM, "urem", bits)
    opw = f"i32 {op | bits << 8}"
    if bits <= 64:
        masked = t.call("cinq_binary", opw, shadow, "i32 0", word, f"i64 {limit}")
        return f"i32 {masked}", f"i64 {t.let(f'{kind} {word}, {limit}')}"
    constant = t.call("cinq_const", f"i32 {bits}", f"i64 {limit}", "i64 0")
    masked = t.call("cinq_binary", opw, shadow, f"i32 {constant}", "i64 0", "i64 0")
    concrete = t.let(f"{kind} {t.typed(amount)}, {limit}")
    return f"i32 {t.known(masked, bits, concrete, bits)}", "i64 0"
