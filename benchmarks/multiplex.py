"""Time to equal coverage with and without multiplexing (MuSE, tables 5 to 7).

    python benchmarks/multiplex.py [--seconds 20] [--results FILE] [--group parsers] [--gsl FOLDER] [NAME ...]

Every program is explored with dfs and bfs, without (`none`) and with multiplexing, for the given time each, and
covered blocks and branch directions are recorded as they grow.  The table gives, per program and strategy, what both
covered, when the plain run reached its final coverage and when the multiplexing run reached the same, the ratio of
the two, and partial solutions per call of a multiplexing solver.  Finished explorations are kept in the results file
and not repeated; `--report` prints the table only.

Groups: parsers (binary formats, from a small valid file), algebra (routines over doubles), gsl (the functions of the
paper's Table 3: `--gsl` is the folder in which `benchmarks/subjects/gsl.toml` was built).
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from cinquefoil.build.program import load_program
from cinquefoil.explore import Exploration, Options
from cinquefoil.explore.engine import WorkerSolver
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.machine.image import Image, build_image
from cinquefoil.machine.worker import Worker
from cinquefoil.solver.multiplex.names import INSTANCES

HERE = Path(__file__).resolve().parent / "multiplex"
RECIPE = HERE.parent / "subjects" / "gsl.toml"
STRATEGIES = ("dfs", "bfs")
Series = list[tuple[float, int]]


@dataclass(frozen=True)
class Program:
    group: str
    name: str
    path: Path
    seed: bytes | None = None
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True)
class Result:
    """One exploration; `series` are (seconds, blocks and branches covered) whenever that grew."""

    group: str
    name: str
    search: str
    multiplex: str
    budget: float
    series: Series
    seconds: float
    reason: str
    paths: int
    queries: int
    unknown: int
    calls: int
    solved: int
    found: int
    partial_runs: int
    partial_paths: int
    won: int

    @property
    def covered(self) -> int:
        return self.series[-1][1] if self.series else 0

    def reached(self, coverage: int) -> float | None:
        """When this much was covered first."""
        return next((seconds for seconds, count in self.series if count >= coverage), None)


def programs(group: str, gsl: Path | None) -> Iterator[Program]:
    if group == "gsl":
        names = tomllib.loads(RECIPE.read_text())["programs"][0]["names"] if gsl is not None else ()
        for path in (gsl / name for name in names if gsl is not None):
            yield Program(group, path.name, path, arguments=("--sym-stdin", "96"))
        return
    for path in sorted((HERE / group).glob("*.c")):
        seed = path.with_suffix(".seed")
        yield Program(group, path.stem, path, bytes.fromhex(seed.read_text()) if seed.exists() else None)


def explore(program: Program, image: Image, search: str, multiplex: str, seconds: float) -> Result:
    instances = () if multiplex == "none" else INSTANCES if multiplex == "all" else tuple(multiplex.split("+"))
    series: Series = []

    def watch(exploration: Exploration) -> None:
        count = sum(exploration.coverage.counts())
        if not series or count > series[-1][1]:
            series.append((round(exploration.seconds, 4), count))

    inputs = (program.seed,) if program.seed is not None else ()
    options = Options(search=(search,), max_time=seconds, multiplex=instances, inputs=inputs, interval=0.0)
    with Worker(image, parse_arguments(program.arguments, program.name)) as worker:
        solver = WorkerSolver(worker, time_limit=options.solver_seconds, multiplex=instances)
        outcome = Exploration(worker, solver, options, image.graph, progress=watch).run()
        layers = [layer for name, layer in solver.statistics().items() if name.startswith("multiplex:")]
        solver.close()
    counts = outcome.statistics
    return Result(
        program.group,
        program.name,
        search,
        multiplex,
        seconds,
        series,
        round(outcome.seconds, 3),
        outcome.reason,
        counts.paths,
        counts.queries,
        counts.unknown,
        sum(layer.queries for layer in layers),
        sum(layer.sat + layer.unsat for layer in layers),
        sum(layer.partial for layer in layers),
        counts.partial,
        counts.partial_paths,
        counts.partial_won,
    )


def load(path: Path) -> dict[tuple[object, ...], Result]:
    found: dict[tuple[object, ...], Result] = {}
    for line in path.read_text().splitlines() if path.exists() else ():
        row = Result(**json.loads(line))
        found[row.name, row.search, row.multiplex, row.budget] = row
    return found


def ratio(plain: Result, better: Result) -> tuple[float, float | None]:
    """(when the plain run had covered all it did, when the other had covered as much)."""
    goal = plain.covered
    return plain.reached(goal) or 0.0, better.reached(goal)


def report(results: dict[tuple[object, ...], Result], budget: float, multiplex: str) -> None:
    print(f"{'program':14} search    covered  plain s  muse s  ratio  calls  partial/call  runs  new paths  won")
    logs: dict[tuple[str, str], list[float]] = {}
    for key, plain in results.items():
        other = results.get((plain.name, plain.search, multiplex, budget))
        if plain.multiplex != "none" or plain.budget != budget or other is None:
            continue
        slow, quick = ratio(plain, other)
        # Times below a millisecond are one step of the loop and no measure.
        factor = max(slow, 1e-3) / max(quick, 1e-3) if quick is not None else 0.0
        logs.setdefault((plain.group, plain.search), []).append(math.log(factor) if factor else math.log(slow / budget))
        shown = f"{quick:7.2f} {factor:6.1f}" if quick is not None else "  never      -"
        per_call = other.found / other.calls if other.calls else 0.0
        print(
            f"{plain.name:14} {key[1]!s:6} {plain.covered:4} {other.covered:5} {slow:8.2f} {shown} {other.calls:6}"
            f" {per_call:13.1f} {other.partial_runs:5} {other.partial_paths:10} {other.won:4}"
        )
    for (group, search), values in logs.items():
        mean = math.exp(sum(values) / len(values))
        print(f"{group} {search}: {mean:.1f} times less time to equal coverage (geometric mean of {len(values)})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--results", type=Path, default=Path("multiplex-results.jsonl"))
    parser.add_argument("--group", choices=("parsers", "algebra", "gsl"), action="append")
    parser.add_argument("--search", choices=STRATEGIES, action="append")
    parser.add_argument("--multiplex", default="all", help="all, or instances joined by +")
    parser.add_argument("--gsl", type=Path, help="folder in which the GSL subject was built")
    parser.add_argument("--report", action="store_true", help="only print what is there")
    parser.add_argument("names", nargs="*")
    chosen = parser.parse_args()
    done = load(chosen.results)
    for group in () if chosen.report else chosen.group or ("parsers", "algebra", "gsl"):
        for program in programs(group, chosen.gsl):
            if chosen.names and program.name not in chosen.names:
                continue
            image: Image | None = None
            for search in chosen.search or STRATEGIES:
                for multiplex in ("none", chosen.multiplex):
                    key = (program.name, search, multiplex, chosen.seconds)
                    if key in done:
                        continue
                    image = image or build_image(load_program(program.path), blocks=True)
                    done[key] = explore(program, image, search, multiplex, chosen.seconds)
                    with chosen.results.open("a") as file:
                        file.write(json.dumps(asdict(done[key])) + "\n")
                    print(program.name, search, multiplex, done[key].covered, done[key].reason, file=sys.stderr)
    report(done, chosen.seconds, chosen.multiplex)


if __name__ == "__main__":
    main()
