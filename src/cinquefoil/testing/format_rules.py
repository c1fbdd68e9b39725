"""What every report format owes, whoever wrote it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from cinquefoil.api import explore
from cinquefoil.report.export.export_suite import Suite, read_suite
from cinquefoil.report.export.format import Format
from cinquefoil.report.export.registry import make

_PROGRAM: Final = """\
#include <klee/klee.h>

int main(int argc, char **argv) {
    unsigned char index;
    int table[4] = {1, 2, 3, 4};
    klee_make_symbolic(&index, sizeof index, "index");
    if (index == 'x') return table[0];
    return table[index & 7];
}
"""


def writes_what_it_says(name: str) -> None:
    """The files that it names exist, below what it was told to write to."""
    with _suite() as (suite, folder):
        chosen = make(name)
        assert isinstance(chosen, Format), f"{name} makes {type(chosen).__name__}, not a Format"
        assert chosen.output, "there is no name for the output"
        target = folder / "exported" / chosen.output
        done = chosen.write(suite, target)
        assert done.files, "nothing was written"
        for file in done.files:
            assert file.exists() and file.is_relative_to(target), f"{file} is not in {target}"


def same_results_same_files(name: str) -> None:
    with _suite() as (suite, folder):
        first, again = (_contents(name, suite, folder / each) for each in ("one", "two"))
        assert first == again


def results_stay_as_they_are(name: str) -> None:
    with _suite() as (suite, folder):
        before = _files(folder / "results")
        make(name).write(suite, folder / "exported" / "out")
        assert _files(folder / "results") == before


FORMAT_RULES: Final[tuple[Callable[[str], None], ...]] = (
    writes_what_it_says,
    same_results_same_files,
    results_stay_as_they_are,
)


@contextmanager
def _suite() -> Generator[tuple[Suite, Path]]:
    """Results of a small program with an error, and a folder for more."""
    with tempfile.TemporaryDirectory(prefix="cinq-testing-") as made:
        folder = Path(made)
        (folder / "toy.c").write_text(_PROGRAM)
        explore(folder / "toy.c", output=folder / "results", report=False)
        yield read_suite(folder / "results"), folder


def _contents(name: str, suite: Suite, folder: Path) -> dict[str, bytes]:
    make(name).write(suite, folder / "out")
    return _files(folder)


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
