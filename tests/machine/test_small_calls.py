"""Expanded calls and repeated loads leave what the program as written leaves: events, coverage, traces, errors."""

from __future__ import annotations

import random

import numpy as np
import pytest
from traced import LIMITS, PROGRAMS

from cinquefoil.build.program import load_program
from cinquefoil.exploration.runs.coverage import Coverage
from cinquefoil.ir.parser import parse_module
from cinquefoil.ir.sites import SiteKind
from cinquefoil.layout import IMAGE_BASE, EventKind
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.machine.image import Image, build_image
from cinquefoil.machine.run import Run
from cinquefoil.machine.worker import Worker
from cinquefoil.transform.instrument.expand import is_expandable
from cinquefoil.transform.instrument.instrument_options import InstrumentOptions
from cinquefoil.transform.instrument.module_tracer import instrument

NAMES = (
    *("differential/small_calls.c", "differential/control.c", "differential/structs.c", "truth/calls.c"),
    *("truth/library.c", "truth/table.c", "safe/jumped_back.c", "safe/print_freed.c", "bugs/pointer_choice.c"),
    *("bugs/freed_session.c", "bugs/null_list.c", "bugs/left_scope.c", "bugs/stack_read_nested.c"),
)


def location_of(image: Image, site: int) -> tuple[object, ...]:
    found = image.sites[site]
    return (found.kind.name, found.function, found.file, found.line, found.column, found.detail)


def recorded(image: Image, run: Run) -> dict[str, object]:
    """All that a run says, sites by their locations and without addresses of code, which differ."""
    events = [
        (
            int(e["kind"]),
            location_of(image, int(e["site"])),
            int(e["taken"]),
            None if is_address(e) else int(e["value"]),
        )
        for e in run.events
    ]
    error = run.error and (run.error.kind, run.error.object_size, [location_of(image, s) for s in run.error.backtrace])
    return {
        "end": (run.end, run.code, run.output, error),
        "events": events,
        "covered": sorted(location_of(image, int(s)) for s in run.covered if image.sites[s].kind is not SiteKind.PART),
        "trace": [location_of(image, int(s)) for s in run.trace],
    }


def is_address(event: np.void) -> bool:
    return bool(event["kind"] == EventKind.CONCRETIZE and event["value"] >= IMAGE_BASE)


def lines(image: Image, run: Run) -> set[tuple[str, int]]:
    """Source lines that ran."""
    coverage = Coverage(image.sites)
    coverage.add(run)
    return {line for line, hit in coverage.lines().items() if hit}


@pytest.mark.parametrize("name", NAMES)
def test_the_record_is_that_of_the_program_as_written(name: str) -> None:
    program = load_program(PROGRAMS / name)
    images = [build_image(program, blocks=True, plain=plain) for plain in (False, True)]
    generator = random.Random(name)
    witnesses = [b"", *(generator.randbytes(64) for _ in range(6))]
    found: list[list[object]] = []
    for image in images:
        with Worker(image, parse_arguments(["--sym-stdin", "8"]), LIMITS) as worker:
            runs = [worker.run(witness) for witness in witnesses]
            found.append([(recorded(image, run), lines(image, run)) for run in runs])
    assert found[0] == found[1]


MODULE = """
define internal i32 @add(i32 %x, i32 %y) {
  %1 = add i32 %x, %y
  ret i32 %1
}
define internal i32 @divide(i32 %x, i32 %y) {
  %1 = sdiv i32 %x, %y
  ret i32 %1
}
define weak i32 @replaced(i32 %x) {
  ret i32 %x
}
define internal i32 @loads(ptr %p) {
  %1 = load i32, ptr %p
  ret i32 %1
}
define i32 @main(i32 %x, ptr %p) {
  %1 = call i32 @add(i32 %x, i32 %x)
  %2 = call i32 @divide(i32 %1, i32 3)
  %3 = call i32 @replaced(i32 %2)
  %4 = call i32 @loads(ptr %p)
  %5 = load i32, ptr %p
  store i32 %3, ptr %p
  %6 = load i32, ptr %p
  %7 = load i32, ptr %p
  %8 = add i32 %4, %5
  %9 = add i32 %8, %6
  %10 = add i32 %9, %7
  ret i32 %10
}
"""


def test_only_what_cannot_fail_or_be_replaced_is_expanded() -> None:
    module = parse_module(MODULE)
    assert [f.name for f in module.functions.values() if is_expandable(f)] == ["add"]


def body_of_main(plain: bool) -> str:
    text = instrument(parse_module(MODULE), "base", InstrumentOptions(plain=plain)).text
    return text[text.index("@main(") :]


def test_the_call_is_gone_and_so_are_loads_of_what_was_stored() -> None:
    short, full = body_of_main(False), body_of_main(True)
    assert "@add(" in full and "@add(" not in short
    assert all(f"@{name}(" in short for name in ("divide", "replaced", "loads"))
    assert (full.count("load i32, ptr %v"), short.count("load i32, ptr %v")) == (3, 1)
