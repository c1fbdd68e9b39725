"""report.html: what is on it, that it cannot be abused, and that damaged results are told and not crashed on."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from folders import EVIL, explored, hostile

from cinquefoil.cli.main import run
from cinquefoil.errors import UserError
from cinquefoil.report.charts import nice_limit, spoken_size, spoken_time
from cinquefoil.report.markup import Html, element, text
from cinquefoil.report.page import page as page_of
from cinquefoil.report.page import write_report
from cinquefoil.report.results import read_results
from cinquefoil.report.source import short_names
from cinquefoil.report.treeview import Row, ordered

ROOT = Path(__file__).parents[2]
_VOID = {"meta", "br", "path", "circle", "line", "rect", "link", "img"}


class Outline(HTMLParser):
    """Tags must nest; anchors and links are collected."""

    def __init__(self, content: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.feed(content)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        named = dict(attrs)
        assert not any(name.startswith("on") for name in named)
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.links += [value for name, value in attrs if name in ("href", "src") and value]
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return explored(tmp_path_factory.mktemp("explored"))


@pytest.fixture(scope="module")
def page(results: Path) -> str:
    return write_report(results).read_text(encoding="utf-8")


def test_everything_is_on_it(page: str) -> None:
    assert "out-of-bounds: read of 4 bytes at offset 28 of a stack object &#x27;table&#x27; of 16 bytes" in page
    for title in ("Coverage over time", "States over time", "Memory over time", "Solver time by layer"):
        assert f"<b>{title}</b>" in page
    assert "looking for &lt;1&gt;" in page  # the program's output
    assert re.search(r"cinq trace --input \S+/tests/\d+\.ktest \S+/buggy\.c", page)
    assert "07 00 00 00" in page  # the input that goes wrong


def test_links_lead_somewhere_and_ids_are_unique(page: str, results: Path) -> None:
    outline = Outline(page)
    assert len(outline.ids) == len(set(outline.ids))
    for link in outline.links:
        assert link[1:] in outline.ids if link.startswith("#") else (results / link).is_file(), link


def test_an_error_its_source_and_its_test_are_linked(page: str) -> None:
    error = page[page.index('id="e1"') : page.index("</article>")]
    assert 'href="#f0-7"' in error and 'class="l here"' in error
    assert re.search(r'href="#t\d+"', error)
    assert re.search(r'id="f0-7">.*error 1</a>', page)


def test_lines_and_branches_tell_their_first_test(page: str) -> None:
    rows = {int(n): row for n, row in re.findall(r'id="f0-(\d+)">(.*?)</div>', page)}
    states = {int(n): state for state, n in re.findall(r'<div class="l ([^"]*)" id="f0-(\d+)"', page)}
    assert states[18] == "part" and re.search(r"to line \d+: never taken", rows[18])
    assert states[19] == "yes" and rows[19].count("first taken by test") == 4 and "never" not in rows[19]
    assert states[5] == "yes" and rows[5].count("first taken by test") == 3
    assert 'title="first reached by test 1"' in rows[20]


def test_the_branch_that_cannot_be_is_where_it_is_stuck(page: str) -> None:
    stuck = page[page.index('<section id="stuck"') : page.index('<section id="tree"')]
    assert "Directions that no test takes" in stuck and 'href="#f0-18"' in stuck


def test_the_first_test_of_a_line_really_reaches_it(results: Path) -> None:
    """Coverage of each test by itself, against what report.json says."""
    from cinquefoil.build.program import load_program
    from cinquefoil.cli.replay_input import replay
    from cinquefoil.exploration import Coverage
    from cinquefoil.machine.environment import parse_arguments
    from cinquefoil.machine.image import build_image
    from cinquefoil.machine.worker import Limits, Worker
    from cinquefoil.testcase.ktest import KTest

    details = json.loads((results / "report.json").read_text())
    image = build_image(load_program(results.parent / "buggy.c", ()), blocks=True)
    lines: dict[int, set[int]] = {}
    with Worker(image, parse_arguments([]), Limits()) as worker:
        for test in details["tests"]:
            ran = replay(worker, KTest.read(results / f"tests/{test['number']:06d}.ktest")).run
            coverage = Coverage(image.sites)
            coverage.add(ran)
            lines[test["number"]] = {line for (_, line), hit in coverage.lines().items() if hit}
    told = [(line, test) for file in details["files"] for line, entered, _, test in file["lines"] if entered]
    assert len(told) >= 8
    assert all(line in lines[test] for line, test in told)


def test_nothing_hostile_comes_through(tmp_path: Path) -> None:
    page = write_report(hostile(tmp_path / "out")).read_text(encoding="utf-8")
    outline = Outline(page)
    assert "img" not in outline.tags and "b" in outline.tags
    assert page.count("<script>") == 1 and "alert(2)</script>" not in page and "<b>bold" not in page
    assert "\u202e" not in page and "\\u202e" in page and "\x07" not in page and "\x1b" not in page
    assert not [link for link in outline.links if ":" in link]


@pytest.mark.parametrize("name", ["summary.json", "report.json"])
@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{", b'"x"', b"\xff\xfe", b"[" * 100_000, b'{"paths": 3, "files": 3}']
)
def test_damage_is_told_in_one_line(
    name: str, content: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    hostile(tmp_path / "out")
    (tmp_path / "out" / name).write_bytes(content)
    assert run(["report", str(tmp_path / "out")]) == 2
    said = capfd.readouterr().err
    assert said.startswith("cinq: error: ") and said.count("\n") == 1 and "damaged" in said


def paths_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where in a JSON value something can be replaced."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from paths_in(inner, (*path, key))


def changed(value: Any, path: tuple[Any, ...], new: object) -> Any:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = changed(value[path[0]], path[1:], new)
    return copy


QUICK: list[object] = [-1, "x", [[1]]]
SLOW = [pytest.param(value, marks=pytest.mark.slow) for value in (None, True, [], {}, 1e400, 10**30, [None])]


@pytest.mark.parametrize("value", [*QUICK, *SLOW], ids=repr)
def test_no_value_of_a_wrong_kind_is_a_crash(value: object, tmp_path: Path) -> None:
    """Every value at every path becomes something else: a page comes of it, or one clear message."""
    folder = hostile(tmp_path / "out")
    told = 0
    for name in ("summary.json", "report.json"):
        whole = json.loads((folder / name).read_text())
        for path in paths_in(whole):
            (folder / name).write_text(json.dumps(changed(whole, path, value)))
            try:
                page_of(read_results(folder))
            except UserError as error:
                told += "damaged" in str(error)
        (folder / name).write_text(json.dumps(whole))
    assert told > 10


def test_less_is_enough(results: Path, tmp_path: Path) -> None:
    shutil.copytree(results, tmp_path / "out")
    for name in ("report.json", "stats.csv"):
        (tmp_path / "out" / name).unlink()
    (tmp_path / "out/tests/000001.ktest").write_bytes(b"broken")
    page = write_report(tmp_path / "out").read_text(encoding="utf-8")
    assert "out-of-bounds" in page and "not a .ktest file" in page


@pytest.mark.parametrize("name", ["absent", "empty"])
def test_a_folder_without_results(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    assert run(["report", str(tmp_path / name)]) == 2
    assert name in capfd.readouterr().err


def test_cinq_run_writes_it(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "-o", str(tmp_path / "out"), str(ROOT / "examples/sign.c")]) == 0
    written = (tmp_path / "out/report.html").read_bytes()
    assert run(["report", str(tmp_path / "out")]) == 0
    assert capfd.readouterr().out.endswith("report.html\n")
    assert (tmp_path / "out/report.html").read_bytes() == written


def test_a_page_that_fails_costs_no_results(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(folder: Path) -> Path:
        raise RuntimeError("no ink")

    monkeypatch.setattr("cinquefoil.report.page.write_report", broken)
    assert run(["run", "-o", str(tmp_path / "out"), str(ROOT / "examples/sign.c")]) == 0
    assert "note: no report.html: RuntimeError: no ink" in capfd.readouterr().err
    assert json.loads((tmp_path / "out/summary.json").read_text())["tests"] == 3


def test_long_programs_are_cut_to_what_matters(tmp_path: Path) -> None:
    folder = hostile(tmp_path / "out")
    details = json.loads((folder / "report.json").read_text())
    details["files"][0]["text"] = "int x;\n" * 200_000
    details["files"][0]["lines"] = [[1, 1, 2, 1], [90_000, 1, 2, 1], [90_001, 1, 1, 1]]
    (folder / "report.json").write_text(json.dumps(details))
    page = write_report(folder).read_text(encoding="utf-8")
    assert len(page) < 200_000
    assert 'id="f0-90000"' in page and 'id="f0-80000"' not in page and "89974 lines not shown" in page


def test_markup_is_safe_by_construction() -> None:
    assert element("a", "<&>", [Html("<b>"), "'"], href='"', hidden=False, open=True) == (
        '<a href="&quot;" open>&lt;&amp;&gt;<b>&#x27;</a>'
    )
    assert text("a\0b\udcffc\ud800") == "a\u2400b\\xffc?"


def test_units() -> None:
    assert [spoken_time(t) for t in (0, 2e-5, 0.25, 12.34, 600, 9000)] == [
        "0",
        "20 µs",
        "250 ms",
        "12.3 s",
        "10.0 min",
        "2.5 h",
    ]
    assert [spoken_size(s) for s in (0, 900, 5 << 20, 3 << 30)] == ["0 B", "900 B", "5.0 MB", "3.00 GB"]
    assert [nice_limit(v) for v in (0, 4, 11, 130, 999)] == [4, 4, 12, 200, 1000]


def test_the_tree_is_drawn_without_crossings_and_never_loops() -> None:
    rows = [
        Row(n, parent, start, 9, "exit", 0, "") for n, parent, start in ((1, 0, 0), (2, 1, 3), (3, 1, 6), (4, 2, 5))
    ]
    assert [row.path for row in ordered(rows)] == [1, 3, 2, 4]
    ring = [Row(1, 2, 0, 1, "", 0, ""), Row(2, 1, 0, 1, "", 0, ""), Row(3, 3, 0, 1, "", 0, "")]
    assert sorted(row.path for row in ordered(ring)) == [1, 2, 3]


def test_names_are_short_unless_they_are_elsewhere() -> None:
    names = {f"/home/me/prog/{name}": 40 for name in ("src/a.c", "src/b.c", "lib/c.c", "lib/./d.h")}
    assert list(short_names({**names, "/usr/include/x.h": 1}).values()) == [
        "src/a.c", "src/b.c", "lib/c.c", "lib/d.h", "/usr/include/x.h"
    ]  # fmt: skip
    assert short_names({"/one.c": 3}) == {"/one.c": "one.c"}
    assert short_names({"a.c": 1, "b.c": 1}) == {"a.c": "a.c", "b.c": "b.c"}
    assert short_names({}) == {}


def test_evil_is_evil() -> None:
    assert all(part in EVIL for part in ("<", '"', "'", "&"))
