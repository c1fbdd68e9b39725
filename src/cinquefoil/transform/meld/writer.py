"""Melded code being written: selects where values differ, masks, stores of what is there already."""

from __future__ import annotations

from collections.abc import Callable

from cinquefoil.ir.model import Instruction, Load, Local, Select, Store, Value
from cinquefoil.ir.types import I1
from cinquefoil.transform.meld.marks import has_mask, is_mark
from cinquefoil.transform.meld.values import TRUE, Names, ValueEquality, harmless_operand, logic, plain_copy, select

Located = Callable[[int | None, int | None], int | None]


class Writer:
    """Appends to `lines`.  `kept` are the selects made for masked stores, by name."""

    def __init__(self, names: Names, equality: ValueEquality, located: Located, kept: dict[str, Select]) -> None:
        self.lines: list[Instruction] = []
        self.selects = 0
        self.dead = 0
        self._names, self._equality, self._located, self._kept = names, equality, located, kept
        self._choices: dict[tuple[Value, Value, Value], Value] = {}
        self._masks: dict[tuple[str, Value, Value], Value] = {}

    def add(self, i: Instruction) -> None:
        self.lines.append(i)

    def choose(self, condition: Value, yes: Value, no: Value, dbg: int | None) -> Value:
        """`yes` where the condition holds, else `no`."""
        if yes == no or self._equality.same(yes, no):
            return yes
        known = self._choices.get((condition, yes, no))
        if known is None:
            made = select(self._names.fresh("s"), condition, yes, no, self._located(dbg, None))
            self.add(made)
            self.selects += 1
            known = self._choices[condition, yes, no] = Local(str(made.result), yes.type)
        return known

    def both(self, a: Value, b: Value) -> Value:
        """The conjunction of two masks."""
        if TRUE in (a, b):
            return b if a == TRUE else a
        return self._logic("and", a, b)

    def either(self, a: Value, b: Value) -> Value:
        return self._logic("or", a, b)

    def negated(self, a: Value) -> Value:
        return self._logic("xor", a, TRUE)

    def _logic(self, opcode: str, a: Value, b: Value) -> Value:
        known = self._masks.get((opcode, a, b))
        if known is None:
            made = logic(opcode, self._names.fresh("c"), a, b, self._located(None, None))
            self.add(made)
            known = self._masks[opcode, a, b] = Local(str(made.result), I1)
        return known

    def guarded(self, i: Instruction, mask: Value) -> None:
        """An instruction (its operands are right already) that shall have effects only where `mask` holds."""
        made = plain_copy(i, {})
        if is_mark(i):
            if has_mask(i):
                made.operands[0] = self.both(mask, made.operands[0])
            self.add(made)
            return
        made.dbg = self._located(i.dbg, None)
        self.dead += 1
        if isinstance(made, Select) and made.result in self._kept:
            self._kept[made.result] = made
        if isinstance(made, Store):
            made.operands[0] = self._masked_value(made, mask)
        elif (harmless := harmless_operand(made)) is not None:
            made.operands[1] = self.choose(mask, made.operands[1], harmless, i.dbg)
        self.add(made)

    def _masked_value(self, store: Store, mask: Value) -> Value:
        """What to store: the value under the mask, else what is there."""
        value, pointer = store.operands
        inner = self._kept.get(value.name) if isinstance(value, Local) else None
        if inner is not None and self._still_there(inner.operands[2]):  # one load and one select will do
            under, new, old = inner.operands
            return self._kept_choice(self.both(mask, under), new, old, store.dbg)
        old = self._names.fresh("o")
        self.add(Load(opcode="load", result=old, type=value.type, operands=[pointer], align=store.align, dbg=store.dbg))
        return self._kept_choice(mask, value, Local(old, value.type), store.dbg)

    def _still_there(self, old: Value) -> bool:
        """Whether nothing was stored since `old` was loaded."""
        for i in reversed(self.lines):
            if isinstance(i, Store):
                return False
            if isinstance(old, Local) and i.result == old.name:
                return True
        return False

    def _kept_choice(self, mask: Value, new: Value, old: Value, dbg: int | None) -> Value:
        made = select(self._names.fresh("s"), mask, new, old, dbg)
        self.add(made)
        self.selects += 1
        self._kept[str(made.result)] = made
        return Local(str(made.result), new.type)
