"""Reads values: locals, constants, constant expressions, metadata operands.

LLVM writes a type before every operand, so no symbol table is needed.  Simple operands are remembered by
their text (`i32`, `%5`), which makes most of them one look-up.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from cinquefoil.ir.lexer import Cursor, ParseFailure, is_word, join
from cinquefoil.ir.model import (
    BlockAddress,
    ConstAggregate,
    ConstExpr,
    ConstFloat,
    ConstInt,
    ConstNull,
    ConstString,
    ConstUndef,
    ConstZero,
    GlobalRef,
    InlineAsm,
    Local,
    MetadataValue,
    Value,
)
from cinquefoil.ir.type_parser import TypeReader
from cinquefoil.ir.types import (
    I1,
    METADATA,
    PTR,
    ArrayType,
    FloatType,
    IntType,
    StructType,
    Type,
    VectorType,
    body_of,
)

CASTS = frozenset(
    [
        "trunc",
        "zext",
        "sext",
        "fptrunc",
        "fpext",
        "fptoui",
        "fptosi",
        "uitofp",
        "sitofp",
        "ptrtoint",
        "ptrtoaddr",
        "inttoptr",
        "bitcast",
        "addrspacecast",
    ]
)
BINARY = frozenset(
    [
        "add",
        "sub",
        "mul",
        "udiv",
        "sdiv",
        "urem",
        "srem",
        "shl",
        "lshr",
        "ashr",
        "and",
        "or",
        "xor",
        "fadd",
        "fsub",
        "fmul",
        "fdiv",
        "frem",
    ]
)
_OTHER_EXPRESSIONS = frozenset(["fneg", "select", "extractelement", "insertelement", "shufflevector"])
_EXPRESSIONS = CASTS | BINARY | _OTHER_EXPRESSIONS | {"getelementptr", "icmp", "fcmp"}
_PLAIN_WORDS = frozenset(
    ["true", "false", "null", "undef", "poison", "zeroinitializer", "none", "splat", "blockaddress", "asm"]
)
_UNSUPPORTED = frozenset(["dso_local_equivalent", "no_cfi", "ptrauth", "none"])
VALUE_WORDS = _EXPRESSIONS | _PLAIN_WORDS | _UNSUPPORTED
_ESCAPE = re.compile(rb"\\([0-9A-Fa-f]{2}|\\)")
_TYPED_POINTER = re.compile(r"\.p(\d+)(?:i\d+|f\d+|s_[\w.]+?s)(?=\.|$)")


def unescape(text: str) -> bytes:
    """The bytes of a quoted string's inside: `\\0A` is a newline."""
    return _ESCAPE.sub(_unescaped, text.encode("utf-8", "surrogateescape"))


def _unescaped(match: re.Match[bytes]) -> bytes:
    return b"\\" if match[1] == b"\\" else bytes([int(match[1], 16)])


def global_name(token: str) -> str:
    """The name after the @; intrinsics of typed-pointer days get today's name (`.p0i8` is `.p0`)."""
    name = token[1:]
    return _TYPED_POINTER.sub(r".p\1", name) if name.startswith("llvm.") else name


def same_shape(type_: Type, scalar: Type) -> Type:
    """`scalar`, or a vector of it where `type_` is a vector."""
    return VectorType(type_.count, scalar) if isinstance(type_, VectorType) else scalar


def pointer_result(base: Value, indices: list[Value]) -> Type:
    """The type of a getelementptr: a vector if any operand is one."""
    for operand in (base, *indices):
        if isinstance(operand.type, VectorType) and not isinstance(base.type, VectorType):
            return VectorType(operand.type.count, base.type)
    return base.type


