"""report.html: everything about one exploration on one page that needs nothing else.

No script is needed to read it: parts that open are `details`, links are anchors.  A few lines of script open what a
link points into, for browsers that do not do so by themselves.  A content security policy keeps the page from
loading or sending anything, whatever a file name or a program's output might smuggle in.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from cinquefoil.report.failures import error_records, errors, test_number
from cinquefoil.report.markup import Html, element, join
from cinquefoil.report.overview import progress, solver, summary
from cinquefoil.report.results import Results, read_results
from cinquefoil.report.source import SourceView
from cinquefoil.report.stuck import stuck
from cinquefoil.report.tests import tests
from cinquefoil.report.treeview import tree
from cinquefoil.testcase.files import write_atomically

NAME: Final = "report.html"


@dataclass(frozen=True, slots=True)
class _Part:
    name: str
    title: str
    body: Html


def write_report(folder: Path) -> Path:
    """Makes report.html of an output folder anew; `UserError` if its results are damaged."""
    content = page(read_results(folder)).encode("utf-8")
    target = folder / NAME
    write_atomically(target, content)
    return target


def try_report(folder: Path, tell: Callable[[str], None]) -> None:
    """The results are on disk by now: whatever goes wrong with their page, a defect of ours too, is only told."""
    try:
        write_report(folder)
    except Exception as error:
        tell(f"no report.html: {type(error).__name__}: {error}")


def page(results: Results) -> str:
    sources = SourceView(results)
    found = errors(results, sources)
    named = [test_number(record) for record in error_records(results)]
    parts = [
        _Part("summary", "Summary", summary(results)),
        _Part("errors", f"Errors ({len(results.summary.records('errors'))})", found),
        _Part("progress", "Progress", progress(results)),
        _Part("solver", "Solver and time", solver(results)),
        _Part("stuck", "Where it is stuck", stuck(results, sources)),
        _Part("tree", "Execution tree", tree(results, sources)),
        _Part("tests", f"Tests ({len(results.tests)})", tests(results, named)),
        _Part("source", "Source", join([_legend(), sources.listing()])),
    ]
    title = f"{Path(results.summary.text('program')).name or 'program'}: exploration"
    return str(_document(title, parts))


def _document(title: str, parts: list[_Part]) -> Html:
    script = _asset("reveal.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", Html(_asset("style.css"))),
    )
    links = [element("a", part.title, href=f"#{part.name}") for part in parts]
    sections = [element("section", element("h2", part.title), part.body, id=part.name) for part in parts]
    body = element(
        "body",
        element("header", element("h1", title), element("nav", links)),
        element("main", sections),
        element("script", Html(script)),
    )
    return Html(f"<!doctype html>\n{element('html', head, body, lang='en')}\n")


@cache
def _asset(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def _legend() -> Html:
    keys = (("yes", "covered"), ("part", "partly covered"), ("no", "not covered"))
    return element(
        "p",
        [element("span", name, class_=f"key {kind}") for kind, name in keys],
        " The number beside a line is the first test that reached it. Dots are the directions of a decision, "
        "hollow if never taken; 2/5 tells how many of many were taken.",
        class_="dim",
    )
