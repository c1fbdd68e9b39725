"""What a pruning costs: scoring and choosing among many states, and a search that drowns.

    python benchmarks/pruning.py [--states 100000]

The first part scores states of made-up runs as Homi does.  The second explores pruning/maze.c, whose states double with
every byte of the input, with and without Homi, and tells how far each got."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

import cinquefoil
from cinquefoil.prune.api import Conditions, Pending
from cinquefoil.prune.scoring import scores

MAZE = Path(__file__).resolve().parent / "pruning" / "maze.c"


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
        begun = time.perf_counter()
        np.argsort(scores(made, weights), kind="stable")
        spent = 1e3 * (time.perf_counter() - begun)
        print(f"  {states} states of {runs:5} runs, {features:4} features, {per_run:3} on a path: {spent:6.1f} ms")


def measure_maze(seconds: float, seeds: int) -> None:
    for prune in ("none", "homi", "random"):
        for seed in range(seeds):
            outcome = cinquefoil.explore(
                MAZE, search="random-state", prune=prune, seed=seed, max_time=seconds, clock="cpu", max_errors=1
            )
            goal = f"goal after {outcome.seconds:5.1f} s" if outcome.errors else "goal not reached"
            print(f"  {prune:7} seed {seed}: {goal}, branches {outcome.coverage.branches}, peak {outcome.peak} states")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--states", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--seeds", type=int, default=3)
    chosen = parser.parse_args()
    print("scoring and choosing:")
    measure_scoring(chosen.states)
    print("the maze, with random-state search:")
    measure_maze(chosen.seconds, chosen.seeds)


if __name__ == "__main__":
    main()
