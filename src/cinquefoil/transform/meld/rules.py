"""What may be executed speculatively, and what may be chosen by a select (CFMSE, section 4.1).

An instruction may run although its branch was not taken if it only computes, or reads or writes memory at an address
that does not depend on input; everything else keeps its branch.  Divisions may run with a safe divisor
instead.  A store runs as a store of what is there already.  Pointers are not chosen by a select: this engine would
decide such a select as a branch, so that nothing would be won.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from cinquefoil.ir.model import (
    Binary,
    Block,
    Branch,
    Call,
    Cast,
    Compare,
    ExtractElement,
    ExtractValue,
    GetElementPtr,
    GlobalRef,
    InsertElement,
    InsertValue,
    Instruction,
    Load,
    Local,
    Phi,
    Return,
    Select,
    ShuffleVector,
    Store,
    Unary,
    Unreachable,
    Value,
)
from cinquefoil.ir.types import FloatType, IntType, PointerType, Type, leaves
from cinquefoil.transform.meld.marks import is_mark

_COMPUTING = (
    *(Binary, Unary, Compare, Cast, GetElementPtr, Select),
    *(ExtractValue, InsertValue, ExtractElement, InsertElement, ShuffleVector),
)
_PURE_INTRINSICS = (
    *("abs", "smin", "smax", "umin", "umax", "bswap", "bitreverse", "ctpop", "ctlz", "cttz", "fshl", "fshr"),
    *("sadd", "uadd", "ssub", "usub", "smul", "umul", "fabs", "copysign", "minnum", "maxnum", "sqrt", "expect"),
)
IGNORED_INTRINSICS = ("llvm.dbg.", "llvm.donothing", "llvm.assume", "llvm.experimental.noalias", "llvm.pseudoprobe")
MERGE_CALLS = ("klee_open_merge", "klee_close_merge")
_BYTES = (8, 16, 32, 64, 128)

IsSymbolic = Callable[[Value], bool]


def is_ignored(i: Instruction) -> bool:
    """Calls without effect here, which melding may drop."""
    if not isinstance(i, Call) or not isinstance(i.callee, GlobalRef):
        return False
    return i.callee.name.startswith(IGNORED_INTRINSICS) or i.callee.name in MERGE_CALLS


def why_not_speculated(i: Instruction, is_symbolic: IsSymbolic) -> str | None:
    """Why an instruction cannot run unless its branch is taken; None if it can."""
    if is_mark(i) or is_ignored(i):
        return None
    if isinstance(i, Load | Store):
        return _access(i, is_symbolic)
    if isinstance(i, Call):
        return _call(i)
    if not isinstance(i, _COMPUTING) or i.opcode == "frem":
        return f"it holds {i.opcode}"
    if isinstance(i, Cast) and i.opcode in ("fptosi", "fptoui"):
        return "it converts a floating-point number that may be out of range"
    return None if _has_expressions(i) else f"it holds {i.opcode} of a type without expressions"


def why_not_chosen(type_: Type) -> str | None:
    """Why values of this type cannot be chosen by a select without a branch."""
    parts = [leaf.type for leaf in leaves(type_)]
    if any(isinstance(part, PointerType) for part in parts):
        return "it chooses between pointers"
    return None if all(map(_is_modelled, parts)) else f"it chooses values of type {type_}"


def why_not_left(block: Block) -> str | None:
    """Why a block inside an arm cannot stay as it is at its end."""
    last = block.terminator
    if isinstance(last, Unreachable):
        return "it may end the program"
    if isinstance(last, Return):
        return "it returns"
    return None if isinstance(last, Branch) else f"it holds {last.opcode}"


def _access(i: Load | Store, is_symbolic: IsSymbolic) -> str | None:
    pointer = i.operands[-1]
    kind = i.type if isinstance(i, Load) else i.operands[0].type
    if i.ordering:
        return "it accesses memory atomically"
    if isinstance(i, Store) and i.volatile:
        return "it writes to volatile memory"
    if is_symbolic(pointer):
        return "an address in it depends on input"
    if isinstance(i, Store) and isinstance(kind, PointerType):
        return "it stores a pointer"
    whole = isinstance(kind, IntType) and kind.bits in _BYTES
    if whole or isinstance(kind, PointerType) or (isinstance(kind, FloatType) and _is_modelled(kind)):
        return None
    return f"it accesses memory as {kind}"


def _call(i: Call) -> str | None:
    if not isinstance(i.callee, GlobalRef):
        return "it calls through a pointer"
    name = i.callee.name
    if name.startswith("llvm.") and name.split(".")[1] in _PURE_INTRINSICS:
        return None if _has_expressions(i) else f"it calls {name}"
    return f"it calls {name}"


def _has_expressions(i: Instruction) -> bool:
    values: Iterable[Type] = (i.type, *(o.type for o in i.operands))
    return all(isinstance(leaf.type, PointerType) or _is_modelled(leaf.type) for t in values for leaf in leaves(t))


def _is_modelled(type_: Type) -> bool:
    if isinstance(type_, FloatType):
        return type_.name in ("float", "double")
    return isinstance(type_, IntType) and type_.bits <= 128


def chosen_apart(phi: Phi, then: str, other: str) -> bool:
    """Whether the phi takes different values from the two blocks."""
    values = dict(zip(phi.labels, phi.operands, strict=True))
    return values[then] != values[other]


def locals_among(values: Iterable[Value]) -> list[str]:
    return [value.name for value in values if isinstance(value, Local)]
