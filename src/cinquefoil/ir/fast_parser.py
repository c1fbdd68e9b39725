"""Reads the common forms of instructions with one regular expression each.

`read` returns None for anything out of the ordinary (constant expressions, vectors, atomics, attributes with
brackets ...), which the general path then takes.  Nearly all of a C program's instructions match here, at
several times the general path's speed.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from cinquefoil.ir.call_parser import call_type
from cinquefoil.ir.instruction_parser import InstructionReader
from cinquefoil.ir.lexer import Cursor, ParseFailure
from cinquefoil.ir.model import (
    Alloca,
    Binary,
    Branch,
    Call,
    Cast,
    Compare,
    ConstInt,
    GetElementPtr,
    GlobalRef,
    Instruction,
    Load,
    Phi,
    Return,
    Select,
    Store,
    Value,
)
from cinquefoil.ir.type_parser import TypeReader
from cinquefoil.ir.types import I1, I32, PTR, VOID, FunctionType
from cinquefoil.ir.value_parser import BINARY, CASTS, global_name

_T = r"([%a-z][-\w.$]*\**)"  # a simple type
_V = r'([^ ,()\[\]{}<>"]+)'  # a simple value
_TAIL = r"(?:, !dbg !(\d+))?(?:, (![\w.]+ !\d+(?:, ![\w.]+ !\d+)*))?$"
_SOURCE = r"([%a-z][-\w.$]*|\[\d+ x [%a-z][-\w.$]*\])"

_BINARY = re.compile(rf"((?:(?:nuw|nsw|exact|disjoint) )*){_T} {_V}, {_V}{_TAIL}")
_COMPARE = re.compile(rf"([a-z]+) {_T} {_V}, {_V}{_TAIL}")
_CAST = re.compile(rf"((?:(?:nuw|nsw|nneg) )*){_T} {_V} to {_T}{_TAIL}")
_LOAD = re.compile(rf"{_T}, {_T} {_V}, align (\d+){_TAIL}")
_STORE = re.compile(rf"{_T} {_V}, {_T} {_V}, align (\d+){_TAIL}")
_ALLOCA = re.compile(rf"{_SOURCE}, align (\d+){_TAIL}")
_GEP = re.compile(rf"((?:(?:inbounds|nuw|nusw) )*){_SOURCE}, {_T} {_V}, {_T} {_V}(?:, {_T} {_V})?{_TAIL}")
_SELECT = re.compile(rf"{_T} {_V}, {_T} {_V}, {_T} {_V}{_TAIL}")
_PHI = re.compile(rf"{_T} ((?:\[ [^ ,()\[\]{{}}<>\"]+, %[-\w.$]+ \](?:, )?)+){_TAIL}")
_INCOMING = re.compile(r"\[ ([^ ,]+), %([-\w.$]+) \]")
_JUMP = re.compile(rf"label %([-\w.$]+){_TAIL}")
_BRANCH = re.compile(rf"i1 {_V}, label %([-\w.$]+), label %([-\w.$]+){_TAIL}")
_RETURN = re.compile(rf"(?:void|{_T} {_V}){_TAIL}")
_CALL = re.compile(rf'([%a-z][-\w.$]*\**) (@[-\w.$]+)\(([^()\[\]{{}}<>"!]*)\)(?: (#\d+))?{_TAIL}')
_WORDS: dict[str, tuple[str, ...]] = {}  # flags by their text


def _flags(text: str) -> tuple[str, ...]:
    found = _WORDS.get(text)
    if found is None:
        found = _WORDS[text] = tuple(text.split())
    return found


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)


_Reader = Callable[[str, "str | None", str], "Instruction | None"]


class FastReader:
    """Reads instructions of one module."""

    def __init__(self, types: TypeReader, general: InstructionReader) -> None:
        self._type = types.of_text
        self._value = general.values.of_text
        self._general = general
        self._arguments: dict[str, tuple[Value, str]] = {}
        self._readers: dict[str, _Reader] = {
            **dict.fromkeys(BINARY, self._binary),
            **dict.fromkeys(CASTS, self._cast),
            **dict.fromkeys(("icmp", "fcmp"), self._compare),
            "load": self._load,
            "store": self._store,
            "alloca": self._alloca,
            "getelementptr": self._get_element_pointer,
            "select": self._select,
            "phi": self._phi,
            "br": self._branch,
            "ret": self._return,
            "call": self._call,
            "tail": self._tail_call,
        }

    def read(self, opcode: str, result: str | None, text: str) -> Instruction | None:
        """The instruction, or None if it is not of a common form."""
        reader = self._readers.get(opcode)
        if reader is None:
            return None
        try:
            return reader(opcode, result, text)
        except (ParseFailure, ValueError):
            return None  # the general path will say what is wrong

    def _binary(self, opcode: str, result: str | None, text: str) -> Instruction | None:
        match = _BINARY.match(text)
        if match is None:
            return None
        flags, type_, left, right, dbg, metadata = match.groups()
        value = self._value
        return Binary(
            opcode=opcode,
            result=result,
            type=self._type(type_),
            operands=[value(type_, left), value(type_, right)],
            flags=_flags(flags),
            dbg=_number(dbg),
            metadata=metadata or "",
        )

    def _compare(self, opcode: str, result: str | None, text: str) -> Instruction | None:
        match = _COMPARE.match(text)
        if match is None:
            return None
        predicate, type_, left, right, dbg, metadata = match.groups()
        value = self._value
        return Compare(
            opcode=opcode,
            result=result,
            type=I1,
            operands=[value(type_, left), value(type_, right)],
            predicate=predicate,
            dbg=_number(dbg),
            metadata=metadata or "",
        )

    def _cast(self, opcode: str, result: str | None, text: str) -> Instruction | None:
        match = _CAST.match(text)
        if match is None:
            return None
        flags, source, operand, target, dbg, metadata = match.groups()
        return Cast(
            opcode=opcode,
            result=result,
            type=self._type(target),
            operands=[self._value(source, operand)],
            flags=_flags(flags),
            dbg=_number(dbg),
            metadata=metadata or "",
        )

    def _load(self, opcode: str, result: str | None, text: str) -> Instruction | None:
        match = _LOAD.match(text)
        if match is None:
            return None
        type_, pointer_type, pointer, align, dbg, metadata = match.groups()
        return Load(
            opcode=opcode,
            result=result,
            type=self._type(type_),
            operands=[self._value(pointer_type, pointer)],
            align=int(align),
            dbg=_number(dbg),
            metadata=metadata or "",
        )

    def _store(self, opcode: str, result: str | None, text: str) -> Instruction | None:
        match = _STORE.match(text)
        if match is None:
            return None
        type_, stored, pointer_type, pointer, align, dbg, metadata = match.groups()
        value = self._value
        return Store(
            opcode=opcode,
            result=None,
            type=VOID,
            operands=[value(type_, stored), value(pointer_type, pointer)],
            align=int(align),
            dbg=_number(dbg),
            metadata=metadata or "",
        )

    def _alloca(self, opcode: str, result: str | None, text: str) -> Instruction | None:
        match = _ALLOCA.match(text)
        if match is None:
            return None
        type_, align, dbg, metadata = match.groups()
        return Alloca(
            opcode=opcode,
            result=result,
            type=PTR,
            operands=[ConstInt(1, I32)],
            allocated=self._type(type_),
            align=int(align),
            dbg=_number(dbg),
            metadata=metadata or "",
        )

    def _get_element_pointer(self, opcode: str, result: str | None, text: str) -> Instruction | None:
        match = _GEP.match(text)
        if match is None:
            return None
        flags, source, base_type, base, type_1, index_1, type_2, index_2, dbg, metadata = match.groups()
        value = self._value
        operands = [value(base_type, base), value(type_1, index_1)]
        if type_2 is not None:
            operands.append(value(type_2, index_2))
        return GetElementPtr(
            opcode=opcode,
            result=result,
            type=PTR,
            operands=operands,
            flags=_flags(flags),
            source=self._type(source),
            dbg=_number(dbg),
            metadata=metadata or "",
        )

    def _select(self, opcode: str, result: str | None, text: str) -> Instruction | None:
        match = _SELECT.match(text)
        if match is None:
            return None
        type_0, condition, type_1, then, type_2, otherwise, dbg, metadata = match.groups()
        value = self._value
        return Select(
            opcode=opcode,
            result=result,
            type=self._type(type_1),
            operands=[value(type_0, condition), value(type_1, then), value(type_2, otherwise)],
            dbg=_number(dbg),
            metadata=metadata or "",
        )

    def _phi(self, opcode: str, result: str | None, text: str) -> Instruction | None:
        match = _PHI.match(text)
        if match is None:
            return None
        type_, incoming, dbg, metadata = match.groups()
        pairs: list[tuple[str, str]] = _INCOMING.findall(incoming)
        value = self._value
        return Phi(
            opcode=opcode,
            result=result,
            type=self._type(type_),
            operands=[value(type_, text) for text, _ in pairs],
            labels=[label for _, label in pairs],
            dbg=_number(dbg),
            metadata=metadata or "",
        )

    def _branch(self, opcode: str, result: str | None, text: str) -> Instruction | None:
        match = _JUMP.match(text)
        if match is not None:
            target, dbg, metadata = match.groups()
            operands: list[Value] = []
            labels = [target]
        else:
            match = _BRANCH.match(text)
            if match is None:
                return None
            condition, then, otherwise, dbg, metadata = match.groups()
            operands = [self._value("i1", condition)]
            labels = [then, otherwise]
        return Branch(
            opcode=opcode,
            result=None,
            type=VOID,
            operands=operands,
            labels=labels,
            dbg=_number(dbg),
            metadata=metadata or "",
        )

    def _return(self, opcode: str, result: str | None, text: str) -> Instruction | None:
        match = _RETURN.match(text)
        if match is None:
            return None
        type_, operand, dbg, metadata = match.groups()
        return Return(
            opcode=opcode,
            result=None,
            type=VOID,
            operands=[] if type_ is None else [self._value(type_, operand)],
            dbg=_number(dbg),
            metadata=metadata or "",
        )

    # ---- calls --------------------------------------------------------------------------------------------

    def _tail_call(self, opcode: str, result: str | None, text: str) -> Instruction | None:
        if not text.startswith("call "):
            return None
        call = self._call(opcode, result, text[5:])
        if call is not None:
            call.opcode = "call"
            call.tail = "tail"
        return call

    def _call(self, opcode: str, result: str | None, text: str) -> Call | None:
        match = _CALL.match(text)
        if match is None:
            return None
        type_, callee, arguments, attributes, dbg, metadata = match.groups()
        operands, argument_attributes = self._argument_list(arguments)
        function_type: FunctionType = call_type(self._type(type_), operands)
        return Call(
            opcode=opcode,
            result=result,
            type=function_type.result,
            operands=operands,
            callee=GlobalRef(global_name(callee), PTR),
            function_type=function_type,
            argument_attributes=argument_attributes,
            attributes=attributes or "",
            dbg=_number(dbg),
            metadata=metadata or "",
        )

    def _argument_list(self, text: str) -> tuple[list[Value], list[str]]:
        """Arguments without brackets, so that every comma separates two."""
        if not text:
            return [], []
        found = [self._argument(part) for part in text.split(", ")]
        return [value for value, _ in found], [attributes for _, attributes in found]

    def _argument(self, text: str) -> tuple[Value, str]:
        found = self._arguments.get(text)
        if found is None:
            cursor = Cursor.over(text)
            found = self._general.calls.argument(cursor)
            cursor.expect_end()
            self._arguments[text] = found
        return found
