"""The tracer of one function: an emitter that knows sites, the module's context and wide values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from cinquefoil.ir.model import Call, Function, GetElementPtr, GlobalRef, Instruction, Local, Value
from cinquefoil.ir.sites import SiteKind
from cinquefoil.ir.types import (
    ArrayType,
    FloatType,
    PointerType,
    StructType,
    Type,
    VectorType,
    body_of,
    leaves,
    scalar_bits,
)
from cinquefoil.layout import ErrorKind, Reason
from cinquefoil.transform.instrument.emitter import CONCRETE, Emitter, Shadows
from cinquefoil.transform.instrument.instrument_options import InstrumentOptions
from cinquefoil.transform.instrument.site_numbers import SiteNumbers


class Parts(Protocol):
    """The parts of a block (parts.py): `number` is the site of the one that is being traced, 0 for the first."""

    number: int

    def end(self) -> None:
        """All code of the part has run, but for the call that may follow."""
        ...


class ModuleContext(Protocol):
    """What a function needs of its module."""

    options: InstrumentOptions
    sites: SiteNumbers

    def constant_text(self, value: Value) -> str: ...

    def callee(self, name: str) -> tuple[Function, int] | None:
        """A function whose calls are expanded in position, and the site of its block."""
        ...

    def is_object(self, name: str) -> bool:
        """A variable of the program: aligned as this module's are, and never absent."""
        ...

    def as_written(self, function: Function) -> bool:
        """Whether no optimiser has moved the function's instructions."""
        ...

    def byval_type(self, attributes: str) -> Type:
        """The type named in a `byval(...)` attribute."""
        ...

    def element_type(self, attributes: str) -> Type:
        """The type named in an `elementtype(...)` attribute."""
        ...

    def metadata(self, number: int) -> str:
        """The text of a numbered node."""
        ...

    def function_named(self, name: str) -> Function | None: ...

    def add_data(self, text: str) -> str:
        """A private constant with this type and value; gives its symbol."""
        ...

    def need(self, declaration: str, symbol: str) -> None:
        """Declare a function that the original module does not mention."""
        ...


@dataclass(slots=True)
class StackObject:
    """A fixed object of the function's arena frame; `offset` is from the frame's lowest address."""

    size: int
    align: int
    site: int
    at_entry: bool = False  # addressable from the start (no lifetime marker)
    offset: int = 0


@dataclass(slots=True)
class Frame:
    """The function's part of the stack arena, laid out when all objects are known."""

    objects: list[StackObject] = field(default_factory=list[StackObject])
    dynamic: bool = False  # has allocas of variable size
    calls: bool = False
    area: StackObject | None = None  # for packing variadic arguments, shared by all calls

    @property
    def needed(self) -> bool:
        return bool(self.objects) or self.dynamic or self.calls


