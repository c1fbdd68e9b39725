"""A native run held against what the engine saw of the same test.

A run that ends by itself must agree in everything: the blocks entered, in order, the output, the exit status.  A run
that the engine stopped, for an error or a limit, is only the beginning of what happens natively: an access out of
bounds may well go unnoticed there.  A limit of the replay (its time) makes the native run the shorter one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cinquefoil.machine.environment import Environment
from cinquefoil.machine.run import Run
from cinquefoil.replay.native import NativeProgram
from cinquefoil.replay.process import ProcessLimits
from cinquefoil.replay.report import TRACE_ROOM
from cinquefoil.replay.run import NativeRun, run_natively
from cinquefoil.testcase.ktest import KTest
from cinquefoil.transform.coverage import Place


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """`trace` and `covered` are block sites of the engine; `differences` is empty if native run and engine agree."""

    native: NativeRun
    covered: NDArray[np.uint32]
    trace: NDArray[np.uint32]
    differences: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        return not self.differences


def compare(run: Run, native: NativeRun, program: NativeProgram, places: Mapping[Place, int]) -> ReplayResult:
    """Hold a native run against the engine's; `places` is the image's, whose blocks must be traced."""
    sites = np.array([places.get(place, 0) for place in program.places], dtype=np.uint32)
    trace = sites[native.report.trace]
    covered = np.sort(sites[native.report.covered])
    different = [_compare_traces(run, native, trace), _compare_ends(run, native), _compare_outputs(run, native)]
    if _whole(run) and native.end != "time":
        different.append(_compare_covered(run, covered, set(places.values())))
    return ReplayResult(native, covered, trace, tuple(text for text in different if text))


def _whole(run: Run) -> bool:
    """Whether the engine followed the program to its end."""
    return run.end in ("exit", "assume", "silent")


def _compare_traces(run: Run, native: NativeRun, trace: NDArray[np.uint32]) -> str:
    common = min(len(run.trace), len(trace))
    unequal = np.flatnonzero(run.trace[:common] != trace[:common])
    if len(unequal):
        at = int(unequal[0])
        before = int(trace[at - 1]) if at else 0
        return f"block {at}: the engine enters {int(run.trace[at])}, the program {int(trace[at])}, after {before}"
    entered = native.report.entered
    if native.end != "time" and entered <= TRACE_ROOM and entered < len(run.trace):
        return f"the program ends after {entered} blocks, the engine after {len(run.trace)}"
    if _whole(run) and entered > len(run.trace):
        return f"the program goes on to {entered} blocks, the engine ends after {len(run.trace)}"
    return ""


def _compare_ends(run: Run, native: NativeRun) -> str:
    expected = _expected_end(run)
    found = (native.end, native.status if native.end in ("exit", "silent") else 0)
    if expected is None or native.end == "time" or found == expected:
        return ""
    return f"the engine says {_spoken(*expected)}, the program ends by {_spoken(native.end, native.status)}"


def _expected_end(run: Run) -> tuple[str, int] | None:
    """How the program must end; None if there is more than one way."""
    if run.end in ("exit", "silent"):
        return run.end, run.code & 0xFF
    if run.end == "assume":
        return "assume", 0
    certain = run.error is not None and run.error.kind in ("assertion", "division-by-zero")
    return ("signal", 0) if certain else None


def _spoken(end: str, status: int) -> str:
    return f"{end} {status}" if end in ("exit", "silent", "signal") else end


def _compare_outputs(run: Run, native: NativeRun) -> str:
    predicted, found = run.output, native.output
    common = min(len(predicted), len(found))
    whole = _whole(run) and native.end != "time" and run.output_total == len(predicted)
    if predicted[:common] == found[:common] and (len(predicted) == len(found) or not whole):
        return ""
    at = next((n for n in range(common) if predicted[n] != found[n]), common)
    return f"output differs at byte {at}: {predicted[at : at + 20]!r} and {found[at : at + 20]!r}"


def _compare_covered(run: Run, covered: NDArray[np.uint32], blocks: set[int]) -> str:
    predicted = {site for site in run.covered.tolist() if site in blocks}
    missing, extra = sorted(predicted - set(covered.tolist())), sorted(set(covered.tolist()) - predicted)
    if not missing and not extra:
        return ""
    return f"covered only in the engine: blocks {missing[:8]}, only natively: {extra[:8]}"


def replay_test(
    program: NativeProgram,
    test: KTest,
    environment: Environment,
    run: Run,
    places: Mapping[Place, int],
    limits: ProcessLimits | None = None,
) -> ReplayResult:
    """Run a test natively and compare it with the engine's run of the same bytes."""
    return compare(run, run_natively(program, test, environment, limits), program, places)
