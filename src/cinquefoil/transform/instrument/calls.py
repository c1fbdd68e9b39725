"""Calls: argument and result shadows, variadic packing, structs by value.

Argument shadows go through the array `cinq_arg`, one slot per scalar leaf, results through `cinq_ret`.  A variadic
function becomes a plain one that finds its extra arguments in an area of the caller's frame (`cinq_va`), laid out as
the overflow area of the x86-64 convention, so clang's own `va_arg` code reads it, shadows included.  A struct passed
`byval` is copied by the caller into its frame.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from cinquefoil.errors import BitcodeError
from cinquefoil.ir.model import Call, ConstInt, ConstZero, Function, GlobalRef, InlineAsm, Local, MetadataValue, Value
from cinquefoil.ir.sites import SiteKind
from cinquefoil.ir.types import I64, PTR, Type, VectorType, alignment, body_of, leaves, size_of
from cinquefoil.layout import Reason
from cinquefoil.transform.instrument.emitter import Shadows
from cinquefoil.transform.instrument.intrinsics import intrinsic
from cinquefoil.transform.instrument.marks import is_mark, mark
from cinquefoil.transform.instrument.memory import alive, born, dead, slot, store_value
from cinquefoil.transform.instrument.tracer import StackObject, Tracer, argument_slot, result_slot

MAX_ARGUMENTS, MAX_RESULTS = 128, 16
_RETURNS_TWICE = ("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp")
# libc's own functions that fetch arguments which the caller may leave out.
_READ_ON = ("fcntl", "ioctl", "syscall", "prctl", "semctl", "mremap", "ptrace", "open", "openat", "mq_open", "clone")
_READ_ON_BYTES = 48
_EXTENSIONS = ("zeroext", "signext")
_OPTIONAL = {  # variadic functions of libc that read this many arguments in any case
    **dict.fromkeys(("open", "openat", "fcntl", "ioctl", "semctl", "mremap"), 1),
    **dict.fromkeys(("prctl", "ptrace"), 4),
    "syscall": 6,
}


@dataclass(frozen=True, slots=True)
class Argument:
    """`byval` is the struct's size, or 0; `extension` is zeroext, signext or nothing."""

    value: Value
    byval: int
    align: int
    extension: str


def call(t: Tracer, i: Call) -> None:
    if isinstance(i.callee, InlineAsm):
        _assembly(t, i)
    elif isinstance(i.callee, GlobalRef) and i.callee.name.startswith("llvm."):
        intrinsic(t, i)
    elif is_mark(i):
        mark(t, i)
    else:
        _plain_call(t, i)


def extension_of(attributes: str) -> str:
    return next((word for word in _EXTENSIONS if re.search(rf"\b{word}\b", attributes)), "")


def _arguments(t: Tracer, i: Call) -> list[Argument]:
    found: list[Argument] = []
    for value, attributes in zip(i.operands, i.argument_attributes, strict=True):
        if isinstance(value, MetadataValue):
            raise BitcodeError(f"metadata argument in a call in {t.function.name}")
        byval = _byval_type(t, attributes)
        size, align = (size_of(byval), max(8, alignment(byval))) if byval is not None else (0, 8)
        found.append(Argument(value, size, align, extension_of(attributes)))
    return found


def _byval_type(t: Tracer, attributes: str) -> Type | None:
    match = re.search(r"\bbyval\b", attributes)
    return t.context.byval_type(attributes) if match else None


def _plain_call(t: Tracer, i: Call) -> None:
    callee = _definition(t, i)
    fixed, extra = _split(i, callee, _arguments(t, i))
    extra += _absent(i, len(extra))
    t.frame.calls = True
    number = t.new_site(SiteKind.CALL, i.dbg, i.callee.name if isinstance(i.callee, GlobalRef) else "")
    site = t.site_text(number)
    if callee is None:  # a pointer, or a name that stands for no function
        _check_callee(t, i, site)
    passed = [_passed(t, argument, site) for argument in fixed]
    spare = _READ_ON_BYTES if _reads_on(i, callee) else 0
    packed = _pack(t, extra, i.dbg, site, spare) if extra or _takes_area(i, callee) else 0
    native = [*passed, *([] if _is_variadic(callee) else [a.value for a in extra])]
    attributes = [a.extension for a in (*fixed, *extra)]
    _store_shadows(t, native)
    t.emit(f"store {site}, ptr %frame.site")
    _emit_call(t, i, native, attributes)
    _load_result(t, i)
    if packed and t.frame.area is not None:
        dead(t, slot(t, t.frame.area), packed)


