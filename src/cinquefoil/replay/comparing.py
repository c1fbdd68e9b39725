"""A native run held against what the engine saw of the same test.

A run that ends by itself must agree in everything: the blocks entered, in order, the output, the exit status.  A run
that the engine stopped, for an error or a limit, is only the beginning of what happens natively: an access out of
bounds may well go unnoticed there.  A limit of the replay (its time) makes the native run the shorter one.  A test that
no plain process can have, as one in which system calls fail without a cause, is not compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cinquefoil.machine.environment import Environment
from cinquefoil.machine.image import Image
from cinquefoil.machine.run import Run
from cinquefoil.replay.block_report import TRACE_ROOM
from cinquefoil.replay.native_build import NativeProgram
from cinquefoil.replay.native_run import NativeRun, run_natively
from cinquefoil.replay.process import ProcessLimits
from cinquefoil.testcase.ktest import KTest

# Errors of clang's checks that depend on no address: the same check fails natively.
_CHECKED = (
    *("unsigned-overflow", "shift", "array-index", "invalid-value", "float-cast", "float-division-by-zero"),
    *("implicit-conversion", "nonnull", "missing-return", "vla-bound", "invalid-builtin", "function-type"),
)


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


def compare(run: Run, native: NativeRun, program: NativeProgram, image: Image) -> ReplayResult:
    """Hold a native run against that of an image which traces blocks."""
    sites = np.array([image.block_sites.get(position, 0) for position in program.positions], dtype=np.uint32)
    judge = _Judge(run, native, image)
    trace, covered = sites[native.report.trace], np.sort(sites[native.report.covered])
    if native.unlike:
        return ReplayResult(native, covered, trace, ())
    different = (judge.traces(trace), judge.ends(), judge.outputs(), judge.coverage(covered))
    return ReplayResult(native, covered, trace, tuple(text for text in different if text))


def replay_test(
    program: NativeProgram,
    test: KTest,
    environment: Environment,
    run: Run,
    image: Image,
    limits: ProcessLimits | None = None,
) -> ReplayResult:
    """Run a test natively and compare it with the engine's run of the same bytes."""
    return compare(run, run_natively(program, test, environment, limits), program, image)


class _Judge:
    """What differs, in words; empty text if nothing does."""

    def __init__(self, run: Run, native: NativeRun, image: Image) -> None:
        self._run, self._native, self._image = run, native, image
        # The engine followed the program to its end, and the replay too.
        self._whole = run.end in ("exit", "assume", "silent") and native.end != "time"

    def traces(self, trace: NDArray[np.uint32]) -> str:
        predicted, found = self._run.trace, trace
        common = min(len(predicted), len(found))
        unequal = np.flatnonzero(predicted[:common] != found[:common])
        if len(unequal):
            at = int(unequal[0])
            before = f" after {self._block(found[at - 1])}" if at else ""
            return f"the engine enters {self._block(predicted[at])}, the program {self._block(found[at])}{before}"
        if self._native.report.entered > TRACE_ROOM or self._native.end == "time":
            return ""
        if len(found) < len(predicted):
            return f"the program ends after {len(found)} blocks, the engine after {len(predicted)}"
        if self._whole and len(found) > len(predicted):
            return f"the program goes on to {len(found)} blocks, the engine ends after {len(predicted)}"
        return ""

    def _block(self, site: int) -> str:
        found = self._image.sites[int(site)]
        return f"block {int(site)} ({found.function}, {Path(found.file).name}:{found.line})"

    def ends(self) -> str:
        native = self._native
        expected = _expected_end(self._run)
        found = (native.end, native.status if native.end in ("exit", "silent") else 0)
        if expected is None or native.end == "time" or found == expected:
            return ""
        if expected[0] == "signal" and native.end == "undefined":
            return ""  # one of clang's checks, before the processor's
        if native.end == "signal" and expected == ("exit", 128 - native.status):
            return ""  # the engine tells an end by a signal as a shell does
        return f"the engine says {_spoken(*expected)}, the program ends by {_spoken(native.end, native.status)}"

    def outputs(self) -> str:
        predicted, found = self._run.output, self._native.output
        common = min(len(predicted), len(found))
        complete = self._whole and self._run.output_total == len(predicted)
        if predicted[:common] == found[:common] and (len(predicted) == len(found) or not complete):
            return ""
        at = next((n for n in range(common) if predicted[n] != found[n]), common)
        return f"output differs at byte {at}: {predicted[at : at + 20]!r} and {found[at : at + 20]!r}"

    def coverage(self, covered: NDArray[np.uint32]) -> str:
        if not self._whole:
            return ""
        blocks = set(self._image.block_sites.values())
        predicted, found = blocks.intersection(self._run.covered.tolist()), blocks.intersection(covered.tolist())
        missing, extra = sorted(predicted - found), sorted(found - predicted)
        if not missing and not extra:
            return ""
        return f"covered only in the engine: blocks {missing[:8]}, only natively: {extra[:8]}"


def _expected_end(run: Run) -> tuple[str, int] | None:
    """How the program must end; None if there is more than one way."""
    if run.end in ("exit", "silent"):
        return run.end, run.code & 0xFF
    if run.end == "assume":
        return "assume", 0
    kind = run.error.kind if run.error is not None else ""
    if kind in _CHECKED:
        return "undefined", 0
    return ("signal", 0) if kind in ("assertion", "division-by-zero", "overflow") else None


def _spoken(end: str, status: int) -> str:
    return f"{end} {status}" if end in ("exit", "silent", "signal") else end
