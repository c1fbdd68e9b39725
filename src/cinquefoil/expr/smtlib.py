"""SMT-LIB 2 text of constraints, for any solver and for bug reports.

The text is made by the translator of smt.py with a back end that writes: every operation becomes one
`define-fun`, so sharing is kept and the text is linear in the number of nodes.  Equal definitions are
written once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from cinquefoil.expr.constraint import Constraint
from cinquefoil.expr.naming import Namer, byte_range, plain_names
from cinquefoil.expr.smt import Translator
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import Rounding

_ROUNDING: Final = {
    Rounding.EVEN: "RNE",
    Rounding.AWAY: "RNA",
    Rounding.UP: "RTP",
    Rounding.DOWN: "RTN",
    Rounding.ZERO: "RTZ",
}
_BOOLEAN: Final = frozenset(
    {"=", "not", "and", "or", "xor", "bvult", "bvule", "bvslt", "bvsle", "fp.eq", "fp.lt", "fp.leq"}
    | {"fp.isNaN", "fp.isZero", "fp.isInfinite", "fp.isNegative"}
)
_SAME_AS_LAST: Final = frozenset(
    {"ite", "fp.add", "fp.sub", "fp.mul", "fp.div", "fp.fma", "fp.sqrt", "fp.rem", "fp.roundToIntegral"}
    | {"fp.abs", "fp.neg"}
)
_TO_FP: Final = {"to_fp_bits": "to_fp", "to_fp_number": "to_fp", "to_fp_signed": "to_fp"}


Sort = tuple[str | int, ...]


class TextTerm(NamedTuple):
    """A name or literal and its sort: ("Bool"), ("BitVec", w), ("FloatingPoint", e, s), ("Array", i, w)."""

    text: str
    sort: Sort


def _sort_text(sort: Sort) -> str:
    match sort:
        case ("Array", index, element):
            return f"(Array (_ BitVec {index}) (_ BitVec {element}))"
        case (name,):
            return str(name)
        case _:
            return f"(_ {' '.join(str(part) for part in sort)})"


class TextBackend:
    """Writes declarations and definitions to `lines`."""

    def __init__(self, variable_name: Callable[[str], str] = str) -> None:
        self.lines: list[str] = []
        self.theories: set[str] = set()
        self._variable_name = variable_name
        self._defined: dict[str, TextTerm] = {}

    def constant(self, width: int, value: int) -> TextTerm:
        text = f"#x{value:0{width // 4}x}" if width % 4 == 0 else f"#b{value:0{width}b}"
        return TextTerm(text, ("BitVec", width))

    def boolean(self, value: bool) -> TextTerm:
        return TextTerm("true" if value else "false", ("Bool",))

    def variable(self, name: str, width: int) -> TextTerm:
        symbol = self._variable_name(name)
        self.lines.append(f"(declare-const {symbol} (_ BitVec {width}))")
        return TextTerm(symbol, ("BitVec", width))

    def rounding(self, mode: Rounding) -> TextTerm:
        return TextTerm(_ROUNDING[mode], ("RoundingMode",))

    def constant_array(self, index_width: int, element_width: int, element: TextTerm) -> TextTerm:
        sort = ("Array", index_width, element_width)
        return self._define(f"((as const {_sort_text(sort)}) {element.text})", sort)

    def apply(self, function: str, *arguments: TextTerm, indices: Sequence[int] = ()) -> TextTerm:
        name = _TO_FP.get(function, function)
        head = f"(_ {name} {' '.join(map(str, indices))})" if indices else name
        text = f"({head} {' '.join(a.text for a in arguments)})"
        return self._define(text, _result_sort(function, arguments, indices))

    def _define(self, text: str, sort: Sort) -> TextTerm:
        self.theories.add(str(sort[0]))
        found = self._defined.get(text)
        if found is None:
            found = self._defined[text] = TextTerm(f"t{len(self._defined)}", sort)
            self.lines.append(f"(define-fun {found.text} () {_sort_text(sort)} {text})")
        return found

    def logic(self) -> str:
        """The smallest standard logic that has all that was used."""
        arrays = "A" if "Array" in self.theories else ""
        floats = "FP" if "FloatingPoint" in self.theories else ""
        return f"QF_{arrays}BV{floats}"


def _result_sort(function: str, arguments: Sequence[TextTerm], indices: Sequence[int]) -> Sort:
    last = arguments[-1].sort
    if function in _BOOLEAN:
        return ("Bool",)
    if function in _SAME_AS_LAST:
        return last
    if function.startswith("to_fp"):
        return ("FloatingPoint", *indices)
    if function == "store":
        return arguments[0].sort
    return ("BitVec", _result_width(function, arguments, indices))


def _result_width(function: str, arguments: Sequence[TextTerm], indices: Sequence[int]) -> int:
    widths = [int(a.sort[-1]) for a in arguments if a.sort[0] != "RoundingMode"]
    match function:
        case "extract":
            return indices[0] - indices[1] + 1
        case "concat":
            return widths[0] + widths[1]
        case "zero_extend" | "sign_extend":
            return widths[0] + indices[0]
        case "fp.to_sbv" | "fp.to_ubv":
            return indices[0]
        case _:
            return widths[0]


def smtlib(table: ExpressionTable, constraints: Iterable[Constraint], names: Namer = plain_names) -> str:
    """A complete script: declarations, definitions, one assertion per constraint, check-sat."""

    def symbol(name: str) -> str:
        index = name.removeprefix("input_")
        return f"|{byte_range(names, int(index), 1)}|" if index != name else name

    wanted = list(constraints)
    backend = TextBackend(symbol)
    translator = Translator(table, backend)
    conditions = [translator.condition(constraint) for constraint in wanted]
    conditions += translator.definitions(constraint.node for constraint in wanted)
    asserts = [f"(assert {condition.text})" for condition in conditions]
    return "\n".join([f"(set-logic {backend.logic()})", *backend.lines, *asserts, "(check-sat)"]) + "\n"