def _definition(t: Tracer, i: Call) -> Function | None:
    return t.context.function_named(i.callee.name) if isinstance(i.callee, GlobalRef) else None


def _is_variadic(callee: Function | None) -> bool:
    """Known to be variadic with a prototype (`int f();` is declared variadic too, with no parameter)."""
    return callee is not None and callee.type.variadic and bool(callee.type.parameters)


def _takes_area(i: Call, callee: Function | None) -> bool:
    return i.function_type.variadic and (callee is None or callee.type.variadic)


def _reads_on(i: Call, callee: Function | None) -> bool:
    declared = callee is not None and callee.is_declaration
    return declared and isinstance(i.callee, GlobalRef) and i.callee.name in _READ_ON


def _split(i: Call, callee: Function | None, arguments: list[Argument]) -> tuple[list[Argument], list[Argument]]:
    """Fixed and extra arguments, by the callee's own signature where it is known."""
    if callee is not None and not callee.type.variadic:
        return arguments, []
    if _is_variadic(callee):
        assert callee is not None
        count = len(callee.type.parameters)
        return arguments[:count], arguments[count:]
    if not i.function_type.variadic:
        return arguments, []
    count = len(i.function_type.parameters)
    return arguments[:count], arguments[count:]


def _absent(i: Call, given: int) -> list[Argument]:
    """Zeros for what the caller left out, where libc reads an argument whether or not it was passed."""
    name = i.callee.name if isinstance(i.callee, GlobalRef) else ""
    count = _OPTIONAL.get(name, 0) if i.function_type.variadic else 0
    return [Argument(ConstInt(0, I64), 0, 8, "") for _ in range(given, count)]


def _check_callee(t: Tracer, i: Call, site: str) -> None:
    """A symbolic function pointer is fixed; a pointer to anything but a function is an error."""
    address = t.let(f"ptrtoint {t.typed(i.callee)} to i64")
    shadow = t.shadow1(i.callee)

    def fix() -> Shadows:
        t.run("cinq_concretize", site, f"i32 {shadow}", f"i64 {address}", f"i32 {Reason.FUNCTION.value}")
        return []

    t.settle([shadow], fix)
    t.run("cinq_callee", site, f"i64 {address}")


def _passed(t: Tracer, argument: Argument, site: str) -> Value:
    """The value as it is passed: a byval struct becomes the address of a copy in the frame."""
    if not argument.byval:
        return argument.value
    copy = StackObject(argument.byval, argument.align, 0)
    t.frame.objects.append(copy)
    _copy_struct(t, slot(t, copy), argument, site)
    name = t.fresh("c")
    t.emit(f"{name} = inttoptr i64 {slot(t, copy)} to ptr")
    return t.adopt(name, PTR)


def _copy_struct(t: Tracer, target: str, argument: Argument, site: str) -> None:
    shadow = t.shadow1(argument.value)
    alive(t, target, argument.byval)
    source = t.word(argument.value)
    size = f"i64 {argument.byval}"
    t.run("cinq_copy", f"i64 {target}", source, size, "i32 0", f"i32 {shadow}", "i32 0", site, "i32 0")


# ---- variadic arguments ----------------------------------------------------------------------------------------


def _pack(t: Tracer, extra: list[Argument], dbg: int | None, site: str, spare: int) -> int:
    """Put the extra arguments into the area, with `spare` zero bytes behind; gives the bytes used."""
    offsets, size = _area_layout(extra)
    size += spare
    area = _shared_area(t, size)
    base = slot(t, area)
    for argument in extra:
        t.shadow(argument.value)  # settled before the area is touched
    if spare:
        born(t, base, size)
    elif size:
        alive(t, base, size)
    for argument, offset in zip(extra, offsets, strict=True):
        place = base if offset == 0 else t.let(f"add i64 {base}, {offset}")
        if argument.byval:
            _copy_struct(t, place, argument, site)
        else:
            pointer = t.let(f"inttoptr i64 {place} to ptr")
            store_value(t, argument.value, t.adopt(pointer, PTR), dbg)
    t.emit(f"store ptr {t.let(f'inttoptr i64 {base} to ptr')}, ptr @cinq_va")
    return size


