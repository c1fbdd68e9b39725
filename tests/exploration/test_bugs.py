"""Errors of every kind, each planted where few inputs lead, are found in seconds and happen again; their twins are
explored to the end in silence."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from bug_programs import LIMITS, PROGRAMS, Bug, bugs, explored, image_of, locations

from cinquefoil.exploration.runs.findings import FoundError
from cinquefoil.machine.worker import Worker
from cinquefoil.replay import gcc, sanitize
from cinquefoil.replay.native_run import NativeRun, run_binary
from cinquefoil.replay.process import ProcessLimits
from cinquefoil.testcase.ktest import KTest

KINDS = {
    *("out-of-bounds", "null-pointer", "use-after-free", "use-after-return", "use-after-scope", "double-free"),
    *("invalid-free", "division-by-zero", "overflow", "assertion", "abort", "reach-error", "unreachable"),
    *("stack-overflow", "read-only", "user", "overshift"),
}
STRATEGIES = ("dfs", "bfs", "nurs:md2u")  # beside the default, on every third program each
NATIVE_ENDS = {"reach-error": "reach-error", "user": "user"}
# Natively these go unnoticed: a jump to a frame that is gone but intact, what fgets of the host writes, and a pointer
# that leads into another object.
UNSEEN = {"jumped_back", "input_line", "pointer_integer"}
ALL = bugs()
_MORE = ":detect_stack_use_after_return=1"


def str_of(value: Bug | str) -> str:
    return value.name if isinstance(value, Bug) else value


def each() -> pytest.MarkDecorator:
    return pytest.mark.parametrize("bug", ALL, ids=str_of)


def found_in(bug: Bug, search: tuple[str, ...] = ()) -> FoundError:
    outcome = explored(bug.program, bug.environment, search)
    assert locations(outcome) == {(bug.kind, bug.line, bug.program.name)}
    assert outcome.errors[0].confirmed
    return outcome.errors[0]


def natively(bug: Bug, error: FoundError) -> NativeRun:
    with tempfile.TemporaryDirectory() as name:
        program = gcc.build(bug.program, Path(name), (), sanitize.flags(("address", "undefined")))
        variables = sanitize.VARIABLES | {"ASAN_OPTIONS": sanitize.VARIABLES["ASAN_OPTIONS"] + _MORE}
        limits = ProcessLimits(seconds=120, memory=None)
        return run_binary(program, KTest.of(error.test.objects), bug.environment, limits, variables)


def test_every_kind_is_there() -> None:
    assert {bug.kind for bug in ALL} == KINDS


@each()
def test_the_twin_differs_by_its_guard(bug: Bug) -> None:
    one, two = (path.read_text().splitlines()[1:] for path in (bug.program, bug.twin))
    assert len(one) == len(two)
    assert 1 <= sum(a != b for a, b in zip(one, two, strict=True)) <= 2


@each()
def test_the_bug_is_found_and_happens_again(bug: Bug) -> None:
    error = found_in(bug)
    with Worker(image_of(bug.program), bug.environment, LIMITS) as fresh:
        again = fresh.run(error.test.witness)
    assert again.error is not None
    assert again.error.kind == bug.kind
    if shutil.which("gcc") and bug.name not in UNSEEN:
        run = natively(bug, error)
        assert happened(bug, run), run.output.decode(errors="replace")


def happened(bug: Bug, run: NativeRun) -> bool:
    """A signal, a sanitizer's word, or the replay library's for what is no fault to the machine."""
    if bug.kind in NATIVE_ENDS:
        return run.end == NATIVE_ENDS[bug.kind]
    return run.end == "signal" or bool(sanitize.violations(run.output.decode(errors="replace")))


@each()
def test_the_twin_is_silent_and_exhausted(bug: Bug) -> None:
    outcome = explored(bug.twin, bug.environment)
    assert outcome.errors == ()
    assert outcome.exhausted, outcome.reason


@pytest.mark.parametrize(
    ("bug", "search"), [(bug, s) for i, s in enumerate(STRATEGIES) for bug in ALL[i::3]], ids=str_of
)
def test_other_strategies_find_it_too(bug: Bug, search: str) -> None:
    found_in(bug, (search,))


def test_no_program_is_forgotten() -> None:
    names = [{path.name for path in (PROGRAMS / side).glob("*.c")} for side in ("bugs", "safe")]
    assert names[0] == names[1]
    assert len(names[0]) == len(ALL) > 60
