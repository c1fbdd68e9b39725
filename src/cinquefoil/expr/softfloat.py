"""Binary floating point by exact rational arithmetic, round to nearest even.

Every operation works on bit patterns: it decodes them to rationals, computes exactly, and rounds once.
Slow, and meant to be obviously right: this is the oracle for the native evaluation and the SMT translation.

NaN: an operation with NaN operands yields the first of them, made quiet; one that has none yields x86's
default NaN, quiet with the sign bit set.  That is what SSE does (with two NaN operands, a compiler that
swaps them and x87 choose differently).  x86_fp80 patterns that the hardware rejects (unnormals,
pseudo-infinities, pseudo-NaNs) act like operations without a result: the default NaN.  Pseudo-denormals
have their natural value.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, isqrt
from typing import Final

from cinquefoil.layout import Op, Rounding


@dataclass(frozen=True, slots=True)
class FloatFormat:
    """A binary format: precision counts the integer bit, which x86_fp80 stores and the others do not."""

    width: int
    exponent_bits: int
    precision: int

    @property
    def explicit(self) -> bool:
        return self.width == 80

    @property
    def fraction_bits(self) -> int:
        """Stored significand bits."""
        return self.precision if self.explicit else self.precision - 1

    @property
    def bias(self) -> int:
        return (1 << (self.exponent_bits - 1)) - 1

    @property
    def top(self) -> int:
        """The all-ones exponent."""
        return (1 << self.exponent_bits) - 1

    @property
    def nan(self) -> int:
        quiet = 3 << (self.precision - 2) if self.explicit else 1 << (self.precision - 2)
        return ((1 << self.exponent_bits | self.top) << self.fraction_bits) | quiet


FORMATS: Final = {32: FloatFormat(32, 8, 24), 64: FloatFormat(64, 11, 53), 80: FloatFormat(80, 15, 64)}


@dataclass(frozen=True, slots=True)
class FloatValue:
    """A decoded value: NaN, infinite, or finite with its magnitude."""

    negative: bool
    magnitude: Fraction = Fraction(0)
    infinite: bool = False
    nan: bool = False

    @property
    def zero(self) -> bool:
        return not (self.nan or self.infinite or self.magnitude)

    @property
    def signed(self) -> Fraction:
        return -self.magnitude if self.negative else self.magnitude


NAN: Final = FloatValue(True, nan=True)


def decode(bits: int, form: FloatFormat) -> FloatValue:
    """The number that a bit pattern stands for."""
    significand = bits & ((1 << form.fraction_bits) - 1)
    exponent = (bits >> form.fraction_bits) & form.top
    negative = bool(bits >> (form.width - 1))
    integer_bit = 1 << (form.precision - 1)
    if form.explicit:
        if exponent and not significand & integer_bit:
            return NAN  # unnormal, pseudo-infinity or pseudo-NaN
    elif exponent:
        significand |= integer_bit
    if exponent == form.top:
        return NAN if significand != integer_bit else FloatValue(negative, infinite=True)
    scale = max(exponent, 1) - form.bias - (form.precision - 1)
    return FloatValue(negative, significand * power_of_two(scale))


def encode(number: FloatValue, form: FloatFormat) -> int:
    """The nearest bit pattern, ties to even."""
    if number.nan:
        return form.nan
    sign = int(number.negative) << (form.width - 1)
    if number.infinite:
        return sign | _infinity(form)
    return sign | _encode_magnitude(number.magnitude, form)


def _infinity(form: FloatFormat) -> int:
    return form.top << form.fraction_bits | (1 << (form.precision - 1) if form.explicit else 0)


def _encode_magnitude(magnitude: Fraction, form: FloatFormat) -> int:
    if not magnitude:
        return 0
    exponent = max(_floor_log2(magnitude), 1 - form.bias)
    # round() of a Fraction goes to even on ties.
    significand = round(magnitude / power_of_two(exponent - form.precision + 1))
    if significand >> form.precision:
        significand, exponent = significand >> 1, exponent + 1
    if exponent > form.bias:
        return _infinity(form)
    normal = significand >> (form.precision - 1)
    stored = significand if form.explicit else significand & ((1 << form.fraction_bits) - 1)
    return (exponent + form.bias if normal else 0) << form.fraction_bits | stored


def power_of_two(exponent: int) -> Fraction:
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


def _floor_log2(x: Fraction) -> int:
    guess = x.numerator.bit_length() - x.denominator.bit_length()
    return guess if power_of_two(guess) <= x else guess - 1


def _finite(value: Fraction, negative_zero: bool) -> FloatValue:
    return FloatValue(value < 0 or (not value and negative_zero), abs(value))


# ---- operations on numbers ------------------------------------------------------------------------------


def add(a: FloatValue, b: FloatValue) -> FloatValue:
    if a.nan or b.nan or (a.infinite and b.infinite and a.negative != b.negative):
        return NAN
    if a.infinite or b.infinite:
        return a if a.infinite else b
    return _finite(a.signed + b.signed, a.negative and b.negative)


def negate(a: FloatValue) -> FloatValue:
    return FloatValue(not a.negative, a.magnitude, a.infinite, a.nan)


def multiply(a: FloatValue, b: FloatValue) -> FloatValue:
    if a.nan or b.nan or (a.infinite and b.zero) or (a.zero and b.infinite):
        return NAN
    negative = a.negative != b.negative
    if a.infinite or b.infinite:
        return FloatValue(negative, infinite=True)
    return FloatValue(negative, a.magnitude * b.magnitude)


def divide(a: FloatValue, b: FloatValue) -> FloatValue:
    if a.nan or b.nan or (a.infinite and b.infinite) or (a.zero and b.zero):
        return NAN
    negative = a.negative != b.negative
    if a.infinite or b.zero:
        return FloatValue(negative, infinite=True)
    return FloatValue(negative) if b.infinite else FloatValue(negative, a.magnitude / b.magnitude)


def remainder(a: FloatValue, b: FloatValue) -> FloatValue:
    """C's fmod: the sign of `a`, less than `b` in magnitude."""
    if a.nan or b.nan or a.infinite or b.zero:
        return NAN
    return a if b.infinite else FloatValue(a.negative, a.magnitude % b.magnitude)


