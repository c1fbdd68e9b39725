"""Translation of expressions to SMT terms, for any back end.

A node gets one primary term: Bool if it is a width-1 comparison or connective, a floating-point term if it is
a floating-point operation, else a bit vector.  The other views (`term`, `formula`, `number`) are made from
it on demand, so that chains of comparisons or of float operations never leave their theory.

Floating point to bits: the FP theory has no such function, so the bits are a fresh variable v with the side
condition to_fp(v) = number; `definitions` lists the conditions that some roots need, and whoever asserts a
formula must assert these too.  The theory has one NaN, so the bits of a NaN *result* are any NaN pattern:
an over-approximation ("unsat" is right, a model must be checked by evaluation, as all are).  FREM is exact
for width 32 (by fp.rem); wider, solvers cannot handle it and it is an unconstrained value: see `unknown`.
x86_fp80 is (15, 64) with its explicit integer bit added and removed here; Bitwuzla calls formats beyond
IEEE's own experimental (its text parser refuses them), the tests here find no disagreement.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, Generic, Protocol, TypeVar

from cinquefoil.expr import softfloat
from cinquefoil.expr.constraint import Constraint
from cinquefoil.expr.softfloat import FORMATS
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import Op, Rounding

T = TypeVar("T")


class Backend(Protocol[T]):
    """What a solver must offer: variables, constants, and SMT-LIB's functions by name."""

    def constant(self, width: int, value: int) -> T:
        """A bit-vector constant."""
        ...

    def boolean(self, value: bool) -> T: ...

    def variable(self, name: str, width: int) -> T:
        """A bit-vector variable; called once per name."""
        ...

    def rounding(self, mode: Rounding) -> T: ...

    def constant_array(self, index_width: int, element_width: int, element: T) -> T: ...

    def apply(self, function: str, *arguments: T, indices: Sequence[int] = ()) -> T:
        """A function of SMT-LIB by its name; `to_fp` comes as to_fp_bits, to_fp_number, to_fp_signed."""
        ...


_BITS: Final = {
    Op.ADD: "bvadd", Op.PTRADD: "bvadd", Op.SUB: "bvsub", Op.MUL: "bvmul", Op.UDIV: "bvudiv",
    Op.SDIV: "bvsdiv",
    Op.UREM: "bvurem", Op.SREM: "bvsrem", Op.SHL: "bvshl", Op.LSHR: "bvlshr", Op.ASHR: "bvashr",
    Op.AND: "bvand", Op.OR: "bvor", Op.XOR: "bvxor", Op.CONCAT: "concat",
}  # fmt: skip
_COMPARE: Final = {Op.EQ: "=", Op.ULT: "bvult", Op.ULE: "bvule", Op.SLT: "bvslt", Op.SLE: "bvsle"}
_CONNECT: Final = {Op.AND: "and", Op.OR: "or", Op.XOR: "xor", Op.EQ: "="}
_FLOAT: Final = {Op.FADD: "fp.add", Op.FSUB: "fp.sub", Op.FMUL: "fp.mul", Op.FDIV: "fp.div", Op.FMA: "fp.fma"}
_FLOAT_COMPARE: Final = {Op.FOEQ: "fp.eq", Op.FOLT: "fp.lt", Op.FOLE: "fp.leq"}
_YIELD_FLOAT: Final = frozenset({*_FLOAT, Op.FREM, Op.FSQRT, Op.FRINT, Op.FCVT, Op.SI2F, Op.UI2F})
EXACT_REMAINDER: Final = frozenset({32})
ARRAY_RUNS = 65536
"""Tables with more runs of equal elements than this go to the array theory.

That is a last resort, to bound the size of the term.  Measured on 5,000 runs, one satisfiable and one
unsatisfiable query: the tree took Bitwuzla 0.5 and 0.3 s and Z3 0.7 and 0.1 s; the array took Bitwuzla
0.2 and 0.7 s, and Z3 did not finish the first in 12 s.
"""


class TooManyTerms(Exception):
    """More are needed than a translator may make."""


