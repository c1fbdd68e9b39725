"""All subjects, or some, explored one after the other; what came of each in a table.

    python benchmarks/measure_subjects.py --seconds 60 --out results            # all
    python benchmarks/measure_subjects.py --klee --seconds 60 --out results     # the fourteen that KLEE was measured on

Every subject runs in a process of its own (`cinq subjects run NAME --json`), so that its memory is its own, and leaves
`NAME.json` in the folder; those that are there already are not run again.  A subject that fails leaves the reason in
`NAME.failed` and is run again the next time.

KLEE's figures are branches by gcov, the best of three configurations (default, bfs, Empc's fork) after 60 s with the
same arguments; `floor` is what one trivial test reaches.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

from cinquefoil.experiment.subjects.recipe import choose, read_recipes


class Klee(NamedTuple):
    best: int
    floor: int


KLEE = {
    "bc": Klee(193, 128),
    "make": Klee(776, 1045),
    "tiffinfo": Klee(188, 79),
    "echo": Klee(61, 9),
    "cat": Klee(118, 25),
    "wc": Klee(182, 64),
    "tr": Klee(205, 7),
    "od": Klee(246, 79),
    "expr": Klee(97, 3),
    "factor": Klee(95, 10),
    "sort": Klee(319, 119),
    "cut": Klee(167, 3),
    "join": Klee(143, 8),
    "printf": Klee(171, 4),
}


def main() -> None:
    options = parsed()
    wanted = list(KLEE) if options.klee else options.names or ["all"]
    options.out.mkdir(parents=True, exist_ok=True)
    rows: dict[str, dict[str, Any]] = {}
    for recipe, program in choose(read_recipes(options.recipes), wanted):
        name = f"{recipe.name}/{program.name}"
        found = measured(name, program.name, options)
        if found is not None:
            rows[program.name] = found
            print(line(program.name, found), flush=True)
    if rows:
        print(summary(rows))


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="subjects; all by default")
    parser.add_argument("--klee", action="store_true", help="only those that KLEE was measured on")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall", help="what the seconds are")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--search", action="append", default=[], help="as for cinq run")
    parser.add_argument("--recipes", type=Path)
    parser.add_argument("--out", type=Path, default=Path("subject-results"))
    parser.add_argument("--before", default="", help="command to put before each run, such as a queue for processors")
    return parser.parse_args()


def measured(name: str, short: str, options: argparse.Namespace) -> dict[str, Any] | None:
    """The figures of a subject, from the folder if they are there."""
    kept, failed = options.out / f"{short}.json", options.out / f"{short}.failed"
    if not kept.exists():
        shutil.rmtree(options.out / "tests" / short, ignore_errors=True)  # of a run that was cut off
        done = run(name, short, options)
        if done.returncode not in (0, 1) or not done.stdout.startswith("{"):
            failed.write_text(done.stderr)
            print(f"{short}: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else 'failed'}", flush=True)
            return None
        kept.write_text(done.stdout)
        failed.unlink(missing_ok=True)
    return json.loads(kept.read_text())


def run(name: str, short: str, options: argparse.Namespace) -> subprocess.CompletedProcess[str]:
    call = "from cinquefoil.cli.main import main; main()"
    words = [*options.before.split(), sys.executable, "-c", call, "subjects", "run", name, "--json"]
    words += ["--max-time", f"{options.seconds}s", "--clock", options.clock, "--seed", str(options.seed)]
    words += [word for search in options.search for word in ("--search", search)]
    words += ["-o", str(options.out / "tests" / short)]
    if options.recipes:
        words += ["--recipes", str(options.recipes)]
    return subprocess.run(words, capture_output=True, text=True, check=False, env=os.environ)


def line(name: str, found: dict[str, Any]) -> str:
    paths, gcov, agreement = found["paths"], found["gcov"], found["gcov"]["agreement"]
    differing = len(agreement["engine"]) + len(agreement["native"])
    share = 100 * differing / max(1, agreement["lines"])
    klee = f" KLEE {KLEE[name].best} ({gcov['branches'][0] / KLEE[name].best:.2f}x)" if name in KLEE else ""
    return (
        f"{name:20} lines {pair(gcov['lines'])} branches {pair(gcov['branches'])}{klee}"
        f" blocks {found['coverage']['blocks'][0]} paths {paths['completed'] + paths['error']}"
        f" diverged {paths['diverged']} died {paths['died']} undecided {paths['unknown']}"
        f" errors {len(found['errors'])} unsupported {len(found['unsupported'])}"
        f" memory {found['memory'] >> 20} MiB lines that differ {differing} ({share:.1f} %)"
    )


def pair(figures: list[int]) -> str:
    return f"{figures[0]}/{figures[1]}"


def summary(rows: dict[str, dict[str, Any]]) -> str:
    known = [name for name in rows if name in KLEE]
    text = f"{len(rows)} subjects, {sum(row['paths']['diverged'] for row in rows.values())} divergences"
    if known:
        ratios = [rows[name]["gcov"]["branches"][0] / KLEE[name].best for name in known]
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        behind = [name for name, ratio in zip(known, ratios, strict=True) if ratio < 1]
        text += (
            f"; {mean:.2f} times KLEE's branches in the geometric mean of {len(known)}, behind on {behind or 'none'}"
        )
    return text


if __name__ == "__main__":
    main()
