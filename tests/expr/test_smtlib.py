"""SMT-LIB text: both solvers read it and come to the right verdict."""

from __future__ import annotations

from pathlib import Path
from random import Random

import bitwuzla
import pytest
import z3
from dags import ALL, RandomDag, random_input

from cinquefoil.expr import smt
from cinquefoil.expr.builder import TableBuilder
from cinquefoil.expr.constraint import Constraint
from cinquefoil.expr.evaluate import Evaluator
from cinquefoil.expr.naming import object_names
from cinquefoil.expr.smtlib import smtlib
from cinquefoil.layout import Op

# Slow to solve over variables; that their text is well formed is tested without solving.
HARD = (Op.FDIV, Op.FREM, Op.FSQRT, Op.FMA, Op.FMUL, Op.UDIV, Op.SDIV, Op.UREM, Op.SREM, Op.MUL)


def parse(script: str, folder: Path) -> tuple[z3.Solver, bitwuzla.Parser]:
    """Both solvers with the script's assertions."""
    solver = z3.Solver()
    solver.from_string(script)
    path = folder / "query.smt2"
    path.write_text(script)
    parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())
    parser.parse(str(path), True, True)
    return solver, parser


def verdicts(script: str, folder: Path) -> tuple[bool, bool]:
    solver, parser = parse(script, folder)
    return solver.check() == z3.sat, parser.bitwuzla().check_sat() == bitwuzla.Result.SAT


def test_text_is_readable(tmp_path: Path) -> None:
    b = TableBuilder()
    condition = b.binary(Op.ULT, b.binary(Op.ADD, b.inputs(0, 2), b.const(16, 3)), b.const(16, 7))
    text = smtlib(b.table(), [Constraint(condition)], object_names([("n", 0, 2)]))
    assert text.splitlines() == [
        "(set-logic QF_BV)",
        "(declare-const |n[0]| (_ BitVec 8))",
        "(declare-const |n[1]| (_ BitVec 8))",
        "(define-fun t0 () (_ BitVec 16) (concat |n[1]| |n[0]|))",
        "(define-fun t1 () (_ BitVec 16) (bvadd t0 #x0003))",
        "(define-fun t2 () Bool (bvult t1 #x0007))",
        "(assert t2)",
        "(check-sat)",
    ]
    assert verdicts(text, tmp_path) == (True, True)


@pytest.mark.parametrize("seed", range(8))
def test_solvers_decide_random_graphs(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    # Bitwuzla's parser refuses x86_fp80's format.
    dag = RandomDag(rng, ops=tuple(op for op in ALL if op not in HARD), floats=(32, 64)).grow(10)
    table, data = dag.builder.table(), random_input(rng)
    oracle = Evaluator(table, data)
    pins = [Constraint(dag.builder.input(i), data[i]) for i in range(len(data))]
    roots = [Constraint(n, oracle.value(n)) for n in dag.roots]
    assert verdicts(smtlib(table, pins + roots), tmp_path) == (True, True)


@pytest.mark.parametrize("seed", range(8))
def test_solvers_read_all_operations(seed: int, tmp_path: Path) -> None:
    dag = RandomDag(Random(seed), floats=(32, 64)).grow(150)
    script = smtlib(dag.builder.table(), [Constraint(n, 1) for n in dag.roots])
    solver, _ = parse(script, tmp_path)
    assert len(solver.assertions()) >= len(dag.roots)


@pytest.mark.parametrize("limit", [50, smt.ARRAY_RUNS])
def test_solvers_refute_table_reads(limit: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smt, "ARRAY_RUNS", limit)
    b = TableBuilder()
    table = b.add_table(16, [(i * 7919) & 0x7FFF for i in range(200)])
    read = b.read(table, b.input(0))
    text = smtlib(b.table(), [Constraint(read, 7919), Constraint(b.input(0), 2)])
    assert ("QF_ABV" in text) == (limit == 50)
    parse(text, tmp_path)
    if limit != 50:  # over the array the check did not end within half a minute
        assert verdicts(text, tmp_path) == (False, False)
        assert verdicts(smtlib(b.table(), [Constraint(read, 7919)]), tmp_path) == (True, True)


def test_text_stays_linear() -> None:
    b = TableBuilder()
    node = b.inputs(0, 4)
    for _ in range(3000):
        node = b.binary(Op.MUL, node, node)
    assert len(smtlib(b.table(), [Constraint(node, 1)])) < 3000 * 80
