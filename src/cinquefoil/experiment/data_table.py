"""A table as data, and as text, CSV, Markdown and HTML.

Entries are text or numbers; a number knows how it is shown.  `strong` marks the best of a row."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape


@dataclass(frozen=True, slots=True)
class TableEntry:
    """`value` is what CSV gets, `text` what people read."""

    text: str
    value: float | str = ""
    strong: bool = False
    tone: str = ""  # "better" or "worse", shown by colour and sign

    @property
    def plain(self) -> str:
        sign = {"better": " +", "worse": " -"}.get(self.tone, "")
        return self.text + sign


@dataclass(slots=True)
class Table:
    title: str
    header: Sequence[str]
    rows: list[list[TableEntry]] = field(default_factory=list[list[TableEntry]])
    notes: list[str] = field(default_factory=list[str])

    def add(self, *entries: TableEntry | str | float) -> None:
        self.rows.append([entry if isinstance(entry, TableEntry) else plain(entry) for entry in entries])


def plain(value: str | float) -> TableEntry:
    return TableEntry(value, value) if isinstance(value, str) else number(value)


def number(value: float, digits: int | None = None, strong: bool = False, tone: str = "") -> TableEntry:
    """Three figures or all of the whole part, whichever is more, unless `digits` after the point are asked for."""
    if math.isnan(value):
        return TableEntry("-", "")
    if math.isinf(value):
        return TableEntry("never", "inf")
    return TableEntry(shown(value, digits), value, strong, tone)


def shown(value: float, digits: int | None = None) -> str:
    if digits is None:
        size = abs(value)
        digits = 0 if value == int(value) or size >= 100 else 1 if size >= 10 else 2
    return f"{value:.{digits}f}"


def mean_entry(middle: float, spread: float, strong: bool = False, tone: str = "") -> TableEntry:
    """A mean with its standard deviation."""
    if math.isnan(middle):
        return TableEntry("-", "")
    return TableEntry(f"{shown(middle, 1)} ± {shown(spread, 1)}", middle, strong, tone)


def bytes_entry(value: float, strong: bool = False) -> TableEntry:
    if math.isnan(value):
        return TableEntry("-", "")
    return TableEntry(f"{value / (1 << 20):.0f} MiB", value, strong)


def percent(value: float, strong: bool = False) -> TableEntry:
    """A share as per cent, with its sign if it is a difference."""
    return TableEntry("-", "") if math.isnan(value) else TableEntry(f"{100 * value:.1f} %", value, strong)


# ---- ways to show it ----------------------------------------------------------------------------------------------


def as_text(table: Table) -> str:
    """Columns aligned: words to the left, numbers to the right."""
    words = [_is_text(table, n) for n in range(len(table.header))]
    rows = [list(table.header), *([entry.plain for entry in row] for row in table.rows)]
    widths = [max(len(row[n]) if n < len(row) else 0 for row in rows) for n in range(len(table.header))]
    lines = [table.title, "-" * len(table.title)]
    for row in rows:
        padded = zip(row, widths, words, strict=False)
        cells = [text.ljust(width) if left else text.rjust(width) for text, width, left in padded]
        lines.append("  ".join(cells).rstrip())
    return "\n".join([*lines, *(f"  {note}" for note in table.notes)])


def _is_text(table: Table, column: int) -> bool:
    entries = [row[column] for row in table.rows if column < len(row)]
    return column == 0 or all(isinstance(entry.value, str) and len(entry.text) > 6 for entry in entries)


def as_csv(table: Table) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.header)
    writer.writerows([_csv_value(entry.value) for entry in row] for row in table.rows)
    return out.getvalue()


def _csv_value(value: float | str) -> float | str:
    """Whole numbers without a point."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def as_markdown(table: Table) -> str:
    """The best in bold; the first column to the left, all others to the right."""
    lines = [f"## {table.title}", "", _markdown_row(table.header)]
    lines.append(_markdown_row(["---", *["---:"] * (len(table.header) - 1)]))
    lines += [_markdown_row([_markdown_entry(entry) for entry in row]) for row in table.rows]
    return "\n".join([*lines, *(f"\n{note}" for note in table.notes)])


def _markdown_row(texts: Sequence[str]) -> str:
    return "| " + " | ".join(text.replace("|", r"\|") for text in texts) + " |"


def _markdown_entry(entry: TableEntry) -> str:
    return f"**{entry.plain}**" if entry.strong else entry.plain


def as_html(table: Table) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.header)
    body = "\n".join(f"<tr>{''.join(_html_entry(n, entry) for n, entry in enumerate(row))}</tr>" for row in table.rows)
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in table.notes)
    return (
        f"<section><h2>{escape(table.title)}</h2>\n"
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead>\n'
        f"<tbody>{body}</tbody></table></div>{notes}</section>"
    )


def _html_entry(column: int, entry: TableEntry) -> str:
    classes = " ".join(name for name in ("best" if entry.strong else "", entry.tone) if name)
    mark = f' class="{classes}"' if classes else ""
    tag = "th" if column == 0 else "td"
    scope = ' scope="row"' if column == 0 else ""
    return f"<{tag}{mark}{scope}>{escape(entry.text)}</{tag}>"
