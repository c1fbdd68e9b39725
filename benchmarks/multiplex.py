"""Time to equal coverage with and without multiplexing (MuSE, tables 5 to 7).

    python benchmarks/multiplex.py [--seconds 20] [--results FILE] [--group parsers] [--at-most 300] [NAME ...]

Every program is explored with dfs and bfs, without (`none`) and with multiplexing, for the given time each, and
covered blocks and branch directions are recorded as they grow.  The table gives, per program and strategy, what both
covered, when the plain run reached its final coverage and when the multiplexing run reached the same, the ratio of
the two, and partial solutions per call of a multiplexing solver.  The plain run and the other one of the same program
follow one another, so that both meet the same machine.  Finished explorations are kept in the results file and not
repeated: `--at-most` stops after so many seconds, the next call goes on.  `--report` prints the table only, as
Markdown with `--markdown`.  Per group there are two summaries: the geometric mean of the ratios, and, as in the paper,
the time until all programs together had covered what they plainly did.

Groups: parsers (binary formats, from a small valid file), algebra (routines over doubles), gsl (the functions of the
paper's Table 3, as built by `cinq subjects build gsl`; `--gsl` names another folder).
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
import tomllib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import accumulate, pairwise
from pathlib import Path

from cinquefoil.build.program import load_program
from cinquefoil.experiment.subjects.construct import TRACED
from cinquefoil.experiment.subjects.upstream import subjects_root
from cinquefoil.exploration import Exploration, Options
from cinquefoil.exploration.accounting.clock import clock_of
from cinquefoil.exploration.solving.worker_solver import WorkerSolver
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.machine.image import Image, build_image
from cinquefoil.machine.worker import Worker
from cinquefoil.solver.multiplex.names import INSTANCES

HERE = Path(__file__).resolve().parent / "multiplex"
RECIPE = HERE.parent / "subjects" / "gsl.toml"
STRATEGIES = ("dfs", "bfs")
GROUPS = ("parsers", "algebra", "gsl")
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
    probes: int = 0
    dropped: int = 0

    @property
    def covered(self) -> int:
        return self.series[-1][1] if self.series else 0

    def reached(self, coverage: int) -> float | None:
        """When this much was covered first."""
        return next((seconds for seconds, count in self.series if count >= coverage), None)


def programs(group: str, gsl: Path) -> Iterator[Program]:
    if group == "gsl":
        recipe = tomllib.loads(RECIPE.read_text())["programs"][0]
        for name in recipe["names"] if gsl.is_dir() else ():
            yield Program(group, name, gsl / name, arguments=tuple(recipe["arguments"].split()))
        return
    for path in sorted((HERE / group).glob("*.c")):
        seed = path.with_suffix(".seed")
        yield Program(group, path.stem, path, bytes.fromhex(seed.read_text()) if seed.exists() else None)


def explore(program: Program, image: Image, search: str, multiplex: str, seconds: float, clock: str) -> Result:
    instances = () if multiplex == "none" else INSTANCES if multiplex == "all" else tuple(multiplex.split("+"))
    series: Series = []

    def watch(exploration: Exploration) -> None:
        count = sum(exploration.coverage.counts())
        if not series or count > series[-1][1]:
            series.append((round(exploration.seconds, 4), count))

    inputs = (program.seed,) if program.seed is not None else ()
    order = () if search == "default" else (search,)  # the default comes with variants
    options = Options(search=order, max_time=seconds, multiplex=instances, inputs=inputs, interval=0.0)
    with Worker(image, parse_arguments(program.arguments, program.name)) as worker:
        solver = WorkerSolver(worker, time_limit=options.solver_seconds, multiplex=instances)
        outcome = Exploration(worker, solver, options, image.graph, progress=watch, clock=clock_of(clock, worker)).run()
        told = solver.statistics()
        layers = [told[f"multiplex:{name}"] for name in INSTANCES if f"multiplex:{name}" in told]
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
        counts.probed,
        counts.probed_known,
    )


def load(path: Path) -> dict[tuple[object, ...], Result]:
    found: dict[tuple[object, ...], Result] = {}
    for line in path.read_text().splitlines() if path.exists() else ():
        row = Result(**json.loads(line))
        found[row.name, row.search, row.multiplex, row.budget] = row
    return found


@dataclass(frozen=True)
class Row:
    """A plain run, the multiplexing one, and how many times sooner the latter covered what the former did."""

    plain: Result
    other: Result

    @property
    def slow(self) -> float:
        return self.plain.reached(self.plain.covered) or 0.0

    @property
    def quick(self) -> float | None:
        return self.other.reached(self.plain.covered)

    @property
    def factor(self) -> float:
        """Times below a millisecond are one step of the loop and no measure.  A run that never got there counts as if
        it had at its very end, which is more than it deserves."""
        quick = self.quick if self.quick is not None else self.plain.budget
        return max(self.slow, 1e-3) / max(quick, 1e-3)

    def cells(self) -> tuple[str, ...]:
        plain, other, quick = self.plain, self.other, self.quick
        per_call = other.found / other.calls if other.calls else 0.0
        reached = f"{quick:.3f}" if quick is not None else "never"
        factor = f"{self.factor:.1f}" if quick is not None else f"< {self.factor:.2f}"
        counts = (other.partial_runs, other.partial_paths, other.won)
        traced = (f"{other.probes}", f"{other.dropped}", *map(str, counts))
        times = (f"{self.slow:.3f}", reached, factor)
        return (plain.name, plain.search, f"{plain.covered}", f"{other.covered}", *times, f"{other.calls}",
                f"{per_call:.1f}", *traced)  # fmt: skip


def together(results: list[Result]) -> Series:
    """What all programs cover in sum, each being given the same time: the paper's figures 5 to 7."""
    steps = [
        (seconds, count - before)
        for result in results
        for (_, before), (seconds, count) in pairwise([(0.0, 0), *result.series])
    ]
    times = [seconds for seconds, _ in sorted(steps)]
    return list(zip(times, accumulate(count for _, count in sorted(steps)), strict=True))


