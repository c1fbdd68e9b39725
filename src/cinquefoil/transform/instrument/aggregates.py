"""Parts of structs and vectors: shadows are moved, leaf by leaf."""

from __future__ import annotations

from typing import TypeGuard

from cinquefoil.ir.model import (
    ConstInt,
    ExtractElement,
    ExtractValue,
    InsertElement,
    InsertValue,
    Instruction,
    ShuffleVector,
    Value,
)
from cinquefoil.ir.sites import SiteKind
from cinquefoil.ir.types import (
    Type,
    VectorType,
    leaves,
    scalar_bits,
)
from cinquefoil.layout import ErrorKind, Reason
from cinquefoil.transform.instrument.emitter import Shadows
from cinquefoil.transform.instrument.tracer import Tracer

_OUTSIDE = f"call preserve_mostcc void @cinq_fail({{}}, i32 {ErrorKind.OUT_OF_BOUNDS.value})"


def _slice(type_: Type, indices: tuple[int, ...]) -> slice:
    """Which leaves of a value an extractvalue with these indices takes."""
    paths = [leaf.path[: len(indices)] for leaf in leaves(type_)]
    first = paths.index(indices) if indices in paths else 0
    return slice(first, first + paths.count(indices))


def extract_value(t: Tracer, i: ExtractValue) -> None:
    assert i.result is not None
    numbers = ", ".join(map(str, i.indices))
    t.emit(f"{t.name(i.result)} = extractvalue {t.typed(i.operands[0])}, {numbers}")
    if t.may_be_symbolic(i.operands[0]):
        t.set_shadow(i.result, t.shadow(i.operands[0])[_slice(i.operands[0].type, i.indices)])


def insert_value(t: Tracer, i: InsertValue) -> None:
    assert i.result is not None
    whole, part = i.operands
    numbers = ", ".join(map(str, i.indices))
    t.emit(f"{t.name(i.result)} = insertvalue {t.typed(whole)}, {t.typed(part)}, {numbers}")
    shadows = list(t.shadow(whole))
    inner = t.shadow(part)
    shadows = list(t.shadow(whole))  # settling for `part` may have joined it
    shadows[_slice(whole.type, i.indices)] = inner
    t.set_shadow(i.result, shadows)


def extract_element(t: Tracer, i: ExtractElement) -> None:
    assert i.result is not None
    vector, index = i.operands
    if _is_lane(index, vector):
        t.emit(f"{t.name(i.result)} = extractelement {t.typed(vector)}, {t.typed(index)}")
        if t.may_be_symbolic(vector):
            t.set_shadow(i.result, [t.shadow(vector)[index.value]])
        return
    lane = _lane_number(t, i, vector, index)
    t.emit(f"{t.name(i.result)} = extractelement {t.typed(vector)}, i64 {lane}")
    chosen, *others = t.shadow(vector)
    for number, shadow in enumerate(others, 1):
        chosen = _if_lane(t, lane, number, shadow, chosen)
    t.set_shadow(i.result, [chosen])


def insert_element(t: Tracer, i: InsertElement) -> None:
    assert i.result is not None
    vector, part, index = i.operands
    if _is_lane(index, vector):
        t.emit(f"{t.name(i.result)} = insertelement {t.typed(vector)}, {t.typed(part)}, {t.typed(index)}")
        inner = t.shadow1(part)
        shadows = list(t.shadow(vector))
        shadows[index.value] = inner
        t.set_shadow(i.result, shadows)
        return
    lane = _lane_number(t, i, vector, index)
    t.emit(f"{t.name(i.result)} = insertelement {t.typed(vector)}, {t.typed(part)}, i64 {lane}")
    inner = t.shadow1(part)
    t.set_shadow(i.result, [_if_lane(t, lane, n, inner, old) for n, old in enumerate(t.shadow(vector))])


def _is_lane(index: Value, vector: Value) -> TypeGuard[ConstInt]:
    """A constant number of one of the vector's lanes."""
    assert isinstance(vector.type, VectorType)
    return isinstance(index, ConstInt) and 0 <= index.value < vector.type.count


def _lane_number(t: Tracer, i: Instruction, vector: Value, index: Value) -> str:
    """A variable lane as i64 text, fixed to its value; one outside the vector, which LLVM makes poison, is an error."""
    assert isinstance(vector.type, VectorType)
    bits = scalar_bits(index.type)
    wide = t.value(index) if bits == 64 else t.let(f"zext {t.typed(index)} to i64")
    site, shadow = t.site(SiteKind.CHECK, i.dbg), t.shadow1(index)

    def fix() -> Shadows:
        t.run("cinq_concretize", site, f"i32 {shadow}", f"i64 {wide}", f"i32 {Reason.VECTOR.value}")
        return []

    t.settle([shadow], fix)
    t.unless(t.let(f"icmp uge i64 {wide}, {vector.type.count}"), _OUTSIDE.format(site))
    return wide


def _if_lane(t: Tracer, lane: str, number: int, yes: str, no: str) -> str:
    if yes == no:
        return no
    return t.let(f"select i1 {t.let(f'icmp eq i64 {lane}, {number}')}, i32 {yes}, i32 {no}", "s")


def shuffle_vector(t: Tracer, i: ShuffleVector) -> None:
    assert i.result is not None
    one, two = i.operands
    mask = ", ".join("i32 0" if m is None else f"i32 {m}" for m in i.mask)
    t.emit(f"{t.name(i.result)} = shufflevector {t.typed(one)}, {t.typed(two)}, <{len(i.mask)} x i32> <{mask}>")
    second = t.shadow(two)
    both = t.shadow(one) + second
    t.set_shadow(i.result, [both[m or 0] for m in i.mask])
