"""Reads calls: conventions, attributes of result, arguments and function, operand bundles."""

from __future__ import annotations

from cinquefoil.ir import attribute_parser as attributes
from cinquefoil.ir.lexer import Cursor, is_word
from cinquefoil.ir.model import Bundle, Call, Value
from cinquefoil.ir.type_parser import TypeReader
from cinquefoil.ir.types import METADATA, PTR, FunctionType, Type
from cinquefoil.ir.value_parser import ValueReader

FAST_MATH = frozenset(("nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "fast"))


class CallReader:
    """Reads calls of one module."""

    def __init__(self, types: TypeReader, values: ValueReader) -> None:
        self.types = types
        self.values = values

    def read(self, cursor: Cursor, opcode: str, result: str | None) -> Call:
        tail = "" if opcode == "call" else opcode
        if tail:
            cursor.expect("call")
        flags, convention, result_attributes = _call_prefix(cursor)
        written = self.types.read(cursor)
        callee = self.values.read(cursor, PTR)
        operands, argument_attributes = self._arguments(cursor)
        function_type = call_type(written, operands)
        return Call(
            opcode="call",
            result=result,
            type=function_type.result,
            operands=operands,
            flags=flags,
            callee=callee,
            function_type=function_type,
            argument_attributes=argument_attributes,
            result_attributes=result_attributes,
            attributes=attributes.of_call(cursor),
            tail=tail,
            convention=convention,
            bundles=self._bundles(cursor),
        )

    def argument(self, cursor: Cursor) -> tuple[Value, str]:
        """An argument and its attributes."""
        type_ = self.types.read(cursor)
        text = "" if type_ is METADATA else attributes.before_value(cursor)
        return self.values.read(cursor, type_), text

    def _arguments(self, cursor: Cursor) -> tuple[list[Value], list[str]]:
        cursor.expect("(")
        operands: list[Value] = []
        texts: list[str] = []
        while not cursor.accept(")"):
            if operands:
                cursor.expect(",")
            operand, text = self.argument(cursor)
            operands.append(operand)
            texts.append(text)
        return operands, texts

    def _bundles(self, cursor: Cursor) -> list[Bundle]:
        bundles: list[Bundle] = []
        if not cursor.accept("["):
            return bundles
        while not cursor.accept("]"):
            if bundles:
                cursor.expect(",")
            tag = cursor.next()[1:-1]
            operands, _ = self._arguments(cursor)
            bundles.append(Bundle(tag, operands))
        return bundles


def call_type(written: Type, operands: list[Value]) -> FunctionType:
    """A call states its callee's full type only where that is variadic."""
    if isinstance(written, FunctionType):
        return written
    return FunctionType(written, tuple(operand.type for operand in operands))


def _call_prefix(cursor: Cursor) -> tuple[tuple[str, ...], str, str]:
    """Fast-math flags, calling convention and result attributes, in LLVM's order."""
    flags: list[str] = []
    while cursor.peek in FAST_MATH:
        flags.append(cursor.next())
    return tuple(flags), convention(cursor), attributes.before_type(cursor)


def convention(cursor: Cursor) -> str:
    """`fastcc`, `x86_stdcallcc`, `cc 10`, or nothing."""
    token = cursor.peek
    if token == "cc":
        cursor.next()
        return f"cc {cursor.integer()}"
    if is_word(token) and token.endswith(("cc", "_vectorcall", "spir_func", "spir_kernel")):
        return cursor.next()
    return ""
