"""A melded program does what the original does, and LLVM accepts it."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from branching_programs import Branching, program
from melding import Native, cleaned, melded

from cinquefoil.build import bitcode
from cinquefoil.build.program import LinkedProgram, load_program
from cinquefoil.exploration import Coverage, Exploration, Options
from cinquefoil.exploration.solving.worker_solver import WorkerSolver
from cinquefoil.machine.image import build_image
from cinquefoil.machine.worker import Worker
from cinquefoil.transform.meld.meld_options import MeldOptions
from cinquefoil.transform.meld.melded_program import meld_program


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
    assert lines_of(text, " = mul ") == [1, 4, 6]  # region 1, then the lines


def lines_of(text: str, instruction: str) -> list[int]:
    """The lines of the debug locations, one inlined at the other, of the first instruction that contains this."""
    lines = text.splitlines()
    number = next(line for line in lines if instruction in line).rsplit("!dbg !", 1)[1].split(",")[0]
    found: list[int] = []
    while number:
        node = next(line for line in lines if line.startswith(f"!{number} = "))
        found.append(int(node.split("line: ")[1].split(",")[0].rstrip(")")))
        number = node.split("inlinedAt: !")[1].rstrip(")") if "inlinedAt" in node else ""
    return found


TWINS = """#include <klee/klee.h>
int lengths[2] = {6, 3}; void f(unsigned char *in, int *out) {
  int n = lengths[0], s = 1;
  if (in[0] > 9)
    for (int i = 0; i < n; i++) { s += in[i + 1] * 3; out[i] ^= s; }
  else
    for (int i = 0; i < n; i++) { s += in[i + 1] * 5; out[i] ^= s; }
  out[9] = s;
}
int main(void) { unsigned char in[16]; int out[16]; klee_make_symbolic(in, 16, "in");
  for (int i = 0; i < 16; i++) out[i] = i * 37 - 100;
  f(in, out); return out[9] & 1; }
"""


def test_loops_of_the_same_shape_become_one_whatever_their_length(tmp_path: Path) -> None:
    module = cleaned(TWINS, tmp_path)
    text, report = melded(module)
    (region,) = report.regions
    assert region.kind == "isomorphic" and region.figures.dead == 0 and region.figures.selects == 1
    body = text[text.index("@f(") : text.index("@main(")]
    assert body.count("br i1") == 1 and body.count("mul i32") == 1 and body.count("store i32") == 2
    assert lines_of(body + text, " = mul ") == [1, 5, 7]
    before, after = Native(str(bitcode.read(module))), Native(text)
    assert all(before.run("f", data) == after.run("f", data) for data in inputs(1, 50))


@pytest.mark.parametrize(
    ("arm", "kind"),
    [
        ("for (int i = 0; i < m; i++) s += in[i + 1] * 5;", None),  # rounds differ, and no input decides on them
        ("for (int i = 0; i < 4; i++) if (i != m) out[i] += in[i + 1];", None),  # another shape, beside an open loop
        ("for (int i = 0; i < in[1] % 4; i++) s += in[i + 1] * 5;", "isomorphic"),  # rounds depend on input anyway
    ],
)
def test_loops_that_differ_are_left_unless_input_decides_on_their_rounds(
    arm: str, kind: str | None, tmp_path: Path
) -> None:
    loop = next(line for line in TWINS.splitlines() if "* 5" in line)
    source = TWINS.replace(loop, f"    {arm}").replace("int n =", "int m = lengths[1], n =")
    module = cleaned(source, tmp_path)
    text, report = melded(module)
    assert [region.kind for region in report.regions] == ([kind] if kind else [])
    before, after = Native(str(bitcode.read(module))), Native(text)
    assert all(before.run("f", data) == after.run("f", data) for data in inputs(1, 50))


SELF_LOOPS = """
declare void @klee_make_symbolic(ptr, i64, ptr)
define void @f(ptr %in, ptr %out) {
entry:
  %a = load i8, ptr %in
  %c = icmp ugt i8 %a, 9
  br i1 %c, label %yes, label %OTHER
yes:
  %i = phi i32 [ 0, %entry ], [ %j, %yes ]
  %x = phi i32 [ 3, %entry ], [ %y, %yes ]
  %y = mul i32 %x, 5
  %j = add i32 %i, 1
  %d = icmp ult i32 %j, 4
  br i1 %d, label %yes, label %end
no:
  %k = phi i32 [ 0, %entry ], [ %l, %no ]
  %u = phi i32 [ 7, %entry ], [ %v, %no ]
  %v = mul i32 %u, 9
  %l = add i32 %k, 1
  %e = icmp ult i32 %l, 4
  br i1 %e, label %no, label %end
end:
  %r = phi i32 [ %y, %yes ], PHI
  store i32 %r, ptr %out
  ret void
}
define i32 @main() {
  %b = alloca [16 x i8]
  %o = alloca [16 x i32]
  call void @klee_make_symbolic(ptr %b, i64 16, ptr null)
  call void @f(ptr %b, ptr %o)
  ret i32 0
}
"""


@pytest.mark.parametrize(
    ("other", "value", "kind"), [("no", "[ %v, %no ]", "isomorphic"), ("end", "[ 1, %entry ]", "region")]
)
def test_an_arm_that_is_a_loop_of_one_block(other: str, value: str, kind: str, tmp_path: Path) -> None:
    source = SELF_LOOPS.replace("OTHER", other).replace("PHI", value)
    if other == "end":
        source = source[: source.index("no:\n")] + source[source.index("end:\n") :]
    path = tmp_path / "loops.bc"
    path.write_bytes(bitcode.parse_text(source, "loops").as_bitcode())
    text, report = melded(path)
    assert [region.kind for region in report.regions] == [kind]
    before, after = Native(source), Native(text)
    assert all(before.run("f", data) == after.run("f", data) for data in inputs(1, 30))


def explored(linked: LinkedProgram) -> tuple[list[bytes], Worker]:
    """A witness for every path, and the worker that ran them."""
    image = build_image(linked)
    worker = Worker(image)
    solver = WorkerSolver(worker)
    outcome = Exploration(worker, solver, Options(every_path=True, max_paths=3000, mutations=False), image.graph).run()
    solver.close()
    assert outcome.exhausted
    return [test.witness for test in outcome.tests], worker


def figures(worker: Worker, witness: bytes) -> tuple[int, object, list[tuple[str, int]]]:
    """Exit status, coverage figures and covered lines of one run."""
    coverage = Coverage(worker.sites, worker.image.graph)
    run = worker.run(witness)
    assert run.end == "exit" and isinstance(run.covered, np.ndarray)
    coverage.add(run)
    return run.code, coverage.figures(), sorted(line for line, hit in coverage.lines().items() if hit)


@pytest.mark.parametrize(
    ("seed", "kind"), [(3, ""), (11, ""), (27, "wild"), (30, "wild"), (101, "twins"), (102, "twins"), (106, "twins")]
)
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
