"""Untraced runs: the same blocks and the same end as traced ones, and nothing else."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from cinquefoil.build.program import load_program
from cinquefoil.machine.environment import parse_arguments
from cinquefoil.machine.image import build_image
from cinquefoil.machine.run import path_key
from cinquefoil.machine.worker import Worker

OBJECTS = """
#include <klee/klee.h>
#include <stdlib.h>
_Bool __VERIFIER_nondet_bool(void);
int main(int argc, char **argv) {
    unsigned char data[4];
    klee_make_symbolic(data, sizeof data, "data");
    int *cell = malloc(4), n = klee_int("n"), r = klee_range(-2, 9, "r");
    if (n == 7) return 1;
    if (r > 5) return 2;
    if (__VERIFIER_nondet_bool()) return 3;
    for (int i = 0; i < data[0] % 5; i++) *cell = i;
    return data[1] > 200 ? ((char *)cell)[data[2]] : 5;
}
"""
TEXT = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    char line[8] = "";
    if (argc > 1 && argv[1][0] == 'x') return strlen(argv[1]);
    if (!fgets(line, sizeof line, stdin)) return 20;
    return strtol(line, 0, 10) > 50 ? 21 : line[0] == 'q' ? 22 : 23;
}
"""


def objects(rng: random.Random) -> bytes:
    """data, n, r and the truth value."""
    numbers = struct.pack("<ii", rng.choice((7, 0, 0, 0, 1 << 20)), rng.choice((-3, -2, 0, 0, 0, 5, 6, 8, 9)))
    return rng.choice((rng.randbytes(4), bytes([rng.randrange(256), 230, 2, 0]))) + numbers + bytes([rng.randrange(8)])


def text(rng: random.Random) -> bytes:
    """The number of arguments, the argument and standard input."""
    return bytes([rng.randrange(2), 0, 0, 0]) + bytes(rng.choice(b"x1579q\0\n") for _ in range(11))


@pytest.mark.parametrize(
    ("source", "make", "arguments"),
    [(OBJECTS, objects, ""), (TEXT, text, "--sym-args 0 1 3 --sym-stdin 6")],
)
def test_a_probe_goes_where_the_traced_run_goes(
    source: str, make: Callable[[random.Random], bytes], arguments: str, tmp_path: Path
) -> None:
    path, rng = tmp_path / "program.c", random.Random(3)
    path.write_text(source)
    image = build_image(load_program(path), blocks=True)
    ends, paths = set[tuple[str, int]](), set[int]()
    with Worker(image, parse_arguments(arguments.split(), "program")) as worker:
        for witness in (make(rng) for _ in range(150)):
            probe, run, again = worker.probe(witness), worker.run(witness), worker.probe(witness)
            assert probe is not None and again is not None
            assert (probe.end, probe.path) == (run.end, path_key(run.trace.tobytes())) == (again.end, again.path)
            assert probe.covered.tolist() == run.covered.tolist()
            ends.add((run.end, run.code))
            paths.add(probe.path)
    assert len(ends) > 4 and len(paths) > 4


def test_a_probe_traces_nothing(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(OBJECTS)
    image = build_image(load_program(path), blocks=True)
    with Worker(image) as worker:
        worker.run(b"\x03\xff\x01")
        nodes, epoch = int(worker.memory.control["nodes"][0]), worker.epoch
        for byte in range(100):
            worker.probe(bytes([byte, 255 - byte, byte]))
            assert int(worker.memory.control["events"][0]) == 0
        after = worker.run(b"\x03\xff\x01")
        assert int(worker.memory.control["nodes"][0]) < nodes + 100, "constants at most"
        assert worker.epoch == epoch and len(after.events) > 4
