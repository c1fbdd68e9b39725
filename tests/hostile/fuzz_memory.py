"""Mutated shared memories: what a worker leaves is changed at random, taken in, and followed if it is accepted.

Run by `test_fuzzed_memory.py` with the engine's C under sanitizers; by hand: `fuzz_memory.py COUNT SEED`."""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

from cinquefoil import layout
from cinquefoil.build.program import load_program
from cinquefoil.errors import UntrustedWorker
from cinquefoil.exploration.runs.remarks import Teller
from cinquefoil.expr.constraint import Constraint
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import EventKind
from cinquefoil.machine.image import build_image
from cinquefoil.machine.shared import counter
from cinquefoil.machine.worker import Worker
from cinquefoil.solver.api import Prefix, Query
from cinquefoil.solver.chain import make_chain

PROGRAM = """
#include <klee/klee.h>
static const unsigned short squares[16] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225};
int main(void) {
    unsigned char c[6];
    float d;
    klee_make_symbolic(c, sizeof c, "c");
    klee_make_symbolic(&d, sizeof d, "d");
    unsigned char own[8] = {c[0], c[1], 3, c[2]};
    int result = squares[c[0] & 15] > 50;
    if (own[c[3] & 7] == 9) result += 2;
    if (d * 2 > 7.5f) result += 4;
    if (c[0] * 256 + c[1] == 4711) result += 32;
    switch (c[4]) { case 1: case 5: result += 8; break; case 7: result += 16; }
    klee_prefer_cex(c, c[0] > 3);
    klee_print_expr("sum", c[0] + c[1]);
    klee_stack_trace();
    return result;
}
"""
PARTS = {  # where each lies, and the bytes of one of it
    "nodes": (layout.SHM_NODES, layout.NODE.itemsize),
    "tables": (layout.SHM_TABLES, layout.TABLE.itemsize),
    "pool": (layout.SHM_POOL, 1),
    "alts": (layout.SHM_ALTS, 4),
    "events": (layout.SHM_EVENTS, layout.EVENT.itemsize),
    "trace": (layout.SHM_TRACE, 4),
    "remarks": (layout.SHM_REMARKS, layout.REMARK.itemsize),
}
SMALL = [0, 1, 2, 3, 7, 8, 16, 32, 64, 80, 127, 128, 129, 255]
DECIDED = (EventKind.BRANCH, EventKind.CHECK, EventKind.ASSUME)


class Fuzzer:
    """Mutates what one run left; every mutation is undone before the next."""

    def __init__(self, worker: Worker, seed: int) -> None:
        self.worker = worker
        self.random = random.Random(seed)
        self.counts = Counter[str]()
        counters = worker.memory.counters
        self.sizes = {name: counters[counter(name)] * item for name, (_, item) in PARTS.items()}

    def once(self) -> None:
        undo = [self._mutate() for _ in range(self.random.choice((1, 1, 1, 2, 3)))]
        try:
            self._follow()
            self.counts["accepted"] += 1
        except UntrustedWorker:
            self.counts["refused"] += 1
        for offset, before in reversed(undo):
            self.worker.memory.write(offset, before)

    def _mutate(self) -> tuple[int, bytes]:
        """Changes one value; where it was, and what it was before."""
        name = self.random.choice(["nodes", "nodes", "nodes", "events", *PARTS, "control"])
        if name == "control":
            offset, size = layout.SHM_CONTROL + 8 * self.random.randrange(len(self.worker.memory.counters)), 8
        else:
            size = self.random.choice((1, 2, 4, 8))
            offset = PARTS[name][0] + self.random.randrange(max(1, self.sizes[name]) // size + 1) * size
        before = self.worker.memory.read(offset, size)
        self.worker.memory.write(offset, self._value(before, size))
        return offset, before

    def _value(self, before: bytes, size: int) -> bytes:
        old, mask = int.from_bytes(before, "little"), (1 << 8 * size) - 1
        new = self.random.choice(
            (
                old ^ 1 << self.random.randrange(8 * size),
                old + self.random.choice((-1, 1)),
                self.random.choice(SMALL),
                self.random.getrandbits(8 * size),
                mask,
            )
        )
        return (new & mask).to_bytes(size, "little")

    def _follow(self) -> None:
        """As a worker's result is, and then as the solver does for every decision of the run."""
        expressions, memory = self.worker.expressions, self.worker.memory
        expressions.restart()
        _, _, count, length, *_, remarks = expressions.take()
        told = self.worker._remarks(remarks)
        events = np.frombuffer(bytearray(memory.view(layout.SHM_EVENTS, count * layout.EVENT.itemsize)), layout.EVENT)
        expressions.check(events, memory.trace[:length].copy())
        taken_in = expressions._native  # copies of just their size: the sanitizers see what reads beyond it
        nodes, tables = (
            expressions.nodes[: taken_in.node_count].copy(),
            expressions.tables[: taken_in.table_count].copy(),
        )
        table = ExpressionTable(nodes, tables, expressions.pool[: taken_in.pool_size].copy())
        chain = make_chain(table, time_limit=0.0)
        path: list[Constraint] = []
        for event in events[:64]:
            if int(event["kind"]) not in DECIDED:
                continue
            node, taken = int(event["expr"]), int(event["taken"])
            chain.solve(Query(Prefix.of(path), (Constraint(node, 1 - taken),), bytes(16)))
            path.append(Constraint(node, taken))
        chain.close()
        teller = Teller(self.worker._lost(b""), self.worker.sites, table, lambda count: path[:count])
        for remark in told:
            teller.tell(remark)


def main(count: int, seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "program.c"
        source.write_text(PROGRAM)
        image = build_image(load_program(source), blocks=True)
    with Worker(image) as worker:
        worker.run(bytes(10))
        fuzzer = Fuzzer(worker, seed)
        for _ in range(count):
            fuzzer.once()
    print(f"{fuzzer.counts['accepted']} accepted, {fuzzer.counts['refused']} refused")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
