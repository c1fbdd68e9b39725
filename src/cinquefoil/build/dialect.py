"""What gcc takes and clang does not, given to clang in words it knows.

A source is compiled as it is; only if clang refuses it for one of these reasons it is compiled once more:

- glibc's headers, preprocessed for gcc (`.i`), use attributes and types that only gcc has;
- `#pragma GCC target("avx2")` lets a source use instructions that the command line does not name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

PREPROCESSED = ".i"
_TYPES = {
    "_Float16x": "float",
    "_Float32": "float",
    "_Float32x": "double",
    "_Float64": "double",
    "_Float64x": "long double",
    "_Float128": "__float128",
}
_UNKNOWN_TYPE = re.compile(r"error: (?:unknown type name|use of undeclared identifier) '(_Float\d+x?)'")
_ALLOCATOR = re.compile(r"error: '(__malloc__|malloc)' attribute takes no arguments")
_NO_FEATURE = re.compile(r"error: .*(?:requires|needs) target feature")
_TARGET = re.compile(r"^\s*#\s*pragma\s+GCC\s+target\s*\(?([^)\n]*)\)?", re.MULTILINE)
_WORD = re.compile(r"[\w.=-]+")


def remedies(source: Path, diagnostics: str) -> list[str]:
    """Flags with which a refused source may compile after all; none if it is refused for other reasons."""
    defines = list(dict.fromkeys(_defines(diagnostics)))
    targets = list(_targets(source)) if _NO_FEATURE.search(diagnostics) else []
    # Macros work in what is preprocessed already only if it is preprocessed once more.
    again = ["-x", "c"] if defines and source.suffix == PREPROCESSED else []
    return [*again, *defines, *targets]


def _defines(diagnostics: str) -> Iterator[str]:
    # The first errors stand for all: clang stops after twenty.
    if _UNKNOWN_TYPE.search(diagnostics) or _ALLOCATOR.search(diagnostics):
        yield from (f"-D{name}={type_}" for name, type_ in _TYPES.items())
        yield from (f"-D{name}(...)={name}" for name in _ALLOCATOR.findall(diagnostics))


def _targets(source: Path) -> Iterator[str]:
    for given in _TARGET.findall(source.read_text(errors="replace")):
        for word in _WORD.findall(given):
            if not word.startswith("tune="):
                yield f"-m{word}"
