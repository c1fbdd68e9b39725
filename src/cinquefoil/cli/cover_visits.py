"""Which blocks a run's tests enter: its tests, run once more on the image that the covers are drawn of."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cinquefoil.cli.notes import note
from cinquefoil.cli.replay_input import replay
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.machine.image import Image
from cinquefoil.machine.worker import Worker
from cinquefoil.replay.replay_suite import read_suite


def visited(
    image: Image, program: Path, folder: Path, files: Sequence[Path], variables: Sequence[str]
) -> frozenset[int]:
    """The sites of the blocks that tests entered, those of the library included; `files` and `variables` are what the
    run was given."""
    tests = [test for _, test in read_suite(folder, note).tests]
    found: set[int] = set()
    words = tests[0].args[1:]  # one run's tests have the same
    environment = parse_arguments(words, program.stem).with_files(files).with_variables(variables)
    with Worker(image, environment) as worker:
        for test in tests:
            found.update(replay(worker, test).run.covered.tolist())
    return frozenset(found)
