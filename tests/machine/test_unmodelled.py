"""What is not modelled works within its limits, fails as C allows, or is said; it is never passed over."""

from __future__ import annotations

from pathlib import Path

import pytest
from traced import worker_of

from cinquefoil.build.compile import compile_c
from cinquefoil.layout import EventKind, Reason
from cinquefoil.machine.run import Run


def _run(tmp_path: Path, source: str) -> Run:
    program = tmp_path / "a.c"
    program.write_text(source)
    with worker_of(program) as worker:
        return worker.run(b"")


def _reported(run: Run) -> list[int]:
    return [int(e["value"]) for e in run.events if e["kind"] == EventKind.UNSUPPORTED]


def _fenv(tmp_path: Path, statements: str) -> Run:
    head = "#include <fenv.h>\n#include <math.h>\n#include <stdio.h>\n"
    return _run(tmp_path, f"{head}int main(void) {{ {statements} }}")


@pytest.mark.parametrize("mode", ["FE_UPWARD", "FE_DOWNWARD", "FE_TOWARDZERO"])
def test_another_rounding_fails_and_is_reported(tmp_path: Path, mode: str) -> None:
    run = _fenv(tmp_path, f'printf("%d %d\\n", fesetround({mode}) != 0, fegetround() == FE_TONEAREST);')
    assert run.output == b"1 1\n"
    assert _reported(run) == [Reason.FLOAT]


def test_the_usual_rounding_is_to_be_had(tmp_path: Path) -> None:
    run = _fenv(tmp_path, 'fenv_t e; printf("%d %d\\n", fesetround(FE_TONEAREST), fegetenv(&e) | fesetenv(&e));')
    assert run.output == b"0 0\n" and _reported(run) == []


def test_exceptions_by_name_are_kept_and_asking_is_reported(tmp_path: Path) -> None:
    run = _fenv(tmp_path, "feraiseexcept(FE_INVALID); return fetestexcept(FE_INVALID) == FE_INVALID;")
    assert run.code == 1 and _reported(run) == [Reason.FLOAT]


def test_libm_asks_quietly(tmp_path: Path) -> None:
    run = _fenv(tmp_path, 'volatile double x = 2.5; printf("%g %g\\n", nearbyint(x), fma(x, x, 1));')
    assert run.output == b"2 7.25\n" and _reported(run) == []


def test_own_frame_and_return_address(tmp_path: Path) -> None:
    source = """
    __attribute__((noinline)) static long inner(char *outer) {
        return (char *)__builtin_frame_address(0) <= outer && __builtin_return_address(0) != 0;
    }
    int main(void) { return (int)inner(__builtin_frame_address(0)); }"""
    run = _run(tmp_path, source)
    assert run.code == 1 and _reported(run) == []


def test_frames_of_callers_are_reported(tmp_path: Path) -> None:
    run = _run(tmp_path, "int main(void) { return __builtin_return_address(1) != 0; }")
    assert run.code == 0 and _reported(run) == [Reason.OPERATION]


IGNORED = (
    *("-finstrument-functions", "-pg", "--coverage"),
    *("-fstack-protector-strong", "-fcf-protection=full", "--target=aarch64-linux-gnu"),
)


@pytest.mark.parametrize("flag", IGNORED)
def test_flags_without_effect_are_said(tmp_path: Path, flag: str) -> None:
    program = tmp_path / "a.c"
    program.write_text("int main(void) { return 0; }\n")
    assert f"{flag} has no effect here" in compile_c(program, tmp_path / "a.bc", [flag])
