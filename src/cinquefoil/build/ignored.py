"""What a source asks of its compiler and clang passes over with a warning.

gcc knows attributes and pragmas that clang does not, and some of them change what a program does: in a structure of
`scalar_storage_order("big-endian")` bytes lie in another order.  Nobody sees clang's warnings if warnings are switched
off, or the program is explored right away, so what was passed over is named.  Not named are attributes that only
concern optimisation, diagnostics or symbols, and those that gcc passes over at the same location."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

_GROUPS: Final = ("unknown-attributes", "ignored-attributes", "unknown-pragmas", "ignored-pragmas")
# Behind a caller's flags: clang tells, whatever these switch off, and goes on.
WATCHING: Final = (*(f"-W{group}" for group in _GROUPS), *(f"-Wno-error={group}" for group in _GROUPS))
_COLOUR = re.compile(r"\x1b\[[\d;]*[mK]")
_WARNING = re.compile(
    r"^(?P<location>[^\n]*?:\d+):(?P<column>\d+): warning: (?P<text>[^\n]*) \[-W(?P<group>" + "|".join(_GROUPS) + r")\]"
    r"(?:\n *\d+ \| (?P<line>[^\n]*))?",
    re.MULTILINE,
)
_BEHIND: Final = "attribute declaration must precede definition"
# gcc passes over these, too.
_MISPLACED = re.compile(r" only applies to |, place it after |calling convention is not supported")
_QUOTED = re.compile(r"'(?:\w+::)?(\w+)'")
_WORD = re.compile(r"\w+")
_PRAGMA = re.compile(r"\b(scalar_storage_order|FENV_ROUND|FLOAT_CONST_DECIMAL64|redefine_extname|pack|weak)\b")
_HARMLESS_NAMES: Final = (
    "access alloc_align alloc_size altivec artificial assume_aligned cdecl cf_check cold const copy counted_by "
    "deprecated designated_init dllexport dllimport error expected_throw "
    "externally_visible fastcall fd_arg fd_arg_read fd_arg_write fentry_name fentry_section flatten format format_arg "
    "function_return gcc_struct hot indirect_branch indirect_return ivdep leaf malloc no_icf no_reorder "
    "no_sanitize_undefined no_split_stack no_stack_limit noclone noinit noipa nonnull nonstring noplt noreturn nothrow "
    "null_terminated_string_arg optimize persistent pure regparm returns_nonnull sentinel shared simd sseregparm "
    "stack_protect stdcall strub symver tainted_args thiscall transaction_callable transaction_may_cancel_outer "
    "transaction_pure transaction_safe transaction_safe_dynamic transaction_unsafe unavailable unused "
    "visibility warn_if_not_aligned warn_unused warn_unused_result warning"
)
_HARMLESS: Final = frozenset(_HARMLESS_NAMES.split())


def was_told(diagnostics: str) -> bool:
    """Does clang name anything that it passes over?"""
    return any(f"[-W{group}]" in diagnostics for group in _GROUPS)


def ignored(diagnostics: str) -> list[str]:
    """Notes on what may change the program's meaning, each once with its first location."""
    found = list(_found(_COLOUR.sub("", diagnostics)))
    times, first = Counter(what for what, _ in found), dict(reversed(found))
    return [
        f"{what} has no effect here: {first[what]}" + (f" and {count - 1} more" if count > 1 else "")
        for what, count in times.items()
    ]


def _found(diagnostics: str) -> Iterator[tuple[str, str]]:
    for warning in _WARNING.finditer(diagnostics):
        name = _pragma(warning) if warning["group"].endswith("pragmas") else _attribute(warning)
        if name:
            yield name, warning["location"]


def _pragma(warning: re.Match[str]) -> str:
    name = _PRAGMA.search(warning["line"] or warning["text"])
    return f"pragma {name[0]}" if name else ""


def _attribute(warning: re.Match[str]) -> str:
    text = warning["text"]
    if text == _BEHIND:
        name = _WORD.match((warning["line"] or "")[int(warning["column"]) - 1 :])
        return f"attribute {_plain(name[0])} behind the definition" if name and not _is_harmless(name[0]) else ""
    name = _QUOTED.search(text)
    return "" if name is None or _MISPLACED.search(text) or _is_harmless(name[1]) else f"attribute {_plain(name[1])}"


def _is_harmless(name: str) -> bool:
    return _plain(name) in _HARMLESS


def _plain(name: str) -> str:
    return name[2:-2] if name.startswith("__") and name.endswith("__") else name
