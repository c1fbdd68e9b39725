"""What every solver layer owes, whoever wrote it: it is compared with trying all values of one or two input bytes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Final

from cinquefoil.expr.native_evaluator import NativeEvaluator
from cinquefoil.expr.table import ExpressionTable
from cinquefoil.solver.api import Query
from cinquefoil.solver.chain import Chain
from cinquefoil.solver.layer import Layer
from cinquefoil.solver.problem import Problem, Verdict
from cinquefoil.solver.registry import REGISTRY, factory_of
from cinquefoil.testing.queries import random_case

_CASES = 150


class _Watch(Layer):
    """Stands below the layer in question: sees in which state it left what it did not decide."""

    name = "watch"

    def __init__(self) -> None:
        super().__init__(None)
        self.model: bytes | None = None

    def decide(self, problem: Problem) -> Verdict:
        self.model = problem.model()
        return Verdict.UNKNOWN


def has_a_name_of_its_own(name: str) -> None:
    """Statistics are kept by it."""
    layer = REGISTRY.make(name, None)
    assert isinstance(layer, Layer), f"{name} makes {type(layer).__name__}, not a Layer"
    assert layer.name and layer.name not in ("slice", "check", "smt"), f"the layer's name is {layer.name!r}"


def answers_are_right(name: str) -> None:
    """Unsatisfiable means that no input does it; a solution satisfies the whole query."""
    for number, (table, query) in enumerate(_cases()):
        chain = Chain(table, (factory_of(name),))
        answer = chain.solve(query)
        assert chain.statistics()["check"].unknown == 0, f"case {number}: it offered a solution that is none"
        if answer.status == "unsat":
            assert not satisfiable(table, query), f"case {number} has a solution"
        chain.close()


def leaves_open_problems_as_they_were(name: str) -> None:
    """The layers below start from the witness's bytes."""
    for number, (table, query) in enumerate(_cases()):
        watch = _Watch()
        chain = Chain(table, (factory_of(name), lambda _, watch=watch: watch))
        chain.solve(query)
        alone = _Watch()
        Chain(table, (lambda _, alone=alone: alone,)).solve(query)
        assert watch.model in (None, alone.model), f"case {number}: the model was changed"


def same_queries_same_answers(name: str) -> None:
    """The answer is the same also after the same query has been seen, and after an epoch has ended."""
    for number, (table, query) in enumerate(_cases()):
        chain, again = (Chain(table, (factory_of(name),)) for _ in range(2))
        first = chain.solve(query)
        assert again.solve(query) == first, f"case {number}"
        second = chain.solve(query).status
        assert {first.status, second} != {"sat", "unsat"}, f"case {number}: first {first.status}, then {second}"
        chain.reset(table)
        third = chain.solve(query).status
        assert {first.status, third} != {"sat", "unsat"}, f"case {number}: {first.status}, then {third}"


LAYER_RULES: Final[tuple[Callable[[str], None], ...]] = (
    has_a_name_of_its_own,
    answers_are_right,
    leaves_open_problems_as_they_were,
    same_queries_same_answers,
)


def satisfiable(table: ExpressionTable, query: Query) -> bool:
    """Whether one of all values of the input bytes, of which there are at most two, satisfies the query."""
    wanted = [*query.constraints.constraints(), *query.goal]
    used = sorted({index for item in wanted for index in table.deps(item.node)})
    assert len(used) <= 2
    outer, inner = [*used, 1000, 1001][:2]
    return bool(NativeEvaluator(table).pair_domain(wanted, outer, inner, query.witness.ljust(1002, b"\0")).any())


def _cases() -> Iterator[tuple[ExpressionTable, Query]]:
    rng = random.Random(17)
    for _ in range(_CASES):
        floats, wide = rng.random() < 0.2, rng.random() < 0.15
        yield random_case(rng, rng.choice((1, 2, 2)), rng.randrange(5), floats=floats, wide=wide)
