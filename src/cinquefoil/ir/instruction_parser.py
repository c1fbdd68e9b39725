"""Reads any instruction from its tokens: the general path, by recursive descent.

`fast_parser` takes the common forms; what it declines comes here.  There is one method per family of
opcodes, found in a table by opcode; an opcode that is not in the table is not supported.
"""

from __future__ import annotations

from collections.abc import Callable

from cinquefoil.ir import attribute_parser as attributes
from cinquefoil.ir.call_parser import CallReader
from cinquefoil.ir.lexer import Cursor, ParseFailure, is_word, join
from cinquefoil.ir.model import (
    Alloca,
    AtomicRMW,
    Binary,
    Branch,
    Cast,
    CmpXchg,
    Compare,
    ConstAggregate,
    ConstInt,
    ConstUndef,
    ConstZero,
    ExtractElement,
    ExtractValue,
    Fence,
    GetElementPtr,
    IndirectBranch,
    InsertElement,
    InsertValue,
    Instruction,
    Load,
    Phi,
    Return,
    Select,
    ShuffleVector,
    Store,
    Switch,
    Unary,
    Unreachable,
    VaArg,
    Value,
)
from cinquefoil.ir.type_parser import TypeReader, starts_type
from cinquefoil.ir.types import (
    I1,
    I32,
    PTR,
    VOID,
    StructType,
    Type,
    VectorType,
    alignment,
    size_of,
)
from cinquefoil.ir.value_parser import (
    BINARY,
    CASTS,
    ValueReader,
    element_type,
    pointer_result,
    same_shape,
)

_ORDERINGS = frozenset(["unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst"])
_Reader = Callable[[Cursor, str, "str | None"], Instruction]

_EXCEPTIONS = " (exceptions: compile without them, with -fno-exceptions or panic=abort)"
_HINTS: dict[str, str] = {
    **dict.fromkeys(("invoke", "landingpad", "resume", "cleanupret", "catchswitch"), _EXCEPTIONS),
    "callbr": " (asm goto)",
}


