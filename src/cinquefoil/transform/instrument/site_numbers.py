"""Numbering of a module's sites while it is instrumented."""

from __future__ import annotations

from cinquefoil.ir.debug import DebugInfo
from cinquefoil.ir.model import Function, Location
from cinquefoil.ir.sites import Site, SiteKind

_NOWHERE = Location("", 0, 0, "")


class SiteNumbers:
    """Gives out site numbers of one module, from 1; `text` is a number as an LLVM constant.

    The module's base is an absolute symbol that the linker defines, so a number costs one immediate in the code."""

    def __init__(self, base_symbol: str, debug: DebugInfo, library: bool) -> None:
        self.base_symbol = base_symbol
        self.sites: list[Site] = []
        self.debug = debug
        self._library = library

    def reserve(self) -> int:
        """A number whose site is filled in later with `fill`."""
        self.sites.append(Site(SiteKind.BLOCK, "", "", 0, 0))
        return len(self.sites)

    def fill(
        self,
        number: int,
        kind: SiteKind,
        function: str,
        dbg: int | None,
        *,
        block: int = 0,
        targets: tuple[int, ...] = (),
        edges: tuple[int, ...] = (),
        detail: str = "",
        part: int = 0,
    ) -> None:
        at = (self.debug.location(dbg) if dbg is not None else None) or _NOWHERE
        self.sites[number - 1] = Site(
            kind, function, at.file, at.line, at.column, block, targets, edges, detail, self._library, part
        )

    def new(
        self, kind: SiteKind, function: str, dbg: int | None, *, block: int = 0, detail: str = "", part: int = 0
    ) -> int:
        number = self.reserve()
        self.fill(number, kind, function, dbg, block=block, detail=detail, part=part)
        return number

    def new_object(self, name: str, function: str, at: Location | None) -> int:
        """A variable, where it is declared: that location is no code, so it belongs to no block's lines."""
        at = at or _NOWHERE
        self.sites.append(Site(SiteKind.OBJECT, function, at.file, at.line, 0, detail=name, library=self._library))
        return len(self.sites)

    def new_function(self, function: Function) -> int:
        at = self.debug.function_location(function) or _NOWHERE
        name = function.name.strip('"')
        self.sites.append(Site(SiteKind.FUNCTION, name, at.file, at.line, at.column, library=self._library))
        return len(self.sites)

    def text(self, number: int) -> str:
        """The site id as an i32 constant."""
        return f"ptrtoint (ptr getelementptr (i8, ptr @{self.base_symbol}, i64 {number}) to i32)"

    def coverage(self, number: int) -> str:
        """The address of the site's coverage byte, as a ptr constant."""
        return f"getelementptr (i8, ptr @{coverage_symbol(self.base_symbol)}, i64 {number})"


def coverage_symbol(base_symbol: str) -> str:
    """Where the coverage bytes of a module's sites begin: a symbol of its own, so that one instruction sets a byte."""
    return f"{base_symbol}_coverage"
