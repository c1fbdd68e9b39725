"""The course of one path through the engine: Python functions entered, and calls of native code, per path explored.

    python benchmarks/walk.py [--paths 300] [--show]

Explores examples/tokens.c with twelve bytes of standard input, without mutations, under `sys.setprofile`.  For every
step that ran a path it counts Python functions entered, calls of functions of the native core, and other calls of C
functions (numpy, the standard library).  `--show` prints the functions of the step in the middle, in order, with their
files: what docs/architecture/walk.md follows.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from types import FrameType
from typing import Any

from cinquefoil.build.program import load_program
from cinquefoil.exploration import Exploration, Options
from cinquefoil.exploration.session.session import Session, Task, session_for

ROOT = Path(__file__).parents[1]
PACKAGE = str(ROOT / "src/cinquefoil") + "/"


@dataclass
class Step:
    """What one step of the exploration called, in order; `native` are names of the core's functions."""

    frames: list[str] = field(default_factory=list)
    native: list[str] = field(default_factory=list)
    other: int = 0


class Profile:
    """Records every step that runs a path."""

    def __init__(self, exploration: Exploration) -> None:
        self.steps: list[Step] = []
        self._now = Step()
        self._depth = 0
        self._wrap(exploration)

    def _wrap(self, exploration: Exploration) -> None:
        inner: Callable[[], None] = exploration.step

        def step() -> None:
            before, self._now = exploration.statistics.paths, Step()
            sys.setprofile(self._event)
            try:
                inner()
            finally:
                sys.setprofile(None)
            if exploration.statistics.paths == before + 1:
                self.steps.append(self._now)

        exploration.step = step  # type: ignore[method-assign]

    def _event(self, frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            code = frame.f_code
            file = code.co_filename.removeprefix(PACKAGE)
            self._now.frames.append(f"{file}: {code.co_qualname}")
        elif event == "c_call":
            name = getattr(argument, "__name__", "")
            if name.startswith("cinq_") or "cinq_" in str(getattr(argument, "__self__", "")):
                self._now.native.append(name)
                self._now.frames.append(f"    -> {name}")
            else:
                self._now.other += 1


def explored(paths: int) -> list[Step]:
    options = Options(max_paths=paths, mutations=False)
    task = Task(ROOT / "examples/tokens.c", ("--sym-stdin", "12"))
    session: Session = session_for(task, options, load_program(task.program))
    with session.worker(session.image) as worker, session.exploring(worker, options) as (exploration, _):
        profile = Profile(exploration)
        exploration.run()
    return profile.steps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--paths", type=int, default=300)
    parser.add_argument("--show", action="store_true")
    chosen = parser.parse_args()
    steps = explored(chosen.paths)
    print(f"{len(steps)} steps that ran a path; per step, the median (least, most):")
    for name, count in (
        ("Python functions entered", lambda step: sum(not each.startswith(" ") for each in step.frames)),
        ("calls of the native core", lambda step: len(step.native)),
        ("other calls of C functions", lambda step: step.other),
    ):
        counts = [count(step) for step in steps]
        print(f"  {name}: {median(counts):g} ({min(counts)}, {max(counts)})")
    if chosen.show:
        middle = sorted(steps, key=lambda step: len(step.frames))[len(steps) // 2]
        print("\n".join(middle.frames))


if __name__ == "__main__":
    main()
