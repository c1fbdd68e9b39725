"""What instrumenting a module gives: its text, and what linking and exploring need to know of it.

This module imports nothing that is slow to load, because every start reads `ModuleFacts` from the cache.
"""

from __future__ import annotations

from dataclasses import dataclass

from cinquefoil.ir.sites import SiteRow


@dataclass(frozen=True, slots=True)
class ModuleFacts:
    """Blocks are named by the numbers of their sites within the module.  The graph is that of the program's own blocks,
    those of library functions left out."""

    sites: list[SiteRow]
    needed: frozenset[str]  # symbols that the original module does not mention
    entries: dict[str, int]  # the entry block of each function
    successors: dict[int, tuple[int, ...]]
    calls: dict[int, tuple[str, ...]]
    instructions: dict[int, int]
    dead_ends: frozenset[int]  # blocks that end in `unreachable`
    positions: dict[int, tuple[str, int]]  # the function of each block, and the block's number in it
    checksums: dict[str, list[str]]  # of source files, by name


@dataclass(frozen=True, slots=True)
class TracedModule:
    text: str  # textual IR
    facts: ModuleFacts
