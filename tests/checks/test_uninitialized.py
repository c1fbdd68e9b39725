"""Memory never written: what depends on it is an error, what only moves it is not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cinquefoil
from cinquefoil.build.program import load_program
from cinquefoil.errors import UserError
from cinquefoil.explore import Outcome
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.machine.failure import failure_of
from cinquefoil.machine.image import build_image
from cinquefoil.machine.worker import Limits, Worker

PROGRAM = Path(__file__).parents[1] / "programs" / "checks" / "unwritten.c"
_CASE = re.compile(r"\s+case (\d+):.*// (uninitialized|fine)$")


def _lines(verdict: str) -> set[int]:
    lines = PROGRAM.read_text().splitlines()
    return {n for n, text in enumerate(lines, 1) if (m := _CASE.match(text)) and m[2] == verdict}


@pytest.fixture(scope="module")
def outcome() -> Outcome:
    return cinquefoil.explore(PROGRAM, check="uninitialized", max_paths=2000)


def test_every_use_is_found_and_nothing_else(outcome: Outcome) -> None:
    assert len(_lines("uninitialized")) > 10 and len(_lines("fine")) > 8
    assert {error.kind for error in outcome.errors} == {"uninitialized"}
    assert {error.line for error in outcome.errors} == _lines("uninitialized")
    assert outcome.exhausted
    assert all(error.confirmed for error in outcome.errors)


def test_without_the_check_there_is_no_error() -> None:
    assert not cinquefoil.explore(PROGRAM, max_paths=2000).errors


@pytest.mark.parametrize(
    ("case", "region", "name"), [(1, "stack", "x"), (2, "heap", ""), (7, "stack", "array"), (12, "stack", "")]
)
def test_the_allocation_is_named(outcome: Outcome, case: int, region: str, name: str) -> None:
    image = build_image(load_program(PROGRAM, in_memory=True), uninitialized=True)
    with Worker(image, parse_arguments([]), Limits(uninitialized=True)) as worker:
        run = worker.run(bytes([case, 77]))
    assert run.error is not None and run.error.kind == "uninitialized"
    concerned = failure_of(run.error, "", image.sites).concerned
    assert concerned is not None and concerned.made is not None
    assert concerned.region == region and concerned.name.startswith(name)
    assert concerned.made.file.endswith("unwritten.c")


SMALL = """#include <klee/klee.h>
#include <string.h>
int main(void)
{
    struct { unsigned a : 7, b : 9, c : 16; } bits;
    unsigned char in[4], copy[4];
    klee_make_symbolic(in, 4, "in");
    bits.b = in[0]; bits.a = in[1]; bits.c = in[2];
    memcpy(copy, in, 3);
    if (bits.a == 5 && bits.b == 6 && (bits.c & 3) == 2) return 1;
    if (copy[in[3] % 3] == 9) return 2;
    return COPY;
}
"""


@pytest.mark.parametrize(("text", "errors"), [("3", 0), ("copy[3]", 1), ("copy[3] & 0", 0), ("copy[3] ^ copy[2]", 1)])
def test_symbolic_and_unwritten_bytes_side_by_side(tmp_path: Path, text: str, errors: int) -> None:
    source = tmp_path / "p.c"
    source.write_text(SMALL.replace("COPY", text))
    outcome = cinquefoil.explore(source, check="uninitialized", max_paths=2000)
    assert len(outcome.errors) == errors
    assert outcome.exhausted


def test_it_does_not_go_with_melding() -> None:
    with pytest.raises(UserError, match="do not go together"):
        cinquefoil.explore(PROGRAM, check="uninitialized", meld="auto")


def test_other_processes_look_for_it_too() -> None:
    outcome = cinquefoil.explore(PROGRAM, check="uninitialized", workers=2, max_paths=2000)
    assert {error.line for error in outcome.errors} == _lines("uninitialized")
