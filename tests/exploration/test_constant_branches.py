"""A decision on a constant is no branch, and what lies on its other side is no code."""

from __future__ import annotations

from pathlib import Path

from cinquefoil.build.program import load_program
from cinquefoil.exploration.runs.coverage import Coverage
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.machine.image import build_image
from cinquefoil.machine.worker import Worker

PROGRAM = """\
#include <ctype.h>
#include <stdio.h>
#define FEATURE 0
int main(int argc, char **argv) {
    int found = 0;
    if (FEATURE)
        found = 5;
    switch (FEATURE + 1) {
    case 1:
        found += 1;
        break;
    default:
        found += 100;
    }
    for (const char *at = argv[1]; *at; at++)
        if (isalpha(*at))
            found += 2;
    found += FEATURE ? 50 : 0;
    while (1) {
        if (argc > 1)
            break;
        puts("never");
    }
    return found;
}
"""


def test_only_real_decisions_count(tmp_path: Path) -> None:
    source = tmp_path / "constants.c"
    source.write_text(PROGRAM)
    image = build_image(load_program(source), blocks=True)
    coverage = Coverage(image.sites)
    with Worker(image, parse_arguments(["a1"])) as worker:
        run = worker.run(b"")
    coverage.add(run)
    assert (run.end, run.code) == ("exit", 3)
    lines = {line: hit for (_, line), hit in coverage.lines().items()}
    assert [line for line, hit in lines.items() if not hit] == [22] and not {7, 13} & lines.keys()
    branches = [site.line for site in image.sites if site.kind == "branch" and not site.library]
    assert sorted(branches) == [15, 16, 20]
    assert coverage.figures().branches == (5, 6)


MODULE = """
define i32 @main() {
  br i1 true, label %a, label %b
a:
  %x = phi i32 [ 7, %0 ], [ 9, %b ]
  switch i32 2, label %c [ i32 1, label %b  i32 2, label %d ]
b:
  br label %a
c:
  br label %d
d:
  %y = phi i32 [ %x, %a ], [ 1, %c ]
  ret i32 %y
}
"""


def test_values_come_from_the_way_that_is_left(tmp_path: Path) -> None:
    source = tmp_path / "constants.ll"
    source.write_text(MODULE)
    with Worker(build_image(load_program(source), blocks=True)) as worker:
        run = worker.run(b"")
    assert (run.end, run.code, len(run.trace)) == ("exit", 7, 3)
