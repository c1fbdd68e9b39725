"""Expressions as text that people read.

Infix, with the signedness on the operator (`<s`, `>>u`, `/u`), input bytes by object name (`stdin[3]`), and
consecutive bytes put together as one number (`n`, `buf[0:4]`; `be(...)` if the first byte is the highest).
What is used more than once, or grows too long, is bound to a name first, so the text of a large shared
graph stays linear in its size.  `expr/smtlib.py` writes the text that solvers read.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from cinquefoil.expr.constraint import Constraint
from cinquefoil.expr.evaluate import mask, signed
from cinquefoil.expr.naming import Namer, byte_range, plain_names
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import Op, Rounding

_INFIX: Final = {
    Op.ADD: "+", Op.SUB: "-", Op.MUL: "*", Op.UDIV: "/u", Op.SDIV: "/s", Op.UREM: "%u", Op.SREM: "%s",
    Op.SHL: "<<", Op.LSHR: ">>u", Op.ASHR: ">>s", Op.AND: "&", Op.OR: "|", Op.XOR: "^", Op.CONCAT: "++",
    Op.EQ: "==", Op.ULT: "<u", Op.ULE: "<=u", Op.SLT: "<s", Op.SLE: "<=s", Op.PTRADD: "+",
    Op.FADD: "+.", Op.FSUB: "-.", Op.FMUL: "*.", Op.FDIV: "/.", Op.FREM: "%.",
    Op.FOEQ: "==.", Op.FOLT: "<.", Op.FOLE: "<=.",
}  # fmt: skip
_NEGATED: Final = {Op.EQ: "!=", Op.ULT: ">=u", Op.ULE: ">u", Op.SLT: ">=s", Op.SLE: ">s"}
_COMPARISONS: Final = frozenset({Op.EQ, Op.ULT, Op.ULE, Op.SLT, Op.SLE})
_SIGNED: Final = frozenset({Op.SLT, Op.SLE, Op.SDIV, Op.SREM})
_FLOAT_OPERANDS: Final = frozenset(
    {Op.FADD, Op.FSUB, Op.FMUL, Op.FDIV, Op.FREM, Op.FMA, Op.FSQRT, Op.FRINT, Op.FCVT, Op.F2SI, Op.F2UI}
    | {Op.FOEQ, Op.FOLT, Op.FOLE, Op.FUNO}
)
_ROUND_NAMES: Final = {
    Rounding.EVEN: "rint",
    Rounding.AWAY: "round",
    Rounding.UP: "ceil",
    Rounding.DOWN: "floor",
    Rounding.ZERO: "trunc",
}
LONGEST: Final = 120
"""Texts longer than this get a name of their own when they are used in another."""


@dataclass(frozen=True, slots=True)
class Rendering:
    """Bindings in order, each used by later ones, and one text per expression asked for."""

    bindings: tuple[tuple[str, str], ...]
    texts: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join([f"let {name} = {text}" for name, text in self.bindings] + list(self.texts))


class Printer:
    """Prints nodes of one table."""

    def __init__(self, table: ExpressionTable, names: Namer = plain_names) -> None:
        self.table = table
        self.names = names
        self._runs: dict[int, tuple[int, int, int] | None] = {}

    def expression(self, node: int) -> str:
        """One expression, with its bindings before it."""
        return str(self._render([node], [self._plain]))

    def constraints(self, constraints: Iterable[Constraint]) -> Rendering:
        """One text per constraint, and the bindings they share."""
        wanted = list(constraints)
        return self._render([c.node for c in wanted], [self._constraint(c) for c in wanted])

    def _render(self, nodes: Sequence[int], finish: Sequence[_Finish]) -> Rendering:
        order, uses = self._visible(nodes)
        texts = _Texts(self, uses)
        for node in order:
            texts.add(node)
        finished = tuple(f(n, texts) for f, n in zip(finish, nodes, strict=True))
        return Rendering(tuple(texts.bindings), finished)

    @staticmethod
    def _plain(node: int, texts: _Texts) -> str:
        return texts.whole(node)

    def _constraint(self, constraint: Constraint) -> _Finish:
        def text(node: int, texts: _Texts) -> str:
            if self.table.width(node) == 1:
                positive = bool(constraint.value) == constraint.equal
                return texts.whole(node) if positive else texts.negation(node)
            relation = "==" if constraint.equal else "!="
            value = self.constant(constraint.value, self.table.width(node), Op.EQ)
            return f"{texts.short(node)} {relation} {value}"

        return text

    def _visible(self, roots: Sequence[int]) -> tuple[list[int], Counter[int]]:
        """Nodes that get a text, operands first, and how often each is used."""
        uses: Counter[int] = Counter(roots)
        seen, stack = set(roots), list(roots)
        while stack:
            for operand in self.parts(stack.pop()):
                uses[operand] += 1
                if operand not in seen:
                    seen.add(operand)
                    stack.append(operand)
        return sorted(seen), uses

    def parts(self, node: int) -> tuple[int, ...]:
        """The operands that appear in the node's text: those of a run of input bytes do not."""
        return () if self.run_text(node) else self.table.operands(node)

    def run_text(self, node: int) -> str | None:
        """The name of consecutive input bytes, if that is what the node is."""
        run = self._run(node)
        if run is None:
            return None
        first, count, step = run
        text = byte_range(self.names, first if step >= 0 else first - count + 1, count)
        return f"be({text})" if text and step < 0 else text

    def _run(self, node: int) -> tuple[int, int, int] | None:
        """(lowest-order byte's index, count, step) of a concatenation of inputs; step 0: one byte."""
        stack = [node]
        while stack:
            top = stack[-1]
            op, _, a, b, _, imm = self.table.fields(top)
            pending = [x for x in (a, b) if x not in self._runs] if op is Op.CONCAT else []
            if pending:
                stack.extend(pending)
                continue
            self._runs[top] = (imm, 1, 0) if op is Op.INPUT else self._join(a, b) if op is Op.CONCAT else None
            stack.pop()
        return self._runs[node]

    def _join(self, high: int, low: int) -> tuple[int, int, int] | None:
        above, below = self._runs[high], self._runs[low]
        if above is None or below is None:
            return None
        for step in (1, -1):
            fits = above[2] in (0, step) and below[2] in (0, step)
            if fits and above[0] == below[0] + step * below[1]:
                return below[0], above[1] + below[1], step
        return None

    def constant(self, value: int, width: int, user: Op) -> str:
        """A constant as its user sees it: a character, a signed number, a float, or plain."""
        if user in _FLOAT_OPERANDS and width in (32, 64):
            return repr(struct.unpack("<f" if width == 32 else "<d", value.to_bytes(width // 8, "little"))[0])
        if user in _COMPARISONS and width == 8 and 0x20 <= value < 0x7F:
            return repr(chr(value))
        if user in _SIGNED and width > 1:
            return str(signed(value, width))
        return str(value) if value < 0x10000 else hex(value)


class _Texts:
    """Texts of nodes in the course of one rendering."""

    def __init__(self, printer: Printer, uses: Counter[int]) -> None:
        self.printer = printer
        self.table = printer.table
        self.uses = uses
        self.bindings: list[tuple[str, str]] = []
        self._texts: dict[int, tuple[str, bool]] = {}

    def add(self, node: int) -> None:
        """Make the node's text; operands come first."""
        run = self.printer.run_text(node)
        if run:
            self._texts[node] = (run, True)
            return
        text, atom = self._compose(node)
        if not atom and (self.uses[node] > 1 or len(text) > LONGEST):
            name = f"t{len(self.bindings) + 1}"
            self.bindings.append((name, text))
            text, atom = name, True
        self._texts[node] = (text, atom)

    def whole(self, node: int) -> str:
        return self._texts[node][0]

    def short(self, node: int, user: Op | None = None) -> str:
        """As an operand: in parentheses unless it is one word."""
        if user is not None and self.table.op(node) is Op.CONST:
            return self.printer.constant(self.table.imm(node), self.table.width(node), user)
        text, atom = self._texts[node]
        return text if atom else f"({text})"

    def negation(self, node: int) -> str:
        op, _, a, b, _, _ = self.table.fields(node)
        if op in _NEGATED and not self._texts[node][1]:
            return f"{self.short(a, op)} {_NEGATED[op]} {self.short(b, op)}"
        return f"!{self.short(node)}"

    def _compose(self, node: int) -> tuple[str, bool]:
        """(text, whether it needs no parentheses)."""
        op, width, a, b, c, imm = self.table.fields(node)
        match op:
            case Op.CONST:
                return self.printer.constant(imm & mask(width), width, Op.CONST), True
            case Op.INPUT:
                return f"input[{imm}]", True
            case Op.ITE:
                return f"{self.short(a)} ? {self.short(b)} : {self.short(c)}", False
            case Op.TREAD:
                return f"table{imm}[{self.whole(a)}]", True
            case Op.XOR | Op.ADD if self._is_constant(b):
                return self._with_constant(op, width, a, b)
            case _ if op in _INFIX:
                return f"{self.short(a, op)} {_INFIX[op]} {self.short(b, op)}", False
            case _:
                return self._call(op, width, (a, b, c), imm), True

    def _is_constant(self, node: int) -> bool:
        return self.table.op(node) is Op.CONST

    def _with_constant(self, op: Op, width: int, a: int, b: int) -> tuple[str, bool]:
        value = self.table.imm(b) & mask(width)
        if op is Op.XOR and value == mask(width):
            return ("!" if width == 1 else "~") + self.short(a), False
        if op is Op.ADD and width > 1 and value >> (width - 1):
            return f"{self.short(a)} - {self.printer.constant((1 << width) - value, width, op)}", False
        return f"{self.short(a, op)} {_INFIX[op]} {self.short(b, op)}", False

    def _call(self, op: Op, width: int, operands: Sequence[int], imm: int) -> str:
        source = self.table.width(operands[0])
        inside = ", ".join(self._argument(x, op) for x in operands if x)
        match op:
            case Op.EXTRACT:
                return f"low{width}({inside})" if imm == 0 else f"bits({inside}, {imm + width - 1}..{imm})"
            case Op.ZEXT | Op.SEXT:
                return f"{'u' if op is Op.ZEXT else 's'}{width}({inside})"
            case Op.FRINT:
                return f"{_ROUND_NAMES[Rounding(imm)]}({inside})"
            case Op.FCVT | Op.SI2F | Op.UI2F:
                start = {Op.FCVT: f"f{source}", Op.SI2F: "s", Op.UI2F: "u"}[op]
                return f"{start}_to_f{width}({inside})"
            case Op.F2SI | Op.F2UI:
                return f"f{source}_to_{'s' if op is Op.F2SI else 'u'}{width}({inside})"
            case _:
                return f"{op.name.lower()}({inside})"

    def _argument(self, node: int, user: Op) -> str:
        return self.short(node, user) if self._is_constant(node) else self.whole(node)


_Finish = Callable[[int, _Texts], str]
"""How the text of a root is made: from the node and all texts."""
