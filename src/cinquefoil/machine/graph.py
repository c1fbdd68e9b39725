"""The program's block graph, as the instrumenter knows it and strategies need it.

Keys and values are site ids of blocks.  A block that ends in a return has no successors; one that ends in
`unreachable` has none either and is listed in `dead_ends`, so that a return is not mistaken for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
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

    def moved(self, base: int) -> ProgramGraph:
        """The graph of one module after the linker gave its sites a base."""
        return ProgramGraph(
            _shift_edges(self.cfg, base),
            _shift_edges(self.calls, base),
            {block + base: count for block, count in self.instructions.items()},
            frozenset(block + base for block in self.entries),
            frozenset(block + base for block in self.dead_ends),
            {block + base: name for block, name in self.names.items()},
            self.module,
        )

    def merged(self, other: ProgramGraph) -> ProgramGraph:
        """Both graphs; their blocks must differ."""
        return ProgramGraph(
            self.cfg | other.cfg,
            self.calls | other.calls,
            self.instructions | other.instructions,
            self.entries | other.entries,
            self.dead_ends | other.dead_ends,
            self.names | other.names,
        )

    def to_json(self) -> str:
        return json.dumps(
            {
                "cfg": [[block, *targets] for block, targets in self.cfg.items()],
                "calls": [[block, *targets] for block, targets in self.calls.items()],
                "instructions": list(self.instructions.items()),
                "entries": sorted(self.entries),
                "dead_ends": sorted(self.dead_ends),
            },
            separators=(",", ":"),
        )

    @classmethod
    def from_json(cls, text: str) -> ProgramGraph:
        raw = json.loads(text)
        return cls(
            _edges(raw["cfg"]),
            _edges(raw["calls"]),
            {int(block): int(count) for block, count in raw["instructions"]},
            frozenset(raw["entries"]),
            frozenset(raw["dead_ends"]),
        )


def _edges(rows: Iterable[list[int]]) -> dict[int, tuple[int, ...]]:
    return {row[0]: tuple(row[1:]) for row in rows}


def _shift_edges(edges: Mapping[int, tuple[int, ...]], base: int) -> dict[int, tuple[int, ...]]:
    return {block + base: tuple(t + base for t in targets) for block, targets in edges.items()}
