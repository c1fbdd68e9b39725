"""The output folder: tests, summary.json, stats.csv, coverage.info, report.json.

Every file is written beside its path and moved there, so that a reader, or whoever stops the program in
between, never sees half a file.  stats.csv grows by appended lines."""

from __future__ import annotations

import json
import os
import shutil
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from cinquefoil.errors import UserError
from cinquefoil.exploration.loop.exploration import Exploration, Outcome
from cinquefoil.exploration.options import Options
from cinquefoil.exploration.runs.coverage import Coverage
from cinquefoil.exploration.runs.findings import Objects, Test
from cinquefoil.ir.sites import SiteKind
from cinquefoil.solver.layer import LayerStatistics
from cinquefoil.testcase.files import append, remove_partial, write_atomically
from cinquefoil.testcase.ktest import KTest
from cinquefoil.testcase.world import WORLD

SUMMARY = "summary.json"
DETAILS = "report.json"
COLUMNS = (
    "seconds",
    "runs",
    "paths",
    "errors",
    "tests",
    "states",
    "open",
    "blocks",
    "branches",
    "lines",
    "queries",
    "unknown",
    "native_seconds",
    "solver_seconds",
    "memory_bytes",
    "pruned",
    "round",
    "features",
    "ratio",
    "heaviest",
    "lightest",
    "round_pruned",
    "round_won",
    "aside",
)


def check_unused(folder: Path) -> None:
    """`UserError` if the folder holds the tests of an earlier run: two runs in one could not be told apart."""
    if (folder / "tests").is_dir() and any((folder / "tests").iterdir()):
        raise UserError(f"{folder} holds the tests of an earlier run; choose another folder")


class ResultFolder:
    """Where an exploration leaves what it finds; `args` is the program's command line, for the tests, and `added`
    are objects that each of them ends with."""

    def __init__(self, folder: Path, program: str, args: tuple[str, ...] = (), added: Objects = ()) -> None:
        self.folder = folder
        self.program = program
        self.args = args
        self.added = added
        paths = (folder / SUMMARY, folder / "stats.csv", folder / "tests", folder / WORLD, folder, *folder.parents)
        self._absent = [path for path in paths if not path.exists()]
        try:
            (folder / "tests").mkdir(parents=True, exist_ok=True)
            remove_partial(folder)
            write_atomically(folder / "stats.csv", (",".join(COLUMNS) + "\n").encode())
        except OSError as error:
            raise UserError(f"cannot write to the output folder {folder}: {error.strerror}") from error

    @property
    def used(self) -> bool:
        """Is there a test?"""
        return any((self.folder / "tests").iterdir())

    def discard(self) -> None:
        """Takes away what was made, and only that, for an exploration that did not come to begin."""
        for path in self._absent:
            if path.parent == self.folder:
                shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
            else:
                with suppress(OSError):  # somebody else has put something there
                    path.rmdir()

    def keep(self, test: Test) -> None:
        """Writes a test; one of the same number is replaced."""
        write_atomically(self.folder / test_name(test), KTest(self.args, (*test.objects, *self.added)).encode())

    def progress(self, exploration: Exploration) -> None:
        """Adds a line to stats.csv."""
        row = row_of(exploration)
        append(self.folder / "stats.csv", ",".join(_cell(row[column]) for column in COLUMNS) + "\n")

    def summarise(
        self,
        outcome: Outcome,
        options: Options,
        layers: Mapping[str, LayerStatistics] | None = None,
        notes: Mapping[str, object] | None = None,
    ) -> None:
        """Writes summary.json, without which nobody reads the folder; `layers` are the solver chain's statistics,
        `notes` are added."""
        summary = {**summarise(outcome, self.program, options, layers), **(notes or {})}
        write_atomically(self.folder / SUMMARY, (json.dumps(summary, indent=2) + "\n").encode())

    def finish(
        self,
        outcome: Outcome,
        options: Options,
        coverage: Coverage,
        layers: Mapping[str, LayerStatistics] | None = None,
        notes: Mapping[str, object] | None = None,
    ) -> None:
        """Writes summary.json and coverage.info."""
        self.summarise(outcome, options, layers, notes)
        write_atomically(self.folder / "coverage.info", os.fsencode(lcov(coverage)))

    def describe(self, details: Mapping[str, object]) -> None:
        """Writes report.json: what `cinq report` shows beside the figures."""
        write_atomically(self.folder / DETAILS, json.dumps(details, separators=(",", ":")).encode())


