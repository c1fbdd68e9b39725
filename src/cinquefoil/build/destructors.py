"""Make what runs before and after `main` ordinary: constructors, one of which registers destructors with `atexit`.

Functions listed in the sections that the start-up code of a C library reads (`.init_array` and its like) are
constructors and destructors too, by another spelling.  The run-time runs constructors only.  Handlers that the program
itself registers come later, so they run earlier, as they should; destructors of higher priority numbers run first, so
they are registered last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_LIST = re.compile(r"^@llvm\.global_(?P<kind>[cd]tors) = appending global \[\d+ x [^\]]*\] \[(?P<items>.*)\].*\n", re.M)
_ENTRY = "{ i32, ptr, ptr }"
_ATEXIT = re.compile(r"^(?:declare|define) .*@atexit\(", re.M)
_ITEM = re.compile(r"\{ i32, ptr, ptr \} \{ i32 (\d+), ptr (@\S+), ptr [^}]*\}")
_LISTED = re.compile(
    r"^(?P<head>@\S+ = [^\n]*?\b(?:global|constant) (?:ptr|\[\d+ x ptr\]) (?P<functions>[^\n]*?)), section "
    r'"\.(?P<kind>preinit_array|init_array|fini_array|ctors|dtors)(?:\.(?P<priority>\d+))?"',
    re.MULTILINE,
)
_FUNCTION = re.compile(r'@(?:"[^"]*"|[-\w$.]+)')
_LAST = 65535  # the priority of those that name none
_REGISTER = "cinq.register.destructors"
_FIRST = 0  # before all constructors, so that what they register runs before destructors


def register_destructors(text: str) -> str:
    """The same module without `llvm.global_dtors` and sections that list functions."""
    lists = {match["kind"]: match for match in _LIST.finditer(text)}
    listed = list(_LISTED.finditer(text))
    if "dtors" not in lists and not listed:
        return text
    destructors = [
        *(_items(lists["dtors"]) if "dtors" in lists else ()),
        *_from_sections(listed, ("fini_array", "dtors")),
    ]
    constructors = [
        *_from_sections(listed, ("preinit_array",)),
        *(_items(lists["ctors"]) if "ctors" in lists else ()),
        *_from_sections(listed, ("init_array", "ctors")),
    ]
    added = ""
    if destructors:
        constructors.insert(0, (_FIRST, f"@{_REGISTER}"))
        added = _registration([name for _, name in sorted(destructors, key=lambda item: item[0])])
        added += "" if _ATEXIT.search(text) else "declare i32 @atexit(ptr)\n"
    rest = _LISTED.sub(lambda match: match["head"], _LIST.sub("", text))
    return rest + (_constructor_list(constructors) if constructors else "") + added


def _from_sections(listed: Iterable[re.Match[str]], kinds: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    for match in listed:
        if match["kind"] in kinds:
            usual = _FIRST if match["kind"] == "preinit_array" else _LAST
            priority = int(match["priority"]) if match["priority"] else usual
            yield from ((priority, name) for name in _FUNCTION.findall(match["functions"]))


def _items(found: re.Match[str]) -> list[tuple[int, str]]:
    return [(int(priority), name) for priority, name in _ITEM.findall(found["items"])]


def _constructor_list(items: list[tuple[int, str]]) -> str:
    entries = ", ".join(f"{_ENTRY} {{ i32 {priority}, ptr {name}, ptr null }}" for priority, name in items)
    return f"\n@llvm.global_ctors = appending global [{len(items)} x {_ENTRY}] [{entries}]\n"


def _registration(names: list[str]) -> str:
    calls = "".join(f"  %r{number} = call i32 @atexit(ptr {name})\n" for number, name in enumerate(names))
    return f"\ndefine internal void @{_REGISTER}() {{\n{calls}  ret void\n}}\n"
