"""Prints the model as textual IR that LLVM reads back.

LLVM wants numbered names in sequence, which a rewritten function no longer has; so a number is printed as a
quoted name (`%5` as `%"5"`), which is an ordinary name to LLVM.  `rename.rename_numbered` gives
numbered values ordinary names in the model itself.  Metadata and attributes are printed as they were read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from cinquefoil.ir.model import (
    Alias,
    Alloca,
    AtomicRMW,
    Binary,
    Block,
    BlockAddress,
    Branch,
    Call,
    Cast,
    CmpXchg,
    Compare,
    ConstAggregate,
    ConstExpr,
    ConstFloat,
    ConstInt,
    ConstNull,
    ConstString,
    ConstUndef,
    ConstZero,
    ExtractValue,
    Fence,
    Function,
    GetElementPtr,
    GlobalRef,
    GlobalVariable,
    IndirectBranch,
    InlineAsm,
    InsertValue,
    Instruction,
    Load,
    Local,
    MetadataValue,
    Module,
    Parameter,
    Phi,
    Return,
    ShuffleVector,
    Store,
    Switch,
    Unreachable,
    VaArg,
    Value,
)
from cinquefoil.ir.types import I1, I32, ArrayType, StructType, Type, VectorType, body_of
from cinquefoil.ir.value_parser import CASTS

_NUMBERED_GLOBAL = re.compile(r'"[^"]*"|@(\d+)\b')
_BEFORE_THREAD_LOCAL = frozenset(
    ["dso_local", "dso_preemptable", "default", "hidden", "protected", "dllimport", "dllexport"]
)


def name_text(name: str) -> str:
    """A name as it is printed after `%` or `@`: numbers are quoted."""
    return f'"{name}"' if name.isdigit() else name


# ---- values -----------------------------------------------------------------------------------------------


def typed(value: Value) -> str:
    """`i32 %x`"""
    return f"{value.type} {value_text(value)}"


def value_text(value: Value) -> str:
    """The value without its type."""
    return _VALUES[type(value)](value)


def escape(data: bytes) -> str:
    """The inside of a quoted string."""
    return "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}" for b in data)


def _integer(value: ConstInt) -> str:
    if value.type == I1:
        return "true" if value.value & 1 else "false"
    return str(value.value)


def _aggregate(value: ConstAggregate) -> str:
    inner = ", ".join(map(typed, value.elements))
    type_ = body_of(value.type)
    if isinstance(type_, ArrayType):
        return f"[{inner}]"
    if isinstance(type_, VectorType):
        return f"<{inner}>"
    assert isinstance(type_, StructType)
    return f"<{{ {inner} }}>" if type_.packed else f"{{ {inner} }}"


def _expression(value: ConstExpr) -> str:
    head = " ".join((value.opcode, *value.flags))
    operands = ", ".join(map(typed, value.operands))
    if value.opcode in CASTS:
        return f"{head} ({operands} to {value.type})"
    if value.source is not None:
        return f"{head} ({value.source}, {operands})"
    return f"{head} ({operands})"


def _block_address(value: BlockAddress) -> str:
    return f"blockaddress(@{name_text(value.function)}, %{name_text(value.block)})"


_VALUES: dict[type, Callable[[Any], str]] = {
    Local: lambda v: f"%{name_text(v.name)}",
    GlobalRef: lambda v: f"@{name_text(v.name)}",
    ConstInt: _integer,
    ConstFloat: lambda v: v.text,
    ConstNull: lambda _: "null",
    ConstUndef: lambda v: "poison" if v.poison else "undef",
    ConstZero: lambda _: "zeroinitializer",
    ConstString: lambda v: f'c"{escape(v.data)}"',
    ConstAggregate: _aggregate,
    ConstExpr: _expression,
    BlockAddress: _block_address,
    InlineAsm: lambda v: f"asm {v.text}",
    MetadataValue: lambda v: v.text,
}

# ---- instructions -----------------------------------------------------------------------------------------


def print_instruction(instruction: Instruction) -> str:
    """One line (a switch: several), without indentation."""
    body = _INSTRUCTIONS.get(type(instruction), _plain)(instruction)
    if instruction.result is not None:
        body = f"%{name_text(instruction.result)} = {body}"
    if instruction.dbg is not None:
        body += f", !dbg !{instruction.dbg}"
    return f"{body}, {instruction.metadata}" if instruction.metadata else body


def _words(*words: str) -> str:
    return " ".join(word for word in words if word)


def _head(instruction: Instruction) -> str:
    return _words(instruction.opcode, *instruction.flags)


def _list(values: Iterable[Value]) -> str:
    return ", ".join(map(typed, values))


def _plain(i: Instruction) -> str:
    """fneg, freeze, select, extractelement, insertelement: operands, each with its type"""
    return f"{_head(i)} {_list(i.operands)}"


def _binary(i: Binary) -> str:
    left, right = i.operands
    return f"{_head(i)} {typed(left)}, {value_text(right)}"


def _compare(i: Compare) -> str:
    left, right = i.operands
    return f"{_head(i)} {i.predicate} {typed(left)}, {value_text(right)}"


def _cast(i: Cast) -> str:
    return f"{_head(i)} {typed(i.operands[0])} to {i.type}"


def _get_element_pointer(i: GetElementPtr) -> str:
    return f"{_head(i)} {i.source}, {_list(i.operands)}"


def _alloca(i: Alloca) -> str:
    count = i.operands[0]
    size = "" if count == ConstInt(1, I32) else f", {typed(count)}"
    return f"{_head(i)} {i.allocated}{size}, align {i.align}"


def _memory_head(i: Load | Store) -> str:
    return _words(i.opcode, "atomic" if i.ordering else "", "volatile" if i.volatile else "")


def _load(i: Load) -> str:
    ordering = f" {i.ordering}" if i.ordering else ""
    return f"{_memory_head(i)} {i.type}, {typed(i.operands[0])}{ordering}, align {i.align}"


def _store(i: Store) -> str:
    ordering = f" {i.ordering}" if i.ordering else ""
    return f"{_memory_head(i)} {_list(i.operands)}{ordering}, align {i.align}"


def _atomic_rmw(i: AtomicRMW) -> str:
    head = _words(i.opcode, "volatile" if i.volatile else "", i.operation)
    return f"{head} {_list(i.operands)} {i.ordering}, align {i.align}"


def _compare_exchange(i: CmpXchg) -> str:
    head = _words(i.opcode, "weak" if i.weak else "", "volatile" if i.volatile else "")
    return f"{head} {_list(i.operands)} {i.ordering}, align {i.align}"


def _phi(i: Phi) -> str:
    pairs = zip(i.operands, i.labels, strict=True)
    incoming = ", ".join(f"[ {value_text(value)}, %{name_text(label)} ]" for value, label in pairs)
    return f"{_head(i)} {i.type} {incoming}"


def _call(i: Call) -> str:
    written = i.function_type if i.function_type.variadic else i.function_type.result
    head = _words(i.tail, "call", *i.flags, i.convention, i.result_attributes, str(written))
    pairs = zip(i.operands, i.argument_attributes, strict=True)
    arguments = ", ".join(_words(str(value.type), text, value_text(value)) for value, text in pairs)
    return _words(f"{head} {value_text(i.callee)}({arguments})", i.attributes, _bundles(i))


def _bundles(i: Call) -> str:
    inner = ", ".join(f'"{bundle.tag}"({_list(bundle.operands)})' for bundle in i.bundles)
    return f"[ {inner} ]" if inner else ""


def _indices(i: ExtractValue | InsertValue) -> str:
    return f"{_plain(i)}, {', '.join(map(str, i.indices))}"


def _shuffle(i: ShuffleVector) -> str:
    mask = ", ".join("i32 poison" if entry is None else f"i32 {entry}" for entry in i.mask)
    return f"{_plain(i)}, <{len(i.mask)} x i32> <{mask}>"


def _return(i: Return) -> str:
    return f"ret {typed(i.operands[0])}" if i.operands else "ret void"


def _label(label: str) -> str:
    return f"label %{name_text(label)}"


def _branch(i: Branch) -> str:
    return "br " + ", ".join([*map(typed, i.operands), *map(_label, i.labels)])


def _switch(i: Switch) -> str:
    type_ = i.operands[0].type
    cases = [
        f"    {type_} {value_text(ConstInt(case, type_))}, {_label(label)}\n"
        for case, label in zip(i.cases, i.labels[1:], strict=True)
    ]
    return f"switch {typed(i.operands[0])}, {_label(i.labels[0])} [\n{''.join(cases)}  ]"


def _indirect_branch(i: IndirectBranch) -> str:
    return f"indirectbr {typed(i.operands[0])}, [{', '.join(map(_label, i.labels))}]"


_INSTRUCTIONS: dict[type, Callable[[Any], str]] = {
    Binary: _binary,
    Compare: _compare,
    Cast: _cast,
    GetElementPtr: _get_element_pointer,
    Alloca: _alloca,
    Load: _load,
    Store: _store,
    AtomicRMW: _atomic_rmw,
    CmpXchg: _compare_exchange,
    Fence: lambda i: f"fence {i.ordering}",
    Phi: _phi,
    Call: _call,
    VaArg: lambda i: f"va_arg {typed(i.operands[0])}, {i.type}",
    ExtractValue: _indices,
    InsertValue: _indices,
    ShuffleVector: _shuffle,
    Return: _return,
    Branch: _branch,
    Switch: _switch,
    IndirectBranch: _indirect_branch,
    Unreachable: lambda _: "unreachable",
}

# ---- functions and modules --------------------------------------------------------------------------------


def print_function(function: Function) -> str:
    """A `define` with its blocks, or a `declare`."""
    if function.is_declaration:
        return _words("declare", _attached(function), _signature(function))
    lines = [_words("define", _signature(function), _attached(function), "{")]
    for block in function.blocks:
        lines += _block_lines(block)
    lines.append("}")
    return "\n".join(lines)


def _block_lines(block: Block) -> list[str]:
    return [f"{name_text(block.label)}:", *(f"  {print_instruction(i)}" for i in block.instructions)]


def _attached(function: Function) -> str:
    return _words("" if function.dbg is None else f"!dbg !{function.dbg}", function.metadata)


def _signature(function: Function) -> str:
    parameters = [_parameter(p, function.is_declaration) for p in function.parameters]
    if function.type.variadic:
        parameters.append("...")
    head = _words(function.linkage, function.prefix, str(function.type.result))
    return _words(f"{head} @{name_text(function.name)}({', '.join(parameters)})", function.attributes)


def _parameter(parameter: Parameter, declared: bool) -> str:
    name = "" if declared else f"%{name_text(parameter.name)}"
    return _words(str(parameter.type), parameter.attributes, name)


def _print_global(variable: GlobalVariable) -> str:
    words = variable.prefix.split()
    early = [word for word in words if word in _BEFORE_THREAD_LOCAL]
    late = [word for word in words if word not in _BEFORE_THREAD_LOCAL]
    kind = "constant" if variable.constant else "global"
    linkage = variable.linkage or ("external" if variable.initializer is None else "")
    initializer = "" if variable.initializer is None else value_text(variable.initializer)
    head = _words(linkage, *early, _thread_local(variable), *late, kind, str(variable.type), initializer)
    return f"@{name_text(variable.name)} = {head}{_global_suffix(variable)}"


def _thread_local(variable: GlobalVariable) -> str:
    model = f"({variable.thread_model})" if variable.thread_model else ""
    return f"thread_local{model}" if variable.thread_local else ""


def _global_suffix(variable: GlobalVariable) -> str:
    text = f', section "{variable.section}"' if variable.section else ""
    if variable.suffix:
        text += f", {variable.suffix}"
    if variable.align:
        text += f", align {variable.align}"
    return text if variable.dbg is None else f"{text}, !dbg !{variable.dbg}"


def _print_alias(alias: Alias) -> str:
    kind = "ifunc" if alias.ifunc else "alias"
    head = _words(alias.linkage, alias.prefix, kind)
    suffix = f", {alias.suffix}" if alias.suffix else ""
    return f"@{name_text(alias.name)} = {head} {alias.type}, {typed(alias.target)}{suffix}"


def _header(module: Module) -> list[str]:
    lines = [f'source_filename = "{module.source_name}"'] if module.source_name else []
    if module.data_layout:
        lines.append(f'target datalayout = "{module.data_layout}"')
    if module.triple:
        lines.append(f'target triple = "{module.triple}"')
    return lines + [f'module asm "{line}"' for line in module.assembly]


def _type_body(type_: Type | None) -> str:
    return "opaque" if type_ is None else str(type_)


def _metadata_lines(module: Module) -> Iterable[str]:
    lines = [f"!{name} = {text}" for name, text in module.named_metadata.items()]
    lines += [f"!{number} = {text}" for number, text in module.metadata.items()]
    if any(name.isdigit() for name in (*module.globals, *module.functions, *module.aliases)):
        return [_NUMBERED_GLOBAL.sub(_quoted_global, line) for line in lines]
    return lines


def _quoted_global(match: re.Match[str]) -> str:
    return f'@"{match[1]}"' if match[1] else match[0]


def print_module(module: Module) -> str:
    """The whole module."""
    lines = _header(module)
    lines += [f"%{name} = type {_type_body(named.body)}" for name, named in module.types.items()]
    lines += [f"${name} = comdat {kind}" for name, kind in module.comdats.items()]
    lines += map(_print_global, module.globals.values())
    lines += map(_print_alias, module.aliases.values())
    lines += map(print_function, module.functions.values())
    lines += [f"attributes #{number} = {{ {text} }}" for number, text in module.attribute_groups.items()]
    lines += _metadata_lines(module)
    return "\n".join(lines) + "\n"
