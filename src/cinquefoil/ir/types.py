"""LLVM types and their layout on x86-64.

Types are immutable and compared by value.  `size_of`, `alignment` and `field_offset` follow the data layout
of x86-64 Linux, the only target there is; `leaves` flattens a type into its scalars, which is how shadows of
aggregates and vectors are kept (one shadow per scalar).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache


class Type:
    """Base of all types."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class IntType(Type):
    bits: int

    def __str__(self) -> str:
        return f"i{self.bits}"


@dataclass(frozen=True, slots=True)
class FloatType(Type):
    """half, bfloat, float, double, x86_fp80 or fp128."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class PointerType(Type):
    """`ptr`; address spaces 256 and up are x86's segments (`__seg_fs`) and clang's `__ptr32`."""

    space: int = 0

    def __str__(self) -> str:
        return f"ptr addrspace({self.space})" if self.space else "ptr"


@dataclass(frozen=True, slots=True)
class PlainType(Type):
    """void, label, metadata, token."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class ArrayType(Type):
    count: int
    element: Type

    def __str__(self) -> str:
        return f"[{self.count} x {self.element}]"


@dataclass(frozen=True, slots=True)
class VectorType(Type):
    count: int
    element: Type

    def __str__(self) -> str:
        return f"<{self.count} x {self.element}>"


@dataclass(frozen=True, slots=True)
class StructType(Type):
    """A literal struct: `{ i32, ptr }` or, packed, `<{ i32, ptr }>`."""

    fields: tuple[Type, ...]
    packed: bool = False

    def __str__(self) -> str:
        inner = ", ".join(map(str, self.fields))
        body = f"{{ {inner} }}" if inner else "{}"
        return f"<{body}>" if self.packed else body


@dataclass(eq=False, slots=True)
class NamedType(Type):
    """`%struct.s`: identified by name; `body` is None while opaque (and until its definition is read)."""

    name: str  # as written after the %, quotes included where LLVM needs them
    body: StructType | None = None

    def __str__(self) -> str:
        return f"%{self.name}"


@dataclass(frozen=True, slots=True)
class FunctionType(Type):
    result: Type
    parameters: tuple[Type, ...]
    variadic: bool = False

    def __str__(self) -> str:
        parts = [str(p) for p in self.parameters] + (["..."] if self.variadic else [])
        return f"{self.result} ({', '.join(parts)})"


VOID = PlainType("void")
LABEL = PlainType("label")
METADATA = PlainType("metadata")
PTR = PointerType()
I1, I8, I16, I32, I64, I128 = (IntType(n) for n in (1, 8, 16, 32, 64, 128))
FLOAT, DOUBLE, X86_FP80 = FloatType("float"), FloatType("double"), FloatType("x86_fp80")

_FLOAT_BITS = {"half": 16, "bfloat": 16, "float": 32, "double": 64, "x86_fp80": 80, "fp128": 128}


def body_of(type_: Type) -> Type:
    """The type with a name looked through."""
    if isinstance(type_, NamedType):
        if type_.body is None:
            raise ValueError(f"type %{type_.name} is opaque")
        return type_.body
    return type_


def scalar_bits(type_: Type) -> int:
    """Bits of a scalar value: integer, float or pointer."""
    if isinstance(type_, IntType):
        return type_.bits
    if isinstance(type_, FloatType):
        return _FLOAT_BITS[type_.name]
    if isinstance(type_, PointerType):
        return _pointer_bits(type_)
    raise ValueError(f"{type_} is not a scalar type")


def _pointer_bits(type_: PointerType) -> int:
    return 32 if type_.space in (270, 271) else 64  # __ptr32, signed and unsigned


def is_scalar(type_: Type) -> bool:
    return isinstance(type_, IntType | FloatType | PointerType)


@lru_cache(maxsize=4096)
def alignment(type_: Type) -> int:
    """ABI alignment in bytes."""
    type_ = body_of(type_)
    if isinstance(type_, PointerType):
        return _pointer_bits(type_) // 8
    if isinstance(type_, IntType):
        return min(16, 1 << max(0, (type_.bits + 7) // 8 - 1).bit_length())
    if isinstance(type_, FloatType):
        return 16 if _FLOAT_BITS[type_.name] >= 80 else _FLOAT_BITS[type_.name] // 8
    if isinstance(type_, ArrayType):
        return alignment(type_.element)
    if isinstance(type_, VectorType):
        return 1 << (max(1, store_size(type_)) - 1).bit_length()
    if isinstance(type_, StructType):
        return 1 if type_.packed else max((alignment(f) for f in type_.fields), default=1)
    raise ValueError(f"{type_} has no alignment")


@lru_cache(maxsize=4096)
def store_size(type_: Type) -> int:
    """Bytes that a store of this type writes."""
    type_ = body_of(type_)
    if is_scalar(type_):
        return (scalar_bits(type_) + 7) // 8
    if isinstance(type_, VectorType):
        return (type_.count * scalar_bits(type_.element) + 7) // 8
    return size_of(type_)


@lru_cache(maxsize=4096)
def size_of(type_: Type) -> int:
    """Bytes from one array element of this type to the next (LLVM's alloc size)."""
    type_ = body_of(type_)
    if isinstance(type_, ArrayType):
        return type_.count * size_of(type_.element)
    if isinstance(type_, StructType):
        return _struct_layout(type_)[1]
    return _round_up(store_size(type_), alignment(type_))


def field_offset(type_: StructType, index: int) -> int:
    return _struct_layout(type_)[0][index]


@lru_cache(maxsize=4096)
def _struct_layout(type_: StructType) -> tuple[tuple[int, ...], int]:
    offsets: list[int] = []
    at = 0
    for field in type_.fields:
        at = at if type_.packed else _round_up(at, alignment(field))
        offsets.append(at)
        at += size_of(field)
    return tuple(offsets), _round_up(at, alignment(type_))


def _round_up(size: int, align: int) -> int:
    return (size + align - 1) // align * align


@dataclass(frozen=True, slots=True)
class Leaf:
    """One scalar inside a value: where it is (indices as extractvalue takes them) and its byte offset."""

    path: tuple[int, ...]
    type: Type
    offset: int


@lru_cache(maxsize=4096)
def leaves(type_: Type) -> tuple[Leaf, ...]:
    """The scalars of a first-class value, in order; a scalar is its own single leaf, void has none."""
    type_ = body_of(type_)
    if is_scalar(type_):
        return (Leaf((), type_, 0),)
    if isinstance(type_, StructType):
        parts = [(i, f, field_offset(type_, i)) for i, f in enumerate(type_.fields)]
    elif isinstance(type_, ArrayType):
        parts = [(i, type_.element, i * size_of(type_.element)) for i in range(type_.count)]
    elif isinstance(type_, VectorType):
        step = scalar_bits(type_.element) // 8
        parts = [(i, type_.element, i * step) for i in range(type_.count)]
    else:
        return ()
    return tuple(
        Leaf((i, *leaf.path), leaf.type, offset + leaf.offset) for i, part, offset in parts for leaf in leaves(part)
    )
