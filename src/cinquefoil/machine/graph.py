"""The program's block graph, as the instrumenter knows it and strategies need it.

Keys and values are site ids of blocks.  A block that ends in a return has no successors; one that ends in
`unreachable` has none either and is listed in `dead_ends`, so that a return is not mistaken for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(slots=True)
class ProgramGraph:
    """`cfg`: block to successor blocks.  `calls`: block to the entry blocks of functions it may call.
    `instructions`: block to the number of its instructions.  `entries`: the functions' entry blocks.
    `names`: entry block to its function's name.  `module`: the bitcode the blocks are of, if it is known."""

    cfg: dict[int, tuple[int, ...]] = field(default_factory=dict[int, tuple[int, ...]])
    calls: dict[int, tuple[int, ...]] = field(default_factory=dict[int, tuple[int, ...]])
    instructions: dict[int, int] = field(default_factory=dict[int, int])
    entries: frozenset[int] = frozenset()
    dead_ends: frozenset[int] = frozenset()
    names: dict[int, str] = field(default_factory=dict[int, str])
    module: Path | None = None