class Translator(Generic[T]):
    """Terms for nodes of one table, each made once; `most` is how many there may be in all."""

    def __init__(self, table: ExpressionTable, backend: Backend[T], prefix: str = "input_") -> None:
        self.table = table
        self.backend = backend
        self.inputs: dict[int, T] = {}
        """Variables made so far, by input index."""
        self.unknown: set[int] = set()
        """Nodes that stand for an unconstrained value."""
        self.most = float("inf")
        self._prefix = prefix
        self._bits: dict[int, T] = {}
        self._bools: dict[int, T] = {}
        self._numbers: dict[int, T] = {}
        self._definitions: dict[int, T] = {}

    @property
    def made(self) -> int:
        """How many terms there are so far."""
        return len(self._bits) + len(self._bools) + len(self._numbers)

    # ---- views of a node -----------------------------------------------------------------------------

    def term(self, node: int) -> T:
        """The node as a bit vector of its width."""
        self._prepare(node)
        return self._bits_of(node)

    def formula(self, node: int) -> T:
        """A node of width 1 as a Bool."""
        self._prepare(node)
        return self._bool_of(node)

    def number(self, node: int) -> T:
        """A node of width 32, 64 or 80 as a floating-point term."""
        self._prepare(node)
        return self._number_of(node)

    def condition(self, constraint: Constraint) -> T:
        """A constraint as a Bool."""
        if self.table.width(constraint.node) == 1:
            positive = (constraint.value == 1) == constraint.equal
            formula = self.formula(constraint.node)
            return formula if positive else self.backend.apply("not", formula)
        wanted = self.backend.constant(self.table.width(constraint.node), constraint.value)
        equality = self.backend.apply("=", self.term(constraint.node), wanted)
        return equality if constraint.equal else self.backend.apply("not", equality)

    def definitions(self, roots: Iterable[int]) -> list[T]:
        """Side conditions on the fresh variables below the roots; always satisfiable on their own."""
        if not self._definitions:
            return []
        return [self._definitions[n] for n in self.table.cone(roots) if n in self._definitions]

    def _prepare(self, root: int) -> None:
        """Make the primary terms of everything below the root, operands first."""
        if self.known(root):
            return
        missing, stack = {root}, [root]
        while stack:
            for operand in self.operands(stack.pop()):
                if operand not in missing and not self.known(operand):
                    missing.add(operand)
                    stack.append(operand)
        if self.made + len(missing) > self.most:
            raise TooManyTerms
        for node in sorted(missing):
            self.make(node)

    def known(self, node: int) -> bool:
        """Whether the node has a term."""
        return node in self._bits or node in self._bools or node in self._numbers

    def _bits_of(self, node: int) -> T:
        found = self._bits.get(node)
        if found is None:
            found = self._bool_bits(node) if node in self._bools else self._number_bits(node)
            self._bits[node] = found
        return found

    def _bool_bits(self, node: int) -> T:
        one, zero = self.backend.constant(1, 1), self.backend.constant(1, 0)
        return self.backend.apply("ite", self._bools[node], one, zero)

    def _bool_of(self, node: int) -> T:
        found = self._bools.get(node)
        if found is None:
            found = self.backend.apply("=", self._bits_of(node), self.backend.constant(1, 1))
            self._bools[node] = found
        return found

    def _number_of(self, node: int) -> T:
        found = self._numbers.get(node)
        if found is None:
            found = self._number_from_bits(self._bits_of(node), self.table.width(node))
            self._numbers[node] = found
        return found

    def operands(self, node: int) -> tuple[int, ...]:
        """What a node's primary term is made from."""
        return self.table.operands(node)

    def set_bits(self, node: int, term: T) -> None:
        """Give a node a term of the caller's."""
        self._bits[node] = term

    # ---- primary terms -------------------------------------------------------------------------------

    def make(self, node: int) -> None:
        """The primary term of a node whose operands have theirs."""
        op, width, a, b, c, _ = self.table.fields(node)
        if op in _YIELD_FLOAT:
            self._numbers[node] = self._float(node)
        elif op in _FLOAT_COMPARE or op is Op.FUNO:
            self._bools[node] = self._float_compare(op, a, b)
        elif width == 1 and op in _CONNECT and self.table.width(a) == 1:
            self._bools[node] = self.backend.apply(_CONNECT[op], self._bool_of(a), self._bool_of(b))
        elif op in _COMPARE:
            self._bools[node] = self.backend.apply(_COMPARE[op], self._bits_of(a), self._bits_of(b))
        elif op is Op.ITE:
            self._choice(node, width, a, b, c)
        elif op in _BITS:
            self._bits[node] = self.backend.apply(_BITS[op], self._bits_of(a), self._bits_of(b))
        else:
            self._bits[node] = self._other(node)

    def _choice(self, node: int, width: int, a: int, b: int, c: int) -> None:
        condition = self._bool_of(a)
        if width == 1:
            self._bools[node] = self.backend.apply("ite", condition, self._bool_of(b), self._bool_of(c))
        elif b in self._numbers and c in self._numbers and b not in self._bits and c not in self._bits:
            self._numbers[node] = self.backend.apply("ite", condition, self._numbers[b], self._numbers[c])
        else:
            self._bits[node] = self.backend.apply("ite", condition, self._bits_of(b), self._bits_of(c))

    def _other(self, node: int) -> T:
        op, width, a, _, _, imm = self.table.fields(node)
        match op:
            case Op.CONST:
                return self.backend.constant(width, imm)
            case Op.INPUT:
                self.inputs[imm] = self.backend.variable(f"{self._prefix}{imm}", 8)
                return self.inputs[imm]
            case Op.EXTRACT:
                return self._extract(self._bits_of(a), imm + width - 1, imm)
            case Op.ZEXT | Op.SEXT:
                function = "zero_extend" if op is Op.ZEXT else "sign_extend"
                return self.backend.apply(function, self._bits_of(a), indices=(width - self.table.width(a),))
            case Op.TREAD:
                return _TableRead(self, imm, self.table.width(a)).term(self._bits_of(a))
            case Op.F2SI | Op.F2UI:
                return self._to_integer(op, width, a)
            case _:
                return self._count(op, width, self._bits_of(a))

    def _extract(self, term: T, high: int, low: int) -> T:
        return self.backend.apply("extract", term, indices=(high, low))

    def _count(self, op: Op, width: int, term: T) -> T:
        """CTPOP as a sum of bits; CTLZ and CTTZ as a chain from the last bit looked at to the first."""
        bits = [self._extract(term, i, i) for i in range(width)]
        if op is Op.CTPOP:
            return self._sum(bits, width)
        result, one = self.backend.constant(width, width), self.backend.constant(1, 1)
        order = range(width) if op is Op.CTLZ else range(width - 1, -1, -1)
        for index in order:
            count = self.backend.constant(width, width - 1 - index if op is Op.CTLZ else index)
            result = self.backend.apply("ite", self.backend.apply("=", bits[index], one), count, result)
        return result

    def _sum(self, bits: Sequence[T], width: int) -> T:
        if width == 1:
            return bits[0]
        terms = [self.backend.apply("zero_extend", bit, indices=(width - 1,)) for bit in bits]
        while len(terms) > 1:
            pairs, odd = zip(terms[::2], terms[1::2], strict=False), terms[len(terms) & ~1 :]
            terms = [self.backend.apply("bvadd", x, y) for x, y in pairs] + odd
        return terms[0]

    # ---- floating point ------------------------------------------------------------------------------

    def _sizes(self, width: int) -> tuple[int, int]:
        return FORMATS[width].exponent_bits, FORMATS[width].precision

    def _number_from_bits(self, bits: T, width: int) -> T:
        apply, sizes = self.backend.apply, self._sizes(width)
        if width != 80:
            return apply("to_fp_bits", bits, indices=sizes)
        sign, exponent = self._extract(bits, 79, 79), self._extract(bits, 78, 64)
        zero = apply("=", exponent, self.backend.constant(15, 0))
        integer = apply("=", self._extract(bits, 63, 63), self.backend.constant(1, 1))
        # A pseudo-denormal is the normal number of the lowest exponent.
        lowest = apply("ite", apply("and", zero, integer), self.backend.constant(15, 1), exponent)
        plain = apply("concat", apply("concat", sign, lowest), self._extract(bits, 62, 0))
        rejected = apply("and", apply("not", zero), apply("not", integer))
        nan = self.backend.constant(79, softfloat.FORMATS[80].top << 63 | 1 << 62)
        return apply("to_fp_bits", apply("ite", rejected, nan, plain), indices=sizes)

    def _number_bits(self, node: int) -> T:
        """The bits of a computed number: a fresh variable, defined by a side condition."""
        width, apply = self.table.width(node), self.backend.apply
        plain = self.backend.variable(f"bits_{node}", 79 if width == 80 else width)
        same = apply("to_fp_bits", plain, indices=self._sizes(width))
        self._definitions[node] = apply("=", same, self._numbers[node])
        if width != 80:
            return plain
        exponent = self._extract(plain, 77, 63)
        zero = apply("=", exponent, self.backend.constant(15, 0))
        integer = apply("ite", zero, self.backend.constant(1, 0), self.backend.constant(1, 1))
        high = apply("concat", self._extract(plain, 78, 63), integer)
        return apply("concat", high, self._extract(plain, 62, 0))

    def _float(self, node: int) -> T:
        op, width, a, b, c, imm = self.table.fields(node)
        even, apply = self.backend.rounding(Rounding.EVEN), self.backend.apply
        match op:
            case Op.FREM:
                return self._remainder(node, width, a, b)
            case Op.FSQRT:
                return apply("fp.sqrt", even, self._number_of(a))
            case Op.FRINT:
                return apply("fp.roundToIntegral", self.backend.rounding(Rounding(imm)), self._number_of(a))
            case Op.FCVT:
                return apply("to_fp_number", even, self._number_of(a), indices=self._sizes(width))
            case Op.SI2F | Op.UI2F:
                function = "to_fp_signed" if op is Op.SI2F else "to_fp_unsigned"
                return apply(function, even, self._bits_of(a), indices=self._sizes(width))
            case _:
                return apply(_FLOAT[op], even, *(self._number_of(x) for x in (a, b, c) if x))

    def _remainder(self, node: int, width: int, a: int, b: int) -> T:
        """fmod from IEEE's remainder, which rounds its quotient to nearest: one more |b| towards a's sign."""
        if width not in EXACT_REMAINDER:
            self.unknown.add(node)
            free = self.backend.variable(f"unknown_{node}", 79 if width == 80 else width)
            return self.backend.apply("to_fp_bits", free, indices=self._sizes(width))
        apply, even = self.backend.apply, self.backend.rounding(Rounding.EVEN)
        x, y = self._number_of(a), self._number_of(b)
        nearest, size, negative = apply("fp.rem", x, y), apply("fp.abs", y), apply("fp.isNegative", x)
        step = apply("ite", negative, apply("fp.neg", size), size)
        zero = self._float_constant(width, softfloat.FloatValue(False))
        signed_zero = apply("ite", negative, apply("fp.neg", zero), zero)
        agrees = apply("=", apply("fp.isNegative", nearest), negative)
        moved = apply("ite", agrees, nearest, apply("fp.add", even, nearest, step))
        keep = apply("or", apply("fp.isNaN", nearest), apply("fp.isInfinite", y))
        exact = apply("ite", apply("fp.isZero", nearest), signed_zero, moved)
        return apply("ite", keep, apply("ite", apply("fp.isNaN", nearest), nearest, x), exact)

    def _float_constant(self, width: int, number: softfloat.FloatValue) -> T:
        bits = softfloat.encode(number, FORMATS[width])
        if width == 80:  # without the integer bit
            bits = bits >> 64 << 63 | bits & ((1 << 63) - 1)
        constant = self.backend.constant(79 if width == 80 else width, bits)
        return self.backend.apply("to_fp_bits", constant, indices=self._sizes(width))

    def _float_compare(self, op: Op, a: int, b: int) -> T:
        x, y = self._number_of(a), self._number_of(b)
        if op is not Op.FUNO:
            return self.backend.apply(_FLOAT_COMPARE[op], x, y)
        return self.backend.apply("or", self.backend.apply("fp.isNaN", x), self.backend.apply("fp.isNaN", y))

    def _to_integer(self, op: Op, width: int, a: int) -> T:
        """Truncation in the register that x86 uses; see softfloat.to_integer."""
        signed = op is Op.F2SI or width <= 32
        register = 128 if width > 64 else 64 if width > 32 or op is Op.F2UI else 32
        value = self._in_register(self._number_of(a), self.table.width(a), register, signed)
        return value if register == width else self._extract(value, width - 1, 0)

    def _in_register(self, number: T, source: int, register: int, signed: bool) -> T:
        apply, zero = self.backend.apply, self.backend.rounding(Rounding.ZERO)
        half = softfloat.power_of_two(register - 1)
        low = softfloat.FloatValue(True, half) if signed else softfloat.FloatValue(False)
        high = softfloat.FloatValue(False, half if signed else 2 * half)
        whole = apply("fp.roundToIntegral", zero, number)
        above = apply("fp.leq", self._float_constant(source, low), whole)
        below = apply("fp.lt", whole, self._float_constant(source, high))
        value = apply("fp.to_sbv" if signed else "fp.to_ubv", zero, number, indices=(register,))
        indefinite = 0 if register == 128 and not signed else 1 << (register - 1)
        return apply("ite", apply("and", above, below), value, self.backend.constant(register, indefinite))


