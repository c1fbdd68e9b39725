"""Writes `core.pyi`, the types of the native core's functions for type checkers and readers:

    python -m cinquefoil.native.stub

A test compares the file with what this makes."""

from __future__ import annotations

import keyword
import textwrap
from typing import Final

from cinquefoil.native.extension import is_handle
from cinquefoil.native.headers import FOLDER, Header, HeaderFunction, HeaderType, all_headers

PATH: Final = FOLDER / "core.pyi"
_HEAD: Final = '''\
"""Made by stub.py from the public headers: do not edit."""

from collections.abc import Callable
from typing import Any

import numpy as np
from typing_extensions import Buffer

Memory = Buffer | np.ndarray[Any, Any]
Array = Memory | int | None
"""A contiguous array, or the address of one."""
Handle = int | None
"""The address of what only native code sees into."""

def address(array: Memory, /) -> int: ...
def text_at(address: Handle, size: int, /) -> bytes: ...
def bound(function: Callable[..., Any], /, *arguments: Any) -> Callable[..., Any]: ...
'''


def text() -> str:
    """The whole file."""
    headers = all_headers()
    return _HEAD + "".join(_declaration(function, headers) for function in headers.functions)


def _declaration(function: HeaderFunction, headers: Header) -> str:
    given = [f"{_name(each.name)}: {_given(each.type, headers)}" for each in function.parameters]
    head = f"def {function.name}({', '.join([*given, '/'] if given else [])}) -> {_result(function)}:"
    if len(head) > 116:
        lines = "".join(f"    {each},\n" for each in (*given, "/"))
        head = f"def {function.name}(\n{lines}) -> {_result(function)}:"
    if not function.comment:
        return f"{head} ...\n"
    about = textwrap.fill(function.comment, 112, initial_indent='    """', subsequent_indent="    ")
    return f'{head}\n{about}"""\n'


def _name(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else name


def _given(kind: HeaderType, headers: Header) -> str:
    if kind.stars:
        return "Handle" if is_handle(kind, headers) else "Array"
    return "float" if kind.base == "double" else "int"


def _result(function: HeaderFunction) -> str:
    if function.numbers:
        return "tuple[int, ...] | None"
    if function.result.stars:
        return "int"  # of what is made: it is there, or the process was aborted
    return {"double": "float", "void": "None"}.get(function.result.base, "int")


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
