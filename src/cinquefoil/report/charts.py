"""Line charts over time and bars, as inline SVG that follows the page's colours and needs no script."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from cinquefoil.report.drawing import ChartFrame
from cinquefoil.report.markup import Html, element, join
from cinquefoil.report.results import Series

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 460, 230, 52, 12, 12, 34
_MOST_POINTS: Final = 400


@dataclass(frozen=True, slots=True)
class Curve:
    """`points` are (seconds, value) in order of time; a step curve keeps its value until the next point."""

    name: str
    points: Series
    steps: bool = False


def chart(title: str, curves: Sequence[Curve], seconds: float, unit: Callable[[float], str]) -> Html:
    """A figure; nothing if there is nothing to draw."""
    drawn = [curve for curve in curves if curve.points]
    if not drawn or seconds <= 0:
        return Html("")
    top = nice_limit(max(value for curve in drawn for _, value in curve.points))
    frame = ChartFrame(_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM, 0.0, seconds, 0.0, top)
    grid = [frame.grid_line(top * step / 4, unit(top * step / 4)) for step in range(5)]
    lines = [_curve(number, curve, frame) for number, curve in enumerate(drawn)]
    described = f"{title}: " + ", ".join(f"{c.name} {unit(c.points[-1][1])} at the end" for c in drawn)
    svg = frame.picture(described, *grid, _times(seconds, frame), lines)
    return element("figure", element("figcaption", element("b", title), _legend(drawn, unit)), svg, class_="chart")


def _times(seconds: float, frame: ChartFrame) -> Html:
    marks = [seconds * step / 4 for step in range(5)]
    anchors = ["start", "middle", "middle", "middle", "end"]
    return join(
        element("text", spoken_time(at), x=frame.x(at), y=_HEIGHT - 10, text_anchor=anchor)
        for at, anchor in zip(marks, anchors, strict=True)
    )


def _curve(number: int, curve: Curve, frame: ChartFrame) -> Html:
    points = frame.points(thinned(curve.points))
    last = points[-1]
    return join(
        [
            element("path", d=_path(points, curve.steps), class_=f"curve k{number}"),
            element("circle", cx=last[0], cy=last[1], r=3, class_=f"dot k{number}"),
        ]
    )


def _path(points: Series, steps: bool) -> str:
    parts = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for (_, _), (x, y) in pairwise(points):
        parts.append(f"H{x:.1f}V{y:.1f}" if steps else f"L{x:.1f} {y:.1f}")
    return "".join(parts)


def thinned(points: Series) -> Series:
    """Keeps at most some hundreds of points, the last one among them."""
    step = -(-len(points) // _MOST_POINTS)
    return points if step <= 1 else [*points[:-1:step], points[-1]]


def _legend(curves: Sequence[Curve], unit: Callable[[float], str]) -> Html:
    entries = [
        element("span", f"{curve.name} {unit(curve.points[-1][1])}", class_=f"key k{number}")
        for number, curve in enumerate(curves)
    ]
    return element("span", entries, class_="legend")


def nice_limit(value: float) -> float:
    """A round number not below the value, whose quarters are round too."""
    if value <= 4:
        return 4.0
    magnitude = 10.0 ** math.floor(math.log10(value))
    return next(step * magnitude for step in (1, 1.2, 2, 4, 6, 8, 10) if step * magnitude >= value)


# ---- bars ----


def bars(title: str, rows: Sequence[tuple[str, float, str]]) -> Html:
    """(name, value, what to say of it), drawn relative to the largest."""
    largest = max((value for _, value, _ in rows), default=0.0)
    if largest <= 0:
        return Html("")
    body = [
        element(
            "tr",
            element("th", name, scope="row"),
            element("td", element("span", class_="bar", style=f"width:{100 * value / largest:.1f}%"), class_="track"),
            element("td", said, class_="num"),
        )
        for name, value, said in rows
    ]
    return element("figure", element("figcaption", element("b", title)), element("table", body, class_="bars"))


# ---- units ----


def spoken_time(seconds: float) -> str:
    if seconds == 0:
        return "0"
    if seconds < 0.001:
        return f"{seconds * 1e6:.0f} µs"
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 120:
        return f"{seconds:.3g} s"
    return f"{seconds / 60:.1f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def spoken_size(size: float) -> str:
    for unit in ("B", "KB", "MB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if size >= 10 or unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.2f} GB"


def spoken_count(value: float) -> str:
    if value < 10_000:
        return f"{value:g}" if value == int(value) else f"{value:.1f}"
    if value < 1_000_000:
        return f"{value / 1000:.3g} k"
    return f"{value / 1_000_000:.3g} M"
