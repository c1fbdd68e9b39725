"""Reads functions: the header line, then the body block by block.

LLVM leaves out numbers that follow from the order (of unnamed parameters, and of an entry block without
label); they are put back here, so that every block and value has a name.
"""

from __future__ import annotations

import re

from cinquefoil.errors import BitcodeError
from cinquefoil.ir import attribute_parser as attributes
from cinquefoil.ir.fast_parser import FastReader
from cinquefoil.ir.instruction_parser import InstructionReader
from cinquefoil.ir.lexer import Cursor, ParseFailure, join, open_brackets
from cinquefoil.ir.model import Block, Call, Function, GlobalRef, Instruction, Parameter
from cinquefoil.ir.type_parser import TypeReader
from cinquefoil.ir.types import VOID, FunctionType
from cinquefoil.ir.value_parser import global_name

LINKAGES = frozenset(
    [
        "private",
        "internal",
        "available_externally",
        "linkonce",
        "weak",
        "common",
        "appending",
        "extern_weak",
        "linkonce_odr",
        "weak_odr",
        "external",
    ]
)
_HEAD = re.compile(r'\s*(?:%("[^"]*"|[-\w$.]+)\s*=\s*)?([a-z_]+)(?=[\s,]|$)\s*(.*)$')
_LABEL = re.compile(r'\s*("[^"]*"|[-\w$.]+):')
_TERMINATORS = frozenset(("ret", "br", "switch", "indirectbr", "unreachable"))


class FunctionReader:
    """Reads the functions of one module out of its lines."""

    def __init__(self, lines: list[str], types: TypeReader, instructions: InstructionReader) -> None:
        self._lines = lines
        self._types = types
        self._instructions = instructions
        self._fast = FastReader(types, instructions)

    # ---- header -------------------------------------------------------------------------------------------

    def header(self, text: str) -> Function:
        """The function of a `define` or `declare` line."""
        cursor = Cursor.over(text)
        cursor.next()
        attached = attributes.attachments(cursor)  # of a declaration
        linkage = cursor.next() if cursor.peek in LINKAGES else ""
        prefix = attributes.before_type(cursor)
        result = self._types.read(cursor)
        name = global_name(cursor.next())
        parameters, variadic = self._parameters(cursor)
        type_ = FunctionType(result, tuple(p.type for p in parameters), variadic)
        function = Function(name, type_, parameters, linkage=linkage, prefix=prefix)
        function.attributes = _trailing_attributes(cursor)
        _attach(function, attached + attributes.attachments(cursor))
        return function

    def _parameters(self, cursor: Cursor) -> tuple[list[Parameter], bool]:
        cursor.expect("(")
        parameters: list[Parameter] = []
        unnamed = 0
        while not cursor.accept(")"):
            if parameters:
                cursor.expect(",")
            if cursor.accept("..."):
                cursor.expect(")")
                return parameters, True
            parameter = self._parameter(cursor, unnamed)
            unnamed += parameter.name == str(unnamed)
            parameters.append(parameter)
        return parameters, False

    def _parameter(self, cursor: Cursor, number: int) -> Parameter:
        type_ = self._types.read(cursor)
        text = attributes.before_value(cursor)
        name = cursor.next()[1:] if cursor.peek[:1] == "%" else str(number)
        return Parameter(name, type_, text)

    # ---- body ---------------------------------------------------------------------------------------------

    def body(self, function: Function, at: int) -> int:
        """Fills the function from the line after its header; returns the line after its closing brace."""
        read, lines, blocks = self._fast.read, self._lines, function.blocks
        instructions: list[Instruction] = []
        open_block = False
        while True:
            line = lines[at]
            match = _HEAD.match(line)
            if match is None:
                if line.startswith("}"):
                    _check_blocks(function)
                    return at + 1
                label = _LABEL.match(line)
                if label is not None:
                    instructions = []
                    blocks.append(Block(label[1], instructions))
                    open_block = True
                elif not _ignored(line):
                    raise _failure("unknown construct", function, line)
                at += 1
                continue
            result, opcode, rest = match.groups()
            if opcode == "uselistorder":
                at += 1
                continue
            if not open_block:
                instructions = []
                blocks.append(Block(_next_number(function), instructions))
                open_block = True
            instruction = read(opcode, result, rest)
            if instruction is None:
                instruction, at = self._general(function, match, at)
            if result is None and instruction.type is not VOID:
                instruction.result = _next_number(function)
            if instruction.opcode in _TERMINATORS:
                open_block = False
            if not _is_debug_call(instruction):
                instructions.append(instruction)
            at += 1

    def _general(self, function: Function, match: re.Match[str], at: int) -> tuple[Instruction, int]:
        """The general path, which may take further lines; returns the last line taken."""
        result, opcode, rest = match.groups()
        text: str = rest
        while open_brackets(text) > 0 and at + 1 < len(self._lines):
            at += 1
            text += "\n" + self._lines[at]
        try:
            return self._instructions.read(text, opcode, result), at
        except (ParseFailure, ValueError) as failure:
            raise _failure(str(failure), function, match.string) from failure


def _failure(what: str, function: Function, line: str) -> BitcodeError:
    return BitcodeError(f"cannot read IR: {what}, in function @{function.name}, line: {line.strip()[:200]}")


def _check_blocks(function: Function) -> None:
    """Every block must end in a terminator, as everybody relies on that."""
    for block in function.blocks:
        if not block.instructions or block.instructions[-1].opcode not in _TERMINATORS:
            raise ParseFailure(f"block %{block.label} of function @{function.name} has no terminator")
    if not function.blocks:
        raise ParseFailure(f"function @{function.name} has no blocks")


def _ignored(line: str) -> bool:
    """Blank lines, comments and debug records."""
    text = line.strip()
    return not text or text[0] in ";#"


def _is_debug_call(instruction: Instruction) -> bool:
    """`llvm.dbg.*` is how clang up to 18 writes what are now `#dbg_` records, which are dropped."""
    if type(instruction) is not Call:
        return False
    callee = instruction.callee
    return isinstance(callee, GlobalRef) and callee.name.startswith("llvm.dbg.")


def _next_number(function: Function) -> str:
    """The number LLVM gives to the next unnamed value or block."""
    names = [p.name for p in function.parameters]
    names += [block.label for block in function.blocks]
    names += [instruction.result for instruction in function.walk() if instruction.result]
    return str(max((int(name) for name in names if name.isdigit()), default=-1) + 1)


def _trailing_attributes(cursor: Cursor) -> str:
    start = cursor.at
    while cursor.peek and cursor.peek != "{" and not cursor.peek.startswith("!"):
        word = cursor.next()
        if word in ("prefix", "prologue"):
            raise ParseFailure(f"unsupported function attribute `{word}`")
        if cursor.peek == "(":
            cursor.balanced()
    return join(cursor.tokens[start : cursor.at])


def _attach(function: Function, attached: list[tuple[str, str]]) -> None:
    others: list[str] = []
    for kind, node in attached:
        if kind == "!dbg" and node[1:].isdigit():
            function.dbg = int(node[1:])
        else:
            others.append(f"{kind} {node}")
    function.metadata = " ".join(others)
