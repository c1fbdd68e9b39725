"""Random programs: what they print, what they promise."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest
from generated import FLAGS, csmith_program, has_csmith
from traced import broken_promises, path_condition, random_witness, run_native, table_of, violated, worker_of

from cinquefoil.machine.worker import Limits

LIMITS = Limits(seconds=15, instructions=30_000_000, events=3000)
UNFINISHED = ("budget", "time", "events")
QUICK, ALL = range(1000, 1006), range(2000, 2100)

pytestmark = pytest.mark.skipif(not has_csmith(), reason="csmith is not installed")


def _compare(program: Path, seed: int, check: bool) -> None:
    generator = random.Random(seed)
    with (
        worker_of(program, check=check, flags=FLAGS, limits=LIMITS) as worker,
        worker_of(program, check=check, quiet=True, flags=FLAGS, limits=LIMITS) as quiet,
    ):
        for witness in (bytes(64), random_witness(64, generator), random_witness(64, generator)):
            try:
                native = run_native(program, witness, flags=FLAGS, seconds=10)
            except subprocess.TimeoutExpired:
                continue
            run = worker.run(witness)
            if run.end in UNFINISHED:
                continue
            assert (run.end, run.code, run.error, run.output) == ("exit", native.status, None, native.output)
            assert int(worker.memory.control["check_failures"][0]) == 0
            assert violated(table_of(worker), path_condition(worker, run), witness) == []
            decided = quiet.run(witness)
            if decided.end == "exit" and len(decided.events) < 1000:
                assert broken_promises(quiet, decided, witness, generator, 10) == []


@pytest.mark.parametrize("seed", QUICK)
def test_random_programs(tmp_path: Path, seed: int) -> None:
    _compare(csmith_program(seed, tmp_path), seed, check=seed % 2 == 0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", ALL)
def test_many_random_programs(tmp_path: Path, seed: int) -> None:
    extra = ("--bitfields", "--packed-struct") if seed % 3 else ()
    _compare(csmith_program(seed, tmp_path, extra), seed, check=seed % 2 == 0)
