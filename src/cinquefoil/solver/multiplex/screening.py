"""Partial solutions deduplicated by path before any is run.

The paper's future work is to screen them by cheap concrete runs.  Here the path of the query's run is at hand
as expressions, and evaluating these natively under an input tells where it leaves that path.  A turn is known by
the hash of the path up to it; an input that takes a turn which was taken, or handed out, before is dropped.

Risk: beyond its turn an input may still be new; the search strategy gets there by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cinquefoil.solver.problem import Problem

LONGEST: Final = 1000
"""Constraints of a path that are looked at."""


def load_path(problem: Problem) -> int:
    """Make the query's path the native library's current one; the number of its constraints."""
    prefix, slicer = problem.query.constraints, problem.slicer
    path = prefix.path
    arrays = (path.nodes.ctypes.data, path.values.ctypes.data, len(path.nodes))
    return slicer.library.cinq_path(slicer.state, *arrays, prefix.length, LONGEST)


def screened(problem: Problem, inputs: Iterable[bytes]) -> list[bytes]:
    """Those that take a turn of their own."""
    waiting = list(inputs)
    if not waiting or not load_path(problem):
        return waiting
    screen, state = problem.slicer.library.cinq_screen, problem.slicer.state
    return [each for each in waiting if screen(state, each, len(each))]
