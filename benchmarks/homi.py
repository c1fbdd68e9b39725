"""Does pruning pay?  Branch coverage, states and errors with Homi, without, with random pruning, with restarts only.

    python benchmarks/homi.py --root FOLDER [--output results] [--seconds 60] [--seeds 5] [SUBJECT ...]

FOLDER is searched for the subjects' bitcode (`bc.bc`, `dd.bc`, ..., as `cinq subjects build` makes it).  For each
subject the search strategies of --search are tried first (seed 0, nothing pruned) and the best one is kept, as in the
Homi paper.  Every run has a folder of its own below --output, and one whose summary is there is not run again: stop and
go on at will, or let --at-most stop it.  With --table nothing is run."""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from statistics import mean

from cinquefoil.cli.main import main as cinq

import_module("cinquefoil.cli.run")  # once, for all the processes that are forked below

PAPER = "--sym-args 0 1 10 --sym-args 0 2 2 --sym-files 1 8 --sym-stdin 8 --sym-stdout"
SUBJECTS = {
    "gawk": "--sym-arg 8 A --sym-files 1 8 --sym-stdin 8",
    "grep": PAPER,
    "trueprint": "--sym-args 0 2 8 A --sym-files 1 40",
    "ptx": PAPER,
    "pr": PAPER,
    "dd": PAPER,
    "osip_message": "--sym-stdin 100",
    "bc": "--sym-stdin 20",
    "ginstall": PAPER,
    "vdir": PAPER,
    "nasm": "--sym-args 0 2 2 A --sym-files 1 100",
    "tasn1_parse": "--sym-files 1 60",
}
VARIANTS = ("none", "homi", "random", "restart")
SEARCHES = ("default", "nurs:covnew", "random-path")


@dataclass(frozen=True)
class Plan:
    """One exploration to be made."""

    subject: str
    search: str
    prune: str
    seed: int

    def folder(self, root: Path, seconds: float) -> Path:
        name = f"{self.search}-{self.prune}-{self.seed}".replace(":", "_").replace(",", "+")
        return root / f"{seconds:g}s" / self.subject / name


class Bench:
    def __init__(self, programs: Path, output: Path, seconds: float, dry: bool, at_most: float) -> None:
        self._end = time.monotonic() + at_most
        self._programs = programs
        self._output = output
        self._seconds = seconds
        self._dry = dry

    def summary(self, plan: Plan) -> dict | None:
        """What came of a plan; runs it if nobody did."""
        folder = plan.folder(self._output, self._seconds)
        file = folder / "summary.json"
        found = json.loads(file.read_text()) if file.exists() else None
        if (found is None or found["reason"] in ("interrupted", "failed")) and not self._dry:
            if time.monotonic() > self._end:
                sys.exit("the rest another time")
            self._run(plan, folder)
            found = json.loads(file.read_text()) if file.exists() else None
        return found if found is None or found["reason"] not in ("interrupted", "failed") else None

    def _run(self, plan: Plan, folder: Path) -> None:
        program = next(iter(sorted(self._programs.rglob(f"{plan.subject}.bc"))), None)
        if program is None:
            sys.exit(f"there is no {plan.subject}.bc below {self._programs}")
        for old in folder.glob("tests/*"):  # of a run that was stopped
            old.unlink()
        searches = [] if plan.search == "default" else [f"--search={name}" for name in plan.search.split(",")]
        options = [*searches, "--prune", plan.prune, "--seed", str(plan.seed), "--max-time", f"{self._seconds}s"]
        options += ["--clock", "cpu", "--no-variants"]  # fair, whatever else the machine does; the technique alone
        options += ["-o", str(folder), str(program), *SUBJECTS[plan.subject].split()]
        process = get_context("fork").Process(target=explore, args=(options,))  # what was imported need not be again
        process.start()
        process.join()
        if process.exitcode not in (0, 1):
            print(f"{plan}: status {process.exitcode}", file=sys.stderr)

    def branches(self, plan: Plan) -> set[str]:
        """The directions covered, by lcov's name for them."""
        file = plan.folder(self._output, self._seconds) / "coverage.info"
        found, source = set(), ""
        for line in file.read_text().splitlines() if file.exists() else ():
            if line.startswith("SF:"):
                source = line[3:]
            elif line.startswith("BRDA:") and line.endswith(",1"):
                found.add(f"{source}:{line[5:-2]}")
        return found

    def states(self, plan: Plan) -> float:
        """How many were pending, on average over time."""
        file = plan.folder(self._output, self._seconds) / "stats.csv"
        with file.open() as rows:
            counts = [float(row["states"]) for row in csv.DictReader(rows)]
        return mean(counts) if counts else 0.0


