"""Reads attributes and metadata attachments, which are kept as text."""

from __future__ import annotations

import re

from cinquefoil.ir.lexer import Cursor, ParseFailure, is_word, join
from cinquefoil.ir.type_parser import starts_type
from cinquefoil.ir.value_parser import VALUE_WORDS

_NUMBERED = frozenset(("align", "cc", "alignstack", "dereferenceable", "uwtable"))
_TYPED_POINTER = re.compile(r"\(([^()]*\*+)\)")  # elementtype(i32*) of clang 13 and 14


def _one(cursor: Cursor) -> None:
    """Steps over one attribute: `noundef`, `align 8`, `captures(none)`, `"key"="value"`."""
    word = cursor.next()
    if cursor.peek == "(":
        cursor.balanced()
    elif (word in _NUMBERED and cursor.peek.isdigit()) or cursor.accept("="):
        cursor.next()


def _text(tokens: list[str]) -> str:
    return _TYPED_POINTER.sub("(ptr)", join(tokens))


def before_type(cursor: Cursor) -> str:
    """Attributes up to the type they precede (of a result)."""
    start = cursor.at
    while not starts_type(cursor.peek):
        _one(cursor)
    return _text(cursor.tokens[start : cursor.at])


def before_value(cursor: Cursor) -> str:
    """Attributes between an argument's type and its value, or a parameter's type and its name."""
    start = cursor.at
    while cursor.peek[:1] == '"' or (is_word(cursor.peek) and cursor.peek not in VALUE_WORDS):
        _one(cursor)
    return _text(cursor.tokens[start : cursor.at])


def of_call(cursor: Cursor) -> str:
    """Function attributes after a call's arguments."""
    start = cursor.at
    while cursor.peek[:1] in ('"', "#") or is_word(cursor.peek):
        _one(cursor)
    return _text(cursor.tokens[start : cursor.at])


def metadata_node(cursor: Cursor) -> str:
    """`!5`, `!{...}`, `!DILocation(...)` or `distinct !{...}`."""
    start = cursor.at
    cursor.accept("distinct")
    token = cursor.next()
    if not token.startswith("!"):
        raise ParseFailure(f"expected metadata but found `{token}`")
    if cursor.peek == "(" or (token == "!" and cursor.peek == "{"):
        cursor.balanced()
    return join(cursor.tokens[start : cursor.at])


def attachments(cursor: Cursor) -> list[tuple[str, str]]:
    """`!dbg !5, !tbaa !6` or, on functions, the same without commas: (kind, node) pairs."""
    found: list[tuple[str, str]] = []
    while cursor.peek.startswith("!"):
        kind = cursor.next()
        found.append((kind, metadata_node(cursor)))
        cursor.accept(",")
    return found
