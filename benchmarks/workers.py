"""What several exploring processes gain.

    python benchmarks/workers.py [--bc PATH] [--workers 2] [--rounds 3] [NAME ...]

Every program is explored with one process and with several, in turn, to the end or for a number of paths.  Seconds are
those that pass, so only a machine with as many idle processors tells what is gained; processor time per path, of all
processes together, tells on any machine what is done in vain.  The last line of each program compares medians.  `--bc`
names a bitcode file of GNU bc (built with `cinq cc`).
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from cinquefoil.build.program import load_program
from cinquefoil.exploration import Exploration, Options
from cinquefoil.exploration.parallel import ParallelExploration
from cinquefoil.exploration.solving.worker_solver import WorkerSolver
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.machine.image import Image, build_image
from cinquefoil.machine.worker import Worker

HERE = Path(__file__).resolve().parent


class Program(NamedTuple):
    """What is explored, and up to how many paths."""

    name: str
    path: Path
    flags: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    paths: int | None = None
    multiplex: tuple[str, ...] = ("auto",)


class Measured(NamedTuple):
    seconds: float
    per_path: float  # processor seconds
    rate: float  # paths per second


PROGRAMS = (
    Program("toupper", HERE / "exploring" / "toupper.c", ("-DSIZE=16",)),
    Program("regexp", HERE / "exploring" / "regexp.c", ("-DSIZE=9",)),
    Program("arithmetic", HERE / "workers" / "arithmetic.c", multiplex=()),
)


def explore(program: Program, image: Image, search: str, workers: int) -> Measured:
    options = Options(
        (search,) if search else (), max_paths=program.paths, multiplex=program.multiplex, workers=workers
    )
    with Worker(image, parse_arguments(program.arguments)) as worker:
        solver = WorkerSolver(worker, "bitwuzla", options.solver_seconds, options.seed, options.multiplex)
        if workers > 1:
            exploration = ParallelExploration(worker, solver, "bitwuzla", options, image.graph)
        else:
            exploration = Exploration(worker, solver, options, image.graph)
        before, others = time.process_time() + worker.cpu_seconds(), 0.0
        outcome = exploration.run()
        if outcome.reason == "interrupted":
            raise KeyboardInterrupt
        if isinstance(exploration, ParallelExploration):
            others = exploration.others_processor_seconds()
        spent = time.process_time() + worker.cpu_seconds() - before + others
        solver.close()
    counts = outcome.statistics
    measured = Measured(outcome.seconds, spent / counts.paths, counts.paths / outcome.seconds)
    smt = exploration.layers() if isinstance(exploration, ParallelExploration) else solver.statistics()
    waits = exploration.waits() if isinstance(exploration, ParallelExploration) else []
    print(
        f"  {program.name:10} {workers} {outcome.reason:9} {counts.paths:6} paths {measured.seconds:6.2f} s"
        f" {measured.rate:6.0f}/s  processor {1000 * measured.per_path:6.3f} ms/path  reruns {counts.reruns:5}"
        f"  smt {smt['smt'].queries:5} {smt['smt'].nanoseconds / 1e9:5.2f} s  blocks {outcome.coverage.blocks[0]}"
        + "".join(f"  waited {seconds:.2f}" for seconds in waits),
        flush=True,
    )
    return measured


def compare(program: Program, search: str, workers: int, rounds: int) -> None:
    image = build_image(load_program(program.path, program.flags), blocks=True)
    found: dict[int, list[Measured]] = {1: [], workers: []}
    for _ in range(rounds):
        for count in found:
            found[count].append(explore(program, image, search, count))
    rate = {count: median(each.rate for each in all) for count, all in found.items()}
    work = {count: median(each.per_path for each in all) for count, all in found.items()}
    print(f"  {program.name:10} {rate[workers] / rate[1]:.2f} times as fast, {work[workers] / work[1]:.2f} of the work")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bc", type=Path)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--search", default="bfs", help="'' for the default")
    parser.add_argument("names", nargs="*")
    chosen = parser.parse_args()
    programs = [*PROGRAMS]
    if chosen.bc is not None:
        programs.append(Program("bc", chosen.bc, arguments=("--sym-stdin", "6"), paths=20_000))
    for program in programs:
        if not chosen.names or program.name in chosen.names:
            compare(program, chosen.search, chosen.workers, chosen.rounds)


if __name__ == "__main__":
    main()
