"""Which source file of libc might define a symbol, without compiling anything.

Definitions start in column 0 in musl's style, so every word of a column-0 line is a candidate.  That over-
approximates (uses in prototypes, types, comments); the caller compiles candidates in order of likelihood and
looks at the real symbol table, so a wrong guess costs a compilation, never a wrong answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from cinquefoil.build import toolchain

OWN_SOURCES = Path(__file__).parent / "musl"

_ALIAS = re.compile(r"\b(?:weak_alias|strong_alias)\s*\(\s*\w+\s*,\s*(\w+)\s*\)")
_TOP_LINE = re.compile(r"^(?:[A-Za-z_(].*)$", re.MULTILINE)
_RENAME = re.compile(r"^\s*#\s*define\s+(\w+)\s+(\w+)\s*$", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_]\w*")
_CALLED = re.compile(r"([A-Za-z_]\w*)\)?\s*\(")
# The run-time has the heap (malloc), our own directory has the rest.
_REPLACED_FOLDERS = {"malloc"}
_KEPT = {"reallocarray.c"}
_REPLACED_FILES = {"__libc_start_main.c", "clone.c"}

Index = dict[str, list[str]]


def libc_sources() -> list[Path]:
    """Our own files first, then musl's generic C, without the per-architecture variants."""
    generic = sorted((toolchain.musl_root() / "src").glob("*/*.c"))
    return [*sorted(OWN_SOURCES.glob("*.c")), *filter(_wanted, generic)]


def _wanted(path: Path) -> bool:
    if path.parent.name in _REPLACED_FOLDERS:
        return path.name in _KEPT
    return path.name not in _REPLACED_FILES


def build_index(sources: Iterable[Path]) -> Index:
    """symbol -> files that may define it, the likeliest first."""
    ranked: dict[str, list[tuple[int, str]]] = {}
    renamed = _renames()
    for source in sources:
        for name, rank in _candidates(source, renamed).items():
            ranked.setdefault(name, []).append((rank, str(source)))
    return {name: [path for _, path in sorted(paths)] for name, paths in ranked.items()}


def _renames() -> dict[str, str]:
    """Names that internal headers replace: `#define fsmu8 __fsmu8`."""
    headers = sorted((toolchain.musl_root() / "src").glob("*/*.h"))
    return {old: new for path in headers for old, new in _RENAME.findall(path.read_text(errors="replace"))}


def _candidates(source: Path, renamed: dict[str, str]) -> dict[str, int]:
    """Words that might be defined here; 0 is the surest."""
    text = source.read_text(errors="replace")
    found: dict[str, int] = {}
    for line in _TOP_LINE.findall(text):
        for name in _WORD.findall(line):
            found.setdefault(name, 3)
        for name in _CALLED.findall(line):
            if not line.rstrip().endswith(";"):
                found[name] = 2
    for name in _ALIAS.findall(text):
        found[name] = 1
    found[source.stem] = 0
    for old, new in (renamed | dict(_RENAME.findall(text))).items():
        if old in found:
            found.setdefault(new, found[old])
    if source.parent == OWN_SOURCES:
        found = {name: rank - 10 for name, rank in found.items()}
    return found