class ValueReader:
    """Reads values of one module."""

    def __init__(self, types: TypeReader) -> None:
        self.types = types
        self._texts: dict[tuple[str, str], Value] = {}
        self._words: dict[str, Callable[[Cursor, Type], Value]] = {
            "true": lambda _, type_: ConstInt(1, type_),
            "false": lambda _, type_: ConstInt(0, type_),
            "null": lambda _, type_: ConstNull(type_),
            "undef": lambda _, type_: ConstUndef(type_, poison=False),
            "poison": lambda _, type_: ConstUndef(type_, poison=True),
            "zeroinitializer": lambda _, type_: ConstZero(type_),
            "splat": self._splat,
            "blockaddress": self._block_address,
            "asm": self._inline_assembly,
            "getelementptr": self._pointer_expression,
        }

    def of_text(self, type_text: str, text: str) -> Value:
        """A simple value, by the texts of its type and itself."""
        found = self._texts.get((type_text, text))
        if found is None:
            found = self._texts[type_text, text] = self._simple(text, self.types.of_text(type_text))
        return found

    def _simple(self, text: str, type_: Type) -> Value:
        if text[0] == "%":
            return Local(text[1:], type_)
        cursor = Cursor.over(text)
        value = self.read(cursor, type_)
        cursor.expect_end()
        return value

    def typed(self, cursor: Cursor) -> Value:
        type_ = self.types.read(cursor)
        return self.read(cursor, type_)

    def read(self, cursor: Cursor, type_: Type) -> Value:
        if type_ is METADATA:
            return self._metadata(cursor)
        token = cursor.next()
        first = token[0]
        if first == "%":
            return Local(token[1:], type_)
        if first == "@":
            return GlobalRef(global_name(token), type_)
        if first.isdigit() or first in "+-" or token[1:3] == "0x":
            return self._number(token, type_)
        if first in "[{<":
            return self._aggregate(cursor, token, type_)
        if token.startswith('c"'):
            return ConstString(unescape(token[2:-1]), type_)
        return self._word(cursor, token, type_)

    def _word(self, cursor: Cursor, token: str, type_: Type) -> Value:
        handler = self._words.get(token)
        if handler is not None:
            return handler(cursor, type_)
        if token in CASTS:
            return self._cast(cursor, token)
        if token in _EXPRESSIONS:
            return self._expression(cursor, token, type_)
        kind = "unsupported constant" if token in _UNSUPPORTED else "expected a value but found"
        raise ParseFailure(f"{kind} `{token}`")

    # ---- scalars ------------------------------------------------------------------------------------------

    def _number(self, token: str, type_: Type) -> Value:
        if isinstance(type_, IntType):
            return ConstInt(_integer(token, type_.bits), type_)
        if isinstance(type_, FloatType):
            return ConstFloat(token, type_)
        raise ParseFailure(f"a number `{token}` cannot have type {type_}")

    def _block_address(self, cursor: Cursor, type_: Type) -> Value:
        cursor.expect("(")
        function = cursor.next()[1:]
        cursor.expect(",")
        block = cursor.next()[1:]
        cursor.expect(")")
        return BlockAddress(function, block, type_)

    def _inline_assembly(self, cursor: Cursor, type_: Type) -> Value:
        start = cursor.at
        while is_word(cursor.peek):
            cursor.next()
        cursor.next()
        cursor.expect(",")
        cursor.next()
        return InlineAsm(join(cursor.tokens[start : cursor.at]), PTR)

    def _metadata(self, cursor: Cursor) -> Value:
        start = cursor.at
        if cursor.peek.startswith("!"):
            cursor.next()
            if cursor.peek in ("{", "("):
                cursor.balanced()
        else:
            self.typed(cursor)
        return MetadataValue(join(cursor.tokens[start : cursor.at]), METADATA)

    # ---- aggregates ---------------------------------------------------------------------------------------

    def _aggregate(self, cursor: Cursor, token: str, type_: Type) -> Value:
        if token == "[":
            return self._elements(cursor, type_, "]")
        if token == "{":
            return self._elements(cursor, type_, "}")
        if not cursor.accept("{"):
            return self._elements(cursor, type_, ">")
        packed = self._elements(cursor, type_, "}")
        cursor.expect(">")
        return packed

    def _elements(self, cursor: Cursor, type_: Type, close: str) -> Value:
        quick = self._plain_integers(cursor, type_, close)
        if quick is not None:
            return quick
        elements: list[Value] = []
        while not cursor.accept(close):
            if elements:
                cursor.expect(",")
            elements.append(self.typed(cursor))
        return ConstAggregate(tuple(elements), type_)

    def _plain_integers(self, cursor: Cursor, type_: Type, close: str) -> Value | None:
        """Tables of integers make most of a big module's text: read them by stride."""
        if not isinstance(type_, ArrayType) or not isinstance(type_.element, IntType) or type_.element == I1:
            return None
        start, end = cursor.at, cursor.at + 3 * type_.count - 1
        if type_.count == 0 or cursor.tokens[end : end + 1] != [close]:
            return None
        element = type_.element
        try:
            values = [ConstInt(int(text), element) for text in cursor.tokens[start + 1 : end : 3]]
        except ValueError:
            return None
        cursor.at = end + 1
        return ConstAggregate(tuple(values), type_)

    def _splat(self, cursor: Cursor, type_: Type) -> Value:
        cursor.expect("(")
        element = self.typed(cursor)
        cursor.expect(")")
        if not isinstance(type_, VectorType):
            raise ParseFailure(f"splat of type {type_}")
        return ConstAggregate((element,) * type_.count, type_)

    # ---- constant expressions -----------------------------------------------------------------------------

    def _cast(self, cursor: Cursor, opcode: str) -> Value:
        flags = _flags(cursor)
        cursor.expect("(")
        operand = self.typed(cursor)
        cursor.expect("to")
        target = self.types.read(cursor)
        cursor.expect(")")
        return ConstExpr(opcode, (operand,), target, flags=flags)

    def _pointer_expression(self, cursor: Cursor, type_: Type) -> Value:
        flags = _flags(cursor)
        cursor.expect("(")
        source = self.types.read(cursor)
        cursor.expect(",")
        operands = self._operand_list(cursor)
        result = pointer_result(operands[0], operands[1:])
        return ConstExpr("getelementptr", tuple(operands), result, source, flags)

    def _operand_list(self, cursor: Cursor) -> list[Value]:
        """Operands up to the closing bracket; an index marked `inrange` (clang 13 to 18) loses the mark."""
        operands: list[Value] = []
        while True:
            cursor.accept("inrange")
            operands.append(self.typed(cursor))
            if cursor.accept(")"):
                return operands
            cursor.expect(",")

    def _expression(self, cursor: Cursor, opcode: str, type_: Type) -> Value:
        flags = _flags(cursor)
        cursor.expect("(")
        operands = self._operand_list(cursor)
        result = same_shape(operands[0].type, I1) if opcode in ("icmp", "fcmp") else type_
        return ConstExpr(opcode, tuple(operands), result, flags=flags)


def _flags(cursor: Cursor) -> tuple[str, ...]:
    """Words before the operands; `inrange(-8, 16)` is one."""
    flags: list[str] = []
    while is_word(cursor.peek):
        word = cursor.next()
        if word == "inrange":
            word += join(cursor.balanced())
        flags.append(word)
    return tuple(flags)


def _integer(token: str, bits: int) -> int:
    """Decimal, or LLVM's hexadecimal spellings `u0x…` and `s0x…`."""
    if token[1:3] != "0x":
        return int(token)
    value = int(token[3:], 16)
    width = 4 * len(token[3:])
    signed = token[0] == "s" and value >> (min(width, bits) - 1) & 1
    return value - (1 << width) if signed else value


def element_type(type_: Type, indices: tuple[int, ...]) -> Type:
    """The type inside an aggregate at constant indices."""
    for index in indices:
        type_ = body_of(type_)
        if isinstance(type_, StructType):
            type_ = type_.fields[index]
        elif isinstance(type_, ArrayType | VectorType):
            type_ = type_.element
        else:
            raise ParseFailure(f"{type_} has no element {index}")
    return type_
