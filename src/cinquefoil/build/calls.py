"""Native functions called without ctypes (`quick/quick.c`).

A call by ctypes takes up to a microsecond, most of what is called a fraction of it, and exploring a path makes dozens
of calls.  A quick function takes integers, bytes, None, and numpy arrays, which stand for the address of their memory;
it gives an integer, None, or a tuple of integers (`Numbers`).

Quick functions keep the interpreter's lock: what may take long is better called by ctypes, which lets other threads go
on.  Where Python's objects do not look as `quick.c` expects (another interpreter, one without that lock), all calls are
made by ctypes, and behave the same."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

MOST: Final = 18  # arguments, and numbers of a result


class Numbers:
    """As the type of a result: the function puts that many numbers of 64 bits, as it returns, where its first argument
    points to.  Python does not give that argument, and gets a tuple; None if the function returns a negative number."""


_INTEGERS: Final = (ctypes.c_int32, ctypes.c_uint32, ctypes.c_int64, ctypes.c_uint64, ctypes.c_void_p)
_RESULTS: Final[dict[Any, int]] = {None: 0, **{kind: at for at, kind in enumerate(_INTEGERS, 1)}, Numbers: 6}
_ARGUMENTS: Final = frozenset({*_INTEGERS, ctypes.c_char_p})
_HEAD: Final = 2 * ctypes.sizeof(ctypes.c_void_p)  # bytes of what all objects begin with


class _Function(ctypes.Structure):
    """struct function."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("call", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("text", ctypes.c_char_p),
        ("code", ctypes.c_void_p),
        ("arguments", ctypes.c_ssize_t),
        ("bound", ctypes.c_ssize_t),
        ("words", ctypes.c_uint64 * 2),
        ("result", ctypes.c_int),
    )


_kept: Final[list[_Function]] = []  # for good: functions refer to them


class Quick:
    """Makes quick functions."""

    def __init__(self, library: Path) -> None:
        self._library = ctypes.PyDLL(str(library))
        for name in ("cinq_quick", "cinq_quick_text_at"):
            getattr(self._library, name).restype = ctypes.py_object
        self._library.cinq_quick_start(ctypes.py_object(np.ndarray))
        self.text_at: Callable[[int, int], bytes] = self._library.cinq_quick_text_at()

    def function(self, native: Any, name: str, result: Any, arguments: Sequence[Any]) -> Callable[..., Any] | None:
        """None if a type of it is not to be had quickly."""
        if result not in _RESULTS or len(arguments) > MOST or not _ARGUMENTS.issuperset(arguments):
            return None
        code = ctypes.cast(native, ctypes.c_void_p).value
        return self._made(_Function(name.encode(), None, 0, None, code, len(arguments), 0, (0, 0), _RESULTS[result]))

    def bound(self, function: Callable[..., Any], *words: int) -> Callable[..., Any]:
        """A quick function whose first arguments, one or two, are always the same."""
        of = _Function.from_address(getattr(function, "__self__"))  # noqa: B009 (typed as any callable)
        rest = of.arguments - len(words)
        return self._made(_Function(of.name, None, 0, None, of.code, rest, len(words), words, of.result))

    def _made(self, function: _Function) -> Callable[..., Any]:
        _kept.append(function)
        return self._library.cinq_quick(ctypes.byref(function))


def slow(native: Any, result: Any, arguments: Sequence[Any]) -> Callable[..., Any]:
    """The same function by ctypes."""
    if result is Numbers:
        native.restype, native.argtypes = ctypes.c_int, (ctypes.c_void_p, *arguments)
    else:
        native.restype, native.argtypes = result, arguments

    def call(*given: Any) -> Any:
        if len(given) != len(arguments):
            raise TypeError(f"{len(arguments)} arguments, not {len(given)}")
        plain = [each.ctypes.data if isinstance(each, np.ndarray) else each for each in given]
        if result is not Numbers:
            return native(*plain)
        found = (ctypes.c_int64 * MOST)()
        count = native(ctypes.addressof(found), *plain)
        return tuple(found[:count]) if count >= 0 else None

    return call


@cache
def quick(library: Path) -> Quick | None:
    """None where objects are not what `quick.c` takes them for."""
    if sys.implementation.name != "cpython" or not _as_expected():
        return None
    try:
        return Quick(library)
    except OSError:  # the interpreter does not show its functions
        return None


def _as_expected() -> bool:
    """Is an object's type its second word, and an array's memory its third?"""
    whole = np.zeros((4, 6), np.uint16)
    arrays = (whole, whole[2:], np.zeros(3, [("a", "u1"), ("b", "u8")]), np.frombuffer(b"text", np.uint8))
    word = ctypes.c_void_p.from_address
    return (
        object.__basicsize__ == _HEAD
        and all(word(id(each) + _HEAD // 2).value == id(type(each)) for each in (*arrays, 1, b"x", None))
        and all(word(id(each) + _HEAD).value == each.ctypes.data for each in arrays)
    )
