"""Where the exploration is stuck: directions that were asked for most often in vain, by location."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cinquefoil.report.markup import Html, element, join
from cinquefoil.report.reading import Record
from cinquefoil.report.results import Results
from cinquefoil.report.source import SourceView

_MOST: Final = 40  # places
_MOST_DIRECTIONS: Final = 12  # named for one place
_SHOWN_CODE: Final = 60


@dataclass(slots=True)
class _Place:
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
    never = _places([record for record in records if record.whole("taken") == 0])
    taken = _places([record for record in records if record.whole("taken") != 0])
    parts = [element("h3", "Directions that no test takes"), _table(never, sources)] if never else []
    if taken:
        title = element("summary", "Directions that some test takes, but that were refused elsewhere")
        parts.append(element("details", title, _table(taken, sources)))
    return join(parts)


def _places(records: list[Record]) -> list[_Place]:
    found: dict[tuple[str, int, int], _Place] = {}
    for record in records:
        file, line = record.text("file"), record.whole("line")
        key = (file, line, record.whole("column"))
        place = found.setdefault(key, _Place(file, line, record.whole("reached"), []))
        place.directions.append(record.text("turn"))
        place.infeasible += record.whole("infeasible")
        place.undecided += record.whole("undecided")
    return sorted(found.values(), key=lambda place: -place.infeasible - place.undecided)


def _table(places: list[_Place], sources: SourceView) -> Html:
    names = ("location", "directions", "infeasible", "undecided", "reached by")
    head = element("tr", [element("th", name, scope="col") for name in names])
    rows = [_row(place, sources) for place in places[:_MOST]]
    return element("div", element("table", element("thead", head), element("tbody", rows)), class_="wide")


def _row(place: _Place, sources: SourceView) -> Html:
    content = sources.content(place.file, place.line).strip()[:_SHOWN_CODE]
    more = len(place.directions) - _MOST_DIRECTIONS
    directions = "; ".join(place.directions[:_MOST_DIRECTIONS]) + (f"; and {more} more" if more > 0 else "")
    return element(
        "tr",
        element(
            "td", sources.place(place.file, place.line), element("code", content, class_="line") if content else ""
        ),
        element("td", directions),
        element("td", str(place.infeasible), class_="num"),
        element("td", str(place.undecided), class_="num"),
        element("td", element("a", f"test {place.reached}", href=f"#t{place.reached}") if place.reached else ""),
    )
