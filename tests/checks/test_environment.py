"""Random numbers as input, and allocations that fail: found, and the same again in native replays."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

import cinquefoil
from cinquefoil.build.program import load_program
from cinquefoil.cli.main import run as cinq
from cinquefoil.cli.replay_command import replay
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.machine.image import build_image
from cinquefoil.machine.worker import Worker
from cinquefoil.replay.comparing import replay_test
from cinquefoil.replay.native_build import build_native
from cinquefoil.testcase.ktest import KTest

PROGRAMS = Path(__file__).parents[1] / "programs" / "checks"
RANDOM, ALLOCATION = PROGRAMS / "random.c", PROGRAMS / "allocation.c"


def _native_ends(source: Path, folder: Path, arguments: tuple[str, ...]) -> list[tuple[str, int]]:
    """How every test of the folder ends natively, agreeing with the engine."""
    program = load_program(source)
    native, image = build_native(program), build_image(program, blocks=True)
    environment, ends = parse_arguments(arguments), list[tuple[str, int]]()
    with Worker(image, environment) as worker:
        for path in sorted((folder / "tests").glob("*.ktest")):
            test = KTest.read(path)
            from cinquefoil.cli.replay_input import replay as traced

            result = replay_test(native, test, environment, traced(worker, test).run, image)
            assert result.agrees, (path.name, result.differences)
            ends.append((result.native.end, result.native.status))
    return ends


def test_random_numbers_are_found_and_replayed(tmp_path: Path) -> None:
    outcome = cinquefoil.explore(RANDOM, ["--sym-rand"], output=tmp_path / "o", report=False, max_paths=500)
    assert outcome.exhausted
    assert [error.kind for error in outcome.errors] == ["abort"]
    ends = _native_ends(RANDOM, tmp_path / "o", ("--sym-rand",))
    assert {status for end, status in ends if end == "exit"} == {0, 2, 3, 4, 5, 6}


def test_without_the_option_libc_gives_its_own_numbers() -> None:
    assert cinquefoil.explore(RANDOM).statistics.paths == 1


@pytest.mark.skipif(shutil.which("gcc") is None or shutil.which("make") is None, reason="gcc or make is not here")
def test_exported_tests_have_the_same_random_numbers(tmp_path: Path) -> None:
    cinquefoil.explore(RANDOM, ["--sym-rand"], output=tmp_path / "o", report=False, max_paths=500)
    assert cinq(["export", str(tmp_path / "o"), "--to", "c", "-o", str(tmp_path / "c")]) == 0
    words = ["make", "-s", "-C", str(tmp_path / "c"), "SANITIZE=", f"PROGRAM={RANDOM}"]
    subprocess.run(words, check=True, capture_output=True)
    tests = sorted((tmp_path / "c").glob("test_*[0-9]"))
    statuses = {subprocess.run([test], capture_output=True, check=False).returncode for test in tests}
    assert statuses == {0, 2, 3, 4, 5, 6, -6}


def test_each_allocation_may_fail(tmp_path: Path) -> None:
    outcome = cinquefoil.explore(ALLOCATION, check="allocation", output=tmp_path / "o", report=False)
    lines = ALLOCATION.read_text().splitlines()
    at = next(number for number, text in enumerate(lines, 1) if "// null-pointer" in text)
    assert [(error.kind, error.line) for error in outcome.errors] == [("null-pointer", at)]
    assert outcome.exhausted and outcome.statistics.paths == 4  # one failure per path
    ends = _native_ends(ALLOCATION, tmp_path / "o", ("--max-fail-malloc", "1"))
    assert sorted(ends) == [("exit", 0), ("exit", 1), ("exit", 2), ("signal", -11)]


def test_aligned_allocations_may_fail_too(tmp_path: Path) -> None:
    source = tmp_path / "aligned.c"
    source.write_text(
        "#include <stdlib.h>\n"
        "int main(void) {\n"
        "    void *p = 0, *q = aligned_alloc(64, 128);\n"
        "    if (!q) return 1;\n"
        "    int failed = posix_memalign(&p, 64, 100);\n"
        "    return failed ? failed == 12 && !p ? 2 : 3 : 0;\n"
        "}\n"
    )
    outcome = cinquefoil.explore(source, check="allocation", output=tmp_path / "o", report=False)
    assert outcome.exhausted and outcome.statistics.paths == 3
    ends = _native_ends(source, tmp_path / "o", ("--max-fail-malloc", "1"))
    assert sorted(ends) == [("exit", 0), ("exit", 1), ("exit", 2)]


def test_without_the_check_none_fails() -> None:
    outcome = cinquefoil.explore(ALLOCATION)
    assert not outcome.errors and outcome.statistics.paths == 1


def test_the_folder_tells_replay_what_to_do(tmp_path: Path) -> None:
    assert cinq(["run", "--check", "allocation", "-o", str(tmp_path / "o"), str(ALLOCATION)]) == 1
    done = CliRunner().invoke(replay, [str(tmp_path / "o")])
    assert "4 tests replayed, 0 diverging" in done.output


@pytest.mark.skipif(shutil.which("gcc") is None or shutil.which("make") is None, reason="gcc or make is not here")
def test_the_exported_test_of_an_overflow_fails_while_it_is_there(tmp_path: Path) -> None:
    source = tmp_path / "p.c"
    body = 'int main(void) { int x; klee_make_symbolic(&x, 4, "x"); if (LIMIT) return 0; x += 1000; return x == 77; }\n'
    source.write_text("#include <klee/klee.h>\n#define LIMIT 0\n" + body)
    outcome = cinquefoil.explore(source, check="overflow", output=tmp_path / "o", report=False)
    assert [error.kind for error in outcome.errors] == ["overflow"]
    assert cinq(["export", str(tmp_path / "o"), "--to", "c", "-o", str(tmp_path / "c")]) == 0
    words = ["make", "-s", "-C", str(tmp_path / "c"), f"PROGRAM={source}", "check"]
    assert subprocess.run(words, capture_output=True, check=False).returncode != 0
    source.write_text("#include <klee/klee.h>\n#define LIMIT x > 0x70000000\n" + body)
    subprocess.run(["make", "-s", "-C", str(tmp_path / "c"), "clean"], capture_output=True, check=False)
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "overflow" not in done.stderr
