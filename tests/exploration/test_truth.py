"""Exhaustive truth: the explored paths are all the paths there are.

Each program has two symbolic bytes, so all 65,536 inputs can be run.  Paths are told apart by the blocks of the program
that a run enters, in order, which has nothing to do with expressions, solvers or states.  The inputs run untraced; of
the paths that were explored, the inputs of the tests run so too.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from cinquefoil.build.program import load_program
from cinquefoil.exploration import Exploration, Options, Outcome
from cinquefoil.exploration.solving.worker_solver import WorkerSolver
from cinquefoil.machine.image import Image, build_image
from cinquefoil.machine.worker import Worker
from cinquefoil.search.registry import names

PROGRAMS = sorted((Path(__file__).parent.parent / "programs" / "truth").glob("*.c"))
STRATEGIES = [name for name in names() if not name.startswith("empc")]
Path_ = tuple[int, str]


@cache
def image_of(program: Path) -> Image:
    return build_image(load_program(program), blocks=True)


def path_of(worker: Worker, witness: bytes) -> Path_:
    """Not the exit status: `x == 3 ? 1 : 2` is an expression, not a branch."""
    seen = worker.probe(witness)
    assert seen is not None and seen.path
    return seen.path, seen.end


@cache
def all_paths(program: Path) -> set[Path_]:
    with Worker(image_of(program)) as worker:
        worker.run(b"")  # names the inputs
        return {path_of(worker, bytes([low, high])) for low in range(256) for high in range(256)}


@cache
def explored(program: Path, strategy: str, solver: str = "bitwuzla") -> tuple[Outcome, set[Path_]]:
    image = image_of(program)
    with Worker(image) as worker:
        chain = WorkerSolver(worker, solver)
        seen: set[Path_] = set()
        options = Options(search=(strategy,), every_path=True, max_time=600)
        outcome = Exploration(worker, chain, options, image.graph).run()
        for test in outcome.tests:
            seen.add(path_of(worker, test.witness))
        chain.close()
    return outcome, seen


def cases() -> Iterator[tuple[Path, str]]:
    """Every strategy on every program would take minutes: each strategy gets three, each program all in turn."""
    for number, strategy in enumerate(STRATEGIES):
        for step in range(3):
            yield PROGRAMS[(number + 3 * step) % len(PROGRAMS)], strategy


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.stem)
def test_bfs_finds_all_paths(program: Path) -> None:
    outcome, seen = explored(program, "bfs")
    truth = {path for path in all_paths(program) if path[1] != "assume"}
    assert outcome.exhausted
    assert outcome.statistics.diverged == 0
    assert {path for path in seen if path[1] != "assume"} == truth


@pytest.mark.parametrize(("program", "strategy"), list(cases()), ids=lambda v: v.stem if isinstance(v, Path) else v)
def test_every_strategy_finds_the_same(program: Path, strategy: str) -> None:
    reference, _ = explored(program, "bfs")
    outcome, seen = explored(program, strategy)
    assert outcome.exhausted
    assert seen == explored(program, "dfs")[1]
    assert outcome.statistics.paths == reference.statistics.paths


def test_z3_finds_the_same() -> None:
    for program in PROGRAMS[:3]:
        assert explored(program, "dfs", "z3")[1] == explored(program, "dfs")[1]
