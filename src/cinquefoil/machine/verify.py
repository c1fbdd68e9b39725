"""Checking mode of snapshots: runs that began where the input begins are compared with runs from the start.

`Limits.verify`, or the environment variable CINQ_VERIFY=1, has a worker keep a snapshot however little it saves, and
run every input twice."""

from __future__ import annotations

import os
from typing import Final

from cinquefoil.errors import EngineError
from cinquefoil.machine.run import CoverageRun, Probe, Run

_CHANCE: Final = ("died", "time", "table", "stopped", "memory")  # ends that depend on more than the input
_FIELDS: Final = ("end", "code", "objects", "output", "output_total", "error", "steps", "remarks")
_OF_EVENTS: Final = ["kind", "muted", "taken", "site", "expr", "value", "trace", "steps"]  # `alts` may be built anew


def is_asked() -> bool:
    return os.environ.get("CINQ_VERIFY") == "1"


def is_cut(run: Run) -> bool:
    """It ended by chance: the same input may end otherwise."""
    return run.end in _CHANCE


def compare_runs(continued: Run, whole: Run) -> None:
    """`EngineError` if a run differs from the same one from the start."""
    if is_cut(whole) or continued.epoch != whole.epoch:
        return
    found = [name for name in _FIELDS if getattr(continued, name) != getattr(whole, name)]
    found += [
        name for name in ("covered", "trace") if getattr(continued, name).tolist() != getattr(whole, name).tolist()
    ]
    if continued.events[_OF_EVENTS].tolist() != whole.events[_OF_EVENTS].tolist():
        found.append("events")
    _tell(found, whole.witness)


def compare_coverage_runs(continued: CoverageRun, whole: CoverageRun, witness: bytes) -> None:
    found = [name for name in ("steps", "error") if getattr(continued, name) != getattr(whole, name)]
    if continued.covered.tolist() != whole.covered.tolist():
        found.append("covered")
    _tell(found, witness)


def compare_probes(continued: Probe | None, whole: Probe | None, witness: bytes) -> None:
    if continued is None or whole is None or continued.end in _CHANCE or whole.end in _CHANCE:
        return
    found = [name for name in ("end", "path") if getattr(continued, name) != getattr(whole, name)]
    if continued.covered.tolist() != whole.covered.tolist():
        found.append("covered")
    _tell(found, witness)


def _tell(found: list[str], witness: bytes) -> None:
    if found:
        raise EngineError(f"a run from the snapshot differs in {', '.join(found)}; input {witness.hex()}")