def explore(options: list[str]) -> None:
    """`cinq run`, in a process of its own."""
    sys.argv = ["cinq", "run", *options]
    sys.stdout = io.StringIO()
    sys.exit(cinq())


def best_search(bench: Bench, subject: str, searches: Sequence[str]) -> str:
    if len(searches) == 1:
        return searches[0]
    found = {search: bench.summary(Plan(subject, search, "none", 0)) for search in searches}
    return max(searches, key=lambda search: covered(found[search]))


def covered(summary: dict | None) -> int:
    return summary["coverage"]["branches"][0] if summary else -1


def compare(bench: Bench, subject: str, search: str, variants: Sequence[str], seeds: int) -> None:
    """Prints a subject's part of the table."""
    plans = {variant: [Plan(subject, search, variant, seed) for seed in range(seeds)] for variant in variants}
    unions = {variant: set[str]().union(*map(bench.branches, plans[variant])) for variant in variants}
    for variant in variants:
        others = set[str]().union(*(unions[other] for other in variants if other != variant))
        print(row(bench, subject, search, variant, plans[variant], len(unions[variant] - others)), flush=True)


def row(bench: Bench, subject: str, search: str, variant: str, plans: Iterable[Plan], exclusive: int) -> str:
    done = [(plan, summary) for plan in plans if (summary := bench.summary(plan))]
    if not done:
        return f"{subject:12} {search:11} {variant:8} -"
    summaries = [summary for _, summary in done]
    branches = [covered(summary) for summary in summaries]
    errors = {(e["kind"], e["file"], e["line"]) for summary in summaries for e in summary["errors"]}
    rounds = mean(len(s["pruning"]["rounds"]) if s["pruning"] else 1 for s in summaries)
    return (
        f"{subject:12} {search:11} {variant:8} n={len(done)} branches {mean(branches):7.1f} "
        f"({min(branches)}..{max(branches)}) only here {exclusive:4} errors {len(errors):2} "
        f"states avg {mean(bench.states(plan) for plan, _ in done):8.0f} "
        f"peak {mean(s['states']['peak'] for s in summaries):8.0f} "
        f"paths {mean(s['paths']['completed'] for s in summaries):7.0f} rounds {rounds:4.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, required=True, help="where the subjects' bitcode is")
    parser.add_argument("--output", type=Path, default=Path("homi-results"))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--search", default=" ".join(SEARCHES), help="strategies to choose from; a,b takes turns")
    parser.add_argument("--variants", default=" ".join(VARIANTS))
    parser.add_argument("--at-most", type=float, default=1e9, help="seconds after which no further run begins")
    parser.add_argument("--table", action="store_true", help="print what there is, run nothing")
    parser.add_argument("subjects", nargs="*", default=[*SUBJECTS])
    chosen = parser.parse_args()
    bench = Bench(chosen.root, chosen.output, chosen.seconds, chosen.table, chosen.at_most)
    variants = chosen.variants.split()
    searches = {subject: best_search(bench, subject, chosen.search.split()) for subject in chosen.subjects}
    for seed in range(chosen.seeds):  # by seed, so that a table made half-way compares equals
        for subject in chosen.subjects:
            for variant in variants:
                bench.summary(Plan(subject, searches[subject], variant, seed))
    for subject in chosen.subjects:
        compare(bench, subject, searches[subject], variants, chosen.seeds)


if __name__ == "__main__":
    main()
