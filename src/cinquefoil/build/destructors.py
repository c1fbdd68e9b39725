"""Make destructors ordinary: a constructor that registers them with `atexit`.

The run-time runs constructors only.  Handlers that the program itself registers come later, so they run
earlier, as they should; destructors of higher priority numbers run first, so they are registered last.
"""

from __future__ import annotations

import re

_LIST = re.compile(r"^@llvm\.global_(?P<kind>[cd]tors) = appending global \[\d+ x [^\]]*\] \[(?P<items>.*)\].*\n", re.M)
_ENTRY = "{ i32, ptr, ptr }"
_ATEXIT = re.compile(r"^(?:declare|define) .*@atexit\(", re.M)
_ITEM = re.compile(r"\{ i32, ptr, ptr \} \{ i32 (\d+), ptr (@\S+), ptr [^}]*\}")
_REGISTER = "cinq.register.destructors"
_FIRST = 0  # before all constructors, so that what they register runs before destructors


def register_destructors(text: str) -> str:
    """The same module without `llvm.global_dtors`."""
    lists = {match["kind"]: match for match in _LIST.finditer(text)}
    if "dtors" not in lists:
        return text
    destructors = sorted(_items(lists["dtors"]), key=lambda item: item[0])
    constructors = [(_FIRST, f"@{_REGISTER}"), *(_items(lists["ctors"]) if "ctors" in lists else ())]
    added = _constructor_list(constructors) + _registration([name for _, name in destructors])
    if not _ATEXIT.search(text):
        added += "declare i32 @atexit(ptr)\n"
    return _LIST.sub("", text) + added


def _items(found: re.Match[str]) -> list[tuple[int, str]]:
    return [(int(priority), name) for priority, name in _ITEM.findall(found["items"])]


def _constructor_list(items: list[tuple[int, str]]) -> str:
    entries = ", ".join(f"{_ENTRY} {{ i32 {priority}, ptr {name}, ptr null }}" for priority, name in items)
    return f"\n@llvm.global_ctors = appending global [{len(items)} x {_ENTRY}] [{entries}]\n"


def _registration(names: list[str]) -> str:
    calls = "".join(f"  %r{number} = call i32 @atexit(ptr {name})\n" for number, name in enumerate(names))
    return f"\ndefine internal void @{_REGISTER}() {{\n{calls}  ret void\n}}\n"
