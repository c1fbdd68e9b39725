"""Text of the function being written, and the deferral of shadow work.

Concrete instructions are written at once.  The shadow of a pure instruction is *deferred*: it joins a cluster that is
settled only when a shadow is needed (an access to memory, a call, the end of the block).  Settling tests all of the
cluster's inputs at once: if no input has an expression and no extra condition asks for it, one predictable branch is
all that the whole cluster costs; otherwise the slow block makes every node in order by calls of the run-time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from cinquefoil.ir.model import (
    Call,
    ConstInt,
    ConstNull,
    ConstUndef,
    ConstZero,
    Function,
    Instruction,
    Local,
    Value,
)
from cinquefoil.ir.types import (
    FloatType,
    IntType,
    PointerType,
    Type,
    leaves,
    scalar_bits,
)

Shadows = list[str]
Recipe = Callable[[], Shadows]
CONCRETE = "0"


@dataclass(slots=True)
class Deferred:
    """A pure instruction whose shadow is not made yet."""

    result: Local
    operands: Sequence[Value]
    recipe: Recipe
    decides: bool  # the recipe adds an event


class Emitter:
    """Writes one function.  `shadow` and `settle` are the heart, the rest is names and text."""

    def __init__(self, function: Function, symbolic: set[str], constant_text: Callable[[Value], str]) -> None:
        self.function = function
        self.lines: list[str] = []
        self.label = ""
        self._symbolic = symbolic
        self._constant_text = constant_text
        self._names: dict[str, str] = {}
        self._shadows: dict[str, Shadows] = {}
        self._pending: dict[str, Deferred] = {}
        self._making: dict[str, Shadows] | None = None  # shadows made in the slow block being written
        self._words: dict[Value, str] = {}
        self.keeps_unused = False  # checking mode looks at every value, used or not
        self._counter = 0
        self._uses = Counter(
            value.name for i in function.walk() for value in _used_values(i) if isinstance(value, Local)
        )

    # ---- names and text ----------------------------------------------------------------------------------

    def fresh(self, prefix: str = "t") -> str:
        self._counter += 1
        return f"%{prefix}{self._counter}"

    def emit(self, text: str) -> None:
        self.lines.append("  " + text)

    def let(self, text: str, prefix: str = "t") -> str:
        name = self.fresh(prefix)
        self.lines.append(f"  {name} = {text}")
        return name

    def start(self, label: str) -> None:
        self.lines.append(f"{label}:")
        self.label = label

    def name(self, local: str) -> str:
        known = self._names.get(local)
        if known is None:
            known = self._names[local] = f"%v{len(self._names)}"
        return known

    def value(self, value: Value) -> str:
        if isinstance(value, Local):
            return self.name(value.name)
        if isinstance(value, ConstInt) and isinstance(value.type, IntType):
            return str(value.value)
        return self._constant_text(value)

    def typed(self, value: Value) -> str:
        return f"{value.type} {self.value(value)}"

    # ---- shadows -----------------------------------------------------------------------------------------

    def may_be_symbolic(self, value: Value) -> bool:
        return isinstance(value, Local) and value.name in self._symbolic

    def set_shadow(self, local: str, shadows: Shadows) -> None:
        self._shadows[local] = shadows

    def shadow(self, value: Value) -> Shadows:
        """One i32 text per scalar leaf; settles the cluster if the value is part of it."""
        if not self.may_be_symbolic(value):
            return [CONCRETE] * len(leaves(value.type))
        assert isinstance(value, Local)
        if self._making is not None and value.name in self._making:
            return self._making[value.name]
        if value.name in self._pending:
            assert self._making is None, "operand order inside a cluster"
            self.settle()
        return self._shadows[value.name]

    def shadow1(self, value: Value) -> str:
        (only,) = self.shadow(value)
        return only

    def is_pending(self, value: Value) -> bool:
        return isinstance(value, Local) and value.name in self._pending

    def decisions_pending(self) -> bool:
        """Whether the cluster would add events: a run must not end before that."""
        return any(deferred.decides for deferred in self._pending.values())

    def defer(self, result: Local, operands: Sequence[Value], recipe: Recipe, decides: bool = False) -> None:
        """The recipe is run in the slow block and gives the shadows of the result's leaves."""
        if not self.may_be_symbolic(result):
            return
        self._pending[result.name] = Deferred(result, operands, recipe, decides)

    def settle(
        self,
        extra: Iterable[str] = (),
        action: Recipe | None = None,
        used: Sequence[Value] = (),
        when_pending: bool = False,
        guards: Sequence[str] = (),
        zeros: Sequence[str] = (),
    ) -> Shadows:
        """Make the shadows of the cluster, and run `action` in the slow block.

        Control goes to the slow block when one of the i32 values `extra` or the i64 values `zeros` is not 0, or one
        of the i1 values `guards` is true; `used` are the values that only the action consumes.  With
        `when_pending`, an action without such conditions still runs (its input is in the cluster).  Gives the
        action's shadows, 0 on the fast path."""
        pending = list(self._pending.values())
        inputs = list(dict.fromkeys([*self._inputs(pending), *(x for x in extra if x != CONCRETE)]))
        if not (inputs or guards):
            self._pending.clear()
            for deferred in pending:
                self._shadows[deferred.result.name] = [CONCRETE] * len(leaves(deferred.result.type))
            return []
        if action is not None and not (when_pending or guards or any(x != CONCRETE for x in extra)):
            action = None
        slow, join = f"s{self._counter + 1}", f"j{self._counter + 1}"
        self._counter += 1
        self._test(inputs, guards, zeros, join, slow)
        before = self.label
        self.start(slow)
        self._making = {}
        self._words = {}
        for deferred in pending:
            self._making[deferred.result.name] = deferred.recipe()
        made = self._making
        answers = action() if action is not None else []
        self._making = None
        self._words = {}
        self._pending.clear()
        after = self.label
        self.emit(f"br label %{join}")
        self.start(join)
        inner = self._inner_uses(pending, used)
        for deferred in pending:
            name = deferred.result.name
            if self.keeps_unused or self._uses[name] > inner[name]:
                self._shadows[name] = [self._joined(s, before, after) for s in made[name]]
            else:
                self._shadows[name] = made[name]  # never used below: only the slow block needs it
        return [self._joined(s, before, after) for s in answers]

    def _inputs(self, pending: list[Deferred]) -> list[str]:
        found: list[str] = []
        for deferred in pending:
            for operand in deferred.operands:
                if isinstance(operand, Local) and operand.name not in self._pending:
                    found.extend(s for s in self.shadow(operand) if s != CONCRETE)
        return found

    def _inner_uses(self, pending: list[Deferred], used: Sequence[Value]) -> Counter[str]:
        inner = Counter(o.name for d in pending for o in d.operands if isinstance(o, Local))
        inner.update(v.name for v in used if isinstance(v, Local))
        return inner

    def _test(self, inputs: list[str], guards: Sequence[str], zeros: Sequence[str], join: str, slow: str) -> None:
        """A branch per guard, which a processor fuses with its comparison, and one for all other conditions."""
        conditions = list(guards)
        if inputs or zeros:
            conditions.append(self._any(inputs, zeros))
        for bad in conditions[:-1]:
            go = self.fresh("g")[1:]
            self.emit(f"br i1 {bad}, label %{slow}, label %{go}, !prof !1")
            self.start(go)
        self.emit(f"br i1 {conditions[-1]}, label %{slow}, label %{join}, !prof !1")

    def _any(self, inputs: list[str], zeros: Sequence[str]) -> str:
        """Is any of the i32 inputs and i64 zeros not 0?"""
        narrow = self._or("i32", inputs)
        if not zeros:
            return self.let(f"icmp ne i32 {narrow}, 0")
        wide = [*zeros, *([self.let(f"zext i32 {narrow} to i64")] if inputs else [])]
        return self.let(f"icmp ne i64 {self._or('i64', wide)}, 0")

    def _or(self, type_: str, values: Sequence[str]) -> str:
        total = values[0] if values else CONCRETE
        for other in values[1:]:
            total = self.let(f"or {type_} {total}, {other}")
        return total

    def _joined(self, shadow: str, before: str, after: str) -> str:
        if shadow == CONCRETE:
            return CONCRETE
        return self.let(f"phi i32 [ 0, %{before} ], [ {shadow}, %{after} ]", "s")

    # ---- calls of the run-time ---------------------------------------------------------------------------

    def call(self, function: str, *arguments: str) -> str:
        """A helper that gives a shadow (or another value)."""
        return self.let(f"call preserve_mostcc i32 @{function}({', '.join(arguments)})", "s")

    def run(self, function: str, *arguments: str) -> None:
        self.emit(f"call preserve_mostcc void @{function}({', '.join(arguments)})")

    def unless(self, bad: str, call: str) -> None:
        """Run a call that does not return, if the condition holds."""
        stop, go = self.fresh("x")[1:], self.fresh("x")[1:]
        self.emit(f"br i1 {bad}, label %{stop}, label %{go}, !prof !1")
        self.start(stop)
        self.emit(call)
        self.emit("unreachable")
        self.start(go)

    def when(self, rare: str, call: str) -> None:
        """Run a call if the condition holds, which it rarely does."""
        stop, go = self.fresh("x")[1:], self.fresh("x")[1:]
        self.emit(f"br i1 {rare}, label %{stop}, label %{go}, !prof !1")
        self.start(stop)
        self.emit(call)
        self.emit(f"br label %{go}")
        self.start(go)

    def word(self, value: Value, lane: int | None = None) -> str:
        """The bits of a scalar as `i64 ...`; of a wider one, the low 64 bits."""
        if lane is not None:
            element = leaves(value.type)[lane].type
            part = self.let(f"extractelement {self.typed(value)}, i32 {lane}")
            return self._widened(element, part)
        if isinstance(value, ConstInt):
            bits = scalar_bits(value.type)
            return f"i64 {_signed64(value.value & ((1 << min(bits, 64)) - 1))}"
        if isinstance(value, ConstNull | ConstUndef | ConstZero):
            return "i64 0"
        known = self._words.get(value)
        if known is None:
            known = self._widened(value.type, self.value(value))
            if self._making is not None:
                self._words[value] = known
        return known

    def _widened(self, type_: Type, text: str) -> str:
        if isinstance(type_, PointerType):
            return f"i64 {self.let(f'ptrtoint ptr {text} to i64')}"
        bits = scalar_bits(type_)
        if isinstance(type_, FloatType):
            text = self.let(f"bitcast {type_} {text} to i{bits}")
        if bits < 64:
            text = self.let(f"zext i{bits} {text} to i64")
        elif bits > 64:
            text = self.let(f"trunc i{bits} {text} to i64")
        return f"i64 {text}"

    def high_word(self, value: Value) -> str:
        """Bits 64 and up of a scalar wider than 64 bits, as `i64 ...`."""
        bits = scalar_bits(value.type)
        text = self.value(value)
        if isinstance(value.type, FloatType):
            text = self.let(f"bitcast {value.type} {text} to i{bits}")
        shifted = self.let(f"lshr i{bits} {text}, 64")
        if bits < 128:
            shifted = self.let(f"zext i{bits} {shifted} to i128")
        return f"i64 {self.let(f'trunc i{max(bits, 128)} {shifted} to i64')}"


def _used_values(instruction: Instruction) -> list[Value]:
    if isinstance(instruction, Call):
        return [*instruction.operands, instruction.callee]
    return instruction.operands


def _signed64(value: int) -> int:
    return value - (1 << 64) if value >= 1 << 63 else value


def is_constant(value: Value) -> bool:
    """Is it known before the function runs?"""
    return not isinstance(value, Local)
