"""What was melded, what was not and why."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class MeldFigures:
    """Pairs of instructions that became one, instructions that run dead on the other side, selects added."""

    merged: int
    dead: int
    selects: int


@dataclass(frozen=True, slots=True)
class MeldedRegion:
    """A branch that was melded; `home` is the label of the block it ended."""

    number: int
    function: str
    home: str
    file: str
    line: int
    column: int
    kind: str  # "if-then", "if-then-else", "chain", "isomorphic" (arms of one shape), "region" (in line)
    figures: MeldFigures


@dataclass(frozen=True, slots=True)
class Refusal:
    """A branch on input that was left alone."""

    function: str
    home: str
    file: str
    line: int
    column: int
    reason: str


@dataclass(frozen=True, slots=True)
class MeldReport:
    regions: tuple[MeldedRegion, ...] = ()
    refusals: tuple[Refusal, ...] = ()

    def to_json(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> MeldReport:
        raw = json.loads(text)
        regions = tuple(MeldedRegion(**row | {"figures": MeldFigures(**row["figures"])}) for row in raw["regions"])
        return cls(regions, tuple(Refusal(**row) for row in raw["refusals"]))

    def region(self, number: int) -> MeldedRegion | None:
        return next((r for r in self.regions if r.number == number), None)
