"""Coverage over time with and without melding (CFMSE, section 5.4).

    python benchmarks/meld_coverage.py -o FOLDER [--seconds 60] [--seeds 3] [--mode auto] PROGRAM [ARGS ...]

Explores PROGRAM with each seed, once as it is and once melded, for the same processor time, and writes to FOLDER the
result folders, `coverage.csv` (seconds, covered lines, blocks and branch directions of every run) and `coverage.svg`
(median of covered lines over time).  PROGRAM and ARGS are as of `cinq run`; for the paper's subjects: chcon of
coreutils with `--sym-args 0 1 10 --sym-args 0 2 2 --sym-files 1 8 --sym-stdin 8`, drivers of libosip2 and libtasn1.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from statistics import median

_WIDTH, _HEIGHT, _EDGE = 720, 400, 50
_COLOURS = {"plain": "#888888", "melded": "#1f6fb4"}
Series = list[tuple[float, int]]


def explore(folder: Path, seed: int, meld: list[str], seconds: float, program: list[str]) -> list[dict[str, str]]:
    """The rows of stats.csv of one exploration."""
    command = [sys.executable, "-m", "cinquefoil.cli", "run", "--clock", "cpu", "--max-time", f"{seconds}s"]
    command += ["--no-mutations", "--no-report", "--seed", str(seed), "-o", str(folder), *meld, *program]
    done = subprocess.run(command, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"exploring failed with status {done.returncode}")
    with (folder / "stats.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def covered_at(series: Series, second: float) -> int:
    return max((lines for at, lines in series if at <= second), default=0)


def curve(runs: Iterable[Series], seconds: float) -> Series:
    """The median over runs, at a hundred moments."""
    every = list(runs)
    moments = [seconds * n / 100 for n in range(101)]
    return [(at, int(median(covered_at(series, at) for series in every))) for at in moments]


def drawing(curves: dict[str, Series], seconds: float) -> str:
    top = max((lines for series in curves.values() for _, lines in series), default=1) or 1
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" font-family="sans-serif">']
    lines.append(f'<text x="{_EDGE}" y="20">covered lines over {seconds:g} s of processor time (at most {top})</text>')
    for number, (name, series) in enumerate(curves.items()):
        points = " ".join(
            f"{_EDGE + (_WIDTH - 2 * _EDGE) * at / seconds:.1f},{_HEIGHT - _EDGE - (_HEIGHT - 2 * _EDGE) * b / top:.1f}"
            for at, b in series
        )
        colour = _COLOURS[name]
        lines.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        lines.append(f'<text x="{_WIDTH - 120}" y="{_HEIGHT - 80 + 20 * number}" fill="{colour}">{name}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--mode", default="auto")
    parser.add_argument("program", nargs=argparse.REMAINDER)
    given = parser.parse_args()
    given.output.mkdir(parents=True, exist_ok=True)
    runs: dict[str, list[Series]] = {"plain": [], "melded": []}
    with (given.output / "coverage.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["kind", "seed", "seconds", "lines", "blocks", "branches"])
        for seed in range(given.seeds):
            for kind, meld in (("plain", []), ("melded", [f"--meld={given.mode}"])):
                rows = explore(given.output / f"{kind}-{seed}", seed, meld, given.seconds, given.program)
                runs[kind].append([(float(row["seconds"]), int(row["lines"])) for row in rows])
                columns = ("seconds", "lines", "blocks", "branches")
                table.writerows([kind, seed, *(row[name] for name in columns)] for row in rows)
    curves = {kind: curve(series, given.seconds) for kind, series in runs.items()}
    (given.output / "coverage.svg").write_text(drawing(curves, given.seconds))
    print({kind: series[-1][1] for kind, series in curves.items()})


if __name__ == "__main__":
    main()
