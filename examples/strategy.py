"""A search strategy of one's own: always the state with the fewest decisions before it.

python examples/strategy.py
"""

import heapq
from collections.abc import Sequence
from pathlib import Path

import cinquefoil
from cinquefoil import Context, Searcher, State, register_searcher


@register_searcher("shallow")
class Shallow(Searcher):
    """The state with the fewest decisions, oldest first."""

    def __init__(self, context: Context) -> None:
        self.heap: list[tuple[int, int, State]] = []

    def add(self, states: Sequence[State]) -> None:
        for state in states:
            heapq.heappush(self.heap, (state.depth, state.id, state))

    def select(self) -> State:
        return heapq.heappop(self.heap)[2]


if __name__ == "__main__":
    outcome = cinquefoil.explore(Path(__file__).with_name("password.c"), search="shallow", max_time=30)
    print(f"{outcome.statistics.paths} paths, {len(outcome.tests)} tests, all of them: {outcome.exhausted}")
    for error in outcome.errors:
        print(f"{error.kind} in {error.function}, line {error.line}: {error.test.objects}")
