"""Reads types, opaque and typed pointers alike (`i32*` of clang 13 and 14 is `ptr`).

Named types are interned per module, so a use before the definition gets the same object; texts that were
read once are remembered.
"""

from __future__ import annotations

import re

from cinquefoil.ir.lexer import Cursor, ParseFailure
from cinquefoil.ir.types import (
    DOUBLE,
    FLOAT,
    I1,
    I8,
    I16,
    I32,
    I64,
    I128,
    LABEL,
    METADATA,
    PTR,
    VOID,
    X86_FP80,
    ArrayType,
    FloatType,
    FunctionType,
    IntType,
    NamedType,
    PlainType,
    PointerType,
    StructType,
    Type,
    VectorType,
)

_SIMPLE: dict[str, Type] = {
    str(type_): type_
    for type_ in (
        *(PTR, I1, I8, I16, I32, I64, I128, FLOAT, DOUBLE, X86_FP80, VOID, LABEL, METADATA),
        *(FloatType("half"), FloatType("bfloat"), FloatType("fp128"), PlainType("token")),
    )
}
_INTEGER = re.compile(r"i(\d+)$")
_UNSUPPORTED = frozenset(("x86_mmx", "x86_amx", "ppc_fp128", "target"))


def starts_type(token: str) -> bool:
    """Whether a type can begin here (a word such as `noundef` cannot)."""
    if token in _SIMPLE or token[:1] in ("%", "[", "<", "{") or token in _UNSUPPORTED:
        return True
    return _INTEGER.match(token) is not None


class TypeReader:
    """Reads types of one module."""

    def __init__(self) -> None:
        self.named: dict[str, NamedType] = {}
        self._texts: dict[str, Type] = dict(_SIMPLE)

    def of_text(self, text: str) -> Type:
        found = self._texts.get(text)
        if found is None:
            cursor = Cursor.over(text)
            found = self.read(cursor)
            cursor.expect_end()
            self._texts[text] = found
        return found

    def read(self, cursor: Cursor) -> Type:
        type_ = self._base(cursor)
        while True:
            token = cursor.peek
            if token == "*":
                cursor.next()
                type_ = PTR
            elif token == "(":
                type_ = self._function(cursor, type_)
            elif token == "addrspace":
                type_ = self._in_address_space(cursor)
            else:
                return type_

    def name(self, name: str) -> NamedType:
        found = self.named.get(name)
        if found is None:
            found = self.named[name] = NamedType(name)
        return found

    def _base(self, cursor: Cursor) -> Type:
        token = cursor.next()
        simple = _SIMPLE.get(token)
        if simple is not None:
            return simple
        if token[0] == "%":
            return self.name(token[1:])
        if token == "[":
            return ArrayType(*self._sequence(cursor, "]"))
        if token == "{":
            return StructType(self._fields(cursor))
        if token == "<":
            return self._vector_or_packed(cursor)
        return self._integer(token)

    def _integer(self, token: str) -> Type:
        match = _INTEGER.match(token)
        if match is None:
            kind = "unsupported type" if token in _UNSUPPORTED else "expected a type but found"
            raise ParseFailure(f"{kind} `{token}`")
        return IntType(int(match[1]))

    def _vector_or_packed(self, cursor: Cursor) -> Type:
        if cursor.accept("{"):
            fields = self._fields(cursor)
            cursor.expect(">")
            return StructType(fields, packed=True)
        if cursor.peek == "vscale":
            raise ParseFailure("unsupported scalable vector type")
        return VectorType(*self._sequence(cursor, ">"))

    def _sequence(self, cursor: Cursor, close: str) -> tuple[int, Type]:
        count = cursor.integer()
        cursor.expect("x")
        element = self.read(cursor)
        cursor.expect(close)
        return count, element

    def _fields(self, cursor: Cursor) -> tuple[Type, ...]:
        fields: list[Type] = []
        while not cursor.accept("}"):
            if fields:
                cursor.expect(",")
            fields.append(self.read(cursor))
        return tuple(fields)

    def _function(self, cursor: Cursor, result: Type) -> Type:
        cursor.expect("(")
        parameters: list[Type] = []
        variadic = False
        while not cursor.accept(")"):
            if parameters:
                cursor.expect(",")
            variadic = cursor.accept("...")
            if not variadic:
                parameters.append(self.read(cursor))
        return FunctionType(result, tuple(parameters), variadic)

    def _in_address_space(self, cursor: Cursor) -> Type:
        cursor.expect("addrspace")
        cursor.expect("(")
        space = cursor.integer()
        cursor.expect(")")
        cursor.accept("*")
        return PointerType(space) if space else PTR
