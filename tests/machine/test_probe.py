"""Untraced runs: the same blocks and the same end as traced ones, and nothing else."""

from __future__ import annotations

import random
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


def inputs(rng: random.Random) -> list[bytes]:
    plain = [rng.randbytes(24) for _ in range(60)]
    small = [bytes(rng.choice((0, 0, 1, 7, 55, 113, 120)) for _ in range(24)) for _ in range(60)]
    return [b"", *plain, *small]


@pytest.mark.parametrize(
    ("source", "arguments"), [(OBJECTS, ()), (TEXT, ("--sym-args", "0", "1", "3", "--sym-stdin", "6"))]
)
def test_a_probe_goes_where_the_traced_run_goes(source: str, arguments: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(source)
    image = build_image(load_program(path), blocks=True)
    ends, paths = set[tuple[str, int]](), set[int]()
    with Worker(image, parse_arguments(arguments, "program")) as worker:
        for witness in inputs(random.Random(3)):
            probe = worker.probe(witness)
            run = worker.run(witness)
            again = worker.probe(witness)
            assert probe is not None
            assert probe == again
            assert (probe.end, probe.path) == (run.end, path_key(run.trace.tobytes()))
            ends.add((run.end, run.code))
            paths.add(probe.path)
    assert len(ends) > 4 and len(paths) > 5


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
