"""What of a block has run, if a run ends in its middle.

A call need not return: the callee may exit, jump elsewhere, fail, violate an assumption or meet a limit.  So a block is
cut behind its calls, as gcov cuts it, wherever a source line or a call follows that the block does not have before.  A
part has a coverage byte of its own, which is set at its end: that of the first part is the block's.  A run that ends
inside a part (a failing check, a limit) leaves its byte alone, and the location of the end tells which lines were
reached (machine/ending.py).
"""

from __future__ import annotations

from cinquefoil.ir.lines import line_locations
from cinquefoil.ir.model import Block, Call, GlobalRef, InlineAsm, Instruction
from cinquefoil.ir.sites import SiteKind
from cinquefoil.transform.instrument.meld_marks import is_mark
from cinquefoil.transform.instrument.tracer import Tracer


class BlockParts:
    """Follows the code of one block; `decided` is the location of its branch, which is that of its condition."""

    def __init__(self, tracer: Tracer, block: Block, decided: int | None) -> None:
        self.number = 0
        self._tracer = tracer
        self._sites = tracer.context.sites
        self._name = tracer.function.name.strip('"')
        self._open = True
        self._lines: set[tuple[str, int]] = set()
        self._locations = line_locations(block, decided, is_mark)

    def reach(self, i: Instruction) -> None:
        """The instruction comes next: its line belongs to the part, and to a new one if calls lie before it."""
        dbg = self._locations.get(id(i))
        line = self._line(dbg)
        new = line is not None and line not in self._lines
        if not self._open and (new or is_call(i)):
            self._begin(dbg)
        if line is not None and new:
            self._lines.add(line)
            self._sites.new(SiteKind.LINE, self._name, dbg, block=self._tracer.block_site, part=self.number)

    def end(self) -> None:
        """Sets the byte of the part, unless that was done."""
        if self._open:
            self._open = False
            number = self.number or self._tracer.block_site
            self._tracer.emit(f"store i8 1, ptr {self._sites.coverage(number)}")

    def _begin(self, dbg: int | None) -> None:
        self._open = True
        self.number = self._sites.new(SiteKind.PART, self._name, dbg, block=self._tracer.block_site)

    def _line(self, dbg: int | None) -> tuple[str, int] | None:
        at = self._sites.debug.location(dbg)
        return (at.file, at.line) if at is not None and at.line else None


def is_call(i: Instruction) -> bool:
    """Does it hand over control to a function, of the program or a library?"""
    if not isinstance(i, Call) or isinstance(i.callee, InlineAsm) or is_mark(i):
        return False
    return not (isinstance(i.callee, GlobalRef) and i.callee.name.startswith("llvm."))
