"""Bitwuzla terms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import bitwuzla
from bitwuzla import Kind, RoundingMode, Term

from cinquefoil.layout import Rounding

_KINDS: Final[dict[str, Kind]] = {
    "=": Kind.EQUAL, "ite": Kind.ITE, "not": Kind.NOT, "and": Kind.AND, "or": Kind.OR, "xor": Kind.XOR,
    "bvadd": Kind.BV_ADD, "bvsub": Kind.BV_SUB, "bvmul": Kind.BV_MUL, "bvudiv": Kind.BV_UDIV,
    "bvsdiv": Kind.BV_SDIV, "bvurem": Kind.BV_UREM, "bvsrem": Kind.BV_SREM, "bvshl": Kind.BV_SHL,
    "bvlshr": Kind.BV_SHR, "bvashr": Kind.BV_ASHR, "bvand": Kind.BV_AND, "bvor": Kind.BV_OR,
    "bvxor": Kind.BV_XOR, "concat": Kind.BV_CONCAT, "extract": Kind.BV_EXTRACT,
    "zero_extend": Kind.BV_ZERO_EXTEND, "sign_extend": Kind.BV_SIGN_EXTEND,
    "bvult": Kind.BV_ULT, "bvule": Kind.BV_ULE, "bvslt": Kind.BV_SLT, "bvsle": Kind.BV_SLE,
    "select": Kind.ARRAY_SELECT, "store": Kind.ARRAY_STORE,
    "fp.add": Kind.FP_ADD, "fp.sub": Kind.FP_SUB, "fp.mul": Kind.FP_MUL, "fp.div": Kind.FP_DIV,
    "fp.fma": Kind.FP_FMA, "fp.sqrt": Kind.FP_SQRT, "fp.rem": Kind.FP_REM, "fp.roundToIntegral": Kind.FP_RTI,
    "fp.abs": Kind.FP_ABS, "fp.neg": Kind.FP_NEG, "fp.eq": Kind.FP_EQUAL, "fp.lt": Kind.FP_LT,
    "fp.leq": Kind.FP_LEQ, "fp.isNaN": Kind.FP_IS_NAN, "fp.isZero": Kind.FP_IS_ZERO,
    "fp.isInfinite": Kind.FP_IS_INF, "fp.isNegative": Kind.FP_IS_NEG,
    "fp.to_sbv": Kind.FP_TO_SBV, "fp.to_ubv": Kind.FP_TO_UBV, "to_fp_bits": Kind.FP_TO_FP_FROM_BV,
    "to_fp_number": Kind.FP_TO_FP_FROM_FP, "to_fp_signed": Kind.FP_TO_FP_FROM_SBV,
    "to_fp_unsigned": Kind.FP_TO_FP_FROM_UBV,
}  # fmt: skip
_ROUNDING: Final = {
    Rounding.EVEN: RoundingMode.RNE,
    Rounding.AWAY: RoundingMode.RNA,
    Rounding.UP: RoundingMode.RTP,
    Rounding.DOWN: RoundingMode.RTN,
    Rounding.ZERO: RoundingMode.RTZ,
}


class BitwuzlaBackend:
    """Makes terms with one term manager."""

    def __init__(self, manager: bitwuzla.TermManager) -> None:
        self.manager = manager
        self._sorts: dict[int, bitwuzla.Sort] = {}
        self._constants: dict[tuple[int, int], Term] = {}

    def _sort(self, width: int) -> bitwuzla.Sort:
        if width not in self._sorts:
            self._sorts[width] = self.manager.mk_bv_sort(width)
        return self._sorts[width]

    def constant(self, width: int, value: int) -> Term:
        key = (width, value)
        found = self._constants.get(key)
        if found is None:
            found = self._constants[key] = self.manager.mk_bv_value(self._sort(width), value)
        return found

    def boolean(self, value: bool) -> Term:
        return self.manager.mk_true() if value else self.manager.mk_false()

    def variable(self, name: str, width: int) -> Term:
        return self.manager.mk_const(self._sort(width), name)

    def rounding(self, mode: Rounding) -> Term:
        return self.manager.mk_rm_value(_ROUNDING[mode])

    def constant_array(self, index_width: int, element_width: int, element: Term) -> Term:
        sort = self.manager.mk_array_sort(self._sort(index_width), self._sort(element_width))
        return self.manager.mk_const_array(sort, element)

    def apply(self, function: str, *arguments: Term, indices: Sequence[int] = ()) -> Term:
        return self.manager.mk_term(_KINDS[function], list(arguments), list(indices))