def test_name(test: Test) -> str:
    return f"tests/{test.number:06d}.ktest"


def row_of(exploration: Exploration) -> Mapping[str, float]:
    """One line of the time series, also for live views."""
    counts = exploration.total
    blocks, branches = exploration.coverage.counts()
    return {
        "seconds": exploration.seconds,
        "runs": counts.runs,
        "paths": counts.paths,
        "errors": len(exploration.findings.errors),
        "tests": len(exploration.findings.tests),
        "states": exploration.pending,
        "open": exploration.open,
        "blocks": blocks,
        "branches": branches,
        "lines": exploration.coverage.line_count(),
        "queries": counts.queries,
        "unknown": counts.unknown,
        "native_seconds": counts.phases["native"].seconds,
        "solver_seconds": counts.phases["solver"].seconds,
        "memory_bytes": exploration.memory.now(),
        "pruned": counts.pruned,
        "round": 0,
        "features": 0,
        "ratio": 0,
        "heaviest": 0,
        "lightest": 0,
        "round_pruned": 0,
        "round_won": 0,
        "aside": 0,
        **(exploration.pruning.figures() if exploration.pruning is not None else {}),
    }


def summarise(
    outcome: Outcome,
    program: str,
    options: Options,
    layers: Mapping[str, LayerStatistics] | None = None,
) -> dict[str, object]:
    """summary.json, as DESIGN.md promises it, with more detail where there is some."""
    counts = outcome.statistics
    layers = layers or {}
    return {
        "program": program,
        "options": {**asdict(options), "inputs": [data.hex() for data in options.inputs]},
        "seconds": round(outcome.seconds, 6),
        "exhausted": outcome.exhausted,
        "reason": outcome.reason,
        "paths": {
            "completed": counts.completed,
            "error": counts.errors,
            "infeasible": counts.infeasible,
            "unknown": outcome.unknown,
            "pending": outcome.pending,
            "assumed": counts.assumed,
            "cut": counts.cut,
            "unsupported": counts.unsupported,
            "diverged": counts.diverged,
            "died": counts.died,
        },
        "faults": {"count": counts.faults, "found": [asdict(each) for each in outcome.faults]},
        "cut": [asdict(cut) for cut in outcome.cuts],
        "limited": counts.limited,
        "unsupported": [asdict(each) for each in outcome.unsupported],
        "uninitialized": [asdict(each) for each in outcome.doubts],
        "warnings": [asdict(each) for each in outcome.warnings],
        "tests": len(outcome.tests),
        "errors": [
            {
                "kind": error.kind,
                "function": error.function,
                "file": error.file,
                "line": error.line,
                "test": test_name(error.test),
                "message": error.message,
                "confirmed": error.confirmed,
                **({"after_unsupported": True} if error.after_unsupported else {}),
                "seen": error.seen,
            }
            for error in outcome.errors
        ],
        "coverage": {kind: list(pair) for kind, pair in asdict(outcome.coverage).items()},
        "solver": {
            "queries": counts.queries,
            "sat": counts.sat,
            "unsat": counts.unsat,
            "unknown": counts.unknown,
            "cached": layers["cache"].sat + layers["cache"].unsat if "cache" in layers else 0,
            "seconds": round(counts.phases["solver"].seconds, 6),
            "layers": {name: asdict(layer) for name, layer in layers.items() if ":" not in name},
        },
        "variants": {"tried": counts.mutations, "kept": counts.mutations_kept, "won": counts.mutations_won},
        "multiplex": {
            "probes": counts.probed,
            "dropped": counts.probed_known,
            "runs": counts.partial,
            "paths": counts.partial_paths,
            "won": counts.partial_won,
            "instances": _instances(layers),
        },
        "machine": {
            "runs": counts.runs,
            "instructions": counts.instructions,
            "seconds": round(counts.native_seconds, 6),
            "epochs": counts.epochs,
            "reruns": counts.reruns,
            "replaced": counts.replaced,
        },
        "states": {
            "created": outcome.created,
            "peak": outcome.peak,
            "pruned": counts.pruned,
            "refuted": counts.refuted,
        },
        "pruning": outcome.pruning,
        "phases": {name: round(phase.seconds, 6) for name, phase in counts.phases.items()},
        "memory": {"peak_bytes": outcome.memory},
    }


