"""Does pruning pay?  Branch coverage, states and errors with Homi, without, with random pruning, with restarts only.

    python benchmarks/homi.py --root FOLDER [--output OUT] [--seconds 60] [--seeds 5] [--jobs 2] SUBJECT[=SEARCH] ...

FOLDER is searched for the subjects' bitcode (`bc.bc`, `dd.bc`, ..., as `cinq subjects build` makes it).  For each
subject the search strategies of --search are tried first (nothing pruned, seed 0) and the best one is kept, as in
the Homi paper; `osip_message=nurs:covnew` says that it is known.  Every run is told as it ends and has a folder of its
own below --output, and one whose summary is there is not run again: stop and go on at will, or let --at-most stop it.
The tables of docs/results/homi.md come last; with --table nothing is run."""

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
from multiprocessing import connection, get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from statistics import mean
from typing import Any

from cinquefoil.cli.main import main as cinq
from cinquefoil.experiment.samples import compare

import_module("cinquefoil.cli.run_command")  # once, for all the processes that are forked below

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
FAILED = ("interrupted", "failed")

Summary = dict[str, Any]


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
    """Where programs and results are, and what is in the results."""

    def __init__(self, programs: Path, output: Path, seconds: float) -> None:
        self._programs = programs
        self._output = output
        self._seconds = seconds

    def folder(self, plan: Plan) -> Path:
        return plan.folder(self._output, self._seconds)

    def summary(self, plan: Plan) -> Summary | None:
        """What came of a plan, if it was run to its end."""
        file = self.folder(plan) / "summary.json"
        found = json.loads(file.read_text()) if file.exists() else None
        return found if found is not None and found["reason"] not in FAILED else None

    def start(self, plan: Plan) -> BaseProcess:
        program = next(iter(sorted(self._programs.rglob(f"{plan.subject}.bc"))), None)
        if program is None:
            sys.exit(f"there is no {plan.subject}.bc below {self._programs}")
        for old in self.folder(plan).glob("tests/*"):  # of a run that was stopped
            old.unlink()
        searches = [] if plan.search == "default" else [f"--search={name}" for name in plan.search.split(",")]
        options = [*searches, "--prune", plan.prune, "--seed", str(plan.seed), "--max-time", f"{self._seconds}s"]
        options += ["--clock", "cpu", "--no-mutations"]  # fair, whatever else the machine does; the technique alone
        options += ["-o", str(self.folder(plan)), str(program), *SUBJECTS[plan.subject].split()]
        process = get_context("fork").Process(target=explore, args=(options,))  # what was imported need not be again
        process.start()
        return process

    def branches(self, plan: Plan) -> set[str]:
        """The directions covered, by lcov's name for them."""
        file = self.folder(plan) / "coverage.info"
        found, source = set[str](), ""
        for line in file.read_text().splitlines() if file.exists() else ():
            if line.startswith("SF:"):
                source = line[3:]
            elif line.startswith("BRDA:") and line.endswith(",1"):
                found.add(f"{source}:{line[5:-2]}")
        return found

    def states(self, plan: Plan) -> float:
        """How many were pending, on average over time."""
        with (self.folder(plan) / "stats.csv").open() as rows:
            counts = [float(row["states"]) for row in csv.DictReader(rows)]
        return mean(counts) if counts else 0.0


def explore(options: list[str]) -> None:
    """`cinq run`, in a process of its own."""
    sys.argv = ["cinq", "run", *options]
    sys.stdout = io.StringIO()
    sys.exit(cinq())


def run_all(bench: Bench, plans: Iterable[Plan], jobs: int, end: float) -> None:
    """Runs those that nobody did, so many at a time; none begins after `end`."""
    waiting = [plan for plan in dict.fromkeys(plans) if bench.summary(plan) is None]
    running: dict[BaseProcess, Plan] = {}
    while running or waiting:
        while waiting and len(running) < jobs and time.monotonic() < end:
            plan = waiting.pop(0)
            running[bench.start(plan)] = plan
        if not running:
            sys.exit(f"{len(waiting)} runs are left for another time")
        ready = set(connection.wait([process.sentinel for process in running]))
        for process in [each for each in running if each.sentinel in ready]:
            process.join()
            tell(bench, running.pop(process), process.exitcode)


def tell(bench: Bench, plan: Plan, status: int | None) -> None:
    """A run is over."""
    summary = bench.summary(plan)
    result = f"{covered(summary)} branches" if summary is not None else f"failed with status {status}"
    print(f"{plan.subject}, {plan.search}, {plan.prune}, seed {plan.seed}: {result}", file=sys.stderr, flush=True)


def covered(summary: Summary | None) -> int:
    return summary["coverage"]["branches"][0] if summary else -1


def best_search(bench: Bench, subject: str, searches: Sequence[str]) -> str:
    found = {search: covered(bench.summary(Plan(subject, search, "none", 0))) for search in searches}
    return max(searches, key=found.__getitem__)


# ---- tables ----


def row(*cells: object) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def head(*cells: str) -> str:
    return row(*cells) + "\n" + "|" + "---|" * len(cells)


def number(value: float) -> str:
    return f"{value:,.0f}"


