"""How fast exploration is, and where its time goes.

    python benchmarks/exploring.py [--bc PATH] [--seconds 30] [NAME ...]

Each program is explored to the end or for the given time.  The first line gives paths per second and the shares of the
time spent in native runs (with all that it takes to start one and read what it left), in solving, and in everything
else, which is the engine's own Python.  The second line is finer: of Python tree, search (choosing and noting states),
queries and output; of solving slicing, layers in front of SMT (with what refutes branches before they become states),
terms made for SMT, and SMT.  Layers are timed by the clock on the wall.  Then comes the share of queries that reached
the SMT solver.  `--bc` names a bitcode file of GNU bc (built with `cinq cc`).

Seconds are those that pass; if engine and worker share a processor (`taskset -c 0`), nothing is done twice at once, and
the shares are of work.  On a machine that has other things to do, waiting for a processor is counted as native:
`--processor` counts the processor time of engine and worker instead.  A look at that clock is a system call and takes
several times as long as one at the clock that explorations go by; what it takes more is left out.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NamedTuple

from cinquefoil.build.program import load_program
from cinquefoil.exploration import Exploration, Options, Outcome
from cinquefoil.exploration.accounting.statistics import measure_by
from cinquefoil.exploration.solving.worker_solver import WorkerSolver
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.machine.image import build_image
from cinquefoil.machine.worker import Worker
from cinquefoil.solver.layer import LayerStatistics

HERE = Path(__file__).resolve().parent / "exploring"


class Measured(NamedTuple):
    """An outcome, its seconds by the chosen clock, those of the worker process if that has its own, the share of
    queries that needed SMT, and the solver's own statistics."""

    outcome: Outcome
    seconds: float
    worker: float
    smt: float
    layers: dict[str, LayerStatistics]


def explore(source: Path, arguments: list[str], options: Options, processor: bool) -> Measured:
    image = build_image(load_program(source))
    measure_by("processor" if processor else "wall")
    with Worker(image, parse_arguments(arguments)) as worker:
        solver = WorkerSolver(worker)
        exploration = Exploration(worker, solver, options, image.graph)
        now = exploration.statistics.phases.watch.now
        start, before = now(), worker.cpu_seconds()
        outcome = exploration.run()
        seconds, apart = now() - start, worker.cpu_seconds() - before if processor else 0.0
        layers = solver.statistics()
        smt = layers["smt"].queries / max(1, outcome.statistics.queries)
        solver.close()
    return Measured(outcome, seconds + apart, apart, smt, layers)


def report(name: str, measured: Measured) -> None:
    outcome, total, worker, smt, layers = measured
    statistics = outcome.statistics
    spent = {phase: clock.seconds / total for phase, clock in statistics.phases.items()}
    native, solver = spent.pop("native") + worker / total, spent.pop("solver")
    ended = "all" if outcome.exhausted else "time"
    blocks = "/".join(map(str, outcome.coverage.blocks))
    print(
        f"  {name:10} {statistics.paths:7} paths {total:6.2f} s ({ended:4}) {statistics.paths / total:7.0f}/s"
        f"  native {native:4.0%} solver {solver:4.0%} python {1 - native - solver:4.0%}"
        f"  smt {smt:6.2%} blocks {blocks} states {outcome.created} diverged {statistics.diverged}"
    )
    finer = {name: spent[name] for name in ("tree", "search", "query", "output")}
    finer |= solving(layers, total, solver)
    print(" " * 13 + "  ".join(f"{name} {share:.1%}" for name, share in finer.items()))


def solving(layers: dict[str, LayerStatistics], total: float, solver: float) -> dict[str, float]:
    """The solver's share, by what it did."""
    slicing = layers["slice"].nanoseconds * 1e-9 / total
    terms = layers["smt"].terms_nanoseconds * 1e-9 / total
    smt = layers["smt"].nanoseconds * 1e-9 / total - terms
    return {"slicing": slicing, "layers": max(0.0, solver - slicing - terms - smt), "terms": terms, "smt": smt}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bc", type=Path)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--search", default="bfs")
    parser.add_argument("--processor", action="store_true")
    parser.add_argument("names", nargs="*")
    chosen = parser.parse_args()
    programs = [(path.stem, path, list[str]()) for path in sorted(HERE.glob("*.c"))]
    if chosen.bc is not None:
        programs.append(("bc", chosen.bc, ["--sym-stdin", "6"]))
    for name, path, arguments in programs:
        if not chosen.names or name in chosen.names:
            options = Options(search=(chosen.search,), max_time=chosen.seconds)
            report(name, explore(path, arguments, options, chosen.processor))


if __name__ == "__main__":
    main()
