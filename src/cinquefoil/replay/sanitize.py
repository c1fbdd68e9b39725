"""What gcc's sanitizers say about tests: distinct violations, each with the tests that show it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cinquefoil.errors import UserError

KNOWN = ("address", "undefined", "leak")
VARIABLES = {
    # Leaks of a program that ends are no violation; the first error ends it, so that its exit status tells.
    "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=0:exitcode=118:allocator_may_return_null=1:color=never",
    "UBSAN_OPTIONS": "print_stacktrace=0:halt_on_error=0:color=never",
}
_ADDRESS = re.compile(r"^==\d+==\s*ERROR: (AddressSanitizer|LeakSanitizer): ([^\n]*)", re.MULTILINE)
_UNDEFINED = re.compile(r"^(\S+?):(\d+):(\d+): runtime error: ([^\n]*)", re.MULTILINE)
_FRAME = re.compile(r"^\s+#\d+ 0x[0-9a-f]+ in (\S+) (\S+?):(\d+)", re.MULTILINE)
_VALUES = re.compile(r"-?\b(?:0x[0-9a-f]+|\d+(?:\.\d+(?:e[+-]?\d+)?)?)\b")


@dataclass(frozen=True, slots=True)
class Violation:
    """`kind` is the sanitizer's own word for it, `place` the location; numbers in messages are left out, so that equal
    violations stay one."""

    kind: str
    place: str


def flags(names: Iterable[str]) -> tuple[str, ...]:
    """gcc's flags; `UserError` for a sanitizer that is not known."""
    wanted = [name.strip() for name in names if name.strip()]
    for name in wanted:
        if name not in KNOWN:
            raise UserError(f"sanitizer {name} is not known; there are {', '.join(KNOWN)}")
    if not wanted:
        raise UserError(f"name a sanitizer: {', '.join(KNOWN)}")
    return (f"-fsanitize={','.join(wanted)}", "-fno-omit-frame-pointer")


def violations(output: str) -> list[Violation]:
    """Those that one run's output reports, each once."""
    return list(dict.fromkeys([*_of_undefined(output), *_of_address(output)]))


def _of_undefined(output: str) -> Iterator[Violation]:
    for file, line, column, message in _UNDEFINED.findall(output):
        yield Violation(_VALUES.sub("N", message), f"{file}:{line}:{column}")


def _of_address(output: str) -> Iterator[Violation]:
    for found in _ADDRESS.finditer(output):
        kind = found[2].split(" on ")[0].split(" (")[0]
        yield Violation(_VALUES.sub("N", kind).strip(), _location(output[found.end() :]))


def _location(stack: str) -> str:
    """The innermost frame that is not the sanitizer's own."""
    for function, file, line in _FRAME.findall(stack):
        if "libsanitizer" not in file and not function.startswith("__interceptor_"):
            return f"{file}:{line} {function}"
    return "unknown location"
