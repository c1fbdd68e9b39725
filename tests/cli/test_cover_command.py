"""`cinq cover`: listing and page."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner

from cinquefoil.cli.cover_command import cover
from cinquefoil.cli.cover_page import Drawing, page
from cinquefoil.cli.main import run

SOURCE = """
int pick(int a, int b, int c) {
    int n;
    if (a) n = 1; else if (b) n = 2; else n = 3;
    if (c) n *= 7; else n *= 9;
    for (int i = 0; i < a; i++) if (i & b) n++;
    return n;
}
int main(int argc, char **argv) { return pick(argc, argc - 1, argc - 2); }
"""


def svg_of(text: str) -> ET.Element:
    found = re.search(r"<svg.*?</svg>", text, re.S)
    assert found is not None
    return ET.fromstring(found.group())


def test_the_page_draws_every_block_edge_and_cover() -> None:
    acyclic = {1: (2, 3), 2: (4,), 3: (4,), 4: ()}
    covers = (("first <one>", ((1, 2, 4), (1, 3, 4))),)
    drawing = Drawing("f", "4 blocks", acyclic, ((4, 1),), frozenset({1}), {n: f"b{n}" for n in acyclic}, covers)
    text = page("Title & more", [drawing])
    svg = svg_of(text)
    assert [t.text for t in svg.iter("text")] == ["b1", "b2", "b3", "b4"]
    classes = [p.get("class") for p in svg.iter("path")]
    assert (classes.count("edge"), classes.count("back"), classes.count("path")) == (4, 1, 2)
    assert "first &lt;one&gt;" in text and "Title &amp; more" in text
    assert "http" not in text  # self-contained


def test_the_command(tmp_path: Path) -> None:
    source = tmp_path / "pick.c"
    source.write_text(SOURCE)
    html = tmp_path / "pick.html"
    done = CliRunner().invoke(cover, [str(source), "--function", "pick", "--html", str(html)], standalone_mode=False)
    assert done.exception is None
    assert "pick (pick.c:4)" in done.output and "1 loops" in done.output
    assert "  body: 3 of 6 paths cover it" in done.output
    assert svg_of(html.read_text()) is not None


def test_the_page_tells_blocks_entered_from_blocks_missed() -> None:
    acyclic = {1: (2, 3), 2: (), 3: ()}
    labels = {n: f"b{n}" for n in acyclic}
    drawing = Drawing("f", "", acyclic, (), frozenset({1}), labels, (("c", ((1, 2), (1, 3))),), frozenset({1, 2}))
    groups = [(g.findtext("text"), g.get("class")) for g in svg_of(page("", [drawing])).iter("g")]
    classes = {text: kind for text, kind in groups if text is not None}
    assert classes == {"b1": "header entered", "b2": "entered", "b3": "missed"}


FORK = """
#include <klee/klee.h>
int pick(int a) { if (a == 5) return 1; if (a > 9) return 2; return 3; }
int main(void) { int a; klee_make_symbolic(&a, sizeof a, "a"); return pick(a); }
"""


def test_a_runs_tests_show_what_they_enter(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "fork.c"
    source.write_text(FORK)
    html, out = tmp_path / "fork.html", tmp_path / "out"
    assert run(["run", "--max-paths", "1", "-o", str(out), str(source)]) == 0
    assert run(["cover", "--function", "pick", "--run", str(out), "--html", str(html), str(source)]) == 0
    assert re.search(r"pick \(fork.c:3\): (\d+) of (\d+) blocks entered", capsys.readouterr().out)
    text = html.read_text()
    assert 'class="entered"' in text and 'class="missed"' in text
    assert run(["cover", "--run", str(tmp_path), str(source)]) == 2
    assert "holds no tests" in capsys.readouterr().err


@pytest.mark.slow
def test_an_unknown_function_is_a_mistake_of_the_user(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "pick.c"
    source.write_text(SOURCE)
    assert run(["cover", str(source), "--function", "pikc"]) == 2
    assert "did you mean 'pick'?" in capsys.readouterr().err
