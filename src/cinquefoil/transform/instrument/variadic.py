"""Variadic calls by the x86-64 convention, in memory instead of registers.

The caller packs the arguments of a variadic call into an area of its frame (`cinq_va`) that is laid out as a callee
saves its registers: general registers, vector registers, and behind them what goes over the stack.  A variadic function
is a plain one after the rewrite; its `va_start` points at the area, behind what its own parameters take.  So clang's
code for `va_arg` reads every type where it expects it, shadows included, and takes the branches of a native build.
Where a callee is not known to have named parameters (a call without a prototype, or through a pointer), all arguments
are packed: caller and callee need not agree on which of them have names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from cinquefoil.ir.model import Call, Value
from cinquefoil.ir.sites import SiteKind
from cinquefoil.ir.types import PTR, FloatType, IntType, PointerType, Type, VectorType, alignment, body_of, size_of
from cinquefoil.layout import GRANULE, TAG_CONCRETE
from cinquefoil.transform.instrument.memory import alive, dead, slot, store_value, write_tags
from cinquefoil.transform.instrument.tracer import StackObject, Tracer

_GENERAL, _VECTORS = 6, 8  # registers for arguments
_VECTOR_AREA = 8 * _GENERAL
_STACK_AREA = 192  # behind the registers, and a multiple of the largest alignment
_LARGEST_ALIGNMENT = 64
_FRAME_ALIGNMENT = 16
_ALIGNED = re.compile(r"\balign (\d+)")


@dataclass(frozen=True, slots=True)
class Passing:
    """How a value is passed; `byval` is the size of a struct of which the callee gets a copy, or 0."""

    type: Type
    byval: int
    align: int


def passing(t: Tracer, type_: Type, attributes: str) -> Passing:
    """How a value is passed, by the attributes of a parameter or an argument."""
    if not re.search(r"\bbyval\b", attributes):
        return Passing(type_, 0, max(8, alignment(type_)))
    struct = t.context.byval_type(attributes)
    stated = _ALIGNED.search(attributes)
    return Passing(type_, size_of(struct), max(8, alignment(struct), int(stated[1]) if stated else 1))


@dataclass(slots=True)
class Convention:
    """The registers, and the bytes of the stack, that the arguments so far have used up."""

    general: int = 0
    vectors: int = 0
    stack: int = 0

    def take(self, passed: Passing) -> int:
        """Assigns the next argument its registers or its part of the stack; returns its offset in the area."""
        words = _general_words(passed)
        if words and self.general + words <= _GENERAL:
            self.general += words
            return 8 * (self.general - words)
        if _is_vector(passed) and self.vectors < _VECTORS:
            self.vectors += 1
            return _VECTOR_AREA + 16 * (self.vectors - 1)
        at = _rounded(self.stack, passed.align)
        self.stack = at + _rounded(_size(passed), 8)
        return _STACK_AREA + at


def _size(passed: Passing) -> int:
    return passed.byval or size_of(passed.type)


def _general_words(passed: Passing) -> int:
    """General registers that an argument takes, all or none; 0 if it is not for them."""
    type_ = body_of(passed.type)
    if passed.byval or not isinstance(type_, IntType | PointerType):
        return 0
    bits = type_.bits if isinstance(type_, IntType) else 64
    return {1: 1, 2: 2}.get((bits + 63) // 64, 0)


def _is_vector(passed: Passing) -> bool:
    type_ = body_of(passed.type)
    if isinstance(type_, FloatType):
        return type_.name != "x86_fp80"
    return isinstance(type_, VectorType) and size_of(type_) <= 16


def _rounded(size: int, align: int) -> int:
    return (size + align - 1) // align * align


# ---- the caller --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Packed:
    """The part of the area that a call uses: offsets within the registers' part, bytes of the stack's."""

    base: str
    first: int
    end: int
    stack: int

    def vanish(self, t: Tracer) -> None:
        """After the call nobody may read the arguments."""
        if self.first < self.end:
            dead(t, _moved(t, self.base, self.first), self.end - self.first)
        if self.stack:
            dead(t, _moved(t, self.base, _STACK_AREA), self.stack)


def pack(t: Tracer, arguments: list[tuple[Value, Passing]], named: int, dbg: int | None, site: str) -> Packed:
    """Put the arguments but the first `named` ones, which the callee has as parameters, into the frame's area."""
    convention = Convention()
    offsets = [convention.take(passed) for _, passed in arguments]
    rows = [(*argument, at) for argument, at in zip(arguments, offsets, strict=True)][named:]
    base = _area(t, convention.stack, max((passed.align for _, passed in arguments), default=8))
    for value, _, _ in rows:
        t.shadow(value)  # settled before the area is touched
    tags = _register_tags([(at, _size(passed)) for _, passed, at in rows if at < _STACK_AREA])
    first = next((n for n, tag in enumerate(tags) if tag), len(tags))
    if first < len(tags):
        write_tags(t, _moved(t, base, first * GRANULE), tags[first:])
    stack = convention.stack if any(at >= _STACK_AREA for _, _, at in rows) else 0
    if stack:
        alive(t, _moved(t, base, _STACK_AREA), stack)
    for value, passed, at in rows:
        _put(t, _moved(t, base, at), value, passed, dbg, site)
    t.emit(f"store ptr {t.let(f'inttoptr i64 {base} to ptr')}, ptr @cinq_va")
    return Packed(base, first * GRANULE, len(tags) * GRANULE, stack)


