"""Arithmetic and comparisons.

The concrete instruction is written unchanged, but for flags that could make poison.  Divisions and shifts are checked
first.
"""

from __future__ import annotations

from cinquefoil.ir.model import (
    Binary,
    Compare,
    ConstInt,
    Local,
    Unary,
)
from cinquefoil.ir.sites import SiteKind
from cinquefoil.ir.types import (
    IntType,
    scalar_bits,
)
from cinquefoil.layout import Intrinsic, Op, Reason
from cinquefoil.transform.instrument import shifts
from cinquefoil.transform.instrument.emitter import Shadows
from cinquefoil.transform.instrument.lanes import QUADRUPLE, element, has_code, is_modelled, lanes, operand, pick
from cinquefoil.transform.instrument.tracer import Tracer
from cinquefoil.transform.instrument.upper_bounds import SHIFTS

_BINARY = {
    "add": Op.ADD,
    "sub": Op.SUB,
    "mul": Op.MUL,
    "udiv": Op.UDIV,
    "sdiv": Op.SDIV,
    "urem": Op.UREM,
    "srem": Op.SREM,
    "shl": Op.SHL,
    "lshr": Op.LSHR,
    "ashr": Op.ASHR,
    "and": Op.AND,
    "or": Op.OR,
    "xor": Op.XOR,
    "fadd": Op.FADD,
    "fsub": Op.FSUB,
    "fmul": Op.FMUL,
    "fdiv": Op.FDIV,
}
_COMPARE = {
    "eq": Op.EQ,
    "ne": Op.NE,
    "ult": Op.ULT,
    "ule": Op.ULE,
    "ugt": Op.UGT,
    "uge": Op.UGE,
    "slt": Op.SLT,
    "sle": Op.SLE,
    "sgt": Op.SGT,
    "sge": Op.SGE,
}
_FCMP = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
    *("uno", "ueq", "ugt", "uge", "ult", "ule", "une", "true"),
)
_FMOD = {
    "float": ("declare float @fmodf(float, float)", "fmodf"),
    "double": ("declare double @fmod(double, double)", "fmod"),
    "x86_fp80": ("declare x86_fp80 @fmodl(x86_fp80, x86_fp80)", "fmodl"),
}
_DIVISIONS = ("udiv", "sdiv", "urem", "srem")


def binary(t: Tracer, i: Binary) -> None:
    assert i.result is not None
    if not has_code(i.type):
        t.give_up(i, Reason.FLOAT, QUADRUPLE)
        return
    if i.opcode == "frem":
        _remainder(t, i)
        return
    if i.opcode in _DIVISIONS:
        _division_checks(t, i)
    text, masked = shifts.amount(t, i) if i.opcode in SHIFTS else (t.value(i.operands[1]), False)
    t.emit(f"{t.name(i.result)} = {i.opcode} {t.typed(i.operands[0])}, {text}")
    if not is_modelled(i.type):
        t.forget(i, Reason.WIDTH if isinstance(element(i.type), IntType) else Reason.FLOAT)
        return
    t.defer(Local(i.result, i.type), i.operands, lambda: _binary_nodes(t, i, masked))


def _remainder(t: Tracer, i: Binary) -> None:
    """LLVM calls fmod itself, without shadows: the operands are fixed to their values first."""
    assert i.result is not None
    t.forget(i, Reason.OPERATION)
    t.clear_arguments(2)
    t.context.need(*_FMOD[str(i.type)])
    t.emit(f"{t.name(i.result)} = frem {t.typed(i.operands[0])}, {t.value(i.operands[1])}")


def _binary_nodes(t: Tracer, i: Binary, masked: bool) -> Shadows:
    bits = scalar_bits(element(i.type))
    opw = _BINARY[i.opcode] | bits << 8
    found: Shadows = []
    for lane in lanes(i.type):
        sa, va = operand(t, i.operands[0], lane)
        sb, vb = operand(t, i.operands[1], lane)
        if masked:
            sb, vb = shifts.masked_node(t, i.operands[1], sb, vb, bits)
        found.append(t.call("cinq_binary", f"i32 {opw}", sa, sb, va, vb))
    return found


def _division_checks(t: Tracer, i: Binary) -> None:
    divisor = i.operands[1]
    if isinstance(divisor, ConstInt) and divisor.value not in (0, -1):
        return
    bits = scalar_bits(element(i.type))
    site = t.site(SiteKind.CHECK, i.dbg)
    for lane in lanes(i.type):
        t.shadow(i.operands[0])  # settled first: the check's action needs it
        divisor_shadow = pick(t.shadow(divisor), lane)
        part = t.value(divisor)
        if lane is not None:
            part = t.let(f"extractelement {t.typed(divisor)}, i32 {lane}")
        zero = t.let(f"icmp eq i{bits} {part}, 0")
        extra = [divisor_shadow, t.let(f"zext i1 {zero} to i32")]
        if i.opcode in ("sdiv", "srem"):
            minus = t.let(f"icmp eq i{bits} {part}, -1")
            extra.append(t.let(f"zext i1 {minus} to i32"))

        def check(lane: int | None = lane) -> Shadows:
            sa, va = operand(t, i.operands[0], lane)
            sb, vb = operand(t, divisor, lane)
            t.run("cinq_division", site, f"i32 {_BINARY[i.opcode] | bits << 8}", sa, sb, va, vb)
            return []

        t.settle(extra, check)


def unary(t: Tracer, i: Unary) -> None:
    assert i.result is not None
    (value,) = i.operands
    if i.opcode == "freeze":
        t.alias(i, value)
        return
    t.emit(f"{t.name(i.result)} = fneg {t.typed(value)}")
    if not is_modelled(i.type):
        t.forget(i, Reason.FLOAT)
        return
    codew = f"i32 {Intrinsic.FNEG | scalar_bits(element(i.type)) << 8}"

    def nodes() -> Shadows:
        zero = ("i32 0", "i32 0")
        return [
            t.call("cinq_intrinsic", codew, s, *zero, v, "i64 0", "i64 0")
            for s, v in (operand(t, value, lane) for lane in lanes(i.type))
        ]

    t.defer(Local(i.result, i.type), i.operands, nodes)


def compare(t: Tracer, i: Compare) -> None:
    assert i.result is not None
    left, right = i.operands
    if not has_code(left.type):
        t.give_up(i, Reason.FLOAT, QUADRUPLE)
        return
    t.emit(f"{t.name(i.result)} = {i.opcode} {i.predicate} {t.typed(left)}, {t.value(right)}")
    if not is_modelled(left.type):
        t.forget(i, Reason.WIDTH)
        return
    bits = scalar_bits(element(left.type))

    def node(lane: int | None) -> str:
        sa, va = operand(t, left, lane)
        sb, vb = operand(t, right, lane)
        if i.opcode == "icmp":
            return t.call("cinq_binary", f"i32 {_COMPARE[i.predicate] | bits << 8}", sa, sb, va, vb)
        return t.call("cinq_fcmp", f"i32 {_FCMP.index(i.predicate)}", f"i32 {bits}", sa, sb, va, vb)

    t.defer(Local(i.result, i.type), i.operands, lambda: [node(lane) for lane in lanes(left.type)])
