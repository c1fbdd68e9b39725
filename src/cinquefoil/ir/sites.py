"""Sites: the points of a program that runs and reports refer to.

The instrumenter numbers the blocks, branches, checks, calls and stack objects of every module; the linker gives each
module a base, and base + number is a site's id throughout the image: in events, in the block trace, in
backtraces, and as index of the coverage bytes.  Id 0 is never used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from typing import TypeVar, overload
from weakref import WeakKeyDictionary

T = TypeVar("T")
# A site as it is kept on disk: the fields of `Site` in their order.
SiteRow = tuple[str, str, str, int, int, int, tuple[int, ...], tuple[int, ...], str, bool, int]
MELDED = "<melded>"  # the "file" of instructions made by melding: they belong to no source line


class SiteKind(StrEnum):
    FUNCTION = "function"
    BLOCK = "block"  # its coverage byte is set when its first part has run
    PART = "part"  # what follows a call in a block: its coverage byte is set when that has run
    LINE = "line"  # a source line of which a block holds code: it has run with its part
    EDGE = "edge"  # its coverage byte is set when the edge is taken (only edges that no block byte tells apart)
    BRANCH = "branch"
    SWITCH = "switch"
    SELECT = "select"  # a pointer-valued select on a symbolic condition
    CHECK = "check"  # an implicit branch: memory access, division, conversion
    CALL = "call"
    OBJECT = "object"  # a stack object or global variable: `detail` is its name


@dataclass(frozen=True, slots=True)
class Site:
    """`block` is the site of the enclosing block (0 for functions and globals).  Branches and switches have one
    entry per direction in `targets` (block sites) and `edges` (sites whose coverage byte tells that the
    direction was taken): direction 0 is the else side or the default, as `taken` of an event counts them.
    `part` is the part of the block that the site lies in (0: the first), named by its site."""

    kind: SiteKind
    function: str
    file: str
    line: int
    column: int
    block: int = 0
    targets: tuple[int, ...] = ()
    edges: tuple[int, ...] = ()
    detail: str = ""
    library: bool = False  # in libc, not in the program under test
    part: int = 0

    def row(self) -> SiteRow:
        """The fields in their order: small to keep, and quick to read back."""
        code = (self.block, self.targets, self.edges, self.detail, self.library, self.part)
        return (self.kind.value, self.function, self.file, self.line, self.column, *code)


class SiteTable(Sequence[Site]):
    """The sites of an image by id.  Rows become `Site` objects when they are asked for: libc has many, and few
    are ever looked at."""

    def __init__(self) -> None:
        self._rows = [Site(SiteKind.OBJECT, "", "", 0, 0, library=True).row()]
        self._bases = [0]
        self._made: dict[int, Site] = {}

    def append_module(self, rows: Sequence[SiteRow]) -> int:
        """Adds a module's sites; returns the module's base."""
        base = len(self._rows) - 1
        self._rows.extend(rows)
        self._bases.extend([base] * len(rows))
        return base

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Site: ...
    @overload
    def __getitem__(self, index: slice) -> list[Site]: ...
    def __getitem__(self, index: int | slice) -> Site | list[Site]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        found = self._made.get(index)
        if found is None:
            found = self._made[index] = _site(self._rows[index], self._bases[index])
        return found


def _site(row: SiteRow, base: int) -> Site:
    kind, function, file, line, column, block, targets, edges, detail, library, part = row
    return Site(
        SiteKind(kind),
        function,
        file,
        line,
        column,
        block + base if block else 0,
        tuple(target + base for target in targets),
        tuple(edge + base for edge in edges),
        detail,
        library,
        part + base if part else 0,
    )


def once_per_table(compute: Callable[[Sequence[Site]], T]) -> Callable[[Sequence[Site]], T]:
    """Makes a function remember what it computed for a table of sites, while that exists and does not grow."""
    known: WeakKeyDictionary[SiteTable, tuple[int, T]] = WeakKeyDictionary()

    @wraps(compute)
    def remembering(sites: Sequence[Site]) -> T:
        if not isinstance(sites, SiteTable):
            return compute(sites)
        length, result = known.get(sites, (-1, None))
        if result is None or length != len(sites):
            result = compute(sites)
            known[sites] = (len(sites), result)
        return result

    return remembering
