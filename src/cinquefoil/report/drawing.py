"""What every chart is drawn with: a frame that says where values lie, lines of a grid, and labels, as SVG."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cinquefoil.report.markup import Html, element

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class ChartFrame:
    """A picture of `width` by `height` whose margins are left free, and the ranges of values shown within them."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    x_low: float
    x_high: float
    y_low: float
    y_high: float

    def x(self, value: float) -> float:
        """From the left; what lies beyond the range is drawn at its end."""
        share = (value - self.x_low) / (self.x_high - self.x_low or 1)
        return self.left + min(share, 1.0) * (self.width - self.left - self.right)

    def y(self, value: float) -> float:
        """From above."""
        share = (value - self.y_low) / (self.y_high - self.y_low or 1)
        return self.height - self.bottom - share * (self.height - self.top - self.bottom)

    def points(self, values: Iterable[Point]) -> list[Point]:
        return [(self.x(x), self.y(y)) for x, y in values]

    def grid_line(self, value: float, label: str) -> list[Html]:
        """A line across the picture at a value, and the value in the margin."""
        y = self.y(value)
        return [
            element("line", x1=self.left, x2=self.width - self.right, y1=y, y2=y, class_="grid"),
            element("text", label, x=self.left - 6, y=y + 4, text_anchor="end"),
        ]

    def picture(self, described: str, *parts: str | Iterable[str], class_: str | None = None) -> Html:
        """The whole; `described` is for those who cannot see it."""
        view = f"0 0 {self.width} {self.height}"
        return element("svg", *parts, class_=class_, viewBox=view, role="img", aria_label=described)
