"""Undefined behaviour that clang's checks can tell: the one input that shows it is found, and named."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import cinquefoil
from cinquefoil.build import bitcode, toolchain, ubsan
from cinquefoil.build.compile import compile_c, include_flags
from cinquefoil.build.program import load_program
from cinquefoil.build.sanitizers import CHECKS
from cinquefoil.exploration import Outcome
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.machine.image import build_image
from cinquefoil.machine.worker import Limits, Worker
from cinquefoil.replay import gcc, sanitize
from cinquefoil.replay.comparing import replay_test
from cinquefoil.replay.native_build import build_native
from cinquefoil.replay.native_run import run_binary
from cinquefoil.testcase.ktest import KTest

PROGRAMS = Path(__file__).parents[1] / "programs" / "undefined"
PROGRAM, CLEAN = PROGRAMS / "undefined.c", PROGRAMS / "clean.c"
ALL = tuple(CHECKS)
FLAGS = "-fsanitize=undefined,unsigned-integer-overflow,unsigned-shift-base,implicit-conversion,float-divide-by-zero"
_CASE = re.compile(r"\s+case (\d+):.*// (\S+)$")
_MARK = re.compile(r"// MARK (\d+)$")


def _expected() -> set[tuple[str, int]]:
    lines = PROGRAM.read_text().splitlines()
    marks = {m[1]: n for n, text in enumerate(lines, 1) if (m := _MARK.search(text))}
    cases = [(m[1], m[2], n) for n, text in enumerate(lines, 1) if (m := _CASE.match(text))]
    return {(kind, marks.get(number, line)) for number, kind, line in cases}


def _found(outcome: Outcome) -> set[tuple[str, int]]:
    return {(error.kind, error.line) for error in outcome.errors}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("undefined") / "out"


@pytest.fixture(scope="module")
def outcome(folder: Path) -> Outcome:
    return cinquefoil.explore(PROGRAM, check=ALL, output=folder, report=False, max_paths=2000)


def test_every_kind_is_found_where_it_is_and_nothing_else(outcome: Outcome) -> None:
    assert len(_expected()) > 30
    assert _found(outcome) == _expected()
    assert outcome.exhausted
    assert all(error.confirmed for error in outcome.errors)


def test_messages_tell_the_operands(outcome: Outcome) -> None:
    messages = " | ".join(error.message for error in outcome.errors)
    for text in (
        "signed integer overflow: 65535 + 2147418113 cannot be represented in type 'int'",
        "negation of -2147483648 cannot be represented in type 'int'",
        "shift by 32, too much for 32-bit type 'unsigned int'",
        "left shift of 1 by 31 cannot be represented in type 'int'",
        "index 4 is out of bounds of type 'int[4]'",
        "2 is not a valid value of type '_Bool'",
        "2147516415.0 is outside of the range of type 'int'",
        "implicit conversion of -1 from type 'int' to type 'unsigned int' gives 4294967295",
        "cannot be represented in type '__int128'",
    ):
        assert text in messages


def test_replays_agree(outcome: Outcome, folder: Path) -> None:
    program = load_program(PROGRAM, [flag for name in ALL for flag in [f"-fsanitize={','.join(CHECKS[name])}"]])
    native, image = build_native(program), build_image(program, blocks=True)
    ends: list[str] = []
    with Worker(image, parse_arguments([])) as worker:
        for error in outcome.errors:
            test = KTest.of(list(error.test.objects), ["p"])
            run = worker.run(error.test.witness)
            result = replay_test(native, test, parse_arguments([]), run, image)
            assert result.agrees, (error.kind, error.line, result.differences)
            ends.append(result.native.end)
    assert ends.count("undefined") > 25


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not here")
def test_gcc_objects_to_the_same_inputs(tmp_path: Path) -> None:
    """gcc has fewer of these checks; what it has agrees."""
    source = tmp_path / "p.c"
    source.write_text(PROGRAM.read_text().replace("_Nonnull", ""))
    outcome = cinquefoil.explore(source, check="overflow,shift,float,bounds,value,vla-bound,builtin", max_paths=2000)
    executable = gcc.build(source, tmp_path, [], sanitize.flags(["undefined"]))
    checked = 0
    for error in outcome.errors:
        if error.kind in (
            "overflow",
            "shift",
            "overshift",
            "array-index",
            "invalid-value",
            "vla-bound",
            "invalid-builtin",
        ):
            test = KTest.of(list(error.test.objects), ["p"])
            run = run_binary(executable, test, parse_arguments([]), variables=sanitize.VARIABLES)
            assert f":{error.line}:" in run.output.decode("utf-8", "replace"), (error.kind, error.line)
            checked += 1
    assert checked >= 10


@pytest.mark.parametrize("name", ALL)
def test_each_name_finds_its_own_kinds_only(name: str) -> None:
    kinds = {
        "overflow": {"overflow", "division-by-zero"},
        "unsigned-overflow": {"unsigned-overflow", "shift"},
        "shift": {"shift"},
        "pointer": {"pointer-overflow"},
        "bounds": {"array-index"},
        "alignment": {"misaligned"},
        "null": {"null-pointer"},
        "nonnull": {"nonnull"},
        "object-size": {"object-size"},
        "float": {"float-cast", "float-division-by-zero"},
        "implicit-conversion": {"implicit-conversion"},
        "value": {"invalid-value"},
        "builtin": {"invalid-builtin"},
        "unreachable": {"unreachable"},
        "vla-bound": {"vla-bound"},
        "function": {"function-type"},
        "divide": {"division-by-zero"},
        "undefined": {kind for kind, _ in _expected()},
    }[name]
    always = {"overflow", "division-by-zero", "null-pointer", "unreachable", "out-of-bounds", "shift", "overshift"}
    found = {error.kind for error in cinquefoil.explore(PROGRAM, check=name, max_paths=2000).errors}
    assert kinds & found
    assert found <= kinds | always


def test_a_clean_program_gives_no_alarm() -> None:
    outcome = cinquefoil.explore(CLEAN, check=ALL, max_paths=3000)
    assert _found(outcome) == set()
    assert outcome.statistics.paths > 10


def test_checks_are_no_part_of_coverage() -> None:
    """A line whose only code is computed at compile time has code if that is checked."""
    plain, checked = (cinquefoil.explore(CLEAN, check=names, max_paths=300).coverage for names in ((), ALL))
    assert checked.blocks[1] == plain.blocks[1]
    assert checked.branches[1] == plain.branches[1]
    assert plain.lines[1] <= checked.lines[1] <= plain.lines[1] + 1


def test_expressions_have_the_values_of_the_program() -> None:
    program = load_program(CLEAN, [FLAGS])
    with Worker(build_image(program, check=True), parse_arguments([]), Limits(seconds=60)) as worker:
        for seed in range(40):
            run = worker.run(bytes((seed * 37 + n * 101) % 256 for n in range(16)))
            assert run.end == "exit"
            assert int(worker.memory.control[0]["check_failures"]) == 0


# ---- bitcode from elsewhere --------------------------------------------------------------------------------------

VARIANTS = {
    "recover": [],
    "abort": ["-fno-sanitize-recover=all"],
    "minimal": ["-fsanitize-minimal-runtime"],
    "minimal-abort": ["-fsanitize-minimal-runtime", "-fno-sanitize-recover=all"],
    "trap": ["-fsanitize-trap=all"],
}
SMALL = """#include <klee/klee.h>
static int a[4];
int main(void)
{
    int x; klee_make_symbolic(&x, 4, "x");
    int y = x & 0xffff, s = y + 0x7fff0001;
    int t = a[(65535 - y) * 4ll / 65535];
    if (s == 0x7fff1234) return 1 << (y & 7);
    return t;
}
"""


@pytest.mark.parametrize("level", ["-O0", "-O1", "-O2"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_bitcode_with_checks_in_any_form(tmp_path: Path, variant: str, level: str) -> None:
    source, compiled = tmp_path / "small.c", tmp_path / "small.bc"
    source.write_text(SMALL)
    flags = ["-fsanitize=signed-integer-overflow,bounds", "-fno-sanitize=local-bounds", *VARIANTS[variant], level]
    words = ["-c", "-emit-llvm", "-g", f"--target={toolchain.TARGET}", *flags, *include_flags()]
    toolchain.clang([*words, str(source), "-o", str(compiled)], "small.c")
    outcome = cinquefoil.explore(compiled, max_paths=200)
    assert {("overflow", 6), ("array-index", 7)} == _found(outcome)
    assert outcome.exhausted


def test_no_check_is_left_a_branch(tmp_path: Path) -> None:
    compiled = tmp_path / "p.bc"
    compile_c(PROGRAM, compiled, [FLAGS])
    text = ubsan.plain_checks(str(bitcode.read(compiled)))
    bitcode.parse_text(text, "p")
    assert "__ubsan_handle" not in re.sub(r"^declare.*$", "", text, flags=re.MULTILINE)
    assert not re.search(r"br i1 .*!nosanitize", text)


def test_a_module_without_checks_is_left_alone() -> None:
    text = "define void @f() {\n  ret void\n}\n"
    assert ubsan.plain_checks(text) is text
