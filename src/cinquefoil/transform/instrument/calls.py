"""Calls: argument and result shadows, structs by value; variadic ones are packed by `variadic.py`.

Argument shadows go through the array `cinq_arg`, one slot per scalar leaf, results through `cinq_ret`.  A struct passed
`byval` is copied by the caller into its frame.
"""

from __future__ import annotations

import re

from cinquefoil.build.cleanup import UNWRITTEN
from cinquefoil.build.ubsan import FUNCTION as MUST_HOLD
from cinquefoil.errors import BitcodeError
from cinquefoil.ir.model import Call, ConstInt, Function, GlobalRef, InlineAsm, Local, MetadataValue, Value
from cinquefoil.ir.sites import SiteKind
from cinquefoil.ir.types import I64, PTR, leaves
from cinquefoil.layout import Reason
from cinquefoil.transform.instrument.assembly import assembly
from cinquefoil.transform.instrument.emitter import Shadows
from cinquefoil.transform.instrument.intrinsics import intrinsic
from cinquefoil.transform.instrument.meld_marks import is_mark, mark
from cinquefoil.transform.instrument.memory import unwritten
from cinquefoil.transform.instrument.must_hold import must_hold
from cinquefoil.transform.instrument.tracer import StackObject, Tracer, argument_slot, result_slot
from cinquefoil.transform.instrument.variadic import Passing, aligned_size, aligned_slot, copy_struct, pack, passing

MAX_ARGUMENTS, MAX_RESULTS = 128, 16
_RETURNS_TWICE = ("cinq_builtin_setjmp", "setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp")
_EXTENSIONS = ("zeroext", "signext")
# Functions of libc that fetch arguments which callers may leave out: what they read, in all.
_FETCHED = {
    **dict.fromkeys(("open", "fcntl", "ioctl"), 3),
    **dict.fromkeys(("openat", "semctl", "mq_open"), 4),
    **dict.fromkeys(("mremap", "prctl", "ptrace"), 5),
    **dict.fromkeys(("syscall", "clone"), 7),
}
# Variadic functions of libc, in case that a program declares them itself, and otherwise.
_VARIADIC = frozenset(
    [
        *_FETCHED,
        *("printf", "fprintf", "sprintf", "snprintf", "dprintf", "asprintf", "syslog"),
        *("wprintf", "fwprintf", "swprintf", "scanf", "fscanf", "sscanf", "wscanf", "fwscanf", "swscanf"),
        *("execl", "execle", "execlp", "err", "errx", "warn", "warnx", "error", "strfmon", "ulimit", "makecontext"),
    ]
)


def call(t: Tracer, i: Call) -> None:
    if isinstance(i.callee, InlineAsm):
        assembly(t, i)
    elif isinstance(i.callee, GlobalRef) and i.callee.name.startswith("llvm."):
        intrinsic(t, i)
    elif is_mark(i):
        mark(t, i)
    elif isinstance(i.callee, GlobalRef) and i.callee.name.startswith(UNWRITTEN):
        unwritten(t, i)
    elif isinstance(i.callee, GlobalRef) and i.callee.name == MUST_HOLD:
        must_hold(t, i)
    else:
        _plain_call(t, i)


def extension_of(attributes: str) -> str:
    return next((word for word in _EXTENSIONS if re.search(rf"\b{word}\b", attributes)), "")


def _arguments(t: Tracer, i: Call) -> list[tuple[Value, Passing]]:
    if any(isinstance(value, MetadataValue) for value in i.operands):
        raise BitcodeError(f"metadata argument in a call in {t.function.name}")
    pairs = zip(i.operands, i.argument_attributes, strict=True)
    return [(value, passing(t, value.type, attributes)) for value, attributes in pairs]


def _plain_call(t: Tracer, i: Call) -> None:
    callee = _definition(t, i)
    arguments = _arguments(t, i)
    named = len(callee.type.parameters) if callee is not None and _has_prototype(callee) else 0
    t.frame.calls = True
    number = t.new_site(SiteKind.CALL, i.dbg, i.callee.name if isinstance(i.callee, GlobalRef) else "")
    site = t.site_text(number)
    if callee is None and not _is_ours(i):  # a pointer, or a name that stands for no function
        _check_callee(t, i, site)
    passed = [_passed(t, *argument, site) for argument in (arguments[:named] if named else arguments)]
    packed = None
    if _is_variadic(i, callee):
        packed = pack(t, arguments + _absent(i, len(arguments)), named, i.dbg, site)
    _store_shadows(t, passed)
    t.emit(f"store {site}, ptr %frame.site")
    if t.parts is not None:
        t.parts.end()
    _emit_call(t, i, passed, [extension_of(a) for a in i.argument_attributes])
    _load_result(t, i)
    if packed is not None:
        packed.vanish(t)


def _definition(t: Tracer, i: Call) -> Function | None:
    return t.context.function_named(i.callee.name) if isinstance(i.callee, GlobalRef) else None


def _is_ours(i: Call) -> bool:
    """A function of the run-time; no program can name one."""
    return isinstance(i.callee, GlobalRef) and i.callee.name.startswith("cinq_")


def _has_prototype(callee: Function) -> bool:
    """Is variadic behind named parameters (`int f();` is declared variadic too, with no parameter)?"""
    return callee.type.variadic and bool(callee.type.parameters)


def _is_variadic(i: Call, callee: Function | None) -> bool:
    """May the callee fetch arguments from the area?"""
    if callee is None:
        return i.function_type.variadic
    return callee.type.variadic or (callee.is_declaration and callee.name in _VARIADIC)


def _absent(i: Call, given: int) -> list[tuple[Value, Passing]]:
    """Zeros for what the caller left out, where libc reads an argument whether or not it was passed."""
    count = _FETCHED.get(i.callee.name, 0) if isinstance(i.callee, GlobalRef) else 0
    return [(ConstInt(0, I64), Passing(I64, 0, 8)) for _ in range(given, count)]


def _check_callee(t: Tracer, i: Call, site: str) -> None:
    """A symbolic function pointer is fixed; a pointer to anything but a function is an error."""
    address = t.let(f"ptrtoint {t.typed(i.callee)} to i64")
    shadow = t.shadow1(i.callee)

    def fix() -> Shadows:
        t.run("cinq_concretize", site, f"i32 {shadow}", f"i64 {address}", f"i32 {Reason.FUNCTION.value}")
        return []

    t.settle([shadow], fix)
    t.run("cinq_callee", site, f"i64 {address}")


def _passed(t: Tracer, value: Value, passed: Passing, site: str) -> Value:
    """The value as it is passed: a byval struct becomes the address of a copy in the frame."""
    if not passed.byval:
        return value
    copy = StackObject(aligned_size(passed.byval, passed.align), min(passed.align, 16), 0)
    t.frame.objects.append(copy)
    target = aligned_slot(t, copy, passed.align)
    copy_struct(t, target, value, passed, site)
    return t.adopt(t.let(f"inttoptr i64 {target} to ptr"), PTR)


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
    # nobuiltin: code generation would expand a short memcmp inline, past its tracing, and its result's shadow
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


def return_value(t: Tracer, values: list[Value]) -> None:
    """Leave the shadows of the returned value where the caller looks for them."""
    t.settle()
    shadows = [shadow for value in values for shadow in t.shadow(value)]
    if len(shadows) > MAX_RESULTS:
        raise BitcodeError(f"{t.function.name} returns more than {MAX_RESULTS} values")
    for number, shadow in enumerate(shadows):
        t.emit(f"store i32 {shadow}, ptr {result_slot(number)}")
