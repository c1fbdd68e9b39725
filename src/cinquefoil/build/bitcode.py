"""Typed access to LLVM through llvmlite: read, check and write bitcode and textual IR.

Each program gets a context of its own: in a shared one, struct names of unrelated modules collide and grow
suffixes, and memory is never given back.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from cinquefoil.errors import BitcodeError

Module = Any  # llvmlite.binding.ModuleRef, untyped
Context = Any

_LOCATION = re.compile(r"^<string>:(\d+):(\d+): error: (.*)$", re.MULTILINE)
_MAGIC = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")


def new_context() -> Context:
    """A fresh LLVM context."""
    return llvm.create_context()


def is_bitcode(data: bytes) -> bool:
    """Whether these bytes begin as a bitcode file does (plain or wrapped)."""
    return data[:4] in _MAGIC


def parse(data: bytes, name: str, context: Context | None = None) -> Module:
    """A module from bitcode or textual IR; `BitcodeError` names the file and the reason."""
    context = context or new_context()
    try:
        if is_bitcode(data):
            module = llvm.parse_bitcode(data, context)
        else:
            module = llvm.parse_assembly(data.decode(), context)
        module.name = name
        module.verify()
    except (RuntimeError, UnicodeDecodeError) as error:
        raise BitcodeError(f"{name} is not usable as LLVM bitcode: {_reason(error)}") from error
    return module


def _reason(error: Exception) -> str:
    """What LLVM says, in one line; for text with its location."""
    if isinstance(error, UnicodeDecodeError):
        return "it is neither bitcode nor text"
    location = _LOCATION.search(str(error))
    if location:
        return f"line {location[1]}, column {location[2]}: {location[3]}"
    return next(iter(str(error).strip().splitlines()), "unknown reason")


def parse_text(text: str, name: str, context: Context | None = None) -> Module:
    """A module from textual IR."""
    return parse(text.encode(), name, context)


def read(path: Path, context: Context | None = None) -> Module:
    """A module from a bitcode or textual IR file."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BitcodeError(f"{path}: {error.strerror}") from error
    return parse(data, str(path), context)


def write(module: Module, path: Path) -> None:
    """Write a module as bitcode."""
    path.write_bytes(module.as_bitcode())
