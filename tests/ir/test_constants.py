"""Constants survive parser, printer and LLVM."""

from __future__ import annotations

import struct

from hypothesis import given, settings
from hypothesis import strategies as st
from ir_roundtrip import printed_text

from cinquefoil.ir.model import (
    ConstAggregate,
    ConstFloat,
    ConstInt,
    ConstNull,
    ConstString,
    ConstUndef,
    ConstZero,
    Value,
)
from cinquefoil.ir.parser import parse_module
from cinquefoil.ir.printer import typed
from cinquefoil.ir.types import DOUBLE, FLOAT, I8, PTR, ArrayType, IntType, StructType, Type, VectorType


def _integer(bits: int) -> st.SearchStrategy[ConstInt]:
    low, high = (0, 1) if bits == 1 else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    return st.integers(low, high).map(lambda value: ConstInt(value, IntType(bits)))


def _double(value: float, type_: Type) -> ConstFloat:
    return ConstFloat(f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}", type_)


integers = st.sampled_from((1, 7, 8, 16, 32, 64, 65, 128, 200)).flatmap(_integer)
floats = st.one_of(
    st.floats().map(lambda value: _double(value, DOUBLE)),
    st.floats(width=32, allow_nan=False).map(lambda value: _double(value, FLOAT)),
)
strings = st.binary(min_size=1, max_size=20).map(lambda data: ConstString(data, ArrayType(len(data), I8)))
scalars: st.SearchStrategy[Value] = st.one_of(integers, floats, st.just(ConstNull(PTR)))


def _struct(elements: list[Value], packed: bool) -> Value:
    return ConstAggregate(tuple(elements), StructType(tuple(e.type for e in elements), packed))


def _repeated(element: Value, count: int) -> Value:
    return ConstAggregate((element,) * count, ArrayType(count, element.type))


def _splat(element: Value, count: int) -> Value:
    return ConstAggregate((element,) * count, VectorType(count, element.type))


constants: st.SearchStrategy[Value] = st.recursive(
    st.one_of(scalars, strings, st.builds(_splat, scalars, st.integers(1, 5))),
    lambda inner: st.one_of(
        st.builds(_struct, st.lists(inner, min_size=1, max_size=4), st.booleans()),
        st.builds(_repeated, inner, st.integers(1, 3)),
    ),
    max_leaves=8,
)


@given(constants)
@settings(max_examples=80)
def test_our_own_print_reads_back_equal(value: Value) -> None:
    module = parse_module(f"@g = global {typed(value)}\n")
    assert module.globals["g"].initializer == value


@given(constants)
@settings(max_examples=80)
def test_llvm_reads_our_print_as_the_same_constant(value: Value) -> None:
    once = printed_text(f"@g = global {typed(value)}\n")
    initializer = parse_module(once).globals["g"].initializer
    assert initializer is not None
    assert _flat(initializer) == _flat(value)
    assert printed_text(f"@g = global {typed(initializer)}\n") == once


def _flat(value: Value) -> object:
    """The constant as nested lists, the same for all its spellings (strings, zeroinitializer, float text)."""
    if isinstance(value, ConstString):
        return list(value.data)
    if isinstance(value, ConstAggregate):
        return [_flat(element) for element in value.elements]
    if isinstance(value, ConstZero):
        return _zero(value.type)
    if isinstance(value, ConstInt):
        assert isinstance(value.type, IntType)
        return value.value % (1 << value.type.bits)
    if isinstance(value, ConstFloat):
        return _bits(value.text)
    return 0 if isinstance(value, ConstNull) else value


def _bits(text: str) -> int:
    return int(text, 16) if text.startswith("0x") else struct.unpack("<Q", struct.pack("<d", float(text)))[0]


def _zero(type_: Type) -> object:
    if isinstance(type_, StructType):
        return [_zero(field) for field in type_.fields]
    if isinstance(type_, ArrayType | VectorType):
        return [_zero(type_.element)] * type_.count
    return 0


def test_undef_and_poison_are_told_apart() -> None:
    module = parse_module("@a = global i32 undef\n@b = global i32 poison\n")
    assert module.globals["a"].initializer == ConstUndef(IntType(32), poison=False)
    assert module.globals["b"].initializer == ConstUndef(IntType(32), poison=True)
