"""Conversions: widths, formats, and the same bits under another type."""

from __future__ import annotations

from math import gcd

from cinquefoil.ir.model import (
    Cast,
    Local,
    Value,
)
from cinquefoil.ir.sites import SiteKind
from cinquefoil.ir.types import (
    FloatType,
    PointerType,
    Type,
    scalar_bits,
)
from cinquefoil.layout import Op, Reason
from cinquefoil.transform.instrument.emitter import Shadows
from cinquefoil.transform.instrument.lanes import QUADRUPLE, element, has_code, is_modelled, lanes, pick
from cinquefoil.transform.instrument.tracer import Tracer


def cast(t: Tracer, i: Cast) -> None:
    assert i.result is not None
    (value,) = i.operands
    if i.opcode != "bitcast" and not has_code(value.type, i.type):
        t.give_up(i, Reason.FLOAT, QUADRUPLE)
        return
    if i.opcode in ("fptosi", "fptoui"):
        _float_to_int(t, i)
        return
    t.emit(f"{t.name(i.result)} = {i.opcode} {t.typed(value)} to {i.type}")
    if not (is_modelled(value.type) and is_modelled(i.type)):
        t.forget(i, Reason.WIDTH)
    elif i.opcode == "bitcast":
        t.defer(Local(i.result, i.type), i.operands, lambda: _reinterpret(t, value, i.type))
    else:
        t.defer(Local(i.result, i.type), i.operands, lambda: [_cast_node(t, i, n) for n in lanes(i.type)])


def _cast_op(i: Cast, source: int, target: int) -> Op:
    if i.opcode in ("sitofp", "uitofp"):
        return Op.SI2F if i.opcode == "sitofp" else Op.UI2F
    if i.opcode in ("fpext", "fptrunc"):
        return Op.FCVT
    if i.opcode == "sext":
        return Op.SEXT
    return Op.ZEXT if target > source else Op.EXTRACT  # zext, trunc, pointer casts


def _cast_node(t: Tracer, i: Cast, lane: int | None) -> str:
    source, target = scalar_bits(element(i.operands[0].type)), scalar_bits(element(i.type))
    shadow = pick(t.shadow(i.operands[0]), lane)
    if i.opcode in ("ptrtoint", "ptrtoaddr", "inttoptr") and source == target:
        return shadow
    op = _cast_op(i, source, target)
    return t.call("cinq_cast", f"i32 {op.value}", f"i32 {source}", f"i32 {target}", f"i32 {shadow}")


def _float_to_int(t: Tracer, i: Cast) -> None:
    """Out of range, the result is whatever the processor gives; the path condition says that it is in range."""
    assert i.result is not None
    (value,) = i.operands
    t.emit(f"{t.name(i.result)} = {i.opcode} {t.typed(value)} to {i.type}")
    if not (is_modelled(value.type) and is_modelled(i.type)):
        t.forget(i, Reason.FLOAT)
        return
    site = t.site(SiteKind.CHECK, i.dbg)
    op = Op.F2SI if i.opcode == "fptosi" else Op.F2UI
    source, target = scalar_bits(element(value.type)), scalar_bits(element(i.type))

    def node(lane: int | None) -> str:
        shadow = pick(t.shadow(value), lane)
        widths = (f"i32 {op.value}", f"i32 {source}", f"i32 {target}")
        return t.call("cinq_f2i", site, *widths, f"i32 {shadow}", t.word(value, lane))

    result = Local(i.result, i.type)
    t.defer(result, i.operands, lambda: [node(lane) for lane in lanes(i.type)], decides=True)


def _reinterpret(t: Tracer, value: Value, target: Type) -> Shadows:
    """bitcast: between scalars of one width nothing happens; lanes are cut into, or glued from, one another."""
    shadows = t.shadow(value)
    source_bits, target_bits = scalar_bits(element(value.type)), scalar_bits(element(target))
    if source_bits == target_bits:
        return shadows
    # The common measure of both, so that odd ratios (three lanes of 32 bits to two of 48) work too.
    unit = gcd(source_bits, target_bits)
    pieces = [piece for lane, shadow in enumerate(shadows) for piece in _cut(t, value, lane, shadow, unit)]
    count = target_bits // unit
    return [_glue(t, pieces[n : n + count], unit) for n in range(0, len(pieces), count)]


def _cut(t: Tracer, value: Value, lane: int, shadow: str, unit: int) -> list[tuple[str, str]]:
    """One lane as pieces of `unit` bits, lowest first: (shadow, text of its bits)."""
    type_ = element(value.type)
    bits = scalar_bits(type_)
    text = t.leaf_text(value, lane)
    if isinstance(type_, FloatType):
        text = t.let(f"bitcast {type_} {text} to i{bits}")
    if isinstance(type_, PointerType):
        text = t.let(f"ptrtoint ptr {text} to i64")
    if bits == unit:
        return [(shadow, text)]
    found: list[tuple[str, str]] = []
    for low in range(0, bits, unit):
        part = t.let(f"trunc i{bits} {t.let(f'lshr i{bits} {text}, {low}')} to i{unit}")
        found.append((t.call("cinq_extract", f"i32 {shadow}", f"i32 {low}", f"i32 {unit}"), part))
    return found


def _glue(t: Tracer, pieces: list[tuple[str, str]], unit: int) -> str:
    """The shadow of pieces side by side, lowest first."""
    whole, text = pieces[0]
    width = unit
    for shadow, part in pieces[1:]:
        low = t.known(whole, width, text, width)
        word = f"i64 {part if unit == 64 else t.let(f'zext i{unit} {part} to i64')}"
        widths = (f"i32 {unit}", f"i32 {width}")
        whole = t.call("cinq_concat", *widths, f"i32 {shadow}", f"i32 {low}", word, "i64 0")
        total = width + unit
        high = t.let(f"shl i{total} {t.let(f'zext i{unit} {part} to i{total}')}, {width}")
        text = t.let(f"or i{total} {high}, {t.let(f'zext i{width} {text} to i{total}')}")
        width = total
    return whole
