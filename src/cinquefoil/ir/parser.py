"""Reads a module from LLVM's textual IR: `parse_module`.

The input is what llvmlite prints for bitcode of clang 13 to 19, or `.ll` files that those compilers write.
The text is read line by line, as LLVM prints one construct per line; a line with open brackets takes the
following ones too.  Metadata stays text, by number, for `debug` to read on demand; `#dbg_` records, use-list
orders and summaries are dropped.  Constructs of other languages (invoke, landingpad, scalable vectors ...)
raise `BitcodeError`, which names the construct, the function and the line.
"""

from __future__ import annotations

import gc
import re
from typing import cast

from cinquefoil.errors import BitcodeError
from cinquefoil.ir import attribute_parser as attributes
from cinquefoil.ir.function_parser import LINKAGES, FunctionReader
from cinquefoil.ir.instruction_parser import InstructionReader
from cinquefoil.ir.lexer import Cursor, ParseFailure, join, open_brackets
from cinquefoil.ir.model import Alias, Constant, GlobalVariable, Module
from cinquefoil.ir.type_parser import TypeReader
from cinquefoil.ir.types import PTR, StructType
from cinquefoil.ir.value_parser import ValueReader

_METADATA = re.compile(r"!(\d+) = (.*)$", re.DOTALL)
_NAMED_METADATA = re.compile(r"!([-\w$.\\]+) = (.*)$", re.DOTALL)
_ATTRIBUTES = re.compile(r"attributes #(\d+) = \{(.*)\}\s*$", re.DOTALL)
_COMDAT = re.compile(r'\$("[^"]*"|[-\w$.]+) = comdat (\w+)')
_ASSIGNED = re.compile(r'(source_filename|target datalayout|target triple)\s*=\s*"([^"]*)"')
_ASSEMBLY = re.compile(r'module asm "([^"]*)"')
_BARE_TARGETS = frozenset(("bitcast", "getelementptr", "addrspacecast", "inttoptr"))  # written without type
_GLOBAL_KINDS = frozenset(("global", "constant", "alias", "ifunc"))


def parse_module(text: str) -> Module:
    """The module written in `text`; raises BitcodeError for what cannot be read."""
    collecting = gc.isenabled()
    gc.disable()  # nothing here is garbage: collecting would only walk the growing module again and again
    try:
        return _ModuleReader(text).read()
    finally:
        if collecting:
            gc.enable()