def _register_tags(ranges: list[tuple[int, int]]) -> bytes:
    """Tags of the registers' part up to the last argument in it; a register nobody passed cannot be read."""
    end = max((_rounded(at + size, GRANULE) for at, size in ranges), default=0)
    tags = bytearray(end // GRANULE)
    for at, size in ranges:
        count = _rounded(size, GRANULE) // GRANULE
        tags[at // GRANULE : at // GRANULE + count] = bytes([TAG_CONCRETE]) * count
    return bytes(tags)


def _put(t: Tracer, target: str, value: Value, passed: Passing, dbg: int | None, site: str) -> None:
    if passed.byval:
        copy_struct(t, target, value, passed, site)
        return
    pointer = t.let(f"inttoptr i64 {target} to ptr")
    if _size(passed) < 8:  # a callee that reads more than was passed gets zeros, as from a register
        t.emit(f"store i64 0, ptr {pointer}, align 8")
    store_value(t, value, t.adopt(pointer, PTR), dbg)


def copy_struct(t: Tracer, target: str, value: Value, passed: Passing, site: str) -> None:
    """Bring `passed.byval` bytes at `i64 target` to life, as a copy of what `value` points at."""
    shadow = t.shadow1(value)
    alive(t, target, passed.byval)
    sizes = (f"i64 {passed.byval}", "i32 0", f"i32 {shadow}", "i32 0")
    t.run("cinq_copy", f"i64 {target}", t.word(value), *sizes, site, "i32 0")


def _area(t: Tracer, stack: int, align: int) -> str:
    """The address of the frame's area, which all variadic calls of a function share."""
    if t.frame.area is None:
        t.frame.area = StackObject(_STACK_AREA, _FRAME_ALIGNMENT, 0)
        t.frame.objects.append(t.frame.area)
    spare = aligned_size(0, align)
    t.frame.area.size = max(t.frame.area.size, _STACK_AREA + stack + spare)
    return aligned_slot(t, t.frame.area, align)


def aligned_size(size: int, align: int) -> int:
    """What an object of the frame needs to hold `size` bytes that begin at a multiple of `align`."""
    return size + (min(align, _LARGEST_ALIGNMENT) if align > _FRAME_ALIGNMENT else 0)


def aligned_slot(t: Tracer, object_: StackObject, align: int) -> str:
    """The first multiple of `align` within an object of the frame, as an i64 text."""
    base = slot(t, object_)
    if align <= _FRAME_ALIGNMENT:
        return base
    align = min(align, _LARGEST_ALIGNMENT)
    return t.let(f"and i64 {t.let(f'add i64 {base}, {align - 1}')}, {-align}")


def _moved(t: Tracer, base: str, offset: int) -> str:
    return base if offset == 0 else t.let(f"add i64 {base}, {offset}")


# ---- the callee --------------------------------------------------------------------------------------------------


def start(t: Tracer, i: Call) -> None:
    """`va_start`: the list begins behind the function's own parameters."""
    convention = Convention()
    for parameter in t.function.parameters:
        convention.take(passing(t, parameter.type, parameter.attributes))
    t.settle()
    (list_,) = i.operands
    shadow = t.shadow1(list_)
    base = t.let(f"ptrtoint {t.typed(list_)} to i64")
    site = t.site(SiteKind.CHECK, i.dbg)
    area = t.let("ptrtoint ptr %va to i64")
    stack = t.let(f"add i64 {area}, {_STACK_AREA + convention.stack}")
    offsets = (8 * convention.general, _VECTOR_AREA + 16 * convention.vectors)
    for offset, size, value in ((0, 4, offsets[0]), (4, 4, offsets[1]), (8, 8, stack), (16, 8, area)):
        target = _moved(t, base, offset)
        t.run("cinq_store", f"i64 {target}", f"i32 {shadow}", f"i32 {size}", site, "i32 0", f"i64 {value}")
        t.emit(f"store i{size * 8} {value}, ptr {t.let(f'inttoptr i64 {target} to ptr')}, align 1")
