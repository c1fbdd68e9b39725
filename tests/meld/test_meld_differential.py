"""A melded program does what the original does, and LLVM accepts it."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from branching import Branching, program
from melding import Native, cleaned, melded

from cinquefoil.build import bitcode
from cinquefoil.build.program import LinkedProgram, load_program
from cinquefoil.explore import Coverage, Exploration, Options
from cinquefoil.explore.engine import WorkerSolver
from cinquefoil.machine.image import build_image
from cinquefoil.machine.worker import Worker
from cinquefoil.transform.meld.options import MeldOptions
from cinquefoil.transform.meld.program import meld_program


def inputs(seed: int, count: int) -> list[bytes]:
    """Bytes of which many are small or equal: what conditions look at."""
    rng = random.Random(seed)
    kinds = (lambda: rng.randrange(256), lambda: rng.randrange(4), lambda: 0, lambda: 255)
    return [bytes(rng.choice(kinds)() for _ in range(16)) for _ in range(count)]


@pytest.mark.parametrize(
    ("first", "kind"),
    [
        *((0, ""), (1000, ""), (4000, "wild"), (6000, "twins"), (7000, "twins")),
        *(pytest.param(first, kind, marks=pytest.mark.slow) for first in (2000, 8000) for kind in ("wild", "twins")),
    ],
)
def test_generated_functions_give_the_same_results(first: int, kind: str, tmp_path: Path) -> None:
    seeds = range(first, first + 30)
    module = cleaned(program(seeds, kind=kind), tmp_path)
    text, report = melded(module)
    kinds = [region.kind for region in report.regions]
    assert {"if-then", "if-then-else", "region", "chain"} <= set(kinds) and len(kinds) > 100
    assert kind != "twins" or kinds.count("isomorphic") > 10
    before, after = Native(str(bitcode.read(module))), Native(text)
    for seed in seeds:
        for data in inputs(seed, 40):
            assert before.run(f"f{seed}", data) == after.run(f"f{seed}", data), (seed, data.hex())


def test_aligned_instructions_become_one(tmp_path: Path) -> None:
    source = """
    #include <klee/klee.h>
    void f(unsigned char *in, int *out) { if (in[0]) out[3] = in[1] * 5 + 1; else out[3] = in[1] * 7 + 2; }
    int main(void) { unsigned char in[16]; int out[16]; klee_make_symbolic(in, 16, "in"); f(in, out); return 0; }
    """
    module = cleaned(source, tmp_path)
    text, report = melded(module)
    (region,) = report.regions
    assert region.kind == "if-then-else" and region.figures.dead == 0 and region.figures.selects == 2
    body = text[text.index("@f(") : text.index("@main(")]
    assert body.count("store i32") == 1 and body.count("mul i32") == 1 and "br i1" not in body
    before, after = Native(str(bitcode.read(module))), Native(text)
    assert all(before.run("f", data) == after.run("f", data) for data in inputs(1, 50))


def test_both_source_lines_of_a_merged_instruction_are_kept(tmp_path: Path) -> None:
    source = """#include <klee/klee.h>
    int main(void) { unsigned char in[2]; int out = 0; klee_make_symbolic(in, 2, "in");
      if (in[0])
        out = in[1] * 5;
      else
        out = in[1] * 7;
      return out & 1; }
    """
    text, _ = melded(cleaned(source, tmp_path))
    product = next(line for line in text.splitlines() if " = mul " in line)
    chain, number = [], product.rsplit("!dbg !", 1)[1].split(",")[0]
    while number:
        node = next(line for line in text.splitlines() if line.startswith(f"!{number} = "))
        chain.append(int(node.split("line: ")[1].split(",")[0].rstrip(")")))
        number = node.split("inlinedAt: !")[1].rstrip(")") if "inlinedAt" in node else ""
    assert chain[0] == 1 and chain[1:] == [4, 6]  # region 1, then the lines


def explored(linked: LinkedProgram) -> tuple[list[bytes], Worker]:
    """A witness for every path, and the worker that ran them."""
    image = build_image(linked)
    worker = Worker(image)
    solver = WorkerSolver(worker)
    outcome = Exploration(worker, solver, Options(every_path=True, max_paths=3000, variants=False), image.graph).run()
    solver.close()
    assert outcome.exhausted
    return [test.witness for test in outcome.tests], worker


def figures(worker: Worker, witness: bytes) -> tuple[int, object, list[tuple[str, int]]]:
    """Exit status, coverage figures and covered lines of one run."""
    coverage = Coverage(worker.sites, worker.image.graph)
    run = worker.run(witness)
    assert run.end == "exit" and isinstance(run.covered, np.ndarray)
    coverage.add(run)
    return run.code, coverage.figures(), sorted(place for place, hit in coverage.lines().items() if hit)


@pytest.mark.parametrize(("seed", "kind"), [(3, ""), (11, ""), (27, "wild"), (30, "wild")])
def test_every_path_ends_alike_and_covers_the_same(seed: int, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(program(range(seed, seed + 1), inputs=2, kind=kind))
    linked = load_program(path, ("-w",))
    witnesses, original = explored(linked)
    more, changed = explored(meld_program(linked, MeldOptions("all")).program)
    with original, changed:
        assert len(more) < len(witnesses)
        for witness in {*witnesses, *more}:
            assert figures(original, witness) == figures(changed, witness)


def test_the_generator_is_deterministic() -> None:
    assert Branching(5).text == Branching(5).text != Branching(6).text
