"""Inline assembly: run as it is on concrete operands where that is harmless, else reported with its template.

Symbolic operands are fixed to their values first.  The template gets copies of its operands that nothing else uses, so
that it may change them; an operand in memory is a copy in the run-time's scratch space, loaded and stored like any
other access of the program.  An empty template only orders memory or hides a value.  What a processor can do is
"nothing" (`cpuid`), and its clock counts the program's own steps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from cinquefoil.build import toolchain
from cinquefoil.build.scratch import scratch_folder
from cinquefoil.errors import CompileError
from cinquefoil.ir.model import Call, ConstInt, ConstZero, InlineAsm, InsertValue, Load, Local, Store, Value
from cinquefoil.ir.types import I64, VOID, FloatType, StructType, Type, VectorType, is_scalar, leaves, size_of
from cinquefoil.layout import Reason
from cinquefoil.transform.instrument.abi import SCRATCH_BYTES
from cinquefoil.transform.instrument.assembly_rules import is_harmless, statements
from cinquefoil.transform.instrument.emitter import CONCRETE
from cinquefoil.transform.instrument.tracer import Tracer

_STRINGS = re.compile(r'"([^"]*)"')
_ESCAPE = re.compile(r"\\([0-9A-Fa-f]{2})")
_COMMENT = re.compile(r"#[^\n]*|/\*.*?\*/")
_FENCES = ("lfence", "mfence", "sfence", "cpuid")
_SLOT = 128  # bytes of scratch space per operand
_CLOBBERS = ("~{dirflag}", "~{fpsr}", "~{flags}")


@dataclass(frozen=True, slots=True)
class _Operand:
    """`offset` is that of an operand in memory within the scratch space, -1 for others."""

    value: Value
    code: str
    output: bool
    offset: int
    type: Type


def assembly(t: Tracer, i: Call) -> None:
    assert isinstance(i.callee, InlineAsm)
    texts = [_plain(text) for text in _STRINGS.findall(i.callee.text)]
    template, constraints = [*texts, "", ""][:2]
    codes = constraints.split(",") if constraints else []
    if not _COMMENT.sub("", template).strip() and _passed_through(t, i, codes):
        return
    if re.search(r"\bcpuid\b", template) and i.result is not None:
        t.alias(i, ConstZero(i.type))  # a processor without any extension: programs fall back to plain C
        return
    if _is_clock(template) and _read_clock(t, i, codes):
        return
    flags = i.callee.text.partition('"')[0].split()
    operands = list(_operands(t, i, codes))
    if "inteldialect" in flags or not is_harmless(template, codes) or not _fits(template, codes, operands, i.type):
        t.give_up(i, Reason.ASSEMBLY, f"inline assembly {_shown(template)!r}")
        return
    _run(t, i, template, codes, operands)


def _plain(text: str) -> str:
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)


def _shown(template: str) -> str:
    text = "; ".join(" ".join(part.split()) for part in re.split(r"[;\n]", template) if part.strip())
    return text if len(text) <= 80 else text[:77] + "..."


# ---- without running anything ----------------------------------------------------------------------------------


def _passed_through(t: Tracer, i: Call, codes: list[str]) -> bool:
    """An empty template: every output is the input it is tied to."""
    outputs = [code for code in codes if code.startswith("=") and "*" not in code]
    inputs = [code for code in codes if not code.startswith(("=", "~"))]
    if i.result is None:
        return True
    written = sum(code.startswith("=") and "*" in code for code in codes)
    tied = {int(code): i.operands[written + n] for n, code in enumerate(inputs) if code.isdigit()}
    numbers = [n for n, code in enumerate(c for c in codes if c.startswith("=")) if code in outputs]
    parts = [tied.get(number) or _stack_pointer(t, code) for number, code in zip(numbers, outputs, strict=True)]
    types = list(i.type.fields) if isinstance(i.type, StructType) else [i.type]
    if any(part is not None and part.type != type_ for part, type_ in zip(parts, types, strict=True)):
        return False
    values = [part or ConstZero(type_) for part, type_ in zip(parts, types, strict=True)]
    _give(t, i, values)
    return True


def _stack_pointer(t: Tracer, code: str) -> Value | None:
    """A variable that is the register of that name: the top of the program's own stack."""
    return t.adopt(t.let("load i64, ptr @cinq_sp"), I64) if code in ("={rsp}", "={sp}") else None


