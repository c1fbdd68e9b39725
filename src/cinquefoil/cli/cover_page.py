"""One self-contained page: functions' control-flow graphs with path covers drawn over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from cinquefoil.analysis.digraph import Edges, Path
from cinquefoil.analysis.layered import layered_layout
from cinquefoil.analysis.path_cover import Cover

_WIDTH, _HEIGHT, _ACROSS, _DOWN, _MARGIN = 58, 26, 78, 62, 60
_COLOURS = ("#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#e377c2", "#8c564b", "#bcbd22", "#555")
_STYLE = """
body { font: 14px system-ui, sans-serif; margin: 2em; color: #222; }
h2 { border-top: 1px solid #ccc; padding-top: 1em; font-family: monospace; }
svg text { font: 11px monospace; text-anchor: middle; }
svg rect { fill: #f4f4f4; stroke: #888; }
svg .header rect { fill: #fff3d6; }
svg .entered rect { fill: #bfe5b9; stroke: #2c7a2c; }
svg .missed rect { fill: #f7cfca; stroke: #b03a2e; }
svg .edge { fill: none; stroke: #bbb; }
svg .back { fill: none; stroke: #bbb; stroke-dasharray: 4 3; }
svg .path { fill: none; stroke-width: 2.5; opacity: .75; }
svg .cover { display: none; }
svg .cover.shown { display: inline; }
"""
_SCRIPT = """
function show(select) {
  const svg = select.closest('section').querySelector('svg');
  for (const g of svg.querySelectorAll('.cover')) g.classList.toggle('shown', g.id === select.value);
}
document.querySelectorAll('select').forEach(show);
"""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A function: `acyclic` is its graph without the edges in `back`; `labels` are its blocks' texts;
    `covers` are named; `entered` are the blocks that a run's tests enter, None if no run is shown."""

    name: str
    summary: str
    acyclic: Edges
    back: tuple[tuple[int, int], ...]
    headers: frozenset[int]
    labels: Mapping[int, str]
    covers: tuple[tuple[str, Cover], ...]
    entered: frozenset[int] | None = None


def page(title: str, drawings: Iterable[Drawing]) -> str:
    sections = "\n".join(_section(number, drawing) for number, drawing in enumerate(drawings))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head>\n<body><h1>{escape(title)}</h1>\n"
        "<p>Blocks are labelled with their source line. Loop headers are shaded, edges back to them dashed. "
        "Where a run is shown, green blocks were entered by its tests, red ones were not. "
        "A cover is the fewest paths that pass all blocks of a function (each of its loops as one block) or of a "
        f"loop.</p>\n{sections}\n<script>{_SCRIPT}</script></body></html>\n"
    )


def _section(number: int, drawing: Drawing) -> str:
    names = [f"c{number}-{n}" for n in range(len(drawing.covers))]
    options = "".join(
        f'<option value="{name}">{escape(text)}</option>' for name, (text, _) in zip(names, drawing.covers, strict=True)
    )
    return (
        f"<section><h2>{escape(drawing.name)}</h2><p>{escape(drawing.summary)}</p>"
        f'<p><label>Show <select onchange="show(this)">{options}</select></label></p>\n{_svg(names, drawing)}</section>'
    )


def _svg(names: list[str], drawing: Drawing) -> str:
    positions = layered_layout(drawing.acyclic)
    low = min(column for column, _ in positions.values())
    at = {v: (_MARGIN + (c - low) * _ACROSS, _MARGIN / 2 + layer * _DOWN) for v, (c, layer) in positions.items()}
    width = max(x for x, _ in at.values()) + 2 * _MARGIN
    height = max(y for _, y in at.values()) + _MARGIN
    edges = [_edge(at, v, t) for v, targets in drawing.acyclic.items() for t in targets]
    back = [_back(at, v, t) for v, t in drawing.back]
    covers = [_cover(at, name, cover) for name, (_, cover) in zip(names, drawing.covers, strict=True)]
    blocks = [_block(at, v, drawing) for v in drawing.acyclic]
    parts = "\n".join([*edges, *back, *covers, *blocks])
    return f'<svg width="{width:.0f}" height="{height:.0f}" role="img">\n{parts}\n</svg>'


def _edge(at: Mapping[int, tuple[float, float]], source: int, target: int) -> str:
    return f'<path class="edge" d="{_curve(at[source], at[target], 0)}"/>'


def _curve(start: tuple[float, float], end: tuple[float, float], shift: float) -> str:
    (x1, y1), (x2, y2) = start, end
    y1, y2 = y1 + _HEIGHT / 2, y2 - _HEIGHT / 2
    bend = max(18.0, (y2 - y1) / 2.5)
    x1, x2 = x1 + shift, x2 + shift
    return f"M{x1:.1f} {y1:.1f}C{x1:.1f} {y1 + bend:.1f} {x2:.1f} {y2 - bend:.1f} {x2:.1f} {y2:.1f}"


def _back(at: Mapping[int, tuple[float, float]], source: int, header: int) -> str:
    (x1, y1), (x2, y2) = at[source], at[header]
    x1, x2 = x1 + _WIDTH / 2, x2 + _WIDTH / 2
    side = max(x1, x2) + 34
    return f'<path class="back" d="M{x1:.1f} {y1:.1f}C{side:.1f} {y1:.1f} {side:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"/>'


def _cover(at: Mapping[int, tuple[float, float]], name: str, cover: Cover) -> str:
    return f'<g class="cover" id="{name}">{"".join(_path(at, n, path) for n, path in enumerate(cover))}</g>'


def _path(at: Mapping[int, tuple[float, float]], number: int, path: Path) -> str:
    shift = ((number % 7) - 3) * 3.0
    real = [block for block in path if block in at]
    curves = "".join(_curve(at[a], at[b], shift) for a, b in pairwise(real))
    dots = "".join(f"M{at[b][0] + shift:.1f} {at[b][1] - _HEIGHT / 2:.1f}v{_HEIGHT}" for b in real)
    return f'<path class="path" stroke="{_COLOURS[number % len(_COLOURS)]}" d="{dots}{curves}"/>'


def _block(at: Mapping[int, tuple[float, float]], block: int, drawing: Drawing) -> str:
    x, y = at[block]
    kinds = ["header"] if block in drawing.headers else []
    if drawing.entered is not None:
        kinds.append("entered" if block in drawing.entered else "missed")
    kind = f' class="{" ".join(kinds)}"' if kinds else ""
    return (
        f'<g{kind}><rect x="{x - _WIDTH / 2:.1f}" y="{y - _HEIGHT / 2:.1f}" width="{_WIDTH}" height="{_HEIGHT}" '
        f'rx="4" fill-opacity=".6"/><text x="{x:.1f}" y="{y + 4:.1f}">{escape(drawing.labels[block])}</text></g>'
    )
