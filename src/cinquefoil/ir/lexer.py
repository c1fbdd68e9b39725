"""Tokens of LLVM's textual IR, and a cursor over them.

One regular expression cuts the text; comments and white space vanish.  The last token is always the empty
string, so a cursor can look ahead without asking whether it is at the end.  A character that begins no token
becomes a token of its own, and the parser that meets it complains.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""(?>(?:\s+|;[^\n]*)*)(
      c?"[^"]*"                                   # string
    | [%@$!]"[^"]*" | [%@$][-\w$.]+               # names
    | ![-\w$.\\]+ | \#\d+                         # metadata, attribute groups
    | [us]0x[0-9A-Fa-f]+ | 0x[KLMHR]?[0-9A-Fa-f]+
    | [-+]?\d+\.\d*(?:[eE][-+]?\d+)? | [-+]?\d+
    | [A-Za-z_][\w.]*
    | \.\.\.
    | \S | \Z)""",
    re.VERBOSE,
)
_TIGHT_BEFORE = frozenset("(),=:")
_TIGHT_AFTER = frozenset(("(", "=", "!", ""))
_OPENING = frozenset("([{<")
_CLOSING = frozenset(")]}>")
_DEEPEST = 128  # brackets within brackets


class ParseFailure(Exception):
    """A construct cannot be read; the function parser adds where, and makes it a BitcodeError."""


def tokenise(text: str) -> list[str]:
    tokens: list[str] = _TOKEN.findall(text)
    return tokens


def join(tokens: list[str]) -> str:
    """The tokens as one line, spaced as LLVM does inside attributes: `captures(none)`, `"key"="value"`."""
    parts: list[str] = []
    last = ""
    for token in tokens:
        if token not in _TIGHT_BEFORE and last not in _TIGHT_AFTER:
            parts.append(" ")
        parts.append(token)
        last = token
    return "".join(parts)


def is_word(token: str) -> bool:
    """Whether the token is a bare word, such as a keyword or an attribute's name."""
    return token[:1].isalpha() and not token.endswith('"')


def _check_depth(tokens: list[str]) -> None:
    """Types and constants are read recursively, so a hostile module could exhaust the stack."""
    depth = 0
    for token in tokens:
        depth += (token in _OPENING) - (token in _CLOSING)
        if depth > _DEEPEST:
            raise ParseFailure(f"types or constants nested more than {_DEEPEST} deep")


class Cursor:
    """A position in a list of tokens."""

    __slots__ = ("at", "tokens")

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.at = 0

    @classmethod
    def over(cls, text: str) -> Cursor:
        tokens = tokenise(text)
        if len(tokens) > 2 * _DEEPEST:
            _check_depth(tokens)
        return cls(tokens)

    @property
    def peek(self) -> str:
        return self.tokens[self.at]

    def next(self) -> str:
        token = self.tokens[self.at]
        if not token:
            raise ParseFailure("unexpected end of line")
        self.at += 1
        return token

    def accept(self, token: str) -> bool:
        if self.tokens[self.at] != token:
            return False
        self.at += 1
        return True

    def expect(self, token: str) -> None:
        found = self.tokens[self.at]
        if found != token:
            raise ParseFailure(f"expected `{token}` but found `{found or 'end of line'}`")
        self.at += 1

    def expect_end(self) -> None:
        if self.tokens[self.at]:
            raise ParseFailure(f"unexpected `{self.tokens[self.at]}`")

    def integer(self) -> int:
        token = self.next()
        try:
            return int(token)
        except ValueError:
            raise ParseFailure(f"expected a number but found `{token}`") from None

    def balanced(self) -> list[str]:
        """The tokens from the opening bracket at the cursor to the one that closes it."""
        start = self.at
        depth = 0
        while True:
            token = self.next()
            depth += (token in _OPENING) - (token in _CLOSING)
            if depth == 0:
                return self.tokens[start : self.at]

    def rest(self) -> list[str]:
        """All tokens that are left, without the end mark."""
        left = [token for token in self.tokens[self.at :] if token]
        self.at = len(self.tokens) - 1
        return left


def open_brackets(text: str) -> int:
    """How many round, square or curly brackets the text leaves open (strings and comments not counted)."""
    tokens = tokenise(text)
    opened = sum(token in "([{" for token in tokens if token)
    return opened - sum(token in ")]}" for token in tokens if token)
