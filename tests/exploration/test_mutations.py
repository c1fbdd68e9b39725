"""Mutations from end to end: what they reach, and that they take nothing away."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import cinquefoil
from cinquefoil.build.program import load_program
from cinquefoil.exploration import Outcome
from cinquefoil.exploration.mutations import mutations
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.machine.image import Image, build_image
from cinquefoil.machine.worker import Worker

DIGITS = """
#include <klee/klee.h>
int main(void) {
    char text[24];
    int length = 0;
    klee_make_symbolic(text, sizeof text, "text");
    while (length < 24 && text[length] >= '0' && text[length] <= '9') length++;
    if (length > 20) return 2;
    return length > 0;
}
"""
FEWER = (
    DIGITS.replace("24", "12")
    .replace("20", "10")
    .replace("return 2", "abort()")
    .replace("#inc", "#include <stdlib.h>\n#inc")
)
ASKING = """
#include <klee/klee.h>
int main(void) {
    char text[8];
    klee_make_symbolic(text, sizeof text, "text");
    if (!klee_is_symbolic(text[0])) return 2;
    return text[1] == 'q';
}
"""


@pytest.fixture
def source(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    path = tmp_path / "program.c"
    path.write_text(request.param)
    return path


def explored(
    source: Path,
    mutations: bool | None = None,
    max_paths: int | None = None,
    every_path: bool = False,
    workers: int = 1,
) -> Outcome:
    return cinquefoil.explore(
        source, seed=1, mutations=mutations, max_paths=max_paths, every_path=every_path, workers=workers
    )


@pytest.mark.parametrize("source", [DIGITS], indirect=True)
def test_a_long_number_is_reached_in_a_few_paths(source: Path) -> None:
    with_them, without = (explored(source, max_paths=30, mutations=chosen) for chosen in (True, False))
    assert with_them.coverage.blocks[0] == with_them.coverage.blocks[1]
    assert without.coverage.blocks[0] < without.coverage.blocks[1]
    assert with_them.statistics.mutations_won > 0 and with_them.statistics.mutations_kept > 0
    assert without.statistics.mutations == 0


@pytest.mark.parametrize("source", [DIGITS], indirect=True)
def test_a_strategy_asked_for_by_name_is_left_to_itself(source: Path) -> None:
    tried = [
        cinquefoil.explore(source, search=search, mutations=chosen, max_paths=5).statistics.mutations > 0
        for search, chosen in (((), None), (("dfs",), None), (("dfs",), True), ((), False))
    ]
    assert tried == [True, False, True, False]


@pytest.mark.parametrize("source", [FEWER], indirect=True)
def test_what_is_exhausted_has_the_same_paths_and_errors(source: Path) -> None:
    with_them, without = (explored(source, every_path=True, mutations=chosen) for chosen in (True, False))
    assert with_them.statistics.mutations_won > 0
    assert with_them.exhausted and without.exhausted
    assert with_them.statistics.paths == without.statistics.paths
    assert with_them.coverage == without.coverage
    assert [error.line for error in with_them.errors] == [error.line for error in without.errors]


@pytest.mark.parametrize("source", [FEWER], indirect=True)
def test_paths_too_long_to_explore_become_tests_and_stay_to_be_found(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = explored(source, mutations=False)
    monkeypatch.setattr(mutations, "LONG", 0)
    outcome = explored(source, mutations=True)
    assert outcome.statistics.mutations_won > 0
    assert outcome.exhausted and outcome.statistics.paths == without.statistics.paths
    assert outcome.coverage == without.coverage


@pytest.mark.parametrize("source", [DIGITS], indirect=True)
def test_the_same_seed_gives_the_same_tests(source: Path) -> None:
    first, second = (explored(source, max_paths=30) for _ in range(2))
    assert [test.objects for test in first.tests] == [test.objects for test in second.tests]
    assert first.statistics.mutations == second.statistics.mutations


@pytest.mark.parametrize("source", [ASKING], indirect=True)
def test_what_a_coverage_run_alone_reaches_costs_one_traced_run(source: Path) -> None:
    outcome = explored(source)
    assert outcome.exhausted
    assert outcome.statistics.mutations_kept <= 2
    assert outcome.coverage.blocks[0] < outcome.coverage.blocks[1]


@pytest.mark.parametrize("source", [DIGITS], indirect=True)
def test_several_workers(source: Path) -> None:
    outcome = explored(source, max_paths=60, workers=2)
    assert outcome.coverage.blocks[0] == outcome.coverage.blocks[1]


ARGUMENTS = """
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **words) {
    char line[9] = "";
    ssize_t got = read(0, line, 8);
    for (int i = 1; i < count; i++) if (words[i][0] == '-') return atoi(words[i] + 1);
    printf("%d %s\\n", (int)got, line);
    if (line[0] == '!') abort();
    return line[3] * 2 / (line[4] - 'x');
}
"""


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    path = tmp_path_factory.mktemp("coverage_run") / "program.c"
    path.write_text(ARGUMENTS)
    return build_image(load_program(path), blocks=True)


def test_a_coverage_run_covers_what_the_traced_run_covers(image: Image) -> None:
    rng = np.random.default_rng(1)
    environment = parse_arguments(["--sym-args", "0", "2", "3", "--sym-stdin", "8"], "program")
    ends: set[str] = set()
    with Worker(image, environment) as worker:
        size = len(worker.run(b"\2").witness)
        for _ in range(200):
            witness = bytes([rng.integers(3), 0, 0, 0, *rng.choice(list(b"-12!x\0z"), size - 4)])
            coverage_run, run = worker.coverage_run(witness, 1_000_000), worker.run(witness)
            assert np.array_equal(coverage_run.covered, run.covered)
            assert coverage_run.steps == run.steps
            assert coverage_run.error == (
                (run.error.kind, run.error.site) if run.end == "error" and run.error else None
            )
            ends.add(run.error.kind if run.end == "error" and run.error else run.end)
    assert ends == {"exit", "abort", "division-by-zero"}


def test_a_coverage_run_ends_with_its_instructions(image: Image) -> None:
    environment = parse_arguments(["--sym-stdin", "8"], "program")
    with Worker(image, environment) as worker:
        whole = worker.coverage_run(b"12345678", 1_000_000).steps
        assert worker.coverage_run(b"12345678", whole // 2).steps < whole
        assert worker.run(b"12345678").end == "exit"
