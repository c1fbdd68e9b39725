"""Homi's hyper-parameters, their discrete spaces, and how they shrink with the time there is.

The paper explores for five hours, in rounds of at most 800 s, pruning every 30 s.  Both keep their proportions: with
`max_time` T they are T/5h of the paper's, but the longest round is at least half a second and an interval at least
50 ms, since a round must have time to get somewhere; from five hours on, and without a limit, they are the paper's.
Purely exploring rounds are ten, or a third of the rounds there is time for, if that is less."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

PAPER_SECONDS: Final = 5 * 3600.0
LEAST_LONGEST: Final = 0.5
LEAST_INTERVAL: Final = 0.05


def discrete_space(maximum: float, intervals: int) -> tuple[float, ...]:
    """The paper's [maximum, intervals]: equal steps up to the maximum."""
    return tuple(maximum * step / intervals for step in range(1, intervals + 1))


@dataclass(frozen=True, slots=True)
class Settings:
    """The paper's values; times are in seconds."""

    interval: float = 30.0
    longest: float = 800.0
    lengths: int = 4
    most: float = 0.6
    ratios: int = 3
    exploring: int = 10  # rounds before anything learned is used
    least: int = 1000  # states that always stay: with so few, nothing has exploded

    @property
    def budget_space(self) -> tuple[float, ...]:
        return discrete_space(self.longest, self.lengths)

    @property
    def ratio_space(self) -> tuple[float, ...]:
        return discrete_space(self.most, self.ratios)

    def scaled(self, max_time: float | None) -> Settings:
        if max_time is None or max_time >= PAPER_SECONDS:
            return self
        scale = max_time / PAPER_SECONDS
        longest = max(LEAST_LONGEST, scale * self.longest)
        average = sum(discrete_space(longest, self.lengths)) / self.lengths
        return replace(
            self,
            interval=max(LEAST_INTERVAL, scale * self.interval),
            longest=longest,
            exploring=min(self.exploring, int(max_time / average / 3)),
        )
