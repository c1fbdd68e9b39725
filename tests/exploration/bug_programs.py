"""The programs of tests/programs/bugs and safe: what each expects, how it is explored and replayed.

The first line of a bug is `// EXPECT: kind line - what it is.`, with `ARGUMENTS: ...` if it is run with some.  Its
twin in safe/ has the same name and differs by the guard only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cinquefoil.build.program import load_program
from cinquefoil.exploration import Exploration, Options, Outcome
from cinquefoil.exploration.accounting.clock import clock_of
from cinquefoil.exploration.solving.worker_solver import WorkerSolver
from cinquefoil.machine.environment import Environment, parse_arguments
from cinquefoil.machine.image import Image, build_image
from cinquefoil.machine.worker import Limits, Worker

PROGRAMS = Path(__file__).parent.parent / "programs"
SECONDS = 20  # of processor time
LIMITS = Limits(seconds=60)
_EXPECT = re.compile(r"// EXPECT: (\S+) (\d+) - ")
_ARGUMENTS = re.compile(r"ARGUMENTS: (.*)$")


@dataclass(frozen=True)
class Bug:
    """A program with one error in it."""

    name: str
    kind: str
    line: int
    arguments: tuple[str, ...]

    @property
    def program(self) -> Path:
        return PROGRAMS / "bugs" / f"{self.name}.c"

    @property
    def twin(self) -> Path:
        return PROGRAMS / "safe" / f"{self.name}.c"

    @property
    def environment(self) -> Environment:
        return parse_arguments(self.arguments, "prog")


def bugs() -> list[Bug]:
    return [_read(path) for path in sorted((PROGRAMS / "bugs").glob("*.c"))]


def _read(path: Path) -> Bug:
    first = path.read_text().splitlines()[0]
    expected, arguments = _EXPECT.match(first), _ARGUMENTS.search(first)
    assert expected is not None, f"{path.name} does not say what to expect"
    return Bug(path.stem, expected[1], int(expected[2]), tuple(arguments[1].split()) if arguments else ())


@cache
def image_of(program: Path) -> Image:
    return build_image(load_program(program), blocks=True)


def explored(
    program: Path, environment: Environment, search: tuple[str, ...] = (), seconds: float = SECONDS
) -> Outcome:
    """As by default, with a limit on time."""
    image = image_of(program)
    with Worker(image, environment, LIMITS) as worker:
        solver = WorkerSolver(worker, time_limit=Options().solver_seconds)
        try:
            options, clock = Options(search=search, max_time=seconds), clock_of("cpu", worker)
            return Exploration(worker, solver, options, image.graph, clock=clock).run()
        finally:
            solver.close()


def locations(outcome: Outcome) -> set[tuple[str, int, str]]:
    """By line: one line may hold several accesses that fail."""
    return {(error.kind, error.line, Path(error.file).name) for error in outcome.errors}
