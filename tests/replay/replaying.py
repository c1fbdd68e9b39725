"""Random inputs of a program, run by the engine and natively."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

from cinquefoil.build.program import load_program
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.machine.image import build_image
from cinquefoil.machine.run import Run
from cinquefoil.machine.worker import Limits, Worker
from cinquefoil.replay.comparing import ReplayResult, replay_test
from cinquefoil.replay.native_build import build_native
from cinquefoil.testcase.ktest import KTest

TESTS = Path(__file__).parents[1]
LIMITS = Limits(seconds=30, instructions=300_000_000)
_ARGUMENTS = re.compile(r"/\* arguments: (.*) \*/")
_TEXT = b"0123456789+-.,;:axbcq \n\"'/*[](){}ABnv="


def arguments_of(program: Path) -> list[str]:
    """What the program's first comment says it is to be run with."""
    found = _ARGUMENTS.search(program.read_text())
    return found[1].split() if found else []


def random_bytes(size: int, generator: random.Random) -> bytes:
    """Bytes of one taste or of all: small numbers, text, extremes, noise."""
    tastes = (range(4), _TEXT, range(32, 127), (0, 1, 127, 128, 255), range(256))
    chosen = generator.choice((*tastes, None))
    return bytes(generator.choice(chosen or generator.choice(tastes)) for _ in range(size))


def test_of(run: Run) -> KTest:
    return KTest.of((o.name, run.witness[o.first : o.first + o.size]) for o in run.objects)


def replays(program: Path, count: int, seed: int = 1) -> Iterator[tuple[Run, ReplayResult]]:
    """Runs under random inputs, each with its native replay; counts of arguments are kept in range."""
    generator = random.Random(seed)
    linked = load_program(program)
    native, image = build_native(linked), build_image(linked, blocks=True)
    environment = parse_arguments(arguments_of(program), "prog")
    with Worker(image, environment, LIMITS) as worker:
        witness = b""
        for _ in range(count):
            run = worker.run(witness)
            yield run, replay_test(native, test_of(run), environment, run, image)
            witness = _next(run, generator)


def _next(run: Run, generator: random.Random) -> bytes:
    data = bytearray(random_bytes(len(run.witness) + generator.choice((0, 0, 16)), generator))
    for item in run.objects:
        if item.name.startswith("n_args"):
            data[item.first : item.first + 4] = generator.randrange(4).to_bytes(4, "little")
    return bytes(data)
