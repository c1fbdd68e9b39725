"""Debug locations of melded instructions.

A melded instruction belongs to no single source line any more, and must not make one look covered.  Its location is
"line R of <melded>", R being the number of its region, *inlined at* the location it had before; where two
instructions became one, inlined at the first's, inlined at the second's.  So both source lines are kept, in a form
that LLVM and its tools know, and an error in melded code names its region.
"""

from __future__ import annotations

import re

from cinquefoil.ir.model import Function, Module
from cinquefoil.ir.sites import MELDED

_UNIT = re.compile(r"!DICompileUnit\(")
_LOCATION = re.compile(r"!DILocation\((.*?)(?:, inlinedAt: !\d+)?((?:, isImplicitCode: true)?)\)$")
_OF_MELDED = re.compile(r"!DILocation\(line: (\d+), scope: !(\d+), inlinedAt: !(\d+)\)$")


class MeldLocations:
    """Makes metadata nodes in a module; equal ones once."""

    def __init__(self, module: Module) -> None:
        self._metadata = module.metadata
        self._next = max(module.metadata, default=-1) + 1
        self._known: dict[str, int] = {}
        self._scope = self._melded_scope()

    def melded(self, region: int, function: Function, first: int | None, second: int | None = None) -> int | None:
        """The location of an instruction of this region, made of those at `first` and `second`."""
        if self._scope is None or function.dbg is None:
            return None
        origins = [self.origin(dbg) for dbg in dict.fromkeys((first, second)) if dbg is not None]
        at = origins[0] if origins else self._node(f"!DILocation(line: 0, scope: !{function.dbg})")
        if len(origins) > 1:
            at = self._chained(origins[0], origins[1])
        return self._node(f"!DILocation(line: {region}, scope: !{self._scope}, inlinedAt: !{at})")

    def origin(self, dbg: int) -> int:
        """The location that an instruction had before any melding."""
        found = _OF_MELDED.match(self._metadata.get(dbg, ""))
        return int(found[3]) if found and int(found[2]) == self._scope else dbg

    def _chained(self, first: int, second: int) -> int:
        found = _LOCATION.match(self._metadata.get(first, ""))
        return first if found is None else self._node(f"!DILocation({found[1]}, inlinedAt: !{second})")

    def _melded_scope(self) -> int | None:
        unit = next((n for n, text in self._metadata.items() if _UNIT.search(text)), None)
        if unit is None:
            return None
        file = self._node(f'!DIFile(filename: "{MELDED}", directory: "")')
        none = self._node("!{null}")
        kind = self._node(f"!DISubroutineType(types: !{none})")
        return self._node(
            f'distinct !DISubprogram(name: "{MELDED}", scope: !{file}, file: !{file}, line: 1, type: !{kind}, '
            f"spFlags: DISPFlagDefinition, unit: !{unit})"
        )

    def _node(self, text: str) -> int:
        if text not in self._known:
            self._known[text] = self._next
            self._metadata[self._next] = text
            self._next += 1
        return self._known[text]
