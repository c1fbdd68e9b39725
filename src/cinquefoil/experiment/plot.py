"""Line charts with bands, and bar charts, as inline SVG: no library, no script, readable in print.

Lines are told apart by colour and dashes, and each ends in a title element, which browsers show as a tip."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from cinquefoil.report.drawing import ChartFrame, Point
from cinquefoil.report.markup import Html, element, join

COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22")
_DASHES = ("", "6 3", "2 2", "8 3 2 3")
_WIDTH, _HEIGHT = 420, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 10, 26, 34
_TICKS = 5


@dataclass(frozen=True, slots=True)
class ChartLine:
    """`low` and `high` bound a band around the line; empty for none."""

    name: str
    style: int  # the same number looks the same in every chart of a page
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()


def line_chart(title: str, lines: Sequence[ChartLine], x_label: str, y_label: str) -> Html:
    """One chart; nothing if there is nothing to draw."""
    drawn = [line for line in lines if line.x]
    if not drawn:
        return Html("")
    frame = _frame(drawn)
    heading = element("text", title, class_="title", x=_WIDTH / 2, y=15)
    bands = [_band(frame, line) for line in drawn if line.low]
    curves = [_curve(frame, line) for line in drawn]
    return frame.picture(title, heading, _axes(frame, x_label, y_label), bands, curves, class_="chart")


def legend(names: Sequence[str]) -> Html:
    """What the styles mean, for all charts of a page."""
    items = [
        element("li", element("svg", element("path", d="M1 5H33", **_stroke(n)), width=34, height=10), name)
        for n, name in enumerate(names)
    ]
    return element("ul", items, class_="legend")


def ticks(low: float, high: float, wanted: int = _TICKS) -> list[float]:
    """Round values between two bounds: 1, 2 or 5 times a power of ten apart."""
    if high <= low:
        return [low]
    rough = (high - low) / wanted
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [n * step for n in range(first, math.floor(high / step + 1e-9) + 1)]


def _frame(lines: Sequence[ChartLine]) -> ChartFrame:
    xs = [x for line in lines for x in line.x]
    ys = [y for line in lines for y in (*line.y, *line.low, *line.high)]
    low, high = min(ys), max(ys)
    # What varies should fill the chart, yet small differences must not look like large ones.
    bottom = 0.0 if low < 0.4 * high else max(0.0, low - 0.15 * (high - low or high))
    ranges = (min(xs), max(xs), bottom, high + 0.04 * (high - bottom or 1))
    return ChartFrame(_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM, *ranges)


def _axes(frame: ChartFrame, x_label: str, y_label: str) -> Html:
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    parts = [element("path", class_="axis", d=f"M{_LEFT} {_TOP}V{bottom}H{right}")]
    for value in ticks(frame.y_low, frame.y_high):
        parts += frame.grid_line(value, short(value))
    for value in ticks(frame.x_low, frame.x_high):
        parts.append(element("text", short(value), class_="mid", x=frame.x(value), y=bottom + 14))
    parts.append(element("text", x_label, class_="mid", x=(_LEFT + right) / 2, y=_HEIGHT - 5))
    turned = f"translate(11 {(_TOP + bottom) / 2:.0f}) rotate(-90)"
    parts.append(element("text", y_label, class_="mid", transform=turned))
    return join(parts)


def short(value: float) -> str:
    """A tick's label: 1200, 1.2k and 3M fit."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            scale = 1e3 if letter == "k" else size
            return f"{value / scale:g}{letter}"
    return f"{value:g}"


def _curve(frame: ChartFrame, line: ChartLine) -> Html:
    points = _coordinates(frame.points(zip(line.x, line.y, strict=True)))
    return element("polyline", element("title", line.name), points=points, **_stroke(line.style))


def _band(frame: ChartFrame, line: ChartLine) -> Html:
    there = frame.points(zip(line.x, line.high, strict=True))
    back = frame.points(zip(line.x, line.low, strict=True))
    colour = COLOURS[line.style % len(COLOURS)]
    return element("polygon", points=_coordinates([*there, *reversed(back)]), fill=colour, fill_opacity=".13")


def _coordinates(points: Sequence[Point]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _stroke(style: int) -> dict[str, str]:
    """Attributes of a line."""
    found = {"fill": "none", "stroke": COLOURS[style % len(COLOURS)], "stroke_width": "1.8"}
    dash = _DASHES[style // len(COLOURS) % len(_DASHES)]
    return {**found, "stroke_dasharray": dash} if dash else found
