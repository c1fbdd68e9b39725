"""Multiplexing from end to end: the paper's example with one solver call, statistics, determinism, workers."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest

import cinquefoil
from cinquefoil.build.program import load_program
from cinquefoil.errors import UserError
from cinquefoil.exploration import Exploration, Options
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.machine.image import Image, build_image
from cinquefoil.machine.worker import Worker
from cinquefoil.solver.chain import Chain
from cinquefoil.solver.multiplex.attempt import Instance
from cinquefoil.solver.multiplex.descent import DescentInstance
from cinquefoil.solver.multiplex.linear import SimplexInstance
from cinquefoil.solver.multiplex.portfolio import MultiplexLayer

FIGURE_TWO = Path(__file__).parent.parent / "programs" / "multiplex" / "figure2.c"
QR = Path(__file__).parents[2] / "benchmarks" / "multiplex" / "algebra" / "qr.c"
MAGIC = """
#include <klee/klee.h>
#include <string.h>
static const unsigned char table[256] = {['a'] = 3, ['b'] = 5, ['c'] = 9};
int main(void) {
    unsigned char data[12];
    klee_make_symbolic(data, sizeof data, "data");
    unsigned length = data[0] | data[1] << 8 | data[2] << 16, sum = 0;
    if (length < 100) return 1;
    if (length > 70000) return 2;
    for (int i = 3; i < 9; i++) {
        sum += table[data[i]];
        if (sum > 20) return 3;
    }
    if (sum == 17) return 4;
    if (data[9] * 2 + data[10] * 3 == length % 1000) return 5;
    return 0;
}
"""
HARD = """
#include <klee/klee.h>
int main(void) {
    struct { double x, y; int a, b, c; } in;
    int result = 0;
    klee_make_symbolic(&in, sizeof in, "in");
    if (in.x * in.x + in.y > 3 && in.x < in.y) result += 1;
    if (2 * in.a - 3 * in.b == 77 && in.a + in.b < in.c) result += 2;
    if ((in.a ^ in.c) * (unsigned)in.b == 391) result += 4;
    return result;
}
"""


def figure_two(number: str) -> Image:
    return build_image(load_program(FIGURE_TWO, (f"-DNUMBER={number}",)), blocks=True)


@pytest.mark.parametrize(
    ("number", "letter", "instance"),
    [("int", "i", SimplexInstance()), ("double", "d", DescentInstance())],
)
def test_one_call_explores_all_four_paths(number: str, letter: str, instance: Instance) -> None:
    image = figure_two(number)
    with Worker(image) as worker:
        memory = worker.expressions
        table = ExpressionTable(memory.nodes, memory.tables, memory.pool)
        chain = Chain(table, (lambda below: MultiplexLayer([instance], below),))
        exploration = Exploration(worker, chain, Options(search=("dfs",), every_path=True), image.graph)
        exploration.execute(struct.pack(f"<{letter}{letter}", 1, 3), None)  # the paper's first input
        assert exploration.statistics.paths == 1
        exploration.step()
        calls = chain.statistics()[f"multiplex:{instance.name}"]
        ends = {test.witness for test in exploration.findings.tests.values()}
        codes = {worker.run(witness).code for witness in ends}
        chain.close()
    assert calls.queries == 1
    assert exploration.statistics.queries == 1
    assert codes == {1, 2, 3, 4}
    assert calls.partial_runs == 2 and calls.partial_won > 0


def explored(program: Path, folder: Path, **options: object) -> dict[str, Any]:
    cinquefoil.explore(program, search="dfs", output=folder, max_paths=60, **options)  # type: ignore[arg-type]
    return json.loads((folder / "summary.json").read_text())


@pytest.fixture
def magic(tmp_path: Path) -> Path:
    path = tmp_path / "magic.c"
    path.write_text(MAGIC)
    return path


def written(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted((folder / "tests").iterdir())]


def test_the_same_seed_gives_the_same_tests(magic: Path, tmp_path: Path) -> None:
    every = ("simplex", "arrays", "descent", "sweep")
    for name in ("one", "two"):
        explored(magic, tmp_path / name, multiplex=every, seed=5)
    assert written(tmp_path / "one") == written(tmp_path / "two")


def test_the_summary_tells_what_multiplexing_did(magic: Path, tmp_path: Path) -> None:
    summary = explored(magic, tmp_path / "out", multiplex=("sweep",))
    told = summary["multiplex"]
    assert isinstance(told, dict)
    sweep = told["instances"]["sweep"]
    assert told["runs"] == sweep["partial_runs"] > 0
    assert 0 < told["paths"] <= told["runs"]
    assert sweep["partial"] >= sweep["partial_runs"] and sweep["queries"] > 0 and sweep["nanoseconds"] > 0
    assert told["won"] > 0


def test_partial_solutions_are_screened_before_any_is_traced(magic: Path, tmp_path: Path) -> None:
    told = explored(magic, tmp_path / "out", multiplex=("simplex", "descent", "sweep"))["multiplex"]
    assert isinstance(told, dict)
    assert told["probes"] == told["runs"] + told["dropped"]
    assert told["dropped"] > 0
    assert told["paths"] > 0.9 * told["runs"], "few traced runs are in vain"


def test_every_decision_of_the_portfolio_is_told(tmp_path: Path) -> None:
    path = tmp_path / "hard.c"
    path.write_text(HARD)
    summary = explored(path, tmp_path / "out", multiplex=("simplex", "arrays", "descent"), max_time=5, clock="cpu")
    told = summary["multiplex"]
    assert isinstance(told, dict)
    for name, counts in told["instances"].items():
        classes = counts.pop("classes")
        assert counts["queries"] == 0 or classes, name
        for what, total in counts.items():
            assert sum(each[what] for each in classes.values()) == total, (name, what)
    firsts = sum(counts["first"] for counts in told["instances"].values())
    assert 0 < firsts <= summary["solver"]["layers"]["multiplex"]["queries"], "one of them is first, if any is asked"


def test_floating_point_goes_to_smt_only_after_descent_has_failed(tmp_path: Path) -> None:
    layers = {
        name: explored(QR, tmp_path / name, multiplex=wanted, max_time=1.5, clock="cpu")["solver"]["layers"]
        for name, wanted in (("auto", ("auto",)), ("none", ()))
    }
    descent = layers["auto"]["multiplex"]
    assert descent["sat"] > 0
    assert layers["auto"]["smt"]["queries"] <= descent["unknown"]
    assert layers["none"]["smt"]["queries"] > 0


def test_workers_multiplex_too(magic: Path, tmp_path: Path) -> None:
    summary = explored(magic, tmp_path / "out", multiplex=("sweep", "descent"), workers=2)
    told = summary["multiplex"]
    assert isinstance(told, dict)
    assert told["runs"] > 0
    assert told["instances"]["sweep"]["partial_runs"] > 0


def test_an_unknown_instance_is_refused(magic: Path) -> None:
    with pytest.raises(UserError, match="no multiplexing solver 'magic'"):
        cinquefoil.explore(magic, multiplex=("magic",))
