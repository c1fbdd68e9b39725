"""Control-flow melding on the programs of the CFMSE paper's Table 1, beside its Tables 2 and 3.

    python benchmarks/meld.py [--seconds 60] [--mode auto] [--assert] [--repeat 5] [--melded] [NAME[:SIZE] ...]

Each program is explored to the end, or for the given time, as it is and melded.  The columns are seconds of processor
time of engine and program (compiling is not counted; >: stopped by the limit), paths, questions asked, those that
reached the SMT solver and the mean number of expression nodes in these; then the paper's figures for KLEE (K), CFMSE
(C) and CFMSE with state merging (C-SM) on its machine.  `--assert` compiles the assertions in (Table 3).  What takes
less than a tenth of a second is repeated, and the median shown, as in the paper.  `--melded`: no plain column.
All but the clock and the limit is as in `cinq run --meld`, without variants of inputs.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from cinquefoil.build.program import load_program
from cinquefoil.exploration import Options, Outcome
from cinquefoil.exploration.session.session import Task, session_for
from cinquefoil.solver.problem import Problem, Verdict
from cinquefoil.solver.smt_layer import SmtLayer

HERE = Path(__file__).resolve().parent / "meld"
OOT = "OOT"
_SHORT = 0.1
# seconds and paths of K, seconds and paths of C, seconds of C-SM (CFMSE, Table 2)
PAPER: dict[str, dict[int, tuple[object, object, object, object, object]]] = {
    "toupper": {10: (0.19, 1024, 0.00, 1, 0.00), 50: (OOT, 1.1e7, 0.00, 1, 0.00), 100: (OOT, 1.02e7, 0.00, 1, 0.00)},
    "bitonic": {4: (0.55, 28, 0.00, 1, 0.00), 8: (OOT, 6.64e4, 0.00, 1, 0.00), 16: (OOT, 1.29e5, 0.00, 1, 0.00)},
    "components": {3: (0.09, 512, 0.05, 3, 0.07), 4: (81.45, 65536, 0.11, 4, 0.10), 5: (OOT, 1.63e7, 0.28, 5, 0.23)},
    "prim": {4: (16.13, 5.33e4, 0.07, 1, 0.07), 5: (OOT, 4.24e6, 0.16, 1, 0.16), 6: (OOT, 3.57e6, 1.59, 1, 1.60)},
    "kruskal": {3: ("", "", "", "", "")},  # no row in the paper's tables
    "mergesort": {
        5: (1.67, 120, 1.86, 120, 8.12),
        10: (OOT, 1.15e5, OOT, 1.06e5, OOT),
        15: (OOT, 1.83e6, OOT, 1.62e6, OOT),
    },
    "closure": {3: (3.08, 49, 0.00, 1, 0.00), 4: (394.77, 2040, 0.00, 1, 0.00), 5: (OOT, 1.22e5, 0.00, 1, 0.00)},
    "dilation": {
        4: (0.44, 81, 0.25, 16, 0.31),
        5: (6.24, 1.15e4, 0.55, 512, 0.54),
        6: (OOT, 3.67e6, 33.44, 65536, 0.87),
    },
    "edges": {3: (OOT, 23, 0.01, 2, 0.00), 4: (OOT, 17, 0.01, 2, 0.01), 5: (OOT, 17, 0.01, 2, 0.01)},
    "floyd": {3: (OOT, 1620, 0.00, 1, 0.00), 4: (OOT, 6.03e4, 0.00, 1, 0.00), 5: (OOT, 6.55e4, 0.00, 1, 0.00)},
    "erosion": {
        4: (1.78, 59, 0.20, 16, 0.25),
        5: (148.57, 3520, 0.46, 512, 0.43),
        6: (OOT, 9.57e4, 34.15, 65536, 0.68),
    },
}
# the same for Table 3, which gives queries instead of paths
ASSERTED: dict[str, dict[int, tuple[object, object, object, object, object]]] = {
    "toupper": {10: (0.45, 21, 0.13, 11, 0.13), 50: (OOT, 26, 0.63, 51, 0.66), 100: (OOT, 26, 1.27, 101, 1.28)},
    "bitonic": {4: (1.37, 121, 0.45, 4, 0.45), 8: (OOT, 1.5e5, 104.94, 8, 100.88), 16: (OOT, 9.83e4, OOT, 3, OOT)},
    "dilation": {4: (0.59, 58, 0.31, 48, 0.42), 5: (27.06, 270, 1.22, 92, 0.77), 6: (OOT, 1320, 264.85, 144, 1.30)},
    "erosion": {
        4: (2.35, 181, 0.29, 64, 0.38),
        5: (245.74, 1.35e4, 1.48, 142, 0.72),
        6: (OOT, 9.42e4, 286.65, 228, 1.19),
    },
}


@dataclass(slots=True)
class Sizes:
    """Expression nodes of each query that reached the SMT solver."""

    counts: list[int] = field(default_factory=list[int])

    def mean(self) -> float:
        return sum(self.counts) / len(self.counts) if self.counts else 0.0


@contextmanager
def measured() -> Generator[Sizes]:
    """Looks at every SMT query while it lasts."""
    sizes, decide = Sizes(), SmtLayer.decide

    def looked_at(self: SmtLayer, problem: Problem) -> Verdict:
        sizes.counts.append(nodes_of(problem))
        return decide(self, problem)

    SmtLayer.decide = looked_at
    try:
        yield sizes
    finally:
        SmtLayer.decide = decide


def nodes_of(problem: Problem) -> int:
    """How many expression nodes the query holds, shared ones once."""
    table = problem.slicer.table.nodes
    seen: set[int] = set()
    work = [constraint.node for constraint in problem.constraints]
    while work:
        node = work.pop()
        if node and node not in seen:
            seen.add(node)
            row = table[node]
            work += [int(row["a"]), int(row["b"]), int(row["c"])]
    return len(seen)


def explore(path: Path, flags: list[str], mode: str, seconds: float, repeat: int = 1) -> tuple[Outcome, Sizes]:
    task = Task(path, flags=flags)
    linked = load_program(path, flags)
    options = Options(meld=mode, max_time=seconds, clock="cpu", mutations=False)
    session_for(task, Options(meld=mode, max_paths=1), linked).run()  # compiles what is not in the cache
    with measured() as sizes:
        first = session_for(task, options, linked).run()
    if not first.exhausted or first.seconds > _SHORT:
        return first, sizes
    every = [first, *(session_for(task, options, linked).run() for _ in range(repeat - 1))]
    return sorted(every, key=lambda outcome: outcome.seconds)[len(every) // 2], sizes


def row(outcome: Outcome, sizes: Sizes) -> str:
    counts = outcome.statistics
    limit = "" if outcome.exhausted else ">"
    asked, smt = counts.queries, len(sizes.counts)
    return f"{limit + format(outcome.seconds, '.3f'):>9} {counts.paths:>8} {asked:>7} {smt:>6} {sizes.mean():>7.0f}"


def known(value: object) -> str:
    return f"{value:g}" if isinstance(value, float | int) else str(value)


def report(name: str, size: int, given: argparse.Namespace) -> None:
    flags = [f"-DSIZE={size}", *(["-DASSERT"] if given.asserted else [])]
    path = HERE / f"{name}.c"
    plain = "" if given.melded else row(*explore(path, flags, "", given.seconds, given.repeat))
    melded = row(*explore(path, flags, given.mode, given.seconds, given.repeat))
    paper = (ASSERTED if given.asserted else PAPER).get(name, {}).get(size, ("",) * 5)
    print(f"{name:10} {size:>3} |{plain} |{melded} | " + " ".join(f"{known(v):>8}" for v in paper), flush=True)


def chosen(names: list[str], asserted: bool) -> Iterator[tuple[str, int]]:
    table = ASSERTED if asserted else PAPER
    wanted = names or list(table)
    for each in wanted:
        name, _, size = each.partition(":")
        yield from ((name, s) for s in ([int(size)] if size else table[name]))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--mode", default="auto")
    parser.add_argument("--assert", dest="asserted", action="store_true")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--melded", action="store_true")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    columns = "  seconds    paths   asked    smt    size"
    what = "queries" if given.asserted else "paths"
    print(f"{'program':10} size |{columns} |{columns} | K: s, {what}; C: s, {what}; C-SM: s")
    begun = time.monotonic()
    for name, size in chosen(given.names, given.asserted):
        report(name, size, given)
    print(f"# {time.monotonic() - begun:.0f} s in all")


if __name__ == "__main__":
    main()
