"""The page in a real browser: links lead to what they name, nothing complains, nothing is asked of the network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import CHROMIUM, Browser
from folders import explored, hostile

from cinquefoil.report.page import write_report

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here (Debian: apt install chromium)")
SIZES = {"phone": (390, 844), "desktop": (1280, 900)}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as found:
        yield found


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_report(explored(tmp_path_factory.mktemp("explored"))).as_uri()


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("size", SIZES)
def test_from_an_error_to_its_source_and_test(browser: Browser, address: str, size: str, script: bool) -> None:
    page = browser.open(address, *SIZES[size], script=script)
    page.click("nav a[href='#errors']")
    assert page.in_view("#e1 h3")
    page.value("document.querySelectorAll('details.file').forEach(e => e.open = false)")
    assert not page.in_view("#f0-7")
    page.click("#e1 > p a")
    assert page.value("location.hash") == "#f0-7"
    assert page.in_view("#f0-7"), "the closed source did not open"
    page.click("#f0-7 a.e")
    assert page.in_view("#e1 h3")
    page.click("#e1 h4 a[href^='#t']")
    test = page.value("location.hash")
    assert page.in_view(test)
    page.click(f"{test} summary")
    assert "07 00 00 00" in page.value(f"document.querySelector('{test}').innerText")
    assert page.complaints() == []
    assert page.requests() == [address]


@pytest.mark.parametrize("size", SIZES)
def test_no_text_runs_out_of_the_window(browser: Browser, address: str, size: str) -> None:
    page = browser.open(address, *SIZES[size])
    assert page.value("document.documentElement.scrollWidth") <= SIZES[size][0]


def test_hostile_results_run_nothing(browser: Browser, tmp_path: Path) -> None:
    address = write_report(hostile(tmp_path / "out")).as_uri()
    page = browser.open(address)
    page.value("document.querySelectorAll('details').forEach(e => e.open = true)")
    assert page.value("document.images.length") == 0 and page.value("document.scripts.length") == 1
    assert page.of("Page.javascriptDialogOpening") == []
    assert page.complaints() == []
    assert page.requests() == [address]


def test_scripts_that_are_not_the_pages_own_are_refused(browser: Browser, address: str, tmp_path: Path) -> None:
    """The policy holds even if some text came through unescaped."""
    report = tmp_path / "report.html"
    content = Path(address.removeprefix("file://")).read_text(encoding="utf-8")
    report.write_text(content.replace("</main>", "<script>window.hurt = 1</script><img src=http://a.test/></main>"))
    page = browser.open(report.as_uri())
    assert page.value("window.hurt === undefined")
    assert len(page.complaints()) >= 2
