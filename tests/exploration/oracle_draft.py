"""A generated program while it is written (`oracle_programs.py` has the steps it is made of)."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

MASK = 0xFFFFFFFF
SAMPLES = 12


@dataclass(frozen=True)
class Drafted:
    """A C expression of type unsigned, and its value for each sample."""

    text: str
    values: tuple[int, ...]

    def map(self, text: str, function: Callable[[int], int]) -> Drafted:
        return Drafted(f"({text.format(self.text)})", tuple(function(value) & MASK for value in self.values))


def both(text: str, x: Drafted, y: Drafted, function: Callable[[int, int], int]) -> Drafted:
    values = tuple(function(a, b) & MASK for a, b in zip(x.values, y.values, strict=True))
    return Drafted(f"({text.format(x.text, y.text)})", values)


@dataclass
class Draft:
    """A program being written; `top` is what stands before its function."""

    number: int
    choose: random.Random
    size: int
    top: list[str] = field(default_factory=list[str])
    lines: list[str] = field(default_factory=list[str])
    variables: list[Drafted] = field(default_factory=list[Drafted])
    labels: int = 0
    failures: int = 0
    names: int = 0

    def __post_init__(self) -> None:
        inputs = [[self.choose.randrange(256 if k < 2 else 4) for k in range(self.size)] for _ in range(SAMPLES)]
        self.variables = [Drafted(f"in[{k}]", tuple(row[k] for row in inputs)) for k in range(self.size)]

    def name(self, prefix: str = "t") -> str:
        self.names += 1
        return f"{prefix}{self.number}_{self.names}"

    def any(self) -> Drafted:
        """Later variables are made of earlier ones, and so more interesting."""
        return self.choose.choice(self.variables + self.variables[self.size :] * 2)

    def byte(self) -> Drafted:
        return self.choose.choice(self.variables[: self.size])

    def keep(self, value: Drafted) -> Drafted:
        """Makes a variable of an expression."""
        name = self.name("v")
        self.lines.append(f"unsigned {name} = {value.text};")
        return self.know(name, value.values)

    def know(self, name: str, values: Sequence[int]) -> Drafted:
        kept = Drafted(name, tuple(value & MASK for value in values))
        self.variables.append(kept)
        return kept

    def label(self) -> str:
        self.labels += 1
        return f"L({self.labels - 1});"

    def failure(self) -> int:
        self.failures += 1
        return self.failures - 1

    def table(self, count: int, limit: int, kind: str = "unsigned") -> tuple[str, list[int]]:
        """A constant table; a few of its elements may be equal."""
        values = [self.choose.randrange(limit) for _ in range(count)]
        if self.choose.random() < 0.3:
            values[self.choose.randrange(count)] = values[0]
        name = self.name()
        self.top.append(f"static const {kind} {name}[{count}] = {{{', '.join(map(str, values))}}};")
        return name, values

    def condition(self, of: Drafted | None = None) -> str:
        """One that holds for some inputs; if possible, not for all samples."""
        x = of or self.any()
        for _ in range(4):
            text, holds = self._comparison(x)
            if any(holds) and not all(holds):
                break
            x = self.any()
        return text

    def _comparison(self, x: Drafted) -> tuple[str, list[bool]]:
        value, form = self.choose.choice(x.values), self.choose.randrange(7)
        if form <= 2:
            return f"{x.text} == {value}u", [a == value for a in x.values]
        if form == 3:
            return f"{x.text} > {value}u", [a > value for a in x.values]
        if form == 4:
            mask = self.choose.choice((3, 7, 15, 0x81))
            return f"({x.text} & {mask}) == {value & mask}", [a & mask == value & mask for a in x.values]
        if form == 5:
            low = max(0, value - 2)
            return f"{x.text} - {low}u < 4", [(a - low) & MASK < 4 for a in x.values]
        y, pair = self.any(), self.choose.randrange(SAMPLES)
        mixed = [a ^ b for a, b in zip(x.values, y.values, strict=True)]
        return f"({x.text} ^ {y.text}) == {mixed[pair]}u", [value == mixed[pair] for value in mixed]

    def check(self, of: Drafted | None = None) -> None:
        """A label or a failure behind a condition."""
        what = self.choose.random()
        if what < 0.25:
            self.lines.append(f"if ({self.condition(of)}) FAIL({self.failure()});")
        elif what < 0.35:
            self.lines.append(f"ASSERT({self.failure()}, !({self.condition(of)}));")
        elif what < 0.5:
            self.lines.append(f"if ({self.condition(of)}) {{ {self.label()} return 1; }}")
        elif what < 0.7:
            self.lines.append(f"if ({self.condition(of)}) {{ {self.label()} }} else {{ {self.label()} }}")
        else:
            self.lines.append(f"if ({self.condition(of)}) {{ {self.label()} }}")
