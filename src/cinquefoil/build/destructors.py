"""Make destructors ordinary: a constructor that registers them with `atexit`.

The run-time runs constructors only.  Handlers that the program itself registers come later, so they run
earlier, as they should; destructors of higher priority numbers run first, so they are registered last.
"""

from __future__ import annotations

import re

_LIST = re.compile(r"^@llvm\.global_(?P<kind>[cd]tors) = appending global \[\d+ x [^\]]*\] \[(?P<items>.*)\].*\n", re.M)
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
    body = _LIST.sub("", text) + _constructor_list(constructors) + _registration([name for _, name in destructors])
    return body if re.search(r"^(?:declare|define) .*@atexit\(", body, re.M) else body + "declare i32 @atexit(ptr)\n"


def _items(found: re.Match[str]) -> list[tuple[int, str]]:
    return [(int(priority), name) for priority, name in _ITEM.findall(found["items"])]


def _constructor_list(items: list[tuple[int, str]]) -> str:
    entries = ", ".join(f"{{ i32, ptr, ptr }} {{ i32 {priority}, ptr {name}, ptr null }}" for priority, name in items)
    kind = f"[{len(items)} x {{ i32, ptr, ptr }}]"
    return f"\n@llvm.global_ctors = appending global {kind} [{entries}]\n"


def _registration(names: list[str]) -> str:
    calls = "".join(f"  %r{number} = call i32 @atexit(ptr {name})\n" for number, name in enumerate(names))
    return f"\ndefine internal void @{_REGISTER}() {{\n{calls}  ret void\n}}\n"
