"""How large a value can be, as far as its own computation tells: checks that can never fail need not be made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from cinquefoil.ir.model import Binary, Cast, ConstInt, Instruction, Local, Phi, Select, Value
from cinquefoil.ir.types import IntType

Makers = Mapping[str, Instruction]
_DEPTH = 6
SHIFTS = ("shl", "lshr", "ashr")


def upper_bound(value: Value, makers: Makers, depth: int = _DEPTH) -> int:
    """A number that the value, an unsigned integer, never exceeds; `makers` has the instructions by result."""
    assert isinstance(value.type, IntType)
    top = (1 << value.type.bits) - 1
    if isinstance(value, ConstInt):
        return value.value & top
    made = makers.get(value.name) if isinstance(value, Local) and depth else None

    def bound(operand: Value) -> int:
        return upper_bound(operand, makers, depth - 1)

    if isinstance(made, Binary):
        return min(_of_binary(made, bound), top)
    if isinstance(made, Cast):
        return min(_of_cast(made, bound), top)
    if isinstance(made, Select):
        return max(map(bound, made.operands[1:]))
    return max(map(bound, made.operands)) if isinstance(made, Phi) else top


def _of_binary(i: Binary, bound: Callable[[Value], int]) -> int:
    """The bound, or something larger than any value of the type."""
    left, right = i.operands
    assert isinstance(i.type, IntType)
    unknown = 1 << i.type.bits
    a, b = bound(left), bound(right)
    if i.opcode == "and":
        return min(a, b)
    if i.opcode == "urem":
        return min(a, max(b - 1, 0))
    if i.opcode in ("or", "xor"):
        return (1 << max(a.bit_length(), b.bit_length())) - 1
    if i.opcode in ("add", "mul"):
        total = a + b if i.opcode == "add" else a * b
        return total if total < unknown else unknown
    if i.opcode == "sub":
        return _of_difference(left, right, a, b, unknown)
    if i.opcode == "lshr":
        return a >> min(b, i.type.bits) if isinstance(right, ConstInt) else a
    return a if i.opcode == "udiv" else unknown


def _of_difference(left: Value, right: Value, a: int, b: int, unknown: int) -> int:
    if isinstance(left, ConstInt) and isinstance(right, ConstInt):
        return (a - b) % unknown
    return a if isinstance(left, ConstInt) and b <= a else unknown


def _of_cast(i: Cast, bound: Callable[[Value], int]) -> int:
    (value,) = i.operands
    assert isinstance(i.type, IntType)
    unknown = 1 << i.type.bits
    if not isinstance(value.type, IntType) or i.opcode not in ("zext", "sext", "trunc"):
        return unknown
    found = bound(value)
    negative = i.opcode == "sext" and found >> (value.type.bits - 1)
    return unknown if negative or found >= unknown else found


def is_plain(i: Binary, makers: Makers) -> bool:
    """Whether the amount is below the width in any case."""
    amount = i.operands[1]
    return isinstance(amount.type, IntType) and upper_bound(amount, makers) < amount.type.bits


def all_plain(instructions: Sequence[Instruction]) -> bool:
    """Whether no shift of these instructions, which stand in one block, needs a check."""
    makers = {i.result: i for i in instructions if i.result is not None}
    return all(is_plain(i, makers) for i in instructions if isinstance(i, Binary) and i.opcode in SHIFTS)
