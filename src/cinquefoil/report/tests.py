"""The tests: why each was kept, what it covered first, and its bytes as text and in hexadecimal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cinquefoil.report.charts import spoken_time
from cinquefoil.report.markup import Html, element, join
from cinquefoil.report.results import Results, TestInfo
from cinquefoil.testcase.ktest import KTest
from cinquefoil.testcase.readable import content_lines, quoted_text

MOST_TESTS: Final = 1000  # on the page
_MOST_BYTES: Final = 4096  # of one object
_PREVIEW: Final = 28
_WHY: Final = {"coverage": "new coverage", "error": "error", "path": "new path", "assumed": "a failed assumption"}


def tests(results: Results, wanted: Iterable[int]) -> Html:
    """A table; `wanted` are the numbers that must be in it."""
    infos = results.tests
    first = {info.number for info in infos[:MOST_TESTS]} | set(wanted)
    shown = [info for info in infos if info.number in first]
    head = element("tr", [element("th", name, scope="col") for name in ("test", "input", "kept for", "first covered")])
    table = element("table", element("thead", head), element("tbody", [_row(info, results) for info in shown]))
    more = len(infos) - len(shown)
    note = element("p", f"{more} more tests are in the folder tests.", class_="dim") if more else Html("")
    return join([element("div", table, class_="wide"), note])


def _row(info: TestInfo, results: Results) -> Html:
    test = results.read_test(info.name)
    why = [_WHY.get(info.why, info.why)] + ([f"after {spoken_time(info.seconds)}"] if info.seconds else [])
    gained = f"{info.gained} {'site' if info.gained == 1 else 'sites'}" if info.gained else ""
    return element(
        "tr",
        element("td", element("a", str(info.number), href=info.name, title=info.name)),
        element("td", element("details", element("summary", element("code", _preview(test))), objects(test))),
        element("td", ", ".join(why), element("span", f" ({info.end})", class_="dim") if info.end else ""),
        element("td", gained),
        id=f"t{info.number}",
    )


def _preview(test: KTest | str) -> str:
    if isinstance(test, str):
        return "unreadable"
    shown = [quoted_text(content[:_PREVIEW]) + ("…" if len(content) > _PREVIEW else "") for _, content in test.objects]
    return " ".join(shown[:3]) + (" …" if len(shown) > 3 else "") or "no input"


def objects(test: KTest | str) -> Html:
    """All objects of a test."""
    if isinstance(test, str):
        return element("p", test, class_="bad")
    return element("dl", [_object(name, content) for name, content in test.objects], class_="objects")


def _object(name: str, content: bytes) -> Html:
    lines = list(content_lines(content[:_MOST_BYTES]))
    if len(content) > _MOST_BYTES:
        lines.append(f"and {len(content) - _MOST_BYTES} bytes more")
    title = element("dt", element("code", name), f" {len(content)} byte{'' if len(content) == 1 else 's'}")
    return join([title, element("dd", element("pre", "\n".join(lines)))])
