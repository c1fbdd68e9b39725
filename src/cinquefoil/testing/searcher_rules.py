"""What every search strategy owes, whoever wrote it.  A name may hold several strategies: "dfs+bfs"."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from cinquefoil.exploration import Coverage, Exploration, Options, Tree
from cinquefoil.search import Context, Frontier, make_all
from cinquefoil.states.state import State
from cinquefoil.testing.toymachine import PROGRAMS, BruteForce, toy


def never_loses_a_state(strategy: str) -> None:
    held, coverage = _frontier(strategy)
    states = [state for batch in _batches(coverage) for state in _add(held, batch)]
    given: list[State] = []
    while held:
        given.append(held.select())
        held.settle(given[-1])
    assert sorted(state.id for state in given) == sorted(state.id for state in states)
    assert len(given) == len(set(given))


def never_returns_a_removed_state(strategy: str) -> None:
    held, coverage = _frontier(strategy)
    chance = random.Random(5)
    states: list[State] = []
    gone: set[int] = set()
    for batch in _batches(coverage):
        states += _add(held, batch)
        for state in chance.sample(states, len(states) // 3):
            held.settle(state)
            gone.add(state.id)
        if held:
            state = held.select()
            assert state.id not in gone
            gone.add(state.id)
            held.settle(state)
    while held:
        state = held.select()
        assert state.id not in gone
        gone.add(state.id)
    assert gone == {state.id for state in states}


def same_seed_same_order(strategy: str) -> None:
    def order(seed: int) -> list[int]:
        held, coverage = _frontier(strategy, seed)
        for batch in _batches(coverage):
            held.add(batch)
        chosen: list[State] = []
        while held:
            chosen.append(held.select())
            held.settle(chosen[-1])
        return [state.id for state in chosen]

    assert order(3) == order(3)


def exhausts_small_programs_with_the_same_paths(strategy: str) -> None:
    for program in PROGRAMS:
        machine = toy(program)
        options = Options(search=tuple(strategy.split("+")), every_path=True, seed=9)
        outcome = Exploration(machine, BruteForce(machine), options).run()
        assert outcome.exhausted, f"{program}: {outcome.reason}; faults: {outcome.faults}"
        found = {machine.path(machine.run(test.witness)) for test in outcome.tests if test.why != "assumed"}
        assert found == machine.truth, program
        assert outcome.statistics.paths == len(machine.truth), program


def survives_states_coming_and_going_at_random(strategy: str) -> None:
    """A long random sequence of additions, selections and removals."""
    held, coverage = _frontier(strategy)
    chance = np.random.default_rng(11)
    live: dict[int, State] = {}
    for batch in _batches(coverage):
        live.update({state.id: state for state in _add(held, batch)})
        for _ in range(int(chance.integers(0, 4))):
            if live and chance.random() < 0.5:
                state = live.pop(int(chance.choice(list(live))))
                held.settle(state)
            elif live:
                state = held.select()
                assert live.pop(state.id) == state
                held.settle(state)
        assert len(held) == len(live)


def forgets_many_states_at_once(strategy: str) -> None:
    """As pruners do it: a third of all that is pending goes after every run."""
    held, coverage = _frontier(strategy)
    chance = np.random.default_rng(3)
    live: set[int] = set()
    for batch in _batches(coverage):
        live |= {state.id for state in _add(held, batch)}
        for each in held.batches():
            chosen = chance.random(len(each)) < 0.3
            gone = set(each.ids[chosen & each.pending].tolist())
            assert held.discard(each, chosen) == len(gone)
            assert gone <= live
            live -= gone
        assert len(held) == len(live) == sum(each.live for each in held.batches())
        if held:
            state = held.select()
            live.remove(state.id)
            held.settle(state)
    while held:
        live.remove(held.select().id)
    assert not live


SEARCHER_RULES: Final[tuple[Callable[[str], None], ...]] = (
    never_loses_a_state,
    never_returns_a_removed_state,
    same_seed_same_order,
    exhausts_small_programs_with_the_same_paths,
    survives_states_coming_and_going_at_random,
    forgets_many_states_at_once,
)


def _frontier(strategy: str, seed: int = 1) -> tuple[Frontier, Coverage]:
    coverage = Coverage(toy("loops").sites)
    context = Context(random.Random(seed), coverage)
    return Frontier(make_all(strategy.split("+"), context)), coverage


def _batches(coverage: Coverage) -> Iterator[Sequence[State]]:
    """States of several toy runs, as exploration would add them."""
    machine = toy("loops")
    tree = Tree(machine.sites)
    for data in machine.inputs():
        run = machine.run(data)
        gain = coverage.add(run)
        growth = tree.add(run, None, gain.marks)
        if growth.states:
            yield growth.states


def _add(held: Frontier, batch: Sequence[State]) -> Sequence[State]:
    held.add(batch)
    return batch
