"""Programs that nobody here wrote: GCC's c-torture, and what csmith makes.  benchmarks/ has their drivers."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
PAGE = Path(__file__).parents[2] / "docs" / "results" / "outside-suites.md"


def _outcomes(script: str, results: Path, *arguments: str) -> dict[str, str]:
    command = [sys.executable, str(BENCHMARKS / script), "--results", str(results), *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return {row["name"]: row["outcome"] for row in map(json.loads, results.read_text().splitlines())}


def test_outcomes_of_a_suite(tmp_path: Path) -> None:
    """What counts, and what fails, of a suite of four programs; a second start has nothing to do."""
    folder = tmp_path / "sources" / "execute" / "ieee"
    folder.mkdir(parents=True)
    (folder.parent / "right.c").write_text('/* { dg-options "-DX=3 -fmodulo-sched" } */ int main() { return X != 3; }')
    (folder.parent / "nested.c").write_text("int main() { int f(void) { return 0; } return f(); }")
    (folder.parent / "wrong.c").write_text("int main() { return 5; }")
    (folder / "null.c").write_text(
        "#ifdef __clang__\nint zero = 0;\n#else\nint zero = 1;\n#endif\nint main() { return 1 / zero - 1; }"
    )
    arguments = ("--sources", str(tmp_path / "sources"))
    found = _outcomes("torture.py", tmp_path / "results", *arguments)
    failing = {"nested": "refused by clang", "wrong": "fails natively", "ieee/null": "failed"}
    assert found == {"right": "passed", **failing}
    before = (tmp_path / "results").read_text()
    _outcomes("torture.py", tmp_path / "results", *arguments)
    assert (tmp_path / "results").read_text() == before


@pytest.mark.slow
@pytest.mark.skipif(not any(Path("/usr/src/gcc-12").glob("gcc-*.tar.xz")), reason="gcc-12-source is not installed")
def test_torture(tmp_path: Path) -> None:
    """Every program passes but those that the page names, with a reason."""
    found = _outcomes("torture.py", tmp_path / "results")
    failed = {name for name, outcome in found.items() if outcome == "failed"}
    named = {name for name in failed if f"`{name}`" in PAGE.read_text()}
    assert failed - named == set()
    assert sum(outcome == "passed" for outcome in found.values()) >= 1590


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("csmith"), reason="csmith is not installed")
def test_random_programs_as_csmith_makes_them(tmp_path: Path) -> None:
    found = _outcomes("csmith.py", tmp_path / "results", "--count", "100", "--first", "100000")
    assert "failed" not in found.values()
