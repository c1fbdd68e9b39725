"""Sizes, alignments and offsets agree with LLVM's own."""

from __future__ import annotations

import llvmlite.binding as llvm
from hypothesis import given, settings
from hypothesis import strategies as st

from cinquefoil.ir.parser import parse_module
from cinquefoil.ir.types import (
    ArrayType,
    FloatType,
    IntType,
    PointerType,
    StructType,
    Type,
    VectorType,
    alignment,
    field_offset,
    leaves,
    size_of,
    store_size,
)

LAYOUT = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
FLOATS = ("half", "bfloat", "float", "double", "x86_fp80", "fp128")

integers = st.integers(1, 300).map(IntType)
floats = st.sampled_from(FLOATS).map(FloatType)
pointers = st.sampled_from((0, 0, 0, 256, 270, 271, 272)).map(PointerType)
scalars = st.one_of(integers, floats, pointers)
vectors = st.builds(VectorType, st.integers(1, 9), st.one_of(integers, floats, pointers))


def _structs(inner: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
    return st.builds(StructType, st.lists(inner, max_size=5).map(tuple), st.booleans())


types = st.recursive(
    st.one_of(scalars, vectors),
    lambda inner: st.one_of(_structs(inner), st.builds(ArrayType, st.integers(0, 4), inner)),
    max_leaves=8,
)


def _llvm_type(type_: Type) -> tuple[llvm.TypeRef, llvm.TargetData, llvm.ModuleRef]:
    text = f'target datalayout = "{LAYOUT}"\n@g = external global {type_}\n'
    module = llvm.parse_assembly(text, context=llvm.create_context())
    return module.get_global_variable("g").global_value_type, llvm.create_target_data(LAYOUT), module


@given(types)
@settings(max_examples=80)
def test_size_and_alignment(type_: Type) -> None:
    theirs, data, _module = _llvm_type(type_)
    assert size_of(type_) == data.get_abi_size(theirs)
    assert alignment(type_) == data.get_abi_alignment(theirs)


@given(_structs(types).filter(lambda t: bool(t.fields)))
@settings(max_examples=80)
def test_field_offsets(type_: StructType) -> None:
    theirs, data, _module = _llvm_type(type_)
    for index in range(len(type_.fields)):
        assert field_offset(type_, index) == data.get_element_offset(theirs, index)


@given(types)
@settings(max_examples=80)
def test_text_reads_back(type_: Type) -> None:
    module = parse_module(f"@g = external global {type_}\n")
    assert module.globals["g"].type == type_


@given(types)
@settings(max_examples=80)
def test_leaves_lie_inside(type_: Type) -> None:
    for leaf in leaves(type_):
        assert leaf.offset >= 0
        assert leaf.offset + (store_size(leaf.type) if leaf.offset else 0) <= max(size_of(type_), store_size(type_))
