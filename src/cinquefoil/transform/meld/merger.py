"""Writing aligned instructions: a pair becomes one, what is left over runs dead on the other side."""

from __future__ import annotations

from cinquefoil.ir.model import Instruction, Local, Value
from cinquefoil.transform.meld.align import Pair
from cinquefoil.transform.meld.marks import is_mark
from cinquefoil.transform.meld.values import TRUE, harmless_operand, mapped, plain_copy
from cinquefoil.transform.meld.writer import Located, Writer


class Merger:
    """Writes to `out`.  `other` says which values stand for those of the other side; results of pairs are added."""

    def __init__(
        self,
        out: Writer,
        condition: Value,
        located: Located,
        other: dict[str, Value] | None = None,
        against: Value | None = None,
    ) -> None:
        self.out = out
        self.other = other if other is not None else {}
        self._condition, self._located, self._against = condition, located, against

    def turned(self) -> Value:
        """The negated condition."""
        if self._against is None:
            self._against = self.out.negated(self._condition)
        return self._against

    def emit(self, pair: Pair) -> None:
        a, b = pair
        if a is not None and b is not None:
            self._merge(a, b)
        elif a is not None:
            self.out.guarded(a, self._condition)
        elif b is not None:
            self.out.guarded(plain_copy(b, self.other), self.turned() if _needs_mask(b) else TRUE)

    def _merge(self, a: Instruction, b: Instruction) -> None:
        made = plain_copy(a, {})
        theirs = [mapped(o, self.other) for o in b.operands]
        made.operands = [
            self.out.choose(self._condition, x, y, a.dbg) for x, y in zip(made.operands, theirs, strict=True)
        ]
        made.dbg = self._located(a.dbg, b.dbg)
        self.out.add(made)
        if a.result is not None and b.result is not None:
            self.other[b.result] = Local(a.result, a.type)


def _needs_mask(i: Instruction) -> bool:
    """Computations without traps need no mask; asking for it would make the negated condition."""
    return is_mark(i) or i.opcode == "store" or harmless_operand(i) is not None