class Comparison:
    """What the variants did on one subject, with the seeds that there are."""

    def __init__(self, bench: Bench, subject: str, search: str, variants: Sequence[str], seeds: Iterable[int]) -> None:
        self.subject = subject if search == "default" else f"{subject} ({search})"
        self.variants = variants
        self._bench = bench
        plans = {variant: [Plan(subject, search, variant, seed) for seed in seeds] for variant in variants}
        self._done = {
            variant: [(plan, found) for plan in plans[variant] if (found := bench.summary(plan)) is not None]
            for variant in variants
        }
        self.unions = {
            variant: set[str]().union(*(bench.branches(plan) for plan, _ in self._done[variant]))
            for variant in variants
        }

    def branches(self, variant: str) -> list[int]:
        return [covered(summary) for _, summary in self._done[variant]]

    def rows(self) -> Iterable[str]:
        """One per variant, for the table of all."""
        for variant in self.variants:
            name = self.subject if variant == self.variants[0] else ""
            yield row(name, variant, *(self._cells(variant) if self._done[variant] else ["-"] * 6))

    def _cells(self, variant: str) -> Iterable[object]:
        done, branches = self._done[variant], self.branches(variant)
        others = set[str]().union(*(self.unions[other] for other in self.variants if other != variant))
        errors = {(e["kind"], e["file"], e["line"]) for _, summary in done for e in summary["errors"]}
        yield f"{mean(branches):,.1f}"
        yield ", ".join(map(str, branches))
        yield len(self.unions[variant] - others)
        yield number(mean(self._bench.states(plan) for plan, _ in done))
        yield number(mean(summary["states"]["peak"] for _, summary in done))
        yield len(errors)

    def against(self, one: str, other: str) -> str:
        """Two variants, with the seeds that both have."""
        seeds = {plan.seed for plan, _ in self._done[one]} & {plan.seed for plan, _ in self._done[other]}
        if not seeds:
            return row(self.subject, *["-"] * 6)
        first, second = (
            {plan.seed: covered(summary) for plan, summary in self._done[variant] if plan.seed in seeds}
            for variant in (one, other)
        )
        change = 100 * (mean(first.values()) / mean(second.values()) - 1)
        wins = sum(first[seed] > second[seed] for seed in seeds), sum(first[seed] < second[seed] for seed in seeds)
        only = len(self.unions[one] - self.unions[other]), len(self.unions[other] - self.unions[one])
        states = [mean(self._bench.states(p) for p, _ in self._done[v] if p.seed in seeds) for v in (one, other)]
        fewer = f"{states[1] / states[0]:.1f}" if states[0] else "-"
        p = compare([*first.values()], [*second.values()]).p
        return row(self.subject, f"{change:+.1f} %", f"{wins[0]} : {wins[1]}", f"{p:.2f}", *only, fewer)


def print_tables(comparisons: Sequence[Comparison], variants: Sequence[str]) -> None:
    columns = ("branches", "by seed", "only here", "states", "peak states", "errors")
    print(head("program", "pruning", *columns))
    for each in comparisons:
        print("\n".join(each.rows()))
    for other in (each for each in variants if each != "homi" and "homi" in variants):
        print(f"\nHomi against `{other}`: *seeds* are those with which the one and the other covered more, *p* is")
        print("Mann-Whitney's (two-sided).\n")
        columns = ("branches", "seeds", "p", "only homi", f"only {other}", "times fewer states")
        print(head("program", *columns))
        for each in comparisons:
            print(each.against("homi", other))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--root", type=Path, required=True, help="where the subjects' bitcode is")
    parser.add_argument("--output", type=Path, default=Path("homi-results"))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    parser.add_argument("--search", default=" ".join(SEARCHES), help="strategies to choose from; a,b takes turns")
    parser.add_argument("--variants", default=" ".join(VARIANTS))
    parser.add_argument("--at-most", type=float, default=1e9, help="seconds after which no further run begins")
    parser.add_argument("--table", action="store_true", help="print what there is, run nothing")
    parser.add_argument("subjects", nargs="*", default=[*SUBJECTS], help="each with =SEARCH if the best one is known")
    chosen = parser.parse_args()
    bench, end = Bench(chosen.root, chosen.output, chosen.seconds), time.monotonic() + chosen.at_most
    variants = chosen.variants.split()
    seeds = range(chosen.first_seed, chosen.first_seed + chosen.seeds)
    known = dict(subject.partition("=")[::2] for subject in chosen.subjects)
    tried = {subject: search.split() or chosen.search.split() for subject, search in known.items()}

    def run(plans: Iterable[Plan]) -> None:
        if not chosen.table:
            run_all(bench, plans, chosen.jobs, end)

    several = {subject: searches for subject, searches in tried.items() if len(searches) > 1}
    run(Plan(subject, search, "none", 0) for subject, searches in several.items() for search in searches)
    best = {subject: best_search(bench, subject, searches) for subject, searches in tried.items()}
    # By seed, so that a table made half-way compares equals.
    run(Plan(each, best[each], variant, seed) for seed in seeds for each in known for variant in variants)
    print_tables([Comparison(bench, each, best[each], variants, seeds) for each in known], variants)


if __name__ == "__main__":
    main()