class _ModuleReader:
    """Dispatches on how a line begins."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._lines = [*text.split("\n"), "}"]  # the mark at the end stops a function that has none
        self._module = Module()
        self._types = TypeReader()
        self._values = ValueReader(self._types)
        general = InstructionReader(self._types, self._values, self._intern_metadata)
        self._functions = FunctionReader(self._lines, self._types, general)
        self._next_metadata = -1

    def read(self) -> Module:
        at = 0
        while at < len(self._lines) - 1:
            line = self._lines[at]
            try:
                at = self._line(line, at)
            except (ParseFailure, ValueError, IndexError) as failure:
                raise BitcodeError(f"cannot read IR: {failure}, line: {line.strip()[:200]}") from failure
        self._module.types = self._types.named
        return self._module

    def _line(self, line: str, at: int) -> int:
        """Reads the construct that starts in a line; returns the line after it."""
        first = line[:1]
        if first == "!":
            return self._metadata(line, at)
        if first in ("", ";", "^") or not line.strip():
            return at + 1
        if first == "d":
            return self._function(line, at)
        line, at = self._whole(line, at)
        if first == "@":
            self._global(line)
        elif first == "%":
            self._type(line)
        else:
            self._other(line)
        return at + 1

    def _whole(self, line: str, at: int) -> tuple[str, int]:
        """The line with those that close its brackets, and the last one's number."""
        if '"' not in line and line.count("(") == line.count(")") and line.count("{") == line.count("}"):
            return line, at
        while open_brackets(line) > 0 and at + 2 < len(self._lines):
            at += 1
            line += "\n" + self._lines[at]
        return line, at

    # ---- functions and metadata ---------------------------------------------------------------------------

    def _function(self, line: str, at: int) -> int:
        text = line
        while line.startswith("define") and not _without_comment(text).endswith("{"):
            at += 1
            text += "\n" + self._lines[at]
        function = self._functions.header(text)
        if not function.name.startswith("llvm.dbg."):
            self._module.functions[function.name] = function
        if line.startswith("declare"):
            return at + 1
        end = self._functions.body(function, at + 1)
        if end >= len(self._lines):
            raise ParseFailure(f"function @{function.name} has no end")
        return end

    def _metadata(self, line: str, at: int) -> int:
        match = _METADATA.match(line)
        if match is not None and line.endswith((")", "}")):
            self._module.metadata[int(match[1])] = match[2]
            return at + 1
        line, at = self._whole(line, at)
        match = _METADATA.match(line)
        if match is not None:
            self._module.metadata[int(match[1])] = match[2]
        else:
            named = _NAMED_METADATA.match(line)
            if named is None:
                raise ParseFailure("unknown metadata")
            self._module.named_metadata[named[1]] = named[2]
        return at + 1

    def _intern_metadata(self, node: str) -> int:
        """A number for metadata that an instruction writes inline."""
        if self._next_metadata < 0:
            taken = re.findall(r"^!(\d+) =", self._text, re.MULTILINE)
            self._next_metadata = max(map(int, taken), default=-1) + 1
        self._module.metadata[self._next_metadata] = node
        self._next_metadata += 1
        return self._next_metadata - 1

    # ---- types, globals, the rest -------------------------------------------------------------------------

    def _type(self, line: str) -> None:
        cursor = Cursor.over(line)
        named = self._types.name(cursor.next()[1:])
        cursor.expect("=")
        cursor.expect("type")
        if cursor.accept("opaque"):
            return
        body = self._types.read(cursor)
        if not isinstance(body, StructType):
            raise ParseFailure(f"a named type that is not a struct: {body}")
        named.body = body

    def _global(self, line: str) -> None:
        cursor = Cursor.over(line)
        name = cursor.next()[1:]
        cursor.expect("=")
        linkage = cursor.next() if cursor.peek in LINKAGES else ""
        start = cursor.at
        while cursor.peek not in _GLOBAL_KINDS:
            cursor.next()
        words = cursor.tokens[start : cursor.at]
        kind = cursor.next()
        if kind in ("alias", "ifunc"):
            self._alias(cursor, name, linkage, words, kind)
        else:
            self._variable(cursor, name, linkage, words, kind)

    def _variable(self, cursor: Cursor, name: str, linkage: str, words: list[str], kind: str) -> None:
        type_ = self._types.read(cursor)
        declared = linkage in ("external", "extern_weak") or cursor.peek in (",", "")
        initializer = None if declared else cast(Constant, self._values.read(cursor, type_))
        variable = GlobalVariable(name, type_, initializer, kind == "constant", linkage)
        variable.prefix = _take_thread_local(variable, words)
        _variable_suffix(cursor, variable)
        self._module.globals[name] = variable

    def _alias(self, cursor: Cursor, name: str, linkage: str, words: list[str], kind: str) -> None:
        type_ = self._types.read(cursor)
        cursor.expect(",")
        bare = cursor.peek in _BARE_TARGETS
        target = cast(Constant, self._values.read(cursor, PTR) if bare else self._values.typed(cursor))
        suffix = join(cursor.rest()).removeprefix(",").strip()
        alias = Alias(name, type_, target, linkage, join(words), kind == "ifunc", suffix)
        self._module.aliases[name] = alias

    def _other(self, line: str) -> None:
        module = self._module
        if match := _ATTRIBUTES.match(line):
            module.attribute_groups[match[1]] = match[2].strip()
        elif match := _COMDAT.match(line):
            module.comdats[match[1]] = match[2]
        elif match := _ASSEMBLY.match(line):
            module.assembly.append(match[1])
        elif match := _ASSIGNED.match(line):
            field = {"source_filename": "source_name", "target triple": "triple"}.get(match[1], "data_layout")
            setattr(module, field, match[2])
        elif not line.startswith("uselistorder"):
            raise ParseFailure("unknown construct")


def _without_comment(text: str) -> str:
    return text.rsplit(" ;", 1)[0].rstrip() if " ;" in text.rsplit("\n", 1)[-1] else text.rstrip()


def _take_thread_local(variable: GlobalVariable, words: list[str]) -> str:
    """Notes `thread_local` and its model; returns the other words."""
    if "thread_local" not in words:
        return join(words)
    at = words.index("thread_local")
    variable.thread_local = True
    end = at + 1
    if words[end : end + 1] == ["("]:
        variable.thread_model = words[end + 1]
        end += 3
    return join(words[:at] + words[end:])


def _variable_suffix(cursor: Cursor, variable: GlobalVariable) -> None:
    """What follows the initializer: section, align, comdat, attachments."""
    others: list[str] = []
    while cursor.accept(","):
        if cursor.accept("align"):
            variable.align = cursor.integer()
        elif cursor.accept("section"):
            variable.section = cursor.next()[1:-1]
        elif cursor.peek == "!dbg" and variable.dbg is None:
            cursor.next()
            variable.dbg = int(attributes.metadata_node(cursor)[1:])
        else:
            others.append(_until_comma(cursor))
    if cursor.peek and not cursor.peek.startswith("#"):
        raise ParseFailure(f"unexpected `{cursor.peek}`")
    groups = join(cursor.rest())
    variable.suffix = ", ".join(others) + (f" {groups}" if groups else "")


def _until_comma(cursor: Cursor) -> str:
    start = cursor.at
    while cursor.peek and cursor.peek != ",":
        if cursor.peek == "#":
            break
        cursor.next()
        if cursor.peek in ("(", "{"):
            cursor.balanced()
    return join(cursor.tokens[start : cursor.at])
