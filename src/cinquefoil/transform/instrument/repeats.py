"""Values that a function has computed or loaded already.

clang's unoptimised code computes an address anew for every access and loads a variable again for every use.
Traced, each load tests a tag and each value has a shadow.  Within a block, and on into blocks that can only be
entered from it, a pure instruction with the same operands gives the same value, and so does a load of the same
address while nothing was written or called in between: both are replaced by the first.  The first access has been
checked, and its events, if the address is symbolic, are those the second would repeat (a pin may be fewer).  A
store makes its value known as well.  A load that is left out leaves a `Repeated`, so that its source line counts as
covered.

Risk: memory that changes without a store or a call.  There is none: one thread, and signals arrive in calls.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from cinquefoil.ir.model import (
    Binary,
    Block,
    Cast,
    Compare,
    Fence,
    Function,
    GetElementPtr,
    Instruction,
    Load,
    Local,
    Phi,
    Store,
    Value,
)
from cinquefoil.ir.traversal import predecessors, reverse_post_order
from cinquefoil.ir.types import VOID, Type, is_scalar, scalar_bits, store_size
from cinquefoil.transform.instrument.expand import Entered, renamed_value, substituted

_CHECKED = ("udiv", "sdiv", "urem", "srem", "frem", "fptosi", "fptoui")  # these have events, or work, of their own
_Key = tuple[object, ...]


@dataclass(slots=True, kw_only=True)
class Repeated(Instruction):
    """Stands where a load was."""


@dataclass(slots=True)
class _KnownValues:
    """What a path has computed, and what memory holds."""

    pure: dict[_Key, Value]
    memory: dict[_Key, Value]

    def copy(self) -> _KnownValues:
        return _KnownValues(dict(self.pure), dict(self.memory))


def without_repeats(function: Function) -> Function:
    before = predecessors(function)
    blocks = {b.label: b for b in function.blocks}
    known: dict[str, _KnownValues] = {}
    names: dict[str, Value] = {}
    short: dict[str, Block] = {}
    for label in reverse_post_order(function):
        origins = before[label]
        alone = len(origins) == 1 and origins[0] in known
        here = known[origins[0]].copy() if alone else _KnownValues({}, {})
        short[label] = _shortened(blocks[label], here, names)
        known[label] = here
    if not names:
        return function
    return replace(function, blocks=[substituted(short.get(b.label, b), names) for b in function.blocks])


def _shortened(block: Block, known: _KnownValues, names: dict[str, Value]) -> Block:
    found: list[Instruction] = []
    for i in block.instructions:
        same = _seen(i, known, names)
        if same is None or i.result is None:
            found.append(i)
        else:
            names[i.result] = same
            if isinstance(i, Load):
                found.append(Repeated(opcode="load", result=None, type=VOID, operands=[], dbg=i.dbg))
    return Block(block.label, found)


def _seen(i: Instruction, known: _KnownValues, names: dict[str, Value]) -> Value | None:
    """The earlier value; otherwise notes what this instruction makes known."""
    if isinstance(i, Binary | Cast | Compare | GetElementPtr):
        return _pure(i, known, names)
    if isinstance(i, Load):
        return _loaded(i, known, names)
    if isinstance(i, Store):
        value, pointer = (renamed_value(o, names) for o in i.operands)
        known.memory.clear()
        if _is_whole(value.type):
            known.memory[value.type, pointer] = value
    elif not isinstance(i, Phi | Entered | Fence):
        known.memory.clear()
    return None


def _pure(i: Instruction, known: _KnownValues, names: dict[str, Value]) -> Value | None:
    if i.opcode in _CHECKED or i.result is None:
        return None
    detail = i.predicate if isinstance(i, Compare) else i.source if isinstance(i, GetElementPtr) else None
    key = (i.opcode, i.type, detail, *(renamed_value(o, names) for o in i.operands))
    return _first(known.pure, key, Local(i.result, i.type))


def _loaded(i: Load, known: _KnownValues, names: dict[str, Value]) -> Value | None:
    if i.result is None or not _is_whole(i.type):
        return None
    return _first(known.memory, (i.type, renamed_value(i.operands[0], names)), Local(i.result, i.type))


def _first(table: dict[_Key, Value], key: _Key, value: Value) -> Value | None:
    first = table.setdefault(key, value)
    return None if first is value else first


def _is_whole(type_: Type) -> bool:
    """A scalar that fills its bytes."""
    return is_scalar(type_) and scalar_bits(type_) == 8 * store_size(type_)
