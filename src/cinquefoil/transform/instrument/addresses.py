"""What is known of an address before the program runs: whose it is, how far from it, how aligned.

Variables of the program and objects of the frame are aligned to 16 bytes and lie in the low half of the address space,
far from both ends.  An address that is a constant, short way from one of them needs no test of its high half, and one
that is a whole number of elements away needs no test of its alignment.  Bounds are tested all the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from cinquefoil.ir.model import ConstExpr, GlobalRef, Local, Value
from cinquefoil.ir.types import Type
from cinquefoil.transform.instrument.choices import split_indices
from cinquefoil.transform.instrument.tracer import Tracer

OBJECT_ALIGNMENT = 16
_SHORT = 1 << 20  # the lowest object lies above it


@dataclass(frozen=True, slots=True)
class KnownAddress:
    """`align` divides the address; `away` is the distance from an object's start, None if it is not constant."""

    align: int = 1
    away: int | None = None

    def moved(self, constant: int, scales: list[int]) -> KnownAddress:
        align = gcd(self.align, constant, *scales)
        return KnownAddress(align, None if self.away is None or scales else self.away + constant)

    @property
    def is_low(self) -> bool:
        return self.away is not None and abs(self.away) < _SHORT


def known_address(t: Tracer, pointer: Value) -> KnownAddress:
    if isinstance(pointer, GlobalRef):
        return KnownAddress(OBJECT_ALIGNMENT, 0) if t.context.is_object(pointer.name) else KnownAddress()
    if isinstance(pointer, ConstExpr) and pointer.opcode == "getelementptr" and pointer.source is not None:
        return _indexed(t, pointer.source, list(pointer.operands))
    if not isinstance(pointer, Local):
        return KnownAddress()
    if pointer.name in t.locations:
        return KnownAddress(OBJECT_ALIGNMENT, 0)
    made = t.definitions.get(pointer.name)
    return KnownAddress() if made is None else _indexed(t, made.source, made.operands)


def _indexed(t: Tracer, source: Type, operands: list[Value]) -> KnownAddress:
    constant, variable = split_indices(source, operands[1:])
    return known_address(t, operands[0]).moved(constant, [scale for _, scale in variable])