class InstructionReader:
    """Reads instructions of one module; metadata written inline is handed to `intern_metadata`."""

    def __init__(self, types: TypeReader, values: ValueReader, intern_metadata: Callable[[str], int]) -> None:
        self.types = types
        self.values = values
        self.calls = CallReader(types, values)
        self._intern_metadata = intern_metadata
        self._readers: dict[str, _Reader] = {
            **dict.fromkeys(BINARY, self._binary),
            **dict.fromkeys(CASTS, self._cast),
            **dict.fromkeys(("fneg", "freeze"), self._unary),
            **dict.fromkeys(("icmp", "fcmp"), self._compare),
            **dict.fromkeys(("call", "tail", "musttail", "notail"), self.calls.read),
            "getelementptr": self._get_element_pointer,
            "alloca": self._alloca,
            "load": self._load,
            "store": self._store,
            "atomicrmw": self._atomic_rmw,
            "cmpxchg": self._compare_exchange,
            "fence": self._fence,
            "phi": self._phi,
            "select": self._select,
            "va_arg": self._va_arg,
            "extractvalue": self._extract_value,
            "insertvalue": self._insert_value,
            "extractelement": self._extract_element,
            "insertelement": self._insert_element,
            "shufflevector": self._shuffle,
            "ret": self._return,
            "br": self._branch,
            "switch": self._switch,
            "indirectbr": self._indirect_branch,
            "unreachable": self._unreachable,
        }

    def read(self, text: str, opcode: str, result: str | None) -> Instruction:
        """The instruction whose text after the opcode is `text`."""
        reader = self._readers.get(opcode)
        if reader is None:
            raise ParseFailure(f"unsupported instruction `{opcode}`{_HINTS.get(opcode, '')}")
        cursor = Cursor.over(text)
        instruction = reader(cursor, opcode, result)
        self._attach(cursor, instruction)
        return instruction

    def _attach(self, cursor: Cursor, instruction: Instruction) -> None:
        cursor.accept(",")
        others: list[str] = []
        for kind, node in attributes.attachments(cursor):
            if kind == "!dbg":
                instruction.dbg = int(node[1:]) if node[1:].isdigit() else self._intern_metadata(node)
            else:
                others.append(f"{kind} {node}")
        cursor.expect_end()
        instruction.metadata = ", ".join(others)

    # ---- pieces -------------------------------------------------------------------------------------------

    def _flags(self, cursor: Cursor) -> tuple[str, ...]:
        """Words up to the type: `nuw nsw`, `fast`, `inrange(...)`."""
        flags: list[str] = []
        while not starts_type(cursor.peek):
            if not is_word(cursor.peek):
                raise ParseFailure(f"expected a type but found `{cursor.peek}`")
            flags.append(cursor.next())
            if cursor.peek == "(":
                flags[-1] += join(cursor.balanced())
        return tuple(flags)

    def _label(self, cursor: Cursor) -> str:
        cursor.expect("label")
        return cursor.next()[1:]

    def _typed_list(self, cursor: Cursor, count: int) -> list[Value]:
        operands = [self.values.typed(cursor)]
        for _ in range(count - 1):
            cursor.expect(",")
            operands.append(self.values.typed(cursor))
        return operands

    def _alignment(self, cursor: Cursor, type_: Type) -> int:
        if cursor.peek == "," and cursor.tokens[cursor.at + 1] == "align":
            cursor.at += 2
            return cursor.integer()
        return alignment(type_)

    def _ordering(self, cursor: Cursor) -> str:
        start = cursor.at
        if cursor.accept("syncscope"):
            cursor.balanced()
        while cursor.peek in _ORDERINGS:
            cursor.next()
        return join(cursor.tokens[start : cursor.at])

    def _indices(self, cursor: Cursor) -> tuple[int, ...]:
        indices: list[int] = []
        while cursor.peek == "," and cursor.tokens[cursor.at + 1].isdigit():
            cursor.next()
            indices.append(cursor.integer())
        return tuple(indices)

    # ---- arithmetic ---------------------------------------------------------------------------------------

    def _binary(self, cursor: Cursor, opcode: str, result: str | None) -> Instruction:
        flags = self._flags(cursor)
        type_ = self.types.read(cursor)
        left = self.values.read(cursor, type_)
        cursor.expect(",")
        right = self.values.read(cursor, type_)
        return Binary(opcode=opcode, result=result, type=type_, operands=[left, right], flags=flags)

    def _unary(self, cursor: Cursor, opcode: str, result: str | None) -> Instruction:
        flags = self._flags(cursor)
        operand = self.values.typed(cursor)
        return Unary(opcode=opcode, result=result, type=operand.type, operands=[operand], flags=flags)

    def _compare(self, cursor: Cursor, opcode: str, result: str | None) -> Instruction:
        *flags, predicate = self._flags(cursor)
        left = self.values.typed(cursor)
        cursor.expect(",")
        right = self.values.read(cursor, left.type)
        type_ = same_shape(left.type, I1)
        return Compare(
            opcode=opcode,
            result=result,
            type=type_,
            operands=[left, right],
            flags=tuple(flags),
            predicate=predicate,
        )

    def _cast(self, cursor: Cursor, opcode: str, result: str | None) -> Instruction:
        flags = self._flags(cursor)
        operand = self.values.typed(cursor)
        cursor.expect("to")
        type_ = self.types.read(cursor)
        return Cast(opcode=opcode, result=result, type=type_, operands=[operand], flags=flags)

    def _select(self, cursor: Cursor, opcode: str, result: str | None) -> Instruction:
        flags = self._flags(cursor)
        operands = self._typed_list(cursor, 3)
        return Select(opcode=opcode, result=result, type=operands[1].type, operands=operands, flags=flags)

    def _phi(self, cursor: Cursor, opcode: str, result: str | None) -> Instruction:
        flags = self._flags(cursor)
        type_ = self.types.read(cursor)
        operands: list[Value] = []
        labels: list[str] = []
        while cursor.accept("["):
            operands.append(self.values.read(cursor, type_))
            cursor.expect(",")
            labels.append(cursor.next()[1:])
            cursor.expect("]")
            if cursor.peek == "," and cursor.tokens[cursor.at + 1] == "[":
                cursor.next()
        return Phi(opcode=opcode, result=result, type=type_, operands=operands, flags=flags, labels=labels)

    # ---- memory -------------------------------------------------------------------------------------------

    def _get_element_pointer(self, cursor: Cursor, opcode: str, result: str | None) -> Instruction:
        flags = self._flags(cursor)
        source = self.types.read(cursor)
        cursor.expect(",")
        operands = [self.values.typed(cursor)]
        while cursor.peek == "," and not cursor.tokens[cursor.at + 1].startswith("!"):
            cursor.next()
            operands.append(self.values.typed(cursor))
        type_ = pointer_result(operands[0], operands[1:])
        return GetElementPtr(opcode=opcode, result=result, type=type_, operands=operands, flags=flags, source=source)

    def _alloca(self, cursor: Cursor, opcode: str, result: str | None) -> Instruction:
        flags = self._flags(cursor)
        allocated = self.types.read(cursor)
        count: Value = ConstInt(1, I32)
        if cursor.peek == "," and starts_type(cursor.tokens[cursor.at + 1]):
            cursor.next()
            count = self.values.typed(cursor)
        align = self._alignment(cursor, allocated)
        if cursor.peek == "," and cursor.tokens[cursor.at + 1] == "addrspace":
            raise ParseFailure("unsupported alloca in an address space")
        type_ = PTR
        return Alloca(
            opcode=opcode,
            result=result,
            type=type_,
            operands=[count],
            flags=flags,
            allocated=allocated,
            align=align,
        )

    def _load(self, cursor: Cursor, opcode: str, result: str | None) -> Instruction:
        cursor.accept("atomic")
        volatile = cursor.accept("volatile")
        type_ = self.types.read(cursor)
        cursor.expect(",")
        pointer = self.values.typed(cursor)
        ordering = self._ordering(cursor)
        align = self._alignment(cursor, type_)
        return Load(
            opcode=opcode,
            result=result,
            type=type_,
            operands=[pointer],
            align=align,
            volatile=volatile,
            ordering=ordering,
        )

    def _store(self, cursor: Cursor, opcode: str, result: str | None) -> Instruction:
        cursor.accept("atomic")
        volatile = cursor.accept("volatile")
        operands = self._typed_list(cursor, 2)
        ordering = self._ordering(cursor)
        align = self._alignment(cursor, operands[0].type)
        return Store(
            opcode=opcode,
            result=None,
            type=VOID,
            operands=operands,
            align=align,
            volatile=volatile,
            ordering=ordering,
        )

    def _atomic_rmw(self, cursor: Cursor, opcode: str, result: str | None) -> Instruction:
        volatile = cursor.accept("volatile")
        operation = cursor.next()
        operands = self._typed_list(cursor, 2)
        ordering = self._ordering(cursor)
        type_ = operands[1].type
        return AtomicRMW(
            opcode=opcode,
            result=result,
            type=type_,
            operands=operands,
            operation=operation,
            align=_explicit(self._alignment(cursor, type_), size_of(type_)),
            volatile=volatile,
            ordering=ordering,
        )

    def _compare_exchange(self, cursor: Cursor, opcode: str, result: str | None) -> Instruction:
        weak = cursor.accept("weak")
        volatile = cursor.accept("volatile")
        operands = self._typed_list(cursor, 3)
        ordering = self._ordering(cursor)
        type_ = operands[1].type
        return CmpXchg(
            opcode=opcode,
            result=result,
            type=StructType((type_, I1)),
            operands=operands,
            align=_explicit(self._alignment(cursor, type_), size_of(type_)),
            weak=weak,
            volatile=volatile,
            ordering=ordering,
        )

    def _fence(self, cursor: Cursor, opcode: str, result: str | None) -> Instruction:
        return Fence(opcode=opcode, result=None, type=VOID, operands=[], ordering=self._ordering(cursor))

    def _va_arg(self, cursor: Cursor, opcode: str, result: str | None) -> Instruction:
        pointer = self.values.typed(cursor)
        cursor.expect(",")
        type_ = self.types.read(cursor)
        return VaArg(opcode=opcode, result=result, type=type_, operands=[pointer])

    # ---- aggregates and vectors ---------------------------------------------------------------------------

    def _extract_value(self, cursor: Cursor, opcode: str, result: str | None) -> Instruction:
        aggregate = self.values.typed(cursor)
        indices = self._indices(cursor)
        type_ = element_type(aggregate.type, indices)
        return ExtractValue(opcode=opcode, result=result, type=type_, operands=[aggregate], indices=indices)

    def _insert_value(self, cursor: Cursor, opcode: str, result: str | None) -> Instruction:
        operands = self._typed_list(cursor, 2)
        indices = self._indices(cursor)
        type_ = operands[0].type
        return InsertValue(opcode=opcode, result=result, type=type_, operands=operands, indices=indices)

    def _extract_element(self, cursor: Cursor, opcode: str, result: str | None) -> Instruction:
        operands = self._typed_list(cursor, 2)
        type_ = element_type(operands[0].type, (0,))
        return ExtractElement(opcode=opcode, result=result, type=type_, operands=operands)

    def _insert_element(self, cursor: Cursor, opcode: str, result: str | None) -> Instruction:
        operands = self._typed_list(cursor, 3)
        return InsertElement(opcode=opcode, result=result, type=operands[0].type, operands=operands)

    def _shuffle(self, cursor: Cursor, opcode: str, result: str | None) -> Instruction:
        *vectors, mask = self._typed_list(cursor, 3)
        entries = _mask_entries(mask)
        type_ = VectorType(len(entries), element_type(vectors[0].type, (0,)))
        return ShuffleVector(opcode=opcode, result=result, type=type_, operands=vectors, mask=entries)

    # ---- control ------------------------------------------------------------------------------------------

    def _return(self, cursor: Cursor, opcode: str, result: str | None) -> Instruction:
        operands = [] if cursor.accept("void") else [self.values.typed(cursor)]
        return Return(opcode=opcode, result=None, type=VOID, operands=operands)

    def _branch(self, cursor: Cursor, opcode: str, result: str | None) -> Instruction:
        if cursor.peek == "label":
            return Branch(opcode=opcode, result=None, type=VOID, operands=[], labels=[self._label(cursor)])
        condition = self.values.typed(cursor)
        cursor.expect(",")
        then = self._label(cursor)
        cursor.expect(",")
        labels = [then, self._label(cursor)]
        return Branch(opcode=opcode, result=None, type=VOID, operands=[condition], labels=labels)

    def _switch(self, cursor: Cursor, opcode: str, result: str | None) -> Instruction:
        value = self.values.typed(cursor)
        cursor.expect(",")
        labels = [self._label(cursor)]
        cases: list[int] = []
        cursor.expect("[")
        while not cursor.accept("]"):
            case = self.values.typed(cursor)
            if not isinstance(case, ConstInt):
                raise ParseFailure("switch case is not an integer")
            cases.append(case.value)
            cursor.expect(",")
            labels.append(self._label(cursor))
        return Switch(opcode=opcode, result=None, type=VOID, operands=[value], cases=cases, labels=labels)

    def _indirect_branch(self, cursor: Cursor, opcode: str, result: str | None) -> Instruction:
        address = self.values.typed(cursor)
        cursor.expect(",")
        cursor.expect("[")
        labels: list[str] = []
        while not cursor.accept("]"):
            if labels:
                cursor.expect(",")
            labels.append(self._label(cursor))
        return IndirectBranch(opcode=opcode, result=None, type=VOID, operands=[address], labels=labels)

    def _unreachable(self, cursor: Cursor, opcode: str, result: str | None) -> Instruction:
        return Unreachable(opcode=opcode, result=None, type=VOID, operands=[])


def _explicit(align: int, size: int) -> int:
    """Atomic operations are aligned to their size where the text does not say."""
    return max(align, size)


def _mask_entries(mask: Value) -> tuple[int | None, ...]:
    if not isinstance(mask.type, VectorType):
        raise ParseFailure("shufflevector mask is not a vector")
    if isinstance(mask, ConstZero):
        return (0,) * mask.type.count
    if isinstance(mask, ConstUndef):
        return (None,) * mask.type.count
    if not isinstance(mask, ConstAggregate):
        raise ParseFailure("shufflevector mask is not a constant")
    return tuple(entry.value if isinstance(entry, ConstInt) else None for entry in mask.elements)
