"""The loop on the native machine with the real solver: the paths found are all there are."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from pathlib import Path

import pytest

from cinquefoil.build.program import load_program
from cinquefoil.exploration import Exploration, Options
from cinquefoil.exploration.solving.worker_solver import WorkerSolver
from cinquefoil.machine.image import Image, build_image
from cinquefoil.machine.run import Run
from cinquefoil.machine.worker import Worker

PATH = tuple[object, ...]

NUMBER = """
#include <klee/klee.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char s[4];
    klee_make_symbolic(s, sizeof s, "s");
    klee_assume(s[3] == 0);
    if (strtol(s, 0, 10) == 42) return 1;
    if (!strcmp(s, "bug")) assert(0);
    return 0;
}
"""
TABLE = """
#include <klee/klee.h>
static const char next[4][3] = {{0, 1, 0}, {2, 1, 0}, {0, 1, 3}, {3, 3, 3}};
int main(void) {
    unsigned char s[3];
    klee_make_symbolic(s, sizeof s, "s");
    int state = 0;
    for (int i = 0; i < 3; i++) state = next[state][s[i] % 3];
    switch (s[0]) { case 0: case 3: return state; case 5: return 10 / (s[1] - 6); default: return state == 3; }
}
"""


def path_of(run: Run) -> PATH:
    return (run.end, *run.events[["site", "kind", "taken", "value"]].tolist())


def truth(image: Image, inputs: Iterable[tuple[int, ...]]) -> set[PATH]:
    with Worker(image) as worker:
        runs = [worker.run(bytes(data)) for data in inputs]
    return {path_of(run) for run in runs if run.end != "assume"}


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Image]:
    folder: Path = tmp_path_factory.mktemp("programs")
    found: dict[str, Image] = {}
    for name, text in (("number", NUMBER), ("table", TABLE)):
        (folder / f"{name}.c").write_text(text)
        found[name] = build_image(load_program(folder / f"{name}.c"), blocks=True)
    return found


@pytest.mark.parametrize("search", ["dfs", "bfs", "random-path+nurs:covnew", "nurs:cpicnt+nurs:icnt", "sgs"])
@pytest.mark.parametrize(
    ("name", "alphabet", "errors"),
    [("number", b"\0 \t+-0429bugx\xff", {"assertion"}), ("table", bytes(range(10)), {"division-by-zero"})],
)
def test_the_paths_found_are_all_there_are(
    images: dict[str, Image], name: str, alphabet: bytes, errors: set[str], search: str
) -> None:
    image = images[name]
    with Worker(image) as worker:
        solver = WorkerSolver(worker)
        options = Options(search=tuple(search.split("+")), every_path=True, seed=3)
        outcome = Exploration(worker, solver, options, image.graph).run()
        found = {path_of(worker.run(test.witness)) for test in outcome.tests}
        solver.close()
    assert outcome.exhausted
    assert outcome.statistics.diverged == 0
    assert _values_dropped(found) == _values_dropped(truth(image, itertools.product(alphabet, repeat=3)))
    assert {error.kind for error in outcome.errors} == errors
    assert all(error.confirmed for error in outcome.errors)


def _values_dropped(paths: set[PATH]) -> set[PATH]:
    """A switch's value differs within a path; a pin's does not."""
    return {
        (end, *((site, kind, taken, value if kind == 4 else 0) for site, kind, taken, value in events))  # type: ignore[misc]
        for end, *events in paths
    }
