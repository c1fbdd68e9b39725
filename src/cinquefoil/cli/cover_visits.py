"""Which blocks a run's tests enter: its tests, run once more on the image that the covers are drawn of."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cinquefoil.cli.replay_input import replay
from cinquefoil.errors import UserError
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.machine.image import Image
from cinquefoil.machine.worker import Worker
from cinquefoil.testcase.ktest import KTest


def visited(
    image: Image, program: Path, folder: Path, files: Sequence[Path], variables: Sequence[str]
) -> frozenset[int]:
    """By site, blocks of the library included; `files` and `variables` are what the run was given."""
    paths = sorted((folder / "tests").glob("*.ktest"))
    if not paths:
        raise UserError(f"{folder} holds no tests: it should be the output folder of a run")
    found: set[int] = set()
    words = KTest.read(paths[0]).args[1:]  # one run's tests have the same
    environment = parse_arguments(words, program.stem).with_files(files).with_variables(variables)
    with Worker(image, environment) as worker:
        for path in paths:
            found.update(replay(worker, KTest.read(path)).run.covered.tolist())
    return frozenset(found)