def _instances(layers: Mapping[str, LayerStatistics]) -> dict[str, dict[str, object]]:
    """Multiplexing solvers by name, with what the portfolio knows of each per class of queries."""
    found: dict[str, dict[str, object]] = {}
    classes: dict[str, dict[str, object]] = {}
    for name, layer in layers.items():
        if name.startswith("multiplex:"):
            instance, _, kind = name.partition(":")[2].partition("/")
            (classes.setdefault(instance, {}) if kind else found)[kind or instance] = asdict(layer)
    return {name: {**counts, "classes": classes.get(name, {})} for name, counts in found.items()}


def lcov(coverage: Coverage) -> str:
    """Lines, functions and branch directions in lcov's format, one record per source file."""
    files = sorted({file for file, _ in coverage.lines()} | {file for file, _ in coverage.functions()})
    sections = _Sections(coverage)
    return "".join(sections.record(file) for file in files)


class _Sections:
    """What lcov wants to know, by file."""

    def __init__(self, coverage: Coverage) -> None:
        self._lines: defaultdict[str, list[tuple[int, bool]]] = defaultdict(list)
        self._functions: defaultdict[str, list[tuple[int, str, bool]]] = defaultdict(list)
        self._branches: defaultdict[str, list[tuple[int, int, int, str]]] = defaultdict(list)
        first = _first_lines(coverage)
        for (file, line), hit in coverage.lines().items():
            self._lines[file].append((line, hit))
        for (file, name), hit in coverage.functions().items():
            self._functions[file].append((first.get((file, name), 0), name, hit))
        for number, site in enumerate(coverage.sites):
            if site.kind in (SiteKind.BRANCH, SiteKind.SWITCH) and not site.library and site.line:
                reached = coverage.seen[list(site.edges)].any()
                for direction, edge in enumerate(site.edges):
                    taken = str(int(coverage.seen[edge])) if reached else "-"
                    self._branches[site.file].append((site.line, number, direction, taken))

    def record(self, file: str) -> str:
        lines, functions = sorted(self._lines[file]), sorted(self._functions[file])
        branches = sorted(self._branches[file])
        rows = ["TN:", f"SF:{file}"]
        rows += [f"FN:{line},{name}" for line, name, _ in functions]
        rows += [f"FNDA:{int(hit)},{name}" for _, name, hit in functions]
        rows += [f"FNF:{len(functions)}", f"FNH:{sum(hit for *_, hit in functions)}"]
        rows += [f"BRDA:{line},{site},{way},{taken}" for line, site, way, taken in branches]
        rows += [f"BRF:{len(branches)}", f"BRH:{sum(taken == '1' for *_, taken in branches)}"]
        rows += [f"DA:{line},{int(hit)}" for line, hit in lines]
        rows += [f"LF:{len(lines)}", f"LH:{sum(hit for _, hit in lines)}", "end_of_record"]
        return "\n".join(rows) + "\n"


def _first_lines(coverage: Coverage) -> dict[tuple[str, str], int]:
    """The line each function starts on, as far as its sites tell."""
    first: dict[tuple[str, str], int] = {}
    for site in coverage.sites:
        if site.line and not site.library:
            key = (site.file, site.function)
            first[key] = min(first.get(key, site.line), site.line)
    return first


def _cell(value: float) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)
