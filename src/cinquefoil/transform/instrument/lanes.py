"""Values lane by lane: what arithmetic, casts and intrinsics share."""

from __future__ import annotations

from cinquefoil.ir.model import (
    Value,
)
from cinquefoil.ir.types import (
    FloatType,
    Type,
    VectorType,
    scalar_bits,
)
from cinquefoil.transform.instrument.emitter import Shadows
from cinquefoil.transform.instrument.tracer import Tracer

MODELLED_BITS = 128  # wider integers have no expressions
QUADRUPLE = "arithmetic of __float128"
FLOATS = ("float", "double", "x86_fp80")


def lanes(type_: Type) -> list[int | None]:
    """Lane numbers of a vector, [None] for a scalar."""
    return list(range(type_.count)) if isinstance(type_, VectorType) else [None]


def element(type_: Type) -> Type:
    return type_.element if isinstance(type_, VectorType) else type_


def is_modelled(type_: Type) -> bool:
    scalar = element(type_)
    if isinstance(scalar, FloatType):
        return scalar.name in FLOATS
    return scalar_bits(scalar) <= MODELLED_BITS


def has_code(*types: Type) -> bool:
    """Whether code generation has instructions for the type: quadruple precision would need a library of its own."""
    return not any(str(element(type_)) == "fp128" for type_ in types)


def pick(shadows: Shadows, lane: int | None) -> str:
    return shadows[lane or 0]


def operand(t: Tracer, value: Value, lane: int | None) -> tuple[str, str]:
    """(shadow, concrete word) of one lane; constants of more than 64 bits become expressions."""
    shadow = pick(t.shadow(value), lane)
    if scalar_bits(element(value.type)) <= 64:
        return f"i32 {shadow}", t.word(value, lane)
    return f"i32 {t.wide(value, shadow)}", "i64 0"
