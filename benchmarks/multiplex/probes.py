"""What a traced run costs, and an untraced one of the same input by the same worker (`Worker.probe`).

    python benchmarks/multiplex/probes.py [--seconds 0.25] [NAME ...]

For every program of the two groups in this folder: microseconds per run as Python sees it, over the seed file with two
bytes changed at random, or over random numbers.  Both must enter the same blocks, which is checked.
"""

from __future__ import annotations

import argparse
import random
import struct
import time
from collections.abc import Callable
from pathlib import Path

from cinquefoil.build.program import load_program
from cinquefoil.machine.image import build_image
from cinquefoil.machine.run import path_key
from cinquefoil.machine.worker import Worker

HERE = Path(__file__).resolve().parent
NUMBERS = 24


def inputs(path: Path, rng: random.Random, count: int = 60) -> list[bytes]:
    seed = path.with_suffix(".seed")
    if not seed.exists():
        return [struct.pack(f"<{NUMBERS}d", *(rng.uniform(-10, 10) for _ in range(NUMBERS))) for _ in range(count)]
    data = bytes.fromhex(seed.read_text())
    return [data, *(_changed(data, rng) for _ in range(count))]


def _changed(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(2):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def microseconds(run: Callable[[bytes], object], witnesses: list[bytes], seconds: float) -> float:
    count, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        run(witnesses[count % len(witnesses)])
        count += 1
    return (time.perf_counter() - start) / count * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=0.25)
    parser.add_argument("names", nargs="*")
    chosen = parser.parse_args()
    print(f"{'program':14} traced us  untraced us  ratio")
    for path in sorted([*HERE.glob("parsers/*.c"), *HERE.glob("algebra/*.c")]):
        if chosen.names and path.stem not in chosen.names:
            continue
        witnesses = inputs(path, random.Random(1))
        with Worker(build_image(load_program(path), blocks=True)) as worker:
            for witness in witnesses:
                probe = worker.probe(witness)
                assert probe is not None and probe.path == path_key(worker.run(witness).trace.tobytes())
            traced, plain = (microseconds(run, witnesses, chosen.seconds) for run in (worker.run, worker.probe))
        print(f"{path.stem:14} {traced:9.0f} {plain:12.0f} {traced / plain:6.1f}", flush=True)


if __name__ == "__main__":
    main()
