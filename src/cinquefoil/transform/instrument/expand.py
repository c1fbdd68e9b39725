"""Calls of small straight-line functions, expanded inline.

A function of one block that touches no memory, calls nothing and cannot fail leaves no frame and appears in no
backtrace.  A call of it would only carry shadows through memory and back; its instructions stand in the caller
instead, at the call, after an `Entered` that marks the callee's block as the call would have: coverage, block
trace, budget and expressions are the same.  Whatever could make an event of its own (divisions, selects, conversions to
integers) is not expanded, because its location would be the caller's.

Risk: a definition that the linker may replace must not be expanded, so weak ones are left alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from cinquefoil.ir.model import (
    Binary,
    Block,
    Call,
    Cast,
    Compare,
    ConstInt,
    Function,
    GetElementPtr,
    GlobalRef,
    Instruction,
    Local,
    Return,
    Value,
)
from cinquefoil.ir.types import VOID, is_scalar
from cinquefoil.transform.instrument.lanes import is_modelled
from cinquefoil.transform.instrument.upper_bounds import SHIFTS, all_plain

_LARGEST = 24  # instructions
_EVENTFUL = ("udiv", "sdiv", "urem", "srem", "frem", "fptosi", "fptoui")
_FINAL = ("", "internal", "private")


@dataclass(slots=True, kw_only=True)
class Entered(Instruction):
    """Stands where a call was: the callee's block is entered."""

    callee: str
    site: int  # of the callee's block, 0 in libraries


@dataclass(frozen=True, slots=True)
class Expanded:
    """`sizes` are the instructions per block, expanded callees included."""

    function: Function
    sizes: dict[str, int]


Callee = Callable[[str], tuple[Function, int] | None]
_Fitting = Callable[[Instruction], tuple[Function, int] | None]


def is_expandable(function: Function) -> bool:
    if len(function.blocks) != 1 or function.type.variadic or function.linkage not in _FINAL:
        return False
    *body, last = function.blocks[0].instructions
    if len(body) > _LARGEST or not isinstance(last, Return):
        return False
    values = [p.type for p in function.parameters]
    plain = all(is_scalar(v) for v in values) and not any("byval" in p.attributes for p in function.parameters)
    return plain and all(map(_is_quiet, body))


def _is_quiet(i: Instruction) -> bool:
    if not isinstance(i, Binary | Compare | Cast | GetElementPtr) or i.opcode in _EVENTFUL:
        return False
    return is_scalar(i.type) and all(is_scalar(v) and is_modelled(v) for v in (i.type, *(o.type for o in i.operands)))


def expand(function: Function, callee_of: Callee, checks_shifts: bool = False) -> Expanded:
    """The function with such calls replaced; itself if there are none.

    With `checks_shifts`, a call stays if one of its shifts would have to be checked with the arguments given."""
    sizes = {b.label: len(b.instructions) for b in function.blocks}
    renamed: dict[str, Value] = {}

    def fitting(i: Instruction) -> tuple[Function, int] | None:
        found = callee_of(i.callee.name) if isinstance(i, Call) and isinstance(i.callee, GlobalRef) else None
        if found is None or not isinstance(i, Call) or not _fits(i, found[0]):
            return None
        return None if checks_shifts and not _shifts_plainly(i, found[0]) else found

    blocks = [_expand_block(b, fitting, sizes, renamed) for b in function.blocks]
    if all(new is old for new, old in zip(blocks, function.blocks, strict=True)):
        return Expanded(function, sizes)
    return Expanded(replace(function, blocks=[substituted(b, renamed) for b in blocks]), sizes)


def _expand_block(block: Block, fitting: _Fitting, sizes: dict[str, int], renamed: dict[str, Value]) -> Block:
    found: list[Instruction] = []
    for i in block.instructions:
        known = fitting(i)
        if known is None or not isinstance(i, Call):
            found.append(i)
            continue
        callee, site = known
        sizes[block.label] += len(callee.blocks[0].instructions)
        found += _body(i, callee, site, f"{block.label}.{len(found)}", renamed)
    return Block(block.label, found) if sizes[block.label] > len(block.instructions) else block


def _fits(i: Call, callee: Function) -> bool:
    given = [o.type for o in i.operands]
    return given == [p.type for p in callee.parameters] and i.type == callee.type.result and i.bundles == []


def _shifts_plainly(i: Call, callee: Function) -> bool:
    body = callee.blocks[0].instructions
    if not any(inner.opcode in SHIFTS for inner in body):
        return True
    given = zip(callee.parameters, i.operands, strict=True)
    known: dict[str, Value] = {p.name: value for p, value in given if isinstance(value, ConstInt)}
    return all_plain([_with_names(inner, known) for inner in body])


def _body(i: Call, callee: Function, site: int, prefix: str, renamed: dict[str, Value]) -> list[Instruction]:
    name = callee.name
    found: list[Instruction] = [
        Entered(opcode="call", result=None, type=VOID, operands=[], dbg=i.dbg, callee=name, site=site)
    ]
    *body, last = callee.blocks[0].instructions
    here: dict[str, Value] = {p.name: o for p, o in zip(callee.parameters, i.operands, strict=True)}
    given = last.operands[0] if last.operands else None
    for inner in body:
        assert inner.result is not None
        whole = isinstance(given, Local) and given.name == inner.result and i.result is not None
        new = i.result if whole and i.result is not None else f"!{prefix}.{inner.result}"
        found.append(replace(inner, result=new, operands=[_given(o, here) for o in inner.operands], dbg=i.dbg))
        here[inner.result] = Local(new, inner.type)
    if i.result is not None and given is not None:
        value = _given(given, here)
        if value != Local(i.result, i.type):
            renamed[i.result] = value
    return found


def _given(value: Value, here: dict[str, Value]) -> Value:
    """A value of the callee, in the caller."""
    return here[value.name] if isinstance(value, Local) else value


def renamed_value(value: Value, names: dict[str, Value]) -> Value:
    """What a value stands for; a value that is renamed to may be renamed itself."""
    while isinstance(value, Local) and value.name in names:
        value = names[value.name]
    return value


def substituted(block: Block, names: dict[str, Value]) -> Block:
    """The block with operands renamed."""
    if not names:
        return block
    return Block(block.label, [_with_names(i, names) for i in block.instructions])


def _with_names(i: Instruction, names: dict[str, Value]) -> Instruction:
    operands = [renamed_value(o, names) for o in i.operands]
    if isinstance(i, Call) and isinstance(i.callee, Local) and i.callee.name in names:
        return replace(i, operands=operands, callee=renamed_value(i.callee, names))
    return i if operands == i.operands else replace(i, operands=operands)
