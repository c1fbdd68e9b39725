"""Lines are covered when code of theirs ran, as gcov counts them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cinquefoil.build.program import load_program
from cinquefoil.exploration.runs.coverage import Coverage
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.machine.image import build_image
from cinquefoil.machine.worker import Worker

PROGRAM = """\
#include <stdio.h>
int main(int argc, char **argv) {
    int first = argv[1][0], second = argv[1][1];
    int both = (first == 'a'
                && second == 'b');
    if (first == 'c'
        || second == 'd')
        puts("one");
    while (first > 'm'
           && second > 'm')
        first--;
    return both;
}
"""


@pytest.mark.parametrize(
    ("text", "run", "not_run"),
    [
        ("x", {4, 6, 7, 9, 10}, {5, 8, 11}),
        ("ab", {4, 5, 6, 7, 9}, {8, 10, 11}),
        ("c", {4, 6, 8, 9}, {5, 7, 10, 11}),
        ("zz", {4, 6, 7, 9, 10, 11}, {5, 8}),
    ],
)
def test_a_later_line_of_a_condition_is_covered_only_if_it_was_reached(
    tmp_path: Path, text: str, run: set[int], not_run: set[int]
) -> None:
    source = tmp_path / "conditions.c"
    source.write_text(PROGRAM)
    image = build_image(load_program(source))
    coverage = Coverage(image.sites)
    with Worker(image, parse_arguments([text])) as worker:
        coverage.add(worker.run(b""))
    covered = {line for (_, line), hit in coverage.lines().items() if hit}
    assert run <= covered
    assert not covered & not_run
