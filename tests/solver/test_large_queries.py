"""What cannot be stopped is not begun: large queries near the end of the time, and Bitwuzla's normalisation of them."""

from __future__ import annotations

import pytest

from cinquefoil.expr.builder import TableBuilder
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.layout import Op
from cinquefoil.solver.api import Constraint
from cinquefoil.solver.bitwuzla_session import NORMALIZED, TERMS_PER_SECOND, BitwuzlaSession
from cinquefoil.solver.problem import Verdict


def chain(length: int) -> tuple[ExpressionTable, Constraint]:
    """Is a chain of exclusive ors and rotations of two input bytes equal to 7?"""
    builder = TableBuilder()
    value, other = builder.inputs(0, 2), builder.inputs(2, 2)
    for step in range(length):
        mixed = builder.binary(Op.XOR, value, other if step % 2 else builder.const(16, step * 40503 & 0xFFFF))
        value = builder.binary(Op.OR, builder.binary(Op.SHL, mixed, builder.const(16, 3)), other)
    equal = builder.binary(Op.EQ, value, builder.const(16, 7))
    return builder.table(), Constraint(equal, 1)


def test_terms_for_which_there_is_no_time_are_not_made() -> None:
    table, constraint = chain(400)
    session = BitwuzlaSession(table, 0)
    assert session.check([constraint], 10.0, wall=400 / TERMS_PER_SECOND) is Verdict.UNKNOWN
    assert session.translator.made == 0
    assert session.check([constraint], 10.0) is not Verdict.UNKNOWN


@pytest.mark.parametrize("runs", [2, 8192])
def test_a_table_counts_by_its_runs(runs: int) -> None:
    builder = TableBuilder()
    contents = [i * 2654435761 % (1 << 32) if i < runs else 0 for i in range(8192)]
    value = builder.read(builder.add_table(32, contents), builder.inputs(0, 2))
    constraint = Constraint(builder.binary(Op.EQ, value, builder.const(32, contents[1])), 1)
    session = BitwuzlaSession(builder.table(), 0)
    verdict = session.check([constraint], 10.0, wall=1000 / TERMS_PER_SECOND)
    assert (verdict, session.translator.made > 0) == ((Verdict.SAT, True) if runs == 2 else (Verdict.UNKNOWN, False))


def test_only_small_queries_are_normalised() -> None:
    for length, normalises in ((NORMALIZED // 20, True), (NORMALIZED, False)):
        table, constraint = chain(length)
        session = BitwuzlaSession(table, 0)
        assert session.check([constraint], 10.0) is not Verdict.UNKNOWN
        assert session.normalizes is normalises