def _give(t: Tracer, i: Call, values: list[Value]) -> None:
    """The call's result is made of these values."""
    assert i.result is not None
    if not isinstance(i.type, StructType):
        t.alias(i, values[0])
        return
    whole: Value = ConstZero(i.type)
    for number, value in enumerate(values):
        last = number == len(values) - 1
        name = i.result if last else t.temporary(i.type).name
        step = InsertValue(
            opcode="insertvalue", result=name, type=i.type, operands=[whole, value], indices=(number,), dbg=i.dbg
        )
        t.dispatch(step)
        whole = Local(name, i.type)


def _is_clock(template: str) -> bool:
    return [text for text in statements(template) if text not in _FENCES] == ["rdtsc"]


def _read_clock(t: Tracer, i: Call, codes: list[str]) -> bool:
    """rdtsc: the low half is in eax, the high one in edx."""
    shifts = {"={ax}": 0, "={eax}": 0, "={rax}": 0, "={dx}": 32, "={edx}": 32, "={rdx}": 32}
    outputs = [code for code in codes if code.startswith("=")]
    types = list(i.type.fields) if isinstance(i.type, StructType) else [i.type]
    if (
        i.result is None
        or any(code not in shifts for code in outputs)
        or any(str(x) not in ("i32", "i64") for x in types)
    ):
        return False
    now = read_clock(t)
    values: list[Value] = []
    for code, type_ in zip(outputs, types, strict=True):
        half = t.let(f"and i64 {t.let(f'lshr i64 {now}, {shifts[code]}')}, 4294967295")
        values.append(t.adopt(t.let(f"trunc i64 {half} to i32") if str(type_) == "i32" else half, type_))
    _give(t, i, values)
    return True


def read_clock(t: Tracer) -> str:
    """The processor's clock, as i64 text: the same in every run."""
    return t.let("call preserve_mostcc i64 @cinq_ticks()")


# ---- on the processor ------------------------------------------------------------------------------------------


def _operands(t: Tracer, i: Call, codes: list[str]) -> Iterator[_Operand]:
    """The arguments with their constraints; outputs in registers have none."""
    offsets: dict[Value, int] = {}
    given = iter(zip(i.operands, i.argument_attributes, strict=True))
    for code in codes:
        if code.startswith("~") or (code.startswith("=") and "*" not in code):
            continue
        value, attributes = next(given)
        offset, type_ = -1, value.type
        if "*" in code:
            offset = offsets.setdefault(value, len(offsets) * _SLOT)
            type_ = t.context.element_type(attributes)
        yield _Operand(value, _simple(code), code.startswith("="), offset, type_)


def _simple(code: str) -> str:
    """The constraint without its choice of memory: an operand is in memory only if the program says so."""
    if code.startswith("~") or "{" in code or code.lstrip("=&").isdigit():
        return code
    head = "=" * code.startswith("=") + "&" * ("&" in code and "*" not in code)
    if "*" in code:
        return f"{head}*m"
    letters = re.sub(r"[=&%mogX]", "", code)
    return head + (letters or "r")


def _is_immediate(code: str) -> bool:
    return not re.search(r"[=*{rqQlRx\d]", code)