def _shared_area(t: Tracer, size: int) -> StackObject:
    if t.frame.area is None:
        t.frame.area = StackObject(1, 16, 0)
        t.frame.objects.append(t.frame.area)
    t.frame.area.size = max(t.frame.area.size, size)
    return t.frame.area


def _area_layout(extra: list[Argument]) -> tuple[list[int], int]:
    offsets: list[int] = []
    at = 0
    for argument in extra:
        type_ = argument.value.type
        size = argument.byval or size_of(type_)
        align = argument.align if argument.byval else (16 if _wants_16(type_) else 8)
        at = (at + align - 1) // align * align
        offsets.append(at)
        at += (size + 7) // 8 * 8
    return offsets, at


def _wants_16(type_: Type) -> bool:
    body = body_of(type_)
    return not isinstance(body, VectorType) and alignment(body) >= 16


# ---- the call itself ---------------------------------------------------------------------------------------------


def _store_shadows(t: Tracer, values: list[Value]) -> None:
    t.settle()
    shadows = [shadow for value in values for shadow in t.shadow(value)]
    if len(shadows) > MAX_ARGUMENTS:
        raise BitcodeError(f"a call in {t.function.name} passes more than {MAX_ARGUMENTS} values")
    for number, shadow in enumerate(shadows):
        t.emit(f"store i32 {shadow}, ptr {argument_slot(number)}")


def _emit_call(t: Tracer, i: Call, values: list[Value], attributes: list[str]) -> None:
    name = i.callee.name if isinstance(i.callee, GlobalRef) else ""
    arguments = ", ".join(
        f"{v.type} {a + ' ' if a else ''}{t.value(v)}" for v, a in zip(values, attributes, strict=False)
    )
    result = f"{t.name(i.result)} = " if i.result is not None else ""
    extension = extension_of(i.result_attributes)
    twice = " returns_twice" if name in _RETURNS_TWICE else ""
    kind = f"{extension} {i.type}" if extension else str(i.type)
    # nobuiltin: code generation would expand a short memcmp in place, past its tracing, and its result's shadow
    # would be whatever the call before left behind.
    t.emit(f"{result}call {kind} {t.value(i.callee)}({arguments}) nobuiltin{twice}")


def _load_result(t: Tracer, i: Call) -> None:
    if i.result is None:
        return
    parts = leaves(i.type)
    if len(parts) > MAX_RESULTS:
        raise BitcodeError(f"a call in {t.function.name} returns more than {MAX_RESULTS} values")
    shadows = [t.let(f"load i32, ptr {result_slot(n)}", "s") for n in range(len(parts))]
    t.set_shadow(i.result, shadows)
    t.verify_value(Local(i.result, i.type), i.dbg)


def _assembly(t: Tracer, i: Call) -> None:
    """An empty template only orders memory or hides a value; any other assembly is not modelled."""
    assert isinstance(i.callee, InlineAsm)
    strings = re.findall(r'"((?:[^"\\]|\\.)*)"', i.callee.text)
    template, constraints = [*strings, "", ""][:2]
    if not template.strip():
        if i.result is None:
            return
        outputs = [c for c in constraints.split(",") if c.startswith("=")]
        if len(outputs) == 1 and len(i.operands) == 1 and i.operands[0].type == i.type:
            t.alias(i, i.operands[0])
            return
    if re.search(r"\bcpuid\b", template) and i.result is not None:
        t.alias(i, ConstZero(i.type))  # a processor without any extension: programs fall back to plain C
        return
    t.give_up(i, Reason.ASSEMBLY, "inline assembly")


def return_value(t: Tracer, values: list[Value]) -> None:
    """Leave the shadows of the returned value where the caller looks for them."""
    t.settle()
    shadows = [shadow for value in values for shadow in t.shadow(value)]
    if len(shadows) > MAX_RESULTS:
        raise BitcodeError(f"{t.function.name} returns more than {MAX_RESULTS} values")
    for number, shadow in enumerate(shadows):
        t.emit(f"store i32 {shadow}, ptr {result_slot(number)}")