class Tracer(Emitter):
    """Adds to the emitter: sites, values wider than a machine word, and giving up on what has no expression."""

    def __init__(self, function: Function, context: ModuleContext, symbolic: set[str]) -> None:
        super().__init__(function, symbolic, context.constant_text)
        self.context = context
        self.options = context.options
        self.keeps_unused = context.options.check
        self.frame = Frame()
        self.block_site = 0
        self.parts: Parts | None = None  # of the block that is being traced; none in libraries
        self.in_entry_block = True
        self.slots: dict[int, str] = {}  # stack object (by identity) -> text of its address
        self.scoped = _scoped(function)
        self.locations: dict[str, StackObject] = {}  # alloca's name -> object
        self.marked: dict[int, int] = {}  # melded block -> site
        self.makers = {i.result: i for i in function.walk() if i.result is not None}
        self.checks_shifts = context.options.overshift and context.as_written(function)
        self.definitions = {i.result: i for i in function.walk() if isinstance(i, GetElementPtr)}

    def dispatch(self, i: Instruction) -> None:
        """Trace one instruction; set by the function's driver."""
        raise NotImplementedError

    def adopt(self, text: str, type_: Type) -> Local:
        """A concrete value of our own making, usable as an operand."""
        local = Local(f"!{text}", type_)
        self._names[local.name] = text
        return local

    def temporary(self, type_: Type) -> Local:
        """A value that an instruction of our own making will define, symbolic perhaps."""
        local = Local(f"!{self.fresh('q')}", type_)
        self._symbolic.add(local.name)
        return local

    def bits_of(self, type_: Type, text: str) -> str:
        """The bits of a scalar given as text, as `i64 ...`."""
        return self._widened(type_, text)

    def new_site(self, kind: SiteKind, dbg: int | None, detail: str = "") -> int:
        name = self.function.name.strip('"')
        part = self.parts.number if self.parts is not None else 0
        return self.context.sites.new(kind, name, dbg, block=self.block_site, detail=detail, part=part)

    def site_text(self, number: int) -> str:
        return f"i32 {self.context.sites.text(number)}"

    def site(self, kind: SiteKind, dbg: int | None, detail: str = "") -> str:
        """A new site in this function, as an argument."""
        return self.site_text(self.new_site(kind, dbg, detail))

    def alias(self, i: Instruction, value: Value) -> None:
        """The result is the operand itself, shadow included."""
        assert i.result is not None
        if isinstance(value, Local):
            self._names[i.result] = self.name(value.name)
        elif isinstance(i.type, VectorType):
            self.emit(f"{self.name(i.result)} = shufflevector {self.typed(value)}, {self.typed(value)}, "
                      f"<{i.type.count} x i32> <{', '.join(f'i32 {n}' for n in range(i.type.count))}>")  # fmt: skip
        else:
            self.emit(f"{self.name(i.result)} = select i1 true, {self.typed(value)}, {self.typed(value)}")
        if self._symbolic_result(i):
            self.set_shadow(i.result, self.shadow(value))

    def _symbolic_result(self, i: Instruction) -> bool:
        return i.result is not None and self.may_be_symbolic(Local(i.result, i.type))

    def forget(self, i: Instruction, reason: Reason) -> None:
        """No expression for this result: symbolic operands are fixed to their values, as events."""
        self.fix(i.operands, i.dbg, reason)
        if i.result is not None:
            self.set_shadow(i.result, [CONCRETE] * len(leaves(i.type)))

    def fix(self, values: Sequence[Value], dbg: int | None, reason: Reason) -> None:
        """What is symbolic of these values is fixed, as events."""
        operands = [o for o in values if self.may_be_symbolic(o)]
        extra = [s for o in operands for s in self.shadow(o)]
        site = self.site(SiteKind.CHECK, dbg)

        def fix() -> Shadows:
            for operand in operands:
                for number, shadow in enumerate(self.shadow(operand)):
                    word = self.leaf_word(operand, number)
                    self.run("cinq_concretize", site, f"i32 {shadow}", word, f"i32 {reason.value}")
            return []

        self.settle(extra, fix)

    def give_up(self, i: Instruction, reason: Reason, what: str) -> None:
        """A construct that is not modelled: harmless while it is not reached, the end of the run if it is."""
        site = self.site(SiteKind.CHECK, i.dbg, what)
        self.settle()
        self.run("cinq_unsupported", site, f"i32 {reason.value}")
        self.run("cinq_fail", site, f"i32 {ErrorKind.UNSUPPORTED.value}")
        if i.result is not None:
            self.emit(f"{self.name(i.result)} = freeze {i.type} poison")
            self.set_shadow(i.result, [CONCRETE] * len(leaves(i.type)))

    def clear_arguments(self, count: int) -> None:
        """Before a call that LLVM makes on its own: the callee must not see shadows of an earlier call."""
        for number in range(count):
            self.emit(f"store i32 0, ptr {argument_slot(number)}")

    # ---- values --------------------------------------------------------------------------------------------

    def leaf_text(self, value: Value, number: int) -> str:
        """The text of one scalar of a value."""
        leaf = leaves(value.type)[number]
        text, type_ = self.value(value), value.type
        for index in leaf.path:
            lane = isinstance(type_, VectorType)
            opcode, position = ("extractelement", f"i32 {index}") if lane else ("extractvalue", str(index))
            text, type_ = self.let(f"{opcode} {type_} {text}, {position}"), part_type(type_, index)
        return text

    def leaf_word(self, value: Value, number: int) -> str:
        leaf = leaves(value.type)[number]
        if not leaf.path:
            return self.word(value)
        return self._widened(leaf.type, self.leaf_text(value, number))

    def signed_word(self, value: Value) -> str:
        """An integer index, sign-extended to `i64 ...`."""
        bits = scalar_bits(value.type)
        if bits >= 64:
            return self.word(value)
        return f"i64 {self.let(f'sext {self.typed(value)} to i64')}"

    def wide(self, value: Value, shadow: str) -> str:
        """The shadow of a scalar wider than 64 bits, as an expression even if it is concrete."""
        bits = scalar_bits(value.type)
        text = self.value(value)
        if isinstance(value.type, FloatType):
            text = self.let(f"bitcast {value.type} {text} to i{bits}")
        return self.known(shadow, bits, text, bits)

    def known(self, shadow: str, width: int, bits: str, total: int) -> str:
        """The shadow, or where it is 0 the constant made of the low `width` bits of i{total} `bits`."""
        low, high = self._halves(bits, total)
        constant = self.call("cinq_const", f"i32 {width}", low, high)
        if shadow == CONCRETE:
            return constant
        none = self.let(f"icmp eq i32 {shadow}, 0")
        return self.let(f"select i1 {none}, i32 {constant}, i32 {shadow}", "s")

    def _halves(self, bits: str, total: int) -> tuple[str, str]:
        if total == 64:
            return f"i64 {bits}", "i64 0"
        if total < 64:
            return f"i64 {self.let(f'zext i{total} {bits} to i64')}", "i64 0"
        low = self.let(f"trunc i{total} {bits} to i64")
        shifted = self.let(f"lshr i{total} {bits}, 64")
        if total < 128:
            shifted = self.let(f"zext i{total} {shifted} to i128")
        return f"i64 {low}", f"i64 {self.let(f'trunc i{max(total, 128)} {shifted} to i64')}"

    def verify_value(self, value: Value, dbg: int | None) -> None:
        """Checking mode: the expression of each leaf has the value that the program computed."""
        if not (self.options.check and self.may_be_symbolic(value)):
            return
        for number, shadow in enumerate(self.shadow(value)):
            if shadow != CONCRETE:
                self._verify_leaf(value, number, shadow, dbg)

    def _verify_leaf(self, value: Value, number: int, shadow: str, dbg: int | None) -> None:
        type_ = leaves(value.type)[number].type
        bits = scalar_bits(type_)
        text = self.leaf_text(value, number)
        if isinstance(type_, FloatType):
            text = self.let(f"bitcast {type_} {text} to i{bits}")
        if isinstance(type_, PointerType):
            text = self.let(f"ptrtoint ptr {text} to i64")
        low, high = self._halves(text, bits)
        site = self.site(SiteKind.CHECK, dbg)
        self.run("cinq_check", site, f"i32 {shadow}", low, high, f"i32 {bits}")


def part_type(type_: Type, index: int) -> Type:
    """The type of a struct's field, or of an array's or vector's element."""
    body = body_of(type_)
    if isinstance(body, StructType):
        return body.fields[index]
    assert isinstance(body, ArrayType | VectorType)
    return body.element


def argument_slot(number: int) -> str:
    return f"getelementptr (i32, ptr @cinq_arg, i64 {number})"


def result_slot(number: int) -> str:
    return f"getelementptr (i32, ptr @cinq_ret, i64 {number})"


def _scoped(function: Function) -> set[str]:
    """Allocas that a lifetime marker brings to life."""
    return {
        i.operands[-1].name
        for i in function.walk()
        if isinstance(i, Call)
        and isinstance(i.callee, GlobalRef)
        and i.callee.name.startswith("llvm.lifetime.start")
        and isinstance(i.operands[-1], Local)
    }
