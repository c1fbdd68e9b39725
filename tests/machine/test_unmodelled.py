"""What is not modelled works within its limits, fails as C allows, or is said; it is never passed over."""

from __future__ import annotations

from pathlib import Path

import pytest
from traced import worker_of

from cinquefoil.build.compile import compile_c, own_notes
from cinquefoil.cli.main import run
from cinquefoil.errors import CompileError
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
    *("-fopenmp", "-funsigned-bitfields", "-fsingle-precision-constant"),
)


@pytest.mark.parametrize("flag", IGNORED)
def test_flags_without_effect_are_said(tmp_path: Path, flag: str) -> None:
    program = tmp_path / "a.c"
    program.write_text("int main(void) { return 0; }\n")
    assert f"{flag} has no effect here" in compile_c(program, tmp_path / "a.bc", [flag])


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ('struct __attribute__((scalar_storage_order("big-endian"))) s { int a; };', "attribute scalar_storage_order"),
        ("__attribute__((__hardbool__)) char flag;", "attribute hardbool"),
        ("void f(void) {}\nvoid f(void) __attribute__((constructor));", "attribute constructor behind the definition"),
        ("#pragma scalar_storage_order big-endian", "pragma scalar_storage_order"),
        ('_Pragma("scalar_storage_order big-endian")', "pragma scalar_storage_order"),
        ("#pragma STDC FENV_ROUND FE_UPWARD", "pragma FENV_ROUND"),
        ("#pragma pack(3)", "pragma pack"),
    ],
)
@pytest.mark.parametrize("flags", [[], ["-w"], ["-fdiagnostics-color"]], ids="".join)
def test_what_the_compiler_passes_over_is_said(tmp_path: Path, code: str, name: str, flags: list[str]) -> None:
    program = tmp_path / "a.c"
    program.write_text(f"{code}\n{code if code[0] == '#' else ''}\nint main(void) {{ return 0; }}\n")
    (note,) = own_notes(compile_c(program, tmp_path / "a.bc", flags))
    assert note.startswith(f"{name} has no effect here: {program}:") and note.endswith(" and 1 more") == (
        code[0] == "#"
    )


def test_what_changes_nothing_is_not_said(tmp_path: Path) -> None:
    program = tmp_path / "a.c"
    program.write_text("""
    #pragma omp parallel
    #pragma GCC optimize("O2")
    void told(const char *, ...) __attribute__((__format__(gnu_printf_of_old, 1, 2)));
    __attribute__((noipa, optimize("O3"), stdcall, noclone)) int f(void) { return 0; }
    int main(void) { return f(); }""")
    assert own_notes(compile_c(program, tmp_path / "a.bc", ["-Wall", "-Werror=unused"])) == []


def test_warnings_asked_for_as_errors_stay_errors(tmp_path: Path) -> None:
    program = tmp_path / "a.c"
    program.write_text("#pragma nobody_knows\nint main(void) { return 0; }\n")
    compile_c(program, tmp_path / "a.bc", ["-Werror"])
    with pytest.raises(CompileError, match="Wunknown-pragmas"):
        compile_c(program, tmp_path / "a.bc", ["-Wall", "-Werror"])


@pytest.mark.parametrize("command", ["run", "trace", "cc"])
def test_commands_pass_it_on(tmp_path: Path, capfd: pytest.CaptureFixture[str], command: str) -> None:
    program = tmp_path / "a.c"
    program.write_text("#pragma scalar_storage_order big-endian\nint main(void) { return 0; }\n")
    options = {"run": ["--cflags", "-pg", "--no-report", "-o", str(tmp_path / "out")], "trace": ["--cflags", "-pg"]}
    assert run([command, *options.get(command, ["-pg", "-c", "-o", str(tmp_path / "a.o")]), str(program)]) == 0
    said = capfd.readouterr().err
    assert "note: -pg has no effect here" in said and "note: pragma scalar_storage_order has no effect here" in said