def square_root(a: FloatValue) -> FloatValue:
    """The root to 160 bits and a sticky bit: rounding that to any format is rounding the exact root."""
    if a.nan or a.zero or (a.infinite and not a.negative):
        return a
    if a.negative:
        return NAN
    shift = max(0, 160 - _floor_log2(a.magnitude) // 2)
    scaled = a.magnitude * 4**shift
    root = isqrt(floor(scaled))
    sticky = int(Fraction(root * root) != scaled)
    return FloatValue(False, Fraction(2 * root + sticky, 2 << shift))


def round_to_integral(a: FloatValue, mode: Rounding) -> FloatValue:
    if a.nan or a.infinite:
        return a
    return _finite(Fraction(_integral(a.signed, mode)), a.negative)


def _integral(x: Fraction, mode: Rounding) -> int:
    match mode:
        case Rounding.EVEN:
            return round(x)
        case Rounding.AWAY:
            return floor(x + Fraction(1, 2)) if x >= 0 else ceil(x - Fraction(1, 2))
        case Rounding.UP:
            return ceil(x)
        case Rounding.DOWN:
            return floor(x)
        case Rounding.ZERO:
            return int(x)


# ---- operations on bit patterns -------------------------------------------------------------------------


def _subtract(a: FloatValue, b: FloatValue) -> FloatValue:
    return add(a, b if b.nan else negate(b))


_BINARY: Final = {
    Op.FADD: add,
    Op.FSUB: _subtract,
    Op.FMUL: multiply,
    Op.FDIV: divide,
    Op.FREM: remainder,
}


def arithmetic(op: Op, width: int, a: int, b: int, c: int, imm: int) -> int:
    """FADD .. FRINT: operands and result have the same format."""
    form = FORMATS[width]
    operands = (a,) if op in (Op.FSQRT, Op.FRINT) else (a, b, c) if op is Op.FMA else (a, b)
    nan = _nan_operand(operands, form)
    if nan is not None:
        return nan
    x, *others = (decode(bits, form) for bits in operands)
    if op is Op.FSQRT:
        return encode(square_root(x), form)
    if op is Op.FRINT:
        return encode(round_to_integral(x, Rounding(imm)), form)
    if op is Op.FMA:
        return encode(add(multiply(x, others[0]), others[1]), form)
    return encode(_BINARY[op](x, others[0]), form)


def _rejected(bits: int, form: FloatFormat) -> bool:
    return form.explicit and bool(bits >> 64 & form.top) and not bits >> 63 & 1


def _nan_operand(operands: tuple[int, ...], form: FloatFormat) -> int | None:
    """The result if an operand is NaN."""
    if any(_rejected(bits, form) for bits in operands):
        return form.nan
    quiet = 1 << (form.precision - 2)
    return next((bits | quiet for bits in operands if decode(bits, form).nan), None)


def compare(op: Op, width: int, a: int, b: int) -> int:
    """FOEQ, FOLT, FOLE, FUNO."""
    x, y = decode(a, FORMATS[width]), decode(b, FORMATS[width])
    if x.nan or y.nan:
        return int(op is Op.FUNO)
    left, right = _order(x), _order(y)
    return int({Op.FOEQ: left == right, Op.FOLT: left < right, Op.FOLE: left <= right}.get(op, False))


def _order(x: FloatValue) -> tuple[int, Fraction]:
    if x.infinite:
        return (-1 if x.negative else 1), Fraction(0)
    return 0, x.signed


def convert(bits: int, source: int, target: int) -> int:
    """FCVT: the same number in another format; a NaN keeps its sign and its highest fraction bits."""
    old, new = FORMATS[source], FORMATS[target]
    if _rejected(bits, old) or not decode(bits, old).nan:
        return encode(decode(bits, old), new)
    fraction = bits & ((1 << (old.precision - 1)) - 1)
    shift = new.precision - old.precision
    fraction = fraction << shift if shift >= 0 else fraction >> -shift
    sign = bits >> (source - 1) << (target - 1)
    return sign | _infinity(new) | fraction | 1 << (new.precision - 2)


def from_integer(value: int, target: int) -> int:
    """SI2F, UI2F: `value` is already signed or not."""
    return encode(FloatValue(value < 0, Fraction(abs(value))), FORMATS[target])


def to_integer(bits: int, source: int, width: int, signed: bool) -> int:
    """F2SI, F2UI: truncation, in the register that x86 converts into.

    What does not fit there gives the register's sign bit alone ("integer indefinite"), as the hardware does
    for up to 64 bits; compiler run-times differ beyond, where a negative one gives 0 unsigned.
    """
    if not signed and width <= 32:
        return to_integer(bits, source, 64, True) & ((1 << width) - 1)
    register = 32 if width <= 32 else 64 if width <= 64 else 128
    number = decode(bits, FORMATS[source])
    indefinite = 0 if register == 128 and not signed else 1 << (register - 1)
    if number.nan or number.infinite:
        return indefinite & ((1 << width) - 1)
    half = 1 << (register - 1)
    low, high = (-half, half) if signed else (0, 2 * half)
    value = int(number.signed)
    return (value if low <= value < high else indefinite) & ((1 << width) - 1)
