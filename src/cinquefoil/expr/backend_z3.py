"""Z3 terms."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, Final

import z3

from cinquefoil.layout import Rounding

_FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    "=": operator.eq, "ite": z3.If, "not": z3.Not, "and": z3.And, "or": z3.Or, "xor": z3.Xor,
    "bvadd": operator.add, "bvsub": operator.sub, "bvmul": operator.mul,
    "bvudiv": z3.UDiv, "bvsdiv": z3.BitVecRef.__truediv__, "bvurem": z3.URem, "bvsrem": z3.SRem,
    "bvshl": z3.BitVecRef.__lshift__, "bvlshr": z3.LShR, "bvashr": z3.BitVecRef.__rshift__,
    "bvand": z3.BitVecRef.__and__, "bvor": z3.BitVecRef.__or__, "bvxor": z3.BitVecRef.__xor__,
    "concat": z3.Concat, "bvult": z3.ULT, "bvule": z3.ULE,
    "bvslt": operator.lt, "bvsle": operator.le,
    "select": z3.Select, "store": z3.Store,
    "fp.add": z3.fpAdd, "fp.sub": z3.fpSub, "fp.mul": z3.fpMul, "fp.div": z3.fpDiv, "fp.fma": z3.fpFMA,
    "fp.sqrt": z3.fpSqrt, "fp.rem": z3.fpRem, "fp.roundToIntegral": z3.fpRoundToIntegral, "fp.abs": z3.fpAbs,
    "fp.neg": z3.fpNeg, "fp.eq": z3.fpEQ, "fp.lt": z3.fpLT, "fp.leq": z3.fpLEQ, "fp.isNaN": z3.fpIsNaN,
    "fp.isZero": z3.fpIsZero, "fp.isInfinite": z3.fpIsInf, "fp.isNegative": z3.fpIsNegative,
}  # fmt: skip
_INDEXED: Final[dict[str, Callable[[tuple[Any, ...], Sequence[int]], Any]]] = {
    "extract": lambda a, i: z3.Extract(i[0], i[1], a[0]),
    "zero_extend": lambda a, i: z3.ZeroExt(i[0], a[0]) if i[0] else a[0],
    "sign_extend": lambda a, i: z3.SignExt(i[0], a[0]) if i[0] else a[0],
    "fp.to_sbv": lambda a, i: z3.fpToSBV(a[0], a[1], z3.BitVecSort(i[0], a[1].ctx)),
    "fp.to_ubv": lambda a, i: z3.fpToUBV(a[0], a[1], z3.BitVecSort(i[0], a[1].ctx)),
    "to_fp_bits": lambda a, i: z3.fpBVToFP(a[0], z3.FPSort(i[0], i[1], a[0].ctx)),
    "to_fp_number": lambda a, i: z3.fpFPToFP(a[0], a[1], z3.FPSort(i[0], i[1], a[1].ctx)),
    "to_fp_signed": lambda a, i: z3.fpSignedToFP(a[0], a[1], z3.FPSort(i[0], i[1], a[1].ctx)),
    "to_fp_unsigned": lambda a, i: z3.fpUnsignedToFP(a[0], a[1], z3.FPSort(i[0], i[1], a[1].ctx)),
}
_ROUNDING: Final[dict[Rounding, Callable[..., Any]]] = {
    Rounding.EVEN: z3.RNE,
    Rounding.AWAY: z3.RNA,
    Rounding.UP: z3.RTP,
    Rounding.DOWN: z3.RTN,
    Rounding.ZERO: z3.RTZ,
}


class Z3Backend:
    """Makes terms in one context."""

    def __init__(self, context: z3.Context | None = None) -> None:
        self.context = context

    def constant(self, width: int, value: int) -> Any:
        return z3.BitVecVal(value, width, self.context)

    def boolean(self, value: bool) -> Any:
        return z3.BoolVal(value, self.context)

    def variable(self, name: str, width: int) -> Any:
        return z3.BitVec(name, width, self.context)

    def rounding(self, mode: Rounding) -> Any:
        return _ROUNDING[mode](self.context)

    def constant_array(self, index_width: int, element_width: int, element: Any) -> Any:
        return z3.K(z3.BitVecSort(index_width, self.context), element)

    def apply(self, function: str, *arguments: Any, indices: Sequence[int] = ()) -> Any:
        if function in _INDEXED:
            return _INDEXED[function](arguments, indices)
        return _FUNCTIONS[function](*arguments)
