"""The comparison as one self-contained HTML page: tables and charts, no script, no network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from cinquefoil.experiment.comparison import Comparison
from cinquefoil.experiment.comparison_charts import column_of, over_time
from cinquefoil.experiment.data_table import Table, as_html
from cinquefoil.experiment.plan import engine_version
from cinquefoil.experiment.plot import legend

_STYLE = """
:root { color-scheme: light; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; padding: 1em; max-width: 78em; color: #1c1c1c;
  background: #fff; }
h1 { font-size: 1.5em; } h2 { font-size: 1.15em; margin: 2em 0 .4em; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2em .7em; border-bottom: 1px solid #e2e2e2; text-align: right; white-space: nowrap; }
th:first-child { text-align: left; } thead th { border-bottom: 2px solid #999; vertical-align: bottom; }
tbody th { font-weight: normal; }
.best { font-weight: 700; }
.better::after { content: " ▲"; color: #187a2f; } .worse::after { content: " ▼"; color: #b3261e; }
.note { color: #555; font-size: .9em; margin: .3em 0; }
.scroll { overflow-x: auto; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26em), 1fr)); gap: 1em; }
.chart { width: 100%; height: auto; }
.chart text { font: 11px system-ui, sans-serif; fill: #333; } .chart .title { font-weight: 600; text-anchor: middle;
  font-size: 13px; }
.chart .mid { text-anchor: middle; }
.chart .axis { fill: none; stroke: #555; } .chart .grid { stroke: #e6e6e6; }
.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .2em 1.2em; }
.legend svg { margin-right: .4em; vertical-align: middle; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15em 1em; } dt { color: #555; } dd { margin: 0;
  overflow-wrap: anywhere; }
code { font-size: .92em; }
"""


def page(title: str, comparison: Comparison, tables: Sequence[Table], notes: Sequence[str] = ()) -> str:
    told = "".join(f"<p>{escape(note)}</p>" for note in notes)
    body = "\n".join([*(as_html(table) for table in tables), *_charts(comparison), _setup(comparison)])
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n"
        f"<body><h1>{escape(title)}</h1>\n{told}{body}\n</body></html>\n"
    )


def _charts(comparison: Comparison) -> Iterator[str]:
    measure = column_of(comparison.plan.measure)
    for budget in comparison.plan.budgets:
        for what, column in ((f"Covered {measure}", measure), ("States", "states"), ("Memory", "memory_bytes")):
            charts = list(over_time(comparison, budget, column))
            if charts:
                yield (
                    f"<section><h2>{what} over time</h2>{legend(comparison.configurations)}"
                    f'<div class="charts">{"".join(charts)}</div>'
                    '<p class="note">Lines are means over the seeds, bands one standard deviation; an axis need not '
                    "begin at 0.</p></section>"
                )


def _setup(comparison: Comparison) -> str:
    plan = comparison.plan
    rows = [
        ("engine", engine_version()),
        ("budget", f"{', '.join(f'{budget:g} s' for budget in plan.budgets)} of {plan.clock} time per run"),
        ("seeds", ", ".join(map(str, plan.seeds))),
        ("memory", f"{plan.memory >> 20} MiB per run"),
        *((f"configuration {each.name}", _options(each.options, each.best_of)) for each in plan.configurations),
        *((f"subject {each.name}", " ".join([each.program.name, *each.arguments])) for each in plan.subjects),
    ]
    items = "".join(f"<dt>{escape(name)}</dt><dd><code>{escape(value)}</code></dd>" for name, value in rows)
    return f"<section><h2>Set-up</h2><dl>{items}</dl></section>"


def _options(options: Sequence[str], best_of: Sequence[str]) -> str:
    text = " ".join(options) or "(no options)"
    return f"the best of {', '.join(best_of)}, and {text}" if best_of else text
