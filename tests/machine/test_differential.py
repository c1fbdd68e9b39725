"""Traced runs against native runs of the same program on the same input, and what their traces claim."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from traced import (
    PROGRAMS,
    broken_promises,
    disagreements,
    fingerprint,
    path_condition,
    random_witness,
    run_native,
    solved_neighbours,
    table_of,
    violated,
    worker_of,
)

from cinquefoil.machine.worker import Worker

SIZE = 64  # bytes of input of every program
OPTIMISED = ("-O2", "-fvectorize", "-fslp-vectorize", "-fbuiltin", "-w")
HARD = ("corners", "floats", "libc", "printing", "wide")  # for a solver: floating point in hundreds of conditions
NAMES = sorted(p.stem for p in (PROGRAMS / "differential").glob("*.c"))


def _program(name: str) -> Path:
    return PROGRAMS / "differential" / f"{name}.c"


@pytest.fixture(params=[(name, check) for name in NAMES for check in (False, True)], ids=str, scope="module")
def worker(request: pytest.FixtureRequest) -> Iterator[Worker]:
    name, check = request.param
    with worker_of(_program(name), check=check) as found:
        found.name = name  # pyright: ignore[reportAttributeAccessIssue]
        yield found


@pytest.mark.parametrize("seed", range(3))
def test_equals_the_native_run(worker: Worker, seed: int) -> None:
    name: str = worker.name  # pyright: ignore[reportAttributeAccessIssue]
    witness = random_witness(SIZE, random.Random(seed))
    native, run = run_native(_program(name), witness), worker.run(witness)
    assert (run.end, run.code, run.error) == ("exit", native.status, None)
    assert run.output == native.output
    failures = int(worker.memory.control["check_failures"][0])
    assert failures == 0, worker.sites[int(worker.memory.control[0]["error"]["site"])]
    condition = path_condition(worker, run)
    assert condition and violated(table_of(worker), condition, witness) == []


@pytest.mark.parametrize("name", NAMES)
def test_optimised_programs(name: str) -> None:
    """clang's optimiser makes instructions and intrinsics that plain code does not have."""
    witness = random_witness(SIZE, random.Random(name))
    native = run_native(_program(name), witness, flags=OPTIMISED)
    with worker_of(_program(name), check=True, flags=OPTIMISED) as worker:
        run = worker.run(witness)
        assert (run.end, run.code, run.error, run.output) == ("exit", native.status, None, native.output)
        assert int(worker.memory.control["check_failures"][0]) == 0
        assert violated(table_of(worker), path_condition(worker, run), witness) == []


@pytest.mark.parametrize("name", NAMES)
def test_the_path_condition_determines_the_path(name: str) -> None:
    generator = random.Random(name)
    with worker_of(_program(name), quiet=True) as worker:
        for _ in range(3):
            witness = random_witness(SIZE, generator)
            run = worker.run(witness)
            assert broken_promises(worker, run, witness, generator, 20) == []


@pytest.mark.parametrize("name", [n for n in NAMES if n not in HARD])
def test_bitwuzla_agrees(name: str) -> None:
    generator = random.Random(name)
    with worker_of(_program(name), quiet=True) as worker:
        witness = random_witness(SIZE, generator)
        run = worker.run(witness)
        others = list(solved_neighbours(worker, run, witness, generator, 5))
        condition = path_condition(worker, run)
        assert [other.hex() for other in others if violated(table_of(worker), condition, other)] == []
        assert others and disagreements(worker, run, witness, others) == []


@pytest.mark.parametrize("name", NAMES)
def test_runs_are_repeatable(name: str) -> None:
    generator = random.Random(name)
    witness = random_witness(SIZE, generator)
    with worker_of(_program(name)) as worker, worker_of(_program(name)) as fresh:
        first = fingerprint(worker.run(witness))
        for _ in range(3):
            worker.run(random_witness(SIZE, generator))
        assert fingerprint(worker.run(witness)) == first
        assert fingerprint(fresh.run(witness)) == first
