"""Which of clang's sanitizers are asked for, by `-fsanitize=` flags or by the engine's own names for checks.

The parts of UndefinedBehaviorSanitizer become checks that are explored like any branch (`ubsan.py`).  Some of them
clang leaves out where the language gives a meaning to the operation, as `-fwrapv` does; those flags are taken back.
What the engine does anyway, or cannot do, is said: nothing is left out in silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from cinquefoil.errors import UserError

_GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "shift": ("shift-base", "shift-exponent"),
    "bounds": ("array-bounds", "local-bounds"),
    "nullability": ("nullability-arg", "nullability-assign", "nullability-return"),
    "implicit-integer-truncation": ("implicit-unsigned-integer-truncation", "implicit-signed-integer-truncation"),
    "implicit-integer-arithmetic-value-change": ("implicit-integer-sign-change", "implicit-signed-integer-truncation"),
    "implicit-integer-conversion": ("implicit-integer-truncation", "implicit-integer-sign-change"),
    "implicit-conversion": ("implicit-integer-conversion", "implicit-bitfield-conversion"),
    "integer": (
        *("implicit-integer-conversion", "integer-divide-by-zero", "shift", "signed-integer-overflow"),
        *("unsigned-integer-overflow", "unsigned-shift-base"),
    ),
    "undefined": (
        *("alignment", "array-bounds", "bool", "builtin", "float-cast-overflow", "function"),
        *("integer-divide-by-zero", "nonnull-attribute", "null", "object-size", "pointer-overflow"),
        *("returns-nonnull-attribute", "shift", "signed-integer-overflow", "unreachable", "vla-bound"),
    ),
}
_GROUPS_TOO: Final = {"undefined-trap": "undefined", "signed-integer-wrap": "signed-integer-overflow"}
PARTS: Final = frozenset(
    [
        *("alignment", "array-bounds", "bool", "builtin", "float-cast-overflow", "float-divide-by-zero"),
        *("function", "implicit-unsigned-integer-truncation", "implicit-signed-integer-truncation"),
        *("implicit-integer-sign-change", "implicit-bitfield-conversion", "integer-divide-by-zero"),
        *("nonnull-attribute", "null", "nullability-arg", "nullability-assign", "nullability-return", "object-size"),
        *("pointer-overflow", "returns-nonnull-attribute", "shift-base", "shift-exponent"),
        *("signed-integer-overflow", "unreachable", "unsigned-integer-overflow", "unsigned-shift-base", "vla-bound"),
    ]
)
# Asked for by flags, and done without them.
_DONE: Final = {
    "address": "every access to memory is checked anyway",
    "kernel-address": "every access to memory is checked anyway",
    "local-bounds": "every access to memory is checked anyway",
    "pointer-compare": "every access to memory is checked, comparisons are not",
    "pointer-subtract": "every access to memory is checked, subtractions are not",
    "enum": "it is about C++: in C an enum holds any value of its integer type",
    "return": "it is about C++: in C a missing return matters only if the value is used",
    "vptr": "it is about C++",
}
# What -fwrapv makes defined, and clang therefore does not check.
_UNWRAPPED: Final = frozenset(["signed-integer-overflow", "shift-base", "pointer-overflow"])
# Steer what happens after a failed check, which here is always the end of the path.
_REACTIONS: Final = (
    *("-fsanitize-recover", "-fno-sanitize-recover", "-fsanitize-trap", "-fno-sanitize-trap"),
    *("-fsanitize-minimal-runtime", "-fno-sanitize-minimal-runtime", "-fsanitize-undefined-trap-on-error"),
    *("-fno-sanitize-undefined-trap-on-error", "-fsanitize-address-", "-fno-sanitize-address-", "-fsanitize-stats"),
    *("-fsanitize-link-", "-fno-sanitize-link-", "-static-libsan", "-shared-libsan", "-static-libasan"),
    *("-static-libubsan", "-fsanitize-undefined-strip-path-components"),
)

# The engine's names: what `--check` takes, and the parts each stands for.
CHECKS: Final[dict[str, tuple[str, ...]]] = {
    "undefined": ("undefined",),
    "overflow": ("signed-integer-overflow",),
    "unsigned-overflow": ("unsigned-integer-overflow", "unsigned-shift-base"),
    "shift": ("shift",),
    "pointer": ("pointer-overflow",),
    "bounds": ("array-bounds",),
    "alignment": ("alignment",),
    "null": ("null",),
    "nonnull": ("nonnull-attribute", "returns-nonnull-attribute", "nullability"),
    "object-size": ("object-size",),
    "float": ("float-cast-overflow", "float-divide-by-zero"),
    "implicit-conversion": ("implicit-conversion",),
    "value": ("bool",),
    "builtin": ("builtin",),
    "unreachable": ("unreachable",),
    "vla-bound": ("vla-bound",),
    "function": ("function",),
    "divide": ("integer-divide-by-zero",),
}


@dataclass(frozen=True, slots=True)
class Sanitizing:
    """What becomes of a command line: clang's flags, and remarks on what was asked for."""

    flags: list[str]
    notes: tuple[str, ...] = ()


def flags_for(checks: Iterable[str]) -> list[str]:
    """Compiler flags for checks by the engine's names."""
    parts = [part for name in checks for part in CHECKS[name]]
    return [f"-fsanitize={','.join(parts)}"] if parts else []


def without_sanitizers(flags: Iterable[str]) -> list[str]:
    """The flags without those that ask for sanitizers of clang's, which gcc may not have."""
    return [flag for flag in flags if not flag.startswith(("-fsanitize", "-fno-sanitize"))]


def sanitizing(flags: Sequence[str]) -> Sanitizing:
    """The flags with those about sanitizers replaced by what is really checked; `UserError` for what cannot be."""
    wanted: set[str] = set()
    notes: dict[str, None] = {}
    rest: list[str] = []
    for flag in flags:
        name, equals, values = flag.partition("=")
        if name == "-fsanitize" and equals:
            wanted |= _parts(values.split(","), notes)
        elif name == "-fno-sanitize" and equals:
            wanted -= PARTS if "all" in values.split(",") else _parts(values.split(","), {}, strict=False)
        elif flag.startswith(("-fsanitize-coverage", "-fsanitize-cfi")):
            raise UserError(f"{flag} is not supported")
        elif not flag.startswith(_REACTIONS):
            rest.append(flag)
    if not wanted:
        return Sanitizing(rest, tuple(notes))
    own = ["-fno-wrapv"] if wanted & _UNWRAPPED else []
    if "object-size" in wanted:  # clang's driver leaves it out without optimisation: it would know few sizes then
        own += ["-Xclang", "-fsanitize=object-size", "-Xclang", "-fsanitize-recover=object-size"]
    return Sanitizing([*rest, *own, f"-fsanitize={','.join(sorted(wanted))}"], tuple(notes))


def _parts(names: Sequence[str], notes: dict[str, None], strict: bool = True) -> set[str]:
    found: set[str] = set()
    for name in names:
        name = _GROUPS_TOO.get(name, name)
        if name in _GROUPS:
            found |= _parts(_GROUPS[name], {}, strict)
        elif name in PARTS:
            found.add(name)
        elif name in _DONE:
            notes[f"-fsanitize={name}: {_DONE[name]}"] = None
        elif strict:
            raise UserError(f"-fsanitize={name} is not supported{_instead(name)}")
    return found


def _instead(name: str) -> str:
    return "; cinq run --check uninitialized finds uses of uninitialised memory" if name == "memory" else ""