def _fits(template: str, codes: list[str], operands: list[_Operand], result: Type) -> bool:
    for operand in operands:
        small = size_of(operand.type) <= 16 and (is_scalar(operand.type) or isinstance(operand.type, VectorType))
        if not small or (_is_immediate(operand.code) and not isinstance(operand.value, ConstInt)):
            return False
    if sum(o.offset >= 0 for o in operands) * _SLOT > SCRATCH_BYTES:
        return False
    arguments = ", ".join(_argument(o, o.value, str(n)) for n, o in enumerate(operands))
    parameters = ", ".join(_parameter(o, n) for n, o in enumerate(operands) if not _is_immediate(o.code))
    text = f"call {result} {_asm(template, codes)}({arguments})"
    value, given = ("  %r = ", "ret " + f"{result} %r") if str(result) != "void" else ("  ", "ret void")
    return _assembles(f"define {result} @f({parameters}) {{\n{value}{text}\n  {given}\n}}\n")


def _parameter(operand: _Operand, number: int) -> str:
    return f"{'ptr' if operand.offset >= 0 else operand.type} %a{number}"


def _argument(operand: _Operand, value: Value, number: str) -> str:
    if operand.offset >= 0:
        return f"ptr elementtype({operand.type}) %a{number}"
    text = str(value.value) if _is_immediate(operand.code) and isinstance(value, ConstInt) else f"%a{number}"
    return f"{operand.type} {text}"


@cache
def _assembles(function: str) -> bool:
    """Whether a function is accepted by the assembler, which does not bear mistakes."""
    with scratch_folder("asm") as folder:
        source, output = folder / "a.ll", folder / "a.o"
        source.write_text(f'target triple = "x86_64-unknown-linux-musl"\n{function}')
        try:
            toolchain.clang(["-c", "-w", "-O1", "-msse4.2", str(source), "-o", str(output)], "assembly")
        except CompileError:
            return False
    return True


def _asm(template: str, codes: list[str]) -> str:
    escaped = "".join(c if c.isprintable() and c not in '"\\' else f"\\{ord(c):02X}" for c in template)
    clobbers = [code for code in _CLOBBERS if code not in codes]
    return f'asm sideeffect "{escaped}", "{",".join([*map(_simple, codes), *clobbers])}"'


def _run(t: Tracer, i: Call, template: str, codes: list[str], operands: list[_Operand]) -> None:
    loaded = {o.offset: _loaded(t, o, i.dbg) for o in operands if o.offset >= 0 and not o.output}
    t.fix([*(o.value for o in operands), *loaded.values()], i.dbg, Reason.ASSEMBLY)
    for offset, value in loaded.items():
        t.emit(f"store {t.typed(value)}, ptr {_scratch(offset)}")
    arguments = ", ".join(_given(t, operand) for operand in operands)
    result = f"{t.name(i.result)} = " if i.result is not None else ""
    t.emit(f"{result}call {i.type} {_asm(template, codes)}({arguments})")
    if i.result is not None:
        t.set_shadow(i.result, [CONCRETE] * len(leaves(i.type)))
    for operand in operands:
        if operand.output:
            written = t.adopt(t.let(f"load {operand.type}, ptr {_scratch(operand.offset)}"), operand.type)
            t.dispatch(
                Store(opcode="store", result=None, type=VOID, operands=[written, operand.value], align=1, dbg=i.dbg)
            )


def _loaded(t: Tracer, operand: _Operand, dbg: int | None) -> Local:
    value = t.temporary(operand.type)
    t.dispatch(Load(opcode="load", result=value.name, type=operand.type, operands=[operand.value], align=1, dbg=dbg))
    return value


def _given(t: Tracer, operand: _Operand) -> str:
    """An argument: a copy, which the compiler does not take for the original."""
    if operand.offset >= 0:
        return f"ptr elementtype({operand.type}) {_scratch(operand.offset)}"
    text = t.typed(operand.value)
    if _is_immediate(operand.code) or str(operand.type) == "x86_fp80":
        return text
    kind = "x" if isinstance(operand.type, FloatType | VectorType) else "r"
    copy = t.let(f'call {operand.type} asm sideeffect "", "={kind},0"({text})')
    return f"{operand.type} {copy}"


def _scratch(offset: int) -> str:
    return f"getelementptr (i8, ptr @cinq_scratch, i64 {offset})"
