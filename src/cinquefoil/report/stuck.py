"""Where the exploration is stuck: turns that were asked for most often in vain."""

from __future__ import annotations

from typing import Final

from cinquefoil.report.markup import Html, element, join
from cinquefoil.report.reading import Record
from cinquefoil.report.results import Results
from cinquefoil.report.source import Sources

_MOST: Final = 40
_SHOWN_CODE: Final = 60


def stuck(results: Results, sources: Sources) -> Html:
    records = results.details.records("stuck")
    never = [record for record in records if record.whole("taken") == 0]
    if not records:
        return element("p", "No turn was found infeasible or left undecided.", class_="good")
    taken = [record for record in records if record.whole("taken") != 0]
    parts = [_table(f"Never taken ({len(never)})", never, sources)] if never else []
    if taken:
        title = f"Refused at times, but taken by a test ({len(taken)})"
        parts.append(element("details", element("summary", title), _table("", taken, sources)))
    return join(parts)


def _table(title: str, records: list[Record], sources: Sources) -> Html:
    names = ("place", "turn", "infeasible", "undecided", "place reached by")
    head = element("tr", [element("th", name, scope="col") for name in names])
    rows = [_row(record, sources) for record in records[:_MOST]]
    table = element("table", element("thead", head), element("tbody", rows))
    return join([element("h3", title) if title else Html(""), element("div", table, class_="wide")])


def _row(record: Record, sources: Sources) -> Html:
    file, line = record.text("file"), record.whole("line")
    content = sources.content(file, line).strip()[:_SHOWN_CODE]
    reached = record.whole("reached")
    return element(
        "tr",
        element("td", sources.place(file, line), element("code", content, class_="line") if content else ""),
        element("td", record.text("turn")),
        element("td", str(record.whole("infeasible")), class_="num"),
        element("td", str(record.whole("undecided")), class_="num"),
        element("td", element("a", f"test {reached}", href=f"#t{reached}") if reached else ""),
    )
