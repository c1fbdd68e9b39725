"""Line charts with bands, and bar charts, as inline SVG: no library, no script, readable in print.

Lines are told apart by colour and dashes, and each ends in a title element, which browsers show as a tip."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

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


@dataclass(frozen=True, slots=True)
class _ChartFrame:
    """From values to places."""

    x_low: float
    x_high: float
    y_low: float
    y_high: float

    def x(self, value: float) -> float:
        share = (value - self.x_low) / (self.x_high - self.x_low or 1)
        return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        share = (value - self.y_low) / (self.y_high - self.y_low or 1)
        return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)


def line_chart(title: str, lines: Sequence[ChartLine], x_label: str, y_label: str) -> str:
    """One chart; "" if there is nothing to draw."""
    drawn = [line for line in lines if line.x]
    if not drawn:
        return ""
    frame = _frame(drawn)
    bands = "".join(_band(frame, line) for line in drawn if line.low)
    curves = "".join(_curve(frame, line) for line in drawn)
    return (
        f'<svg class="chart" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(title, quote=True)}">'
        f'<text class="title" x="{_WIDTH / 2}" y="15">{escape(title)}</text>'
        f"{_axes(frame, x_label, y_label)}{bands}{curves}</svg>"
    )


def legend(names: Sequence[str]) -> str:
    """What the styles mean, for all charts of a page."""
    items = "".join(
        f'<li><svg width="34" height="10"><path d="M1 5H33" {_stroke(n)}/></svg>{escape(name)}</li>'
        for n, name in enumerate(names)
    )
    return f'<ul class="legend">{items}</ul>'


def ticks(low: float, high: float, wanted: int = _TICKS) -> list[float]:
    """Round values between two bounds: 1, 2 or 5 times a power of ten apart."""
    if high <= low:
        return [low]
    rough = (high - low) / wanted
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [n * step for n in range(first, math.floor(high / step + 1e-9) + 1)]


def _frame(lines: Sequence[ChartLine]) -> _ChartFrame:
    xs = [x for line in lines for x in line.x]
    ys = [y for line in lines for y in (*line.y, *line.low, *line.high)]
    low, high = min(ys), max(ys)
    # What varies should fill the chart, yet small differences must not look like large ones.
    bottom = 0.0 if low < 0.4 * high else max(0.0, low - 0.15 * (high - low or high))
    return _ChartFrame(min(xs), max(xs), bottom, high + 0.04 * (high - bottom or 1))


def _axes(frame: _ChartFrame, x_label: str, y_label: str) -> str:
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    parts = [f'<path class="axis" d="M{_LEFT} {_TOP}V{bottom}H{right}"/>']
    for value in ticks(frame.y_low, frame.y_high):
        y = frame.y(value)
        parts.append(f'<path class="grid" d="M{_LEFT} {y:.1f}H{right}"/>')
        parts.append(f'<text class="end" x="{_LEFT - 5}" y="{y + 4:.1f}">{short(value)}</text>')
    for value in ticks(frame.x_low, frame.x_high):
        parts.append(f'<text class="mid" x="{frame.x(value):.1f}" y="{bottom + 14}">{short(value)}</text>')
    parts.append(f'<text class="mid" x="{(_LEFT + right) / 2:.0f}" y="{_HEIGHT - 5}">{escape(x_label)}</text>')
    middle = (_TOP + bottom) / 2
    parts.append(f'<text class="mid" transform="translate(11 {middle:.0f}) rotate(-90)">{escape(y_label)}</text>')
    return "".join(parts)


def short(value: float) -> str:
    """A tick's label: 1200, 1.2k and 3M fit."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(value) >= size:
            scale = 1e3 if letter == "k" else size
            return f"{value / scale:g}{letter}"
    return f"{value:g}"


def _curve(frame: _ChartFrame, line: ChartLine) -> str:
    points = " ".join(f"{frame.x(x):.1f},{frame.y(y):.1f}" for x, y in zip(line.x, line.y, strict=True))
    return f'<polyline points="{points}" {_stroke(line.style)}><title>{escape(line.name)}</title></polyline>'


def _band(frame: _ChartFrame, line: ChartLine) -> str:
    there = [f"{frame.x(x):.1f},{frame.y(y):.1f}" for x, y in zip(line.x, line.high, strict=True)]
    back = [f"{frame.x(x):.1f},{frame.y(y):.1f}" for x, y in zip(line.x, line.low, strict=True)]
    colour = COLOURS[line.style % len(COLOURS)]
    return f'<polygon points="{" ".join([*there, *reversed(back)])}" fill="{colour}" fill-opacity=".13"/>'


def _stroke(style: int) -> str:
    dash = _DASHES[style // len(COLOURS) % len(_DASHES)]
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'fill="none" stroke="{COLOURS[style % len(COLOURS)]}" stroke-width="1.8"{dashes}'
