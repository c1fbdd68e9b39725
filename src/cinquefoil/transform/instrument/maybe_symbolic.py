"""Which values of a function can ever be symbolic.

A value is *maybe symbolic* if it comes from memory, from a call or from the caller, or is computed from such a
value.  Loop counters that start at constants, addresses of stack objects and the like are not, and need no shadow.
The analysis is optimistic over phi nodes: a fixed point from "nothing is".
"""

from __future__ import annotations

from collections import defaultdict

from cinquefoil.ir.model import (
    Alloca,
    AtomicRMW,
    Call,
    CmpXchg,
    Function,
    GlobalRef,
    Instruction,
    Load,
    Local,
    VaArg,
)

_SOURCES = (Load, VaArg, AtomicRMW, CmpXchg)
_CONCRETE_INTRINSICS = (
    "llvm.stacksave",
    "llvm.objectsize",
    "llvm.is.constant",
    "llvm.frameaddress",
    "llvm.returnaddress",
    "llvm.threadlocal.address",
)


def maybe_symbolic(function: Function) -> set[str]:
    """Names of the locals that need a shadow."""
    users: dict[str, list[str]] = defaultdict(list)
    found = {parameter.name for parameter in function.parameters}
    for instruction in function.walk():
        if instruction.result is None or isinstance(instruction, Alloca):
            continue
        if _is_source(instruction):
            found.add(instruction.result)
        elif not _is_concrete(instruction):
            for operand in instruction.operands:
                if isinstance(operand, Local):
                    users[operand.name].append(instruction.result)
    return _closure(found, users)


def _closure(found: set[str], users: dict[str, list[str]]) -> set[str]:
    work = list(found)
    while work:
        for user in users.get(work.pop(), ()):
            if user not in found:
                found.add(user)
                work.append(user)
    return found


def _callee_name(instruction: Instruction) -> str:
    if isinstance(instruction, Call) and isinstance(instruction.callee, GlobalRef):
        return instruction.callee.name
    return ""


def _is_source(instruction: Instruction) -> bool:
    if isinstance(instruction, Call):
        return not _callee_name(instruction).startswith("llvm.")
    return isinstance(instruction, _SOURCES)


def _is_concrete(instruction: Instruction) -> bool:
    return _callee_name(instruction).startswith(_CONCRETE_INTRINSICS)
