"""What the engine's C shows to Python, read from its public headers: `AREA/AREA.h`.

The headers are the only source: `extension.py` makes the module that calls the functions from what is read here,
`stub.py` the types that a type checker sees, and `structures.py` the structures that both sides fill.  They are written
plainly, and what is not understood is refused: declarations of functions, structures, enums and opaque `struct name;`,
one statement each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from cinquefoil.errors import EngineError

FOLDER: Final = Path(__file__).parent
RUNTIME: Final = FOLDER.parent / "machine" / "runtime"
AREAS: Final = ("search", "solver", "exploration", "expr", "intake")
NUMBERS: Final = "cinq_numbers"
SIZES: Final = {"u8": 1, "u16": 2, "u32": 4, "u64": 8, "i32": 4, "i64": 8, "int": 4, "double": 8}

_STATEMENT: Final = re.compile(r"((?:[^;{}]|\{[^{}]*\})*);")
_FUNCTION: Final = re.compile(r"(CINQ_LONG )?(.*?)(\w+)\((.*)\)", re.DOTALL)
_STRUCT: Final = re.compile(r"struct (\w+) \{(.*)\}", re.DOTALL)
_ENUM: Final = re.compile(r"enum (\w+) \{(.*)\}", re.DOTALL)
_FIELDS: Final = re.compile(r"((?:const )?(?:struct )?\w+) (.*)", re.DOTALL)
_DECLARATOR: Final = re.compile(r"(\**)(\w+)(?:\[(\d+)\])?")


@dataclass(frozen=True, slots=True)
class HeaderType:
    """`base` is `void`, a scalar of `SIZES`, or `struct name`; `stars` counts pointers to it."""

    base: str
    stars: int = 0
    const: bool = False

    def __str__(self) -> str:
        return f"{'const ' * self.const}{self.base} {'*' * self.stars}".strip()


@dataclass(frozen=True, slots=True)
class HeaderParameter:
    type: HeaderType
    name: str


@dataclass(frozen=True, slots=True)
class HeaderFunction:
    """`long`: it lets Python's other threads go on.  `numbers`: it gives a tuple, and `parameters` are without the
    first."""

    name: str
    result: HeaderType
    parameters: tuple[HeaderParameter, ...]
    long: bool
    comment: str

    @property
    def numbers(self) -> bool:
        return self.result.base == NUMBERS


@dataclass(frozen=True, slots=True)
class Field:
    type: HeaderType
    name: str
    count: int | None


@dataclass(frozen=True, slots=True)
class Header:
    functions: tuple[HeaderFunction, ...]
    structures: dict[str, tuple[Field, ...]]
    enums: dict[str, dict[str, int]]


def header(area: str) -> Header:
    """An area's public header."""
    return parse((FOLDER / area / f"{area}.h").read_text(encoding="utf-8"))


@cache
def all_headers() -> Header:
    """All areas' headers, and the structures that they share, together."""
    shared = parse((FOLDER / "common" / "columns.h").read_text(encoding="utf-8"))
    parts = (shared, *map(header, AREAS))
    return Header(
        tuple(function for part in parts for function in part.functions),
        {name: fields for part in parts for name, fields in part.structures.items()},
        {name: members for part in parts for name, members in part.enums.items()},
    )


def parse(text: str) -> Header:
    """The declarations in a header's text."""
    functions: list[HeaderFunction] = []
    structures: dict[str, tuple[Field, ...]] = {}
    enums: dict[str, dict[str, int]] = {}
    for statement, comment in _statements(text):
        if found := _STRUCT.fullmatch(statement):
            structures[found[1]] = tuple(_fields(found[2]))
        elif found := _ENUM.fullmatch(statement):
            enums[found[1]] = dict(_members(found[2]))
        elif found := _FUNCTION.fullmatch(statement):
            functions.append(_function(found, comment))
        elif not re.fullmatch(r"struct \w+", statement):
            raise EngineError(f"a header of the native core has what is not understood: {statement}")
    return Header(tuple(functions), structures, enums)


def _statements(text: str) -> Iterator[tuple[str, str]]:
    """Statements on one line each, and the comment right before each."""
    text = re.sub(r"^#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.MULTILINE)
    comments: list[str] = []

    def number(found: re.Match[str]) -> str:
        comments.append(re.sub(r"\s*\n\s*\* ?|\s+", " ", found[1]).strip())
        return f"@{len(comments) - 1}@"

    text = re.sub(r"/\*(.*?)\*/", number, text, flags=re.DOTALL)
    for found in _STATEMENT.finditer(text):
        before = re.search(r"@(\d+)@\s*(?=[^@\s])", found[1])
        # A comment with an empty line after it is about what follows as a whole.
        about = comments[int(before[1])] if before and "\n\n" not in before[0] else ""
        yield re.sub(r"@\d+@|\s+", " ", found[1]).strip().replace("  ", " "), about


def _function(found: re.Match[str], comment: str) -> HeaderFunction:
    parameters = [] if found[4] == "void" else [_parameter(each.strip()) for each in found[4].split(",")]
    result = _type(found[2])
    if result.base == NUMBERS:
        if not parameters or str(parameters[0].type) != "i64 *":
            raise EngineError(f"{found[3]}: the first parameter must be i64 *out")
        del parameters[0]
    return HeaderFunction(found[3], result, tuple(parameters), bool(found[1]), comment)


def _parameter(text: str) -> HeaderParameter:
    found = re.fullmatch(r"(.*?)(\w+)", text)
    if found is None:
        raise EngineError(f"not a parameter: {text}")
    return HeaderParameter(_type(found[1]), found[2])


def _type(text: str) -> HeaderType:
    found = re.fullmatch(r"(const )?((?:struct )?\w+) ?(\**)", text.strip())
    if found is None or not _is_known(found[2], len(found[3])):
        raise EngineError(f"a type that native functions do not have: {text}")
    return HeaderType(found[2], len(found[3]), bool(found[1]))


def _is_known(base: str, stars: int) -> bool:
    return base in SIZES or (base.startswith("struct ") and stars > 0) or base in ("void", NUMBERS)


def _fields(body: str) -> Iterator[Field]:
    for declaration in filter(None, map(str.strip, body.split(";"))):
        kind, names = _FIELDS.fullmatch(declaration).groups()  # type: ignore[union-attr]
        for declarator in names.split(","):
            stars, name, count = _DECLARATOR.fullmatch(declarator.strip()).groups()  # type: ignore[union-attr]
            yield Field(_type(f"{kind} {stars}"), name, int(count) if count else None)


def _members(body: str) -> Iterator[tuple[str, int]]:
    value = -1
    for member in filter(None, map(str.strip, body.split(","))):
        name, _, start = (piece.strip() for piece in member.partition("="))
        value = int(start, 0) if start else value + 1
        yield name, value
