"""Partial solutions deduplicated by path before any is run.

The paper's future work is to screen them by cheap concrete runs.  Here the path of the query's run is at hand
as expressions, and evaluating these natively under an input tells where it leaves that path.  A branch is known by
the hash of the path up to it; of inputs that take a branch which was taken, or handed out, before only a few are
kept, each with a branch of its own, since beyond it they may still be new.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cinquefoil.native import core
from cinquefoil.solver.problem import Problem

LONGEST: Final = 1000
"""Constraints of a path that are looked at."""
SECOND: Final = 12
"""Inputs that take known branches, per attempt."""


def load_path(problem: Problem) -> int:
    """Make the query's path the native library's current one; the number of its constraints."""
    prefix, slicer = problem.query.constraints, problem.slicer
    path = prefix.path
    return core.cinq_sweep_load(slicer.state, path.nodes, path.values, len(path.nodes), prefix.length, LONGEST)


def screened(problem: Problem, inputs: Iterable[bytes]) -> list[bytes]:
    """Those that take a new branch first, then some others."""
    waiting = list(inputs)
    if not waiting or not load_path(problem):
        return waiting
    screen, state = core.cinq_screen, problem.slicer.state
    fresh, others = list[bytes](), dict[int, bytes]()
    for each in waiting:
        branch = screen(state, each, len(each))
        if branch >= 0 and branch & 1:
            fresh.append(each)
        elif branch >= 0:
            others.setdefault(branch, each)
    return fresh + list(others.values())[:SECOND]
