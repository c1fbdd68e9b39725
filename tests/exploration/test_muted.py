"""Muted output hides its looks and nothing else: what it decides is found, and nothing is called exhausted before."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from cinquefoil.build.program import load_program
from cinquefoil.exploration import Exploration, Options, Outcome
from cinquefoil.exploration.solving.worker_solver import WorkerSolver
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.machine.image import Image, build_image
from cinquefoil.machine.worker import Worker

PROGRAM = Path(__file__).parent.parent / "programs" / "muted" / "decides.c"
CASES = {int(case): kind for case, kind in re.findall(r"case (\d+):.*/\* (\S+) \*/", PROGRAM.read_text())}


@cache
def image() -> Image:
    return build_image(load_program(PROGRAM), blocks=True)


def explored(case: int) -> Outcome:
    with Worker(image(), parse_arguments((str(case),), "prog")) as worker:
        solver = WorkerSolver(worker)
        try:
            return Exploration(worker, solver, Options(max_paths=2000), image().graph).run()
        finally:
            solver.close()


@pytest.mark.parametrize("case", CASES)
def test_what_output_decides_is_found(case: int) -> None:
    outcome = explored(case)
    assert outcome.exhausted
    assert {error.kind for error in outcome.errors} == {CASES[case]} - {"none"}
