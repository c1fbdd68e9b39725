"""What a pruning costs: scoring and choosing among many states, and searches that drown.

    python benchmarks/pruning.py [--states 100000] [--seconds 12] [--seeds 3] [PROGRAM ...]

The first part scores states of made-up runs as Homi does.  The second explores programs of pruning/ whose states
multiply with every byte of the input, with and without pruning, and tells when each reached the goal."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

import cinquefoil
from cinquefoil.prune.api import Conditions, Pending
from cinquefoil.prune.scoring import scores

FOLDER = Path(__file__).resolve().parent / "pruning"


def pending(states: int, runs: int, features: int, per_run: int) -> Pending:
    """States of made-up runs with 5,000 events each."""
    rng = np.random.default_rng(0)
    paths = [
        Conditions(np.sort(rng.choice(5000, per_run, False)), rng.choice(features, per_run, False).astype(np.int32) + 1)
        for _ in range(runs)
    ]
    row = np.sort(rng.integers(0, runs, states))
    flips = rng.integers(0, features + 1, states).astype(np.int32)
    return Pending(row, rng.integers(0, 5000, states), flips, paths)


def measure_scoring(states: int) -> None:
    for runs, features, per_run in ((500, 100, 20), (5000, 1000, 60), (20000, 2000, 100)):
        made = pending(states, runs, features, per_run)
        weights = np.concatenate(([0.0], np.random.default_rng(1).uniform(-1, 1, features)))
        begun = time.process_time()
        np.argsort(scores(made, weights), kind="stable")
        spent = 1e3 * (time.process_time() - begun)
        print(f"  {states} states of {runs:5} runs, {features:4} features, {per_run:3} on a path: {spent:6.1f} ms")


def measure_program(name: str, search: str, seconds: float, seeds: int, prunes: list[str]) -> None:
    for prune in prunes:
        for seed in range(seeds):
            outcome = cinquefoil.explore(
                FOLDER / f"{name}.c",
                search=search,
                prune=prune,
                seed=seed,
                max_time=seconds,
                clock="cpu",
                max_errors=1,
            )
            goal = f"goal after {outcome.seconds:5.1f} s" if outcome.errors else "goal not reached"
            covered, paths = outcome.coverage.branches[0], outcome.statistics.paths
            print(
                f"  {prune:14} seed {seed}: {goal}, {covered} branches, {paths} paths, peak {outcome.peak} states",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--states", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=12)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--search", default="random-state")
    parser.add_argument("--prune", default="none homi homi:unlearned random restart")
    parser.add_argument("programs", nargs="*", default=["vault"])
    chosen = parser.parse_args()
    print("scoring and choosing:")
    measure_scoring(chosen.states)
    for name in chosen.programs:
        print(f"{name}, with {chosen.search} search:")
        measure_program(name, chosen.search, chosen.seconds, chosen.seeds, chosen.prune.split())


if __name__ == "__main__":
    main()