COLUMNS = ("program", "search", "plain covers", "muse covers", "plain s", "muse s", "ratio", "calls", "partial/call",
           "probes", "dropped", "runs", "new paths", "won")  # fmt: skip


def report(results: dict[tuple[object, ...], Result], budget: float, multiplex: str, markdown: bool) -> None:
    rows = [
        Row(plain, results[key])
        for plain in results.values()
        if (key := (plain.name, plain.search, multiplex, budget)) in results
        if plain.multiplex == "none" and plain.budget == budget
    ]
    groups = {(row.plain.group, row.plain.search): list[Row]() for row in rows}
    for row in rows:
        groups[row.plain.group, row.plain.search].append(row)
    if markdown:
        print("|", " | ".join(COLUMNS), "|\n|", "---|" * len(COLUMNS))
    else:
        print(" ".join(f"{column:>12}" for column in COLUMNS))
    for row in (row for group in groups.values() for row in group):
        print("| " + " | ".join(row.cells()) + " |" if markdown else " ".join(f"{cell:>12}" for cell in row.cells()))
    for (group, search), found in groups.items():
        slow, quick = together([row.plain for row in found]), together([row.other for row in found])
        total = slow[-1][1]
        when = next((seconds for seconds, count in quick if count >= total), None)
        mean = math.exp(sum(math.log(row.factor) for row in found) / len(found))
        never = sum(row.quick is None for row in found)
        more = sum(row.other.covered > row.plain.covered for row in found)
        print(
            f"\n{group} {search}: {mean:.1f} times less time to equal coverage (geometric mean of {len(found)}, "
            f"{never} never reached it), more covered in the end in {more}; "
            "all programs together, as the paper counts: "
            f"{total} after {slow[-1][0]:.3f} s, with multiplexing "
            + (f"after {when:.3f} s, {slow[-1][0] / when:.1f} times less" if when is not None else "never")
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--results", type=Path, default=Path("multiplex-results.jsonl"))
    parser.add_argument("--group", choices=GROUPS, action="append")
    parser.add_argument("--search", choices=(*STRATEGIES, "default"), action="append")
    parser.add_argument("--multiplex", default="all", help="all, auto, or instances joined by +")
    parser.add_argument("--gsl", type=Path, default=subjects_root() / TRACED / "gsl", help="where GSL was built")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall", help="cpu: for a machine that is not idle")
    parser.add_argument("--at-most", type=float, default=math.inf, help="seconds after which no exploration is begun")
    parser.add_argument("--report", action="store_true", help="only print what is there")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("names", nargs="*")
    chosen = parser.parse_args()
    done = load(chosen.results)
    if not chosen.report:
        explore_all(chosen, done)
    report(done, chosen.seconds, chosen.multiplex, chosen.markdown)


def explore_all(chosen: argparse.Namespace, done: dict[tuple[object, ...], Result]) -> None:
    start = time.monotonic()
    for program in (each for group in chosen.group or GROUPS for each in programs(group, chosen.gsl)):
        for search in chosen.search or STRATEGIES:
            keys = [(program.name, search, each, chosen.seconds) for each in ("none", chosen.multiplex)]
            if (chosen.names and program.name not in chosen.names) or all(key in done for key in keys):
                continue
            if time.monotonic() - start + 2 * chosen.seconds > chosen.at_most:
                return
            image = build_image(load_program(program.path), blocks=True)
            for key in (key for key in keys if key not in done):
                done[key] = explore(program, image, search, key[2], chosen.seconds, chosen.clock)
                with chosen.results.open("a") as file:
                    file.write(json.dumps(asdict(done[key])) + "\n")
                print(program.name, search, key[2], done[key].covered, done[key].reason, file=sys.stderr)


if __name__ == "__main__":
    main()