class _TableRead(Generic[T]):
    """A table read: a balanced tree of comparisons over runs of equal elements."""

    def __init__(self, translator: Translator[T], table: int, index_width: int) -> None:
        self._translator = translator
        self._backend = translator.backend
        self._count, self._width = translator.table.table_shape(table)
        self._leaves = self._elements(table)
        self._index_width = index_width
        self._bits = min(index_width, self._count.bit_length())

    def _elements(self, table: int) -> list[tuple[int, int]]:
        """(entry id or 0, value) per element, and a zero beyond the end."""
        contents = self._translator.table.table_contents(table)
        entries = self._translator.table.table_entries(table) or (0,) * self._count
        found = [(entry, 0 if entry else value) for entry, value in zip(entries, contents, strict=True)]
        return [*found, (0, 0)]

    def term(self, index: T) -> T:
        """The element at `index`; only as many low bits as the table needs are compared."""
        apply = self._backend.apply
        if self._bits == self._index_width:
            return self._look_up(index)
        low = apply("extract", index, indices=(self._bits - 1, 0))
        high = apply("extract", index, indices=(self._index_width - 1, self._bits))
        inside = apply("=", high, self._backend.constant(self._index_width - self._bits, 0))
        return apply("ite", inside, self._look_up(low), self._backend.constant(self._width, 0))

    def _look_up(self, index: T) -> T:
        reachable = self._leaves[: 1 << self._bits]
        starts = [0] + [i for i, (x, y) in enumerate(pairwise(reachable), 1) if x != y]
        if len(starts) > ARRAY_RUNS:
            return self._backend.apply("select", self._array(reachable), index)
        return self._tree(index, starts, 0, len(starts))

    def _tree(self, index: T, starts: Sequence[int], first: int, end: int) -> T:
        """The value for an index in runs first..end-1; as deep as the logarithm of the number of runs."""
        if end - first == 1:
            return self._leaf(self._leaves[starts[first]])
        middle = (first + end) // 2
        below = self._backend.apply("bvult", index, self._backend.constant(self._bits, starts[middle]))
        low, high = self._tree(index, starts, first, middle), self._tree(index, starts, middle, end)
        return self._backend.apply("ite", below, low, high)

    def _leaf(self, leaf: tuple[int, int]) -> T:
        entry, value = leaf
        return self._translator.term(entry) if entry else self._backend.constant(self._width, value)

    def _array(self, leaves: Sequence[tuple[int, int]]) -> T:
        common = max(set(leaves), key=leaves.count) if len(leaves) < 1 << 12 else (0, 0)
        array = self._backend.constant_array(self._bits, self._width, self._leaf(common))
        for position, leaf in enumerate(leaves):
            if leaf != common:
                where = self._backend.constant(self._bits, position)
                array = self._backend.apply("store", array, where, self._leaf(leaf))
        return array
