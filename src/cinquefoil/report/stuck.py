"""Where the exploration is stuck: directions that were asked for most often in vain, by location."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cinquefoil.report.markup import Html, element, join
from cinquefoil.report.reading import Record
from cinquefoil.report.results import Results
from cinquefoil.report.source import SourceView

_MOST: Final = 40  # locations
_MOST_DIRECTIONS: Final = 12  # named for one location
_SHOWN_CODE: Final = 60


@dataclass(slots=True)
class _StuckLocation:
    """A branch or switch, with all untaken directions there that have the same fate."""

    file: str
    line: int
    reached: int
    directions: list[str]
    infeasible: int = 0
    undecided: int = 0


def stuck(results: Results, sources: SourceView) -> Html:
    records = results.details.records("stuck")
    if not records:
        return element("p", "No direction was found infeasible or left undecided.", class_="good")
    never = _locations([record for record in records if record.whole("taken") == 0])
    taken = _locations([record for record in records if record.whole("taken") != 0])
    parts = [element("h3", "Directions that no test takes"), _table(never, sources)] if never else []
    if taken:
        title = element("summary", "Directions that some test takes, but that were refused elsewhere")
        parts.append(element("details", title, _table(taken, sources)))
    return join(parts)


def _locations(records: list[Record]) -> list[_StuckLocation]:
    found: dict[tuple[str, int, int], _StuckLocation] = {}
    for record in records:
        file, line = record.text("file"), record.whole("line")
        key = (file, line, record.whole("column"))
        location = found.setdefault(key, _StuckLocation(file, line, record.whole("reached"), []))
        location.directions.append(record.text("turn"))
        location.infeasible += record.whole("infeasible")
        location.undecided += record.whole("undecided")
    return sorted(found.values(), key=lambda location: -location.infeasible - location.undecided)


def _table(locations: list[_StuckLocation], sources: SourceView) -> Html:
    names = ("location", "directions", "infeasible", "undecided", "reached by")
    head = element("tr", [element("th", name, scope="col") for name in names])
    rows = [_row(location, sources) for location in locations[:_MOST]]
    return element("div", element("table", element("thead", head), element("tbody", rows)), class_="wide")


def _row(location: _StuckLocation, sources: SourceView) -> Html:
    content = sources.content(location.file, location.line).strip()[:_SHOWN_CODE]
    more = len(location.directions) - _MOST_DIRECTIONS
    directions = "; ".join(location.directions[:_MOST_DIRECTIONS]) + (f"; and {more} more" if more > 0 else "")
    return element(
        "tr",
        element(
            "td", sources.link(location.file, location.line), element("code", content, class_="line") if content else ""
        ),
        element("td", directions),
        element("td", str(location.infeasible), class_="num"),
        element("td", str(location.undecided), class_="num"),
        element(
            "td", element("a", f"test {location.reached}", href=f"#t{location.reached}") if location.reached else ""
        ),
    )
